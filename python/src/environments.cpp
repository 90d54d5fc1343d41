// paika._core._BatchEnv: environments whose arrays are numpy's own view of the engine's memory.
#include <atomic>
#include <fmt/format.h>

#include "base/in_use.hpp"
#include "bindings.hpp"
#include "engine/environment.hpp"
#include "engine/registry.hpp"

namespace paika::python {

namespace {

using ActionArray = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

class PyBatchEnv {
 public:
  PyBatchEnv(const std::string& spec, const EnvironmentSettings& settings)
      : game_(value_or_throw(open_game(spec))),
        environment_(value_or_throw(open_environment(game_->notation().spec(), settings))) {}

  [[nodiscard]] BatchEnvironment& get() noexcept { return *environment_; }
  [[nodiscard]] std::shared_ptr<Game> game() const { return std::const_pointer_cast<Game>(game_); }

  void reset(std::uint64_t seed) {
    exclusively([&] { environment_->reset(seed); });
  }
  void step(const ActionArray& actions) {
    const std::span<const std::int64_t> span(actions.data(), static_cast<std::size_t>(actions.size()));
    Result<void> result;
    exclusively([&] { result = environment_->step(span); });
    value_or_throw(std::move(result));
  }
  py::array_t<std::int64_t> sample() {
    py::array_t<std::int64_t> actions(environment_->settings().games);
    const std::span<std::int64_t> span(actions.mutable_data(), static_cast<std::size_t>(actions.size()));
    exclusively([&] { environment_->sample(span); });
    return actions;
  }
  void start_from(int game, const PlayedPosition& position) {
    check(game);
    if (position.notation().spec() != game_->notation().spec()) {
      throw py::value_error(
          fmt::format("the position is one of {}, not of {}", position.notation().spec(), game_->notation().spec()));
    }
    exclusively([&] { environment_->start_from(game, position.session().board()); });
  }

  PlayedPosition position(int game) {
    check(game);
    Board board;
    exclusively([&] { board = environment_->board(game); });
    return value_or_throw(PlayedPosition::parse(game_, game_->notation().position_text(board)));
  }
  py::list begun(int game) {
    check(game);
    Turn turn;
    exclusively([&] { turn = environment_->begun(game); });
    return step_list(game_->notation(), turn);
  }
  py::list steps(int game, std::int64_t action) {
    check(game);
    Result<Turn> turn;
    exclusively([&] { turn = environment_->steps(game, action); });
    return step_list(game_->notation(), value_or_throw(std::move(turn)));
  }
  std::vector<std::int64_t> encode(int game, const std::string& move) {
    const PlayedPosition now = position(game);
    const Turn turn = turn_of(now, py::str(move));
    Result<std::vector<std::int64_t>> actions;
    exclusively([&] { actions = environment_->encode(game, turn); });
    return value_or_throw(std::move(actions));
  }
  py::tuple outcome(int game) {
    check(game);
    const Outcome outcome = environment_->outcome(game);
    return py::make_tuple(std::string(name(outcome.verdict)), std::string(name(outcome.reason)));
  }

 private:
  void check(int game) const {
    const int games = environment_->settings().games;
    if (game >= 0 && game < games) return;
    throw py::index_error(fmt::format("there is no game {}: they are 0 to {}", game, games - 1));
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
  std::unique_ptr<BatchEnvironment> environment_;
  std::atomic<bool> busy_{false};
};

/// A view of an array that lives as long as its environment; Python may read it.
template <class Seen, class T>
py::array view(const py::object& self, std::vector<T>& values, std::vector<py::ssize_t> shape) {
  static_assert(sizeof(Seen) == sizeof(T));
  py::array array(py::dtype::of<Seen>(), std::move(shape), values.data(), self);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

template <class Seen, class T>
auto array_property(std::vector<T> EnvironmentArrays::* member,
                    std::vector<py::ssize_t> (*row)(const EnvironmentShape&)) {
  return [member, row](const py::object& self) {
    BatchEnvironment& environment = self.cast<PyBatchEnv&>().get();
    std::vector<py::ssize_t> shape = row(environment.shape());
    shape.insert(shape.begin(), environment.settings().games);
    return view<Seen>(self, environment.arrays().*member, std::move(shape));
  };
}

std::vector<py::ssize_t> scalar(const EnvironmentShape& /*s*/) { return {}; }
std::vector<py::ssize_t> pair(const EnvironmentShape& /*s*/) { return {2}; }
std::vector<py::ssize_t> action_row(const EnvironmentShape& s) { return {s.actions}; }
std::vector<py::ssize_t> plane_rows(const EnvironmentShape& s) { return {s.planes, s.rows, s.cols}; }

}  // namespace

void bind_environments(py::module_& module) {
  using A = EnvironmentArrays;
  py::class_<PyBatchEnv>(module, "_BatchEnv")
      .def(py::init([](const std::string& spec, int games, int threads, std::uint64_t seed, int max_moves,
                       bool autoreset) {
             return std::make_unique<PyBatchEnv>(spec, EnvironmentSettings{games, threads, seed, max_moves, autoreset});
           }),
           py::arg("spec"), py::arg("n"), py::arg("threads"), py::arg("seed"), py::arg("max_moves"),
           py::arg("autoreset"))
      .def_property_readonly("game", &PyBatchEnv::game)
      .def_property_readonly("observations", array_property<std::uint8_t>(&A::observations, plane_rows))
      .def_property_readonly("masks", array_property<bool>(&A::masks, action_row))
      .def_property_readonly("rewards", array_property<float>(&A::rewards, pair))
      .def_property_readonly("terminated", array_property<bool>(&A::terminated, scalar))
      .def_property_readonly("truncated", array_property<bool>(&A::truncated, scalar))
      .def_property_readonly("players", array_property<std::uint8_t>(&A::players, scalar))
      .def_property_readonly("moves", array_property<std::int32_t>(&A::moves, scalar))
      .def("_reset", &PyBatchEnv::reset, py::arg("seed"))
      .def("_step", &PyBatchEnv::step, py::arg("actions"))
      .def("sample", &PyBatchEnv::sample, "An allowed action for every game, each as likely; -1 for games that ended.")
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
