// paika.Engine, paika.Table and records.
#include <atomic>
#include <condition_variable>
#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <stop_token>
#include <thread>

#include "base/in_use.hpp"
#include "bindings.hpp"
#include "engine/engine.hpp"
#include "engine/solver.hpp"
#include "engine/tables.hpp"
#include "play/settings.hpp"

namespace paika::python {

namespace {

void check_game(const Game& wanted, const PlayedPosition& position) {
  if (wanted.notation().spec() == position.notation().spec()) return;
  throw py::value_error(
      fmt::format("the position is one of {}, not of {}", position.notation().spec(), wanted.notation().spec()));
}

[[noreturn]] void throw_busy(const char* what) {
  throw std::runtime_error(fmt::format("another thread is using this {0}: give each thread its own {0}", what));
}

struct PyResult {
  Decision decision;
};

/// One search on a thread of its own, so that the calling thread can look for Ctrl-C meanwhile.
class SearchRun {
 public:
  SearchRun(Engine& engine, const Session& session, const SearchLimits& limits, py::function on_progress)
      : on_progress_(std::move(on_progress)),
        thread_([this, &engine, &session, limits] { search(engine, session, limits); }) {}

  /// Requires that the caller has released the interpreter's lock.
  Decision wait() {
    std::unique_lock lock(mutex_);
    while (!finished_.wait_for(lock, std::chrono::milliseconds(50), [&] { return done_; })) {
      lock.unlock();
      {
        const py::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) stop_with(std::make_exception_ptr(py::error_already_set()));
      }
      lock.lock();
    }
    lock.unlock();
    thread_.join();
    if (error_) std::rethrow_exception(error_);
    return std::move(decision_);
  }

 private:
  void search(Engine& engine, const Session& session, const SearchLimits& limits) {
    std::function<void(const SearchInfo&)> report;
    if (on_progress_) report = [this](const SearchInfo& info) { call(info); };
    try {
      decision_ = engine.think(session, limits, stop_.get_token(), report);
    } catch (...) {
      stop_with(std::current_exception());
    }
    const std::lock_guard lock(mutex_);
    done_ = true;
    finished_.notify_all();
  }

  void call(const SearchInfo& info) {
    const py::gil_scoped_acquire acquire;
    try {
      const py::object answer = on_progress_(info);
      if (!answer.is_none() && answer.cast<bool>()) stop_.request_stop();
    } catch (...) {
      stop_with(std::current_exception());
    }
  }

  void stop_with(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
    stop_.request_stop();
  }

  py::function on_progress_;
  std::mutex mutex_;
  std::condition_variable finished_;
  bool done_ = false;
  std::exception_ptr error_;
  std::stop_source stop_;
  Decision decision_;
  std::thread thread_;  // last: it uses all the others
};

class PyEngine {
 public:
  PyEngine(const py::object& game, const py::object& settings, const py::object& tables) : game_(game_of(game)) {
    const auto read = value_or_throw(play::read_settings(text_of(settings, "the settings")));
    limits_ = read.limits;
    settings_ = read.search;
    if (!tables.is_none()) settings_.tables = path_of(tables, "tables");
    make();
  }

  [[nodiscard]] const std::shared_ptr<Game>& game() const noexcept { return game_; }

  PyResult best(const py::object& from, const py::object& limits, const py::object& on_progress) {
    const PlayedPosition& position = position_of(from);
    check_game(*game_, position);
    const auto read = value_or_throw(play::read_settings(text_of(limits, "the limits")));
    if (const auto others = play::search_settings_text(read.search); !others.empty()) {
      throw py::value_error(
          fmt::format("'{}' is not a limit of a search; the limits are time, clock, depth and nodes", others));
    }
    SearchLimits chosen = play::any_limit(read.limits) ? read.limits : limits_;
    if (!play::any_limit(chosen)) chosen.move_time = play::standard_move_time;
    if (position.session().outcome().over()) throw py::value_error("the game is over: there is nothing to search");
    const InUse use(busy_);
    if (!use) throw_busy("engine");
    if (!engine_.get_deleter().here()) make();  // a fork begins with an engine of its own
    const PlayedPosition own = position.in(game_);
    SearchRun run(*engine_, own.session(), chosen,
                  on_progress.is_none() ? py::function() : on_progress.cast<py::function>());
    const py::gil_scoped_release release;
    return {run.wait()};
  }

  void forget() {
    const InUse use(busy_);
    if (!use) throw_busy("engine");
    if (engine_.get_deleter().here()) {
      engine_->forget();
    } else {
      make();
    }
  }

 private:
  void make() { engine_ = {game_->engine(settings_).release(), DeleteWhereMade<Engine>{}}; }

  std::shared_ptr<Game> game_;
  SearchLimits limits_;
  SearchSettings settings_;
  std::unique_ptr<Engine, DeleteWhereMade<Engine>> engine_;
  std::atomic<bool> busy_{false};
};

class PyTable {
 public:
  PyTable(const py::object& game, const py::object& folder) : game_(game_of(game)) {
    const std::string where = folder.is_none() ? default_tables_folder() : path_of(folder, "folder");
    book_ = value_or_throw(TableBook::open(game_->notation().spec(), where));
    if (book_ == nullptr) {
      PyErr_SetString(PyExc_FileNotFoundError, fmt::format("there is no table of {} in {}; `paika solve` makes tables",
                                                           game_->notation().spec(), where)
                                                   .c_str());
      throw py::error_already_set();
    }
  }

  [[nodiscard]] const std::string& path() const { return book_->path(); }

  std::optional<Value> value(const py::object& of) {
    const PlayedPosition& position = position_of(of);
    check_game(*game_, position);
    return value_or_throw(book_->value(position.session()));
  }
  std::optional<std::vector<std::pair<std::string, Value>>> moves(const py::object& of) {
    const PlayedPosition& position = position_of(of);
    check_game(*game_, position);
    const auto turns = value_or_throw(book_->turns(position.session()));
    if (!turns) return std::nullopt;
    std::vector<std::pair<std::string, Value>> list;
    for (const ValuedTurn& turn : *turns) list.emplace_back(turn.text, turn.value);
    return list;
  }

 private:
  std::shared_ptr<Game> game_;
  std::unique_ptr<TableBook> book_;  // used with the interpreter's lock held
};

void bind_lines(py::module_& module) {
  py::class_<InfoLine>(module, "Line", "One line of play with its score for the side to move at its start.")
      .def_readonly("score", &InfoLine::score,
                    "In hundredths of a piece; 1,000,000 - n is a win in n moves of both sides.")
      .def_readonly("exact", &InfoLine::exact, "Proven to the end of the game.")
      .def_readonly("at_most", &InfoLine::at_most, "A proven win or loss that may come sooner.")
      .def_readonly("moves", &InfoLine::texts)
      .def_property_readonly(
          "score_text", [](const InfoLine& l) { return score_text(l); }, "'+1.25', 'win in 5'.")
      .def("__repr__", [](const InfoLine& l) { return fmt::format("<Line {} {}>", l.texts.front(), score_text(l)); });
  py::class_<SearchInfo>(module, "SearchInfo", "How far a search has come.")
      .def_readonly("depth", &SearchInfo::depth)
      .def_readonly("selective_depth", &SearchInfo::selective_depth)
      .def_readonly("nodes", &SearchInfo::nodes)
      .def_property_readonly("time_ms", [](const SearchInfo& i) { return i.time.count(); })
      .def_readonly("lines", &SearchInfo::lines, "Best first.")
      .def("__repr__", [](const SearchInfo& i) {
        return fmt::format("<SearchInfo depth {}: {} {}>", i.depth, i.lines.front().texts.front(),
                           score_text(i.lines.front()));
      });
  py::class_<PyResult>(module, "SearchResult", "What Engine.best found.")
      .def_property_readonly(
          "move", [](const PyResult& r) { return r.decision.text; }, "The chosen move.")
      .def_property_readonly("info", [](const PyResult& r) { return r.decision.info; })
      .def_property_readonly(
          "lines", [](const PyResult& r) { return r.decision.info.lines; }, "Best first.")
      .def_property_readonly("score", [](const PyResult& r) { return r.decision.info.lines.front().score; })
      .def_property_readonly("score_text", [](const PyResult& r) { return score_text(r.decision.info.lines.front()); })
      .def_property_readonly("depth", [](const PyResult& r) { return r.decision.info.depth; })
      .def_property_readonly("nodes", [](const PyResult& r) { return r.decision.info.nodes; })
      .def_property_readonly(
          "reasons",
          [](const PyResult& r) {
            std::vector<std::pair<std::string, int>> reasons;
            for (const Reason& reason : r.decision.reasons) reasons.emplace_back(reason.name, reason.value);
            return reasons;
          },
          "Pairs of a part of the evaluation and its value for the side to move.")
      .def_property_readonly(
          "table", [](const PyResult& r) { return r.decision.table; },
          "The table that the answer was read from; '' if it was searched.")
      .def("__repr__", [](const PyResult& r) {
        return fmt::format("<SearchResult {} {}>", r.decision.text, score_text(r.decision.info.lines.front()));
      });
}

void bind_records(py::module_& module) {
  using play::GameRecord;
  py::class_<GameRecord>(module, "Record", "A game that was read from a record; its moves are legal.")
      .def_readonly("spec", &GameRecord::spec)
      .def_property_readonly("players", [](const GameRecord& r) { return py::make_tuple(r.players[0], r.players[1]); })
      .def_readonly("notes", &GameRecord::notes)
      .def_property_readonly("moves",
                             [](const GameRecord& r) {
                               std::vector<std::string> moves;
                               for (const auto& turn : r.turns) moves.push_back(turn.text);
                               return moves;
                             })
      .def_property_readonly("verdict", [](const GameRecord& r) { return std::string(name(r.result.verdict)); })
      .def_property_readonly("reason", [](const GameRecord& r) { return r.result.reason; })
      .def_property_readonly(
          "position", [](const GameRecord& r) { return PlayedPosition::of(r); }, "The last position, with all moves.")
      .def_property_readonly("text", [](const GameRecord& r) { return play::record_text(r); })
      .def("__repr__", [](const GameRecord& r) {
        return fmt::format("<Record of {}: {} moves, {}>", r.spec, r.turns.size(), name(r.result.verdict));
      });
  module.def(
      "parse_records",
      [](const py::object& text) { return value_or_throw(play::parse_records(text_of(text, "the text"))); },
      py::arg("text"), "All records of a text. ValueError names the line.");
}

}  // namespace

void bind_search(py::module_& module) {
  bind_lines(module);
  bind_records(module);
  py::class_<PyEngine>(module, "_Engine")
      .def(py::init<const py::object&, const py::object&, const py::object&>(), py::arg("game"), py::arg("settings"),
           py::arg("tables"))
      .def_property_readonly("game", &PyEngine::game)
      .def("_best", &PyEngine::best, py::arg("position"), py::arg("limits"), py::arg("on_progress"))
      .def("forget", &PyEngine::forget, "Forgets what was learned from earlier searches.");
  py::class_<Value>(module, "Value", "What perfect play makes of a position, for the side to move.")
      .def_property_readonly(
          "result", [](const Value& v) { return v.is_win()    ? 1
                                                : v.is_loss() ? -1
                                                              : 0; }, "1 win, 0 draw, -1 loss.")
      .def_property_readonly(
          "distance",
          [](const Value& v) -> std::optional<int> {
            if (v.is_draw() || !v.has_distance()) return std::nullopt;
            return v.turns();
          },
          "Moves of both sides until the end; None for a draw, or if it is not known.")
      .def("__repr__", [](const Value& v) { return fmt::format("<Value {}>", value_text(v)); })
      .def(
          "__eq__", [](const Value& a, const Value& b) { return a == b; }, py::is_operator())
      .def("__hash__", [](const Value& v) { return v.code(); });
  py::class_<PyTable>(module, "Table", "A table of perfect play, made by `paika solve`.")
      .def(py::init<const py::object&, const py::object&>(), py::arg("game"), py::arg("folder") = py::none(),
           "FileNotFoundError if the folder (None: the user's own) has no such table.")
      .def_property_readonly("path", &PyTable::path)
      .def("value", &PyTable::value, py::arg("position"), "None if the table does not hold the position.")
      .def("moves", &PyTable::moves, py::arg("position"),
           "Pairs of a legal move and its value for the player, best first; None if the table does not hold them.");
}

}  // namespace paika::python
