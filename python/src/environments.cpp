// paika._core._BatchEnv: environments whose arrays are views of the engine's memory.
#include <array>
#include <atomic>
#include <fmt/format.h>
#include <limits>

#include "base/in_use.hpp"
#include "bindings.hpp"
#include "engine/environment.hpp"
#include "engine/registry.hpp"

namespace paika::python {

namespace {

/// One of the environment's arrays. Python sees it by the buffer protocol, which every version of numpy reads; it lives
/// as long as somebody looks at it, and Python may only read it.
struct ArrayView {
  std::shared_ptr<BatchEnvironment> environment;
  py::buffer_info info;
};

/// What a buffer shows; TypeError where Python says BufferError: the caller gave the wrong thing.
py::buffer_info shown(const py::buffer& buffer, bool writable = false) {
  try {
    return buffer.request(writable);
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_BufferError)) throw;
    throw py::type_error(writable ? "there must be an array that can be written to" : "there must be an array");
  }
}

/// Whole numbers of 64 bits in a row, as numpy.ascontiguousarray(…, numpy.int64) gives them.
template <class Number>
std::span<Number> numbers(const py::buffer_info& info) {
  const bool whole = info.itemsize == sizeof(Number) && (info.format == "l" || info.format == "q");
  if (!whole || info.ndim != 1 || (info.size > 1 && info.strides[0] != info.itemsize)) {
    throw py::type_error(fmt::format("there must be one row of numbers of type int64, not {} dimensions of type '{}'",
                                     info.ndim, info.format));
  }
  return {static_cast<Number*>(info.ptr), static_cast<std::size_t>(info.size)};
}

class PyBatchEnv {
 public:
  PyBatchEnv(const py::object& game, const EnvironmentSettings& settings)
      : game_(game_of(game)),
        environment_(value_or_throw(open_environment(game_->notation().spec(), settings)).release(),
                     DeleteWhereMade<BatchEnvironment>{}) {}

  [[nodiscard]] std::shared_ptr<Game> game() const { return std::const_pointer_cast<Game>(game_); }

  /// A view of an array, one row of `row` for each game; Python sees its numbers as `Seen`.
  template <class Seen, class T>
  [[nodiscard]] ArrayView view(std::vector<T> EnvironmentArrays::* member, std::vector<py::ssize_t> row) const {
    static_assert(sizeof(Seen) == sizeof(T));
    row.insert(row.begin(), environment_->settings().games);
    std::vector<py::ssize_t> strides = py::detail::c_strides(row, sizeof(T));
    return {environment_,
            py::buffer_info((environment_->arrays().*member).data(), sizeof(T), py::format_descriptor<Seen>::format(),
                            static_cast<py::ssize_t>(row.size()), row, std::move(strides), true)};
  }
  [[nodiscard]] py::tuple views() const {
    using A = EnvironmentArrays;
    const EnvironmentShape& s = environment_->shape();
    return py::make_tuple(view<std::uint8_t>(&A::observations, {s.planes, s.rows, s.cols}),
                          view<bool>(&A::masks, {s.actions}), view<float>(&A::rewards, {2}),
                          view<bool>(&A::terminated, {}), view<bool>(&A::truncated, {}),
                          view<std::uint8_t>(&A::players, {}), view<std::int32_t>(&A::moves, {}));
  }

  void reset(std::uint64_t seed) {
    exclusively([&] { environment_->reset(seed); });
  }
  void step(const py::buffer& actions) {
    const py::buffer_info info = shown(actions);
    Result<void> result;
    exclusively([&, span = numbers<const std::int64_t>(info)] { result = environment_->step(span); });
    value_or_throw(std::move(result));
  }
  void branch(const py::buffer& sources, const py::buffer& actions, const py::buffer& targets) {
    const std::array infos = {shown(sources), shown(actions), shown(targets)};
    const std::array spans = {numbers<const std::int64_t>(infos[0]), numbers<const std::int64_t>(infos[1]),
                              numbers<const std::int64_t>(infos[2])};
    Result<void> result;
    exclusively([&] { result = environment_->branch(spans[0], spans[1], spans[2]); });
    value_or_throw(std::move(result));
  }
  void sample(const py::buffer& actions) {
    const py::buffer_info info = shown(actions, true);
    exclusively([&, span = numbers<std::int64_t>(info)] { environment_->sample(span); });
  }
  void start_from(const py::object& which, const py::object& from) {
    const int game = index_of(which);
    const PlayedPosition& position = position_of(from);
    if (position.notation().spec() != game_->notation().spec()) {
      throw py::value_error(
          fmt::format("the position is one of {}, not of {}", position.notation().spec(), game_->notation().spec()));
    }
    exclusively([&] { environment_->start_from(game, position.session().board()); });
  }

  PlayedPosition position(const py::object& which) {
    const int game = index_of(which);
    Board board;
    exclusively([&] { board = environment_->board(game); });
    return value_or_throw(PlayedPosition::parse(game_, game_->notation().position_text(board)));
  }
  py::list begun(const py::object& which) {
    const int game = index_of(which);
    Turn turn;
    exclusively([&] { turn = environment_->begun(game); });
    return step_list(game_->notation(), turn);
  }
  py::list steps(const py::object& which, const py::object& done) {
    const int game = index_of(which);
    const std::int64_t action = number_of(done, "action", 0, environment_->shape().actions - 1);
    Result<Turn> turn;
    exclusively([&] { turn = environment_->steps(game, action); });
    return step_list(game_->notation(), value_or_throw(std::move(turn)));
  }
  std::vector<std::int64_t> encode(const py::object& which, const py::object& move) {
    const int game = index_of(which);
    const Turn turn = turn_of(position(which), move);
    Result<std::vector<std::int64_t>> actions;
    exclusively([&] { actions = environment_->encode(game, turn); });
    return value_or_throw(std::move(actions));
  }
  py::tuple outcome(const py::object& which) {
    const int game = index_of(which);
    Outcome outcome;
    exclusively([&] { outcome = environment_->outcome(game); });
    return py::make_tuple(std::string(name(outcome.verdict)), std::string(name(outcome.reason)));
  }

 private:
  [[nodiscard]] int index_of(const py::object& which) const {
    const int games = environment_->settings().games;
    const auto game = whole_number(which, "game");
    if (game && *game >= 0 && *game < games) return static_cast<int>(*game);
    throw py::index_error(fmt::format("there is no game {}: they are 0 to {}", std::string(py::str(which)), games - 1));
  }

  /// Without the interpreter's lock, and without another thread.
  template <class F>
  void exclusively(F&& work) {
    const InUse use(busy_);
    if (!use) throw std::runtime_error("another thread is using this environment: give each thread its own");
    const py::gil_scoped_release release;
    work();
  }

  GamePtr game_;
  std::shared_ptr<BatchEnvironment> environment_;
  std::atomic<bool> busy_{false};
};

}  // namespace

void bind_environments(py::module_& module) {
  py::class_<ArrayView>(module, "_Array", py::buffer_protocol()).def_buffer([](const ArrayView& view) {
    return py::buffer_info(view.info.ptr, view.info.itemsize, view.info.format, view.info.ndim, view.info.shape,
                           view.info.strides, true);
  });
  py::class_<PyBatchEnv>(module, "_BatchEnv")
      .def(py::init([](const py::object& spec, const py::object& n, const py::object& threads, std::uint64_t seed,
                       const py::object& max_moves, bool autoreset) {
             EnvironmentSettings settings;
             settings.games = static_cast<int>(number_of(n, "n", 1, max_environment_games));
             settings.threads = static_cast<int>(number_of(threads, "threads", 1, max_environment_threads));
             settings.seed = seed;
             settings.max_moves =
                 static_cast<int>(number_of(max_moves, "max_moves", 0, std::numeric_limits<int>::max()));
             settings.autoreset = autoreset;
             return std::make_unique<PyBatchEnv>(spec, settings);
           }),
           py::arg("spec"), py::arg("n"), py::arg("threads"), py::arg("seed"), py::arg("max_moves"),
           py::arg("autoreset"))
      .def_property_readonly("game", &PyBatchEnv::game)
      .def("_views", &PyBatchEnv::views)
      .def("_reset", &PyBatchEnv::reset, py::arg("seed"))
      .def("_step", &PyBatchEnv::step, py::arg("actions"))
      .def("_branch", &PyBatchEnv::branch, py::arg("sources"), py::arg("actions"), py::arg("targets"))
      .def("_sample", &PyBatchEnv::sample, py::arg("actions"))
      .def("start_from", &PyBatchEnv::start_from, py::arg("game"), py::arg("position"),
           "Begins one game at a position. Moves before it do not count for repetition.")
      .def("position", &PyBatchEnv::position, py::arg("game"), "The position where a game's present move began.")
      .def("begun", &PyBatchEnv::begun, py::arg("game"), "The steps of a game's present move so far.")
      .def("steps", &PyBatchEnv::steps, py::arg("game"), py::arg("action"),
           "The steps that an action adds to the present move.")
      .def("encode", &PyBatchEnv::encode, py::arg("game"), py::arg("move"), "The actions that make a legal move.")
      .def("outcome", &PyBatchEnv::outcome, py::arg("game"), "(verdict, reason) of a game that ended.");
}

}  // namespace paika::python
