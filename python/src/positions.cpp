// paika.Game, paika.Position and what they answer with.
#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "bindings.hpp"
#include "engine/diagram.hpp"
#include "engine/effect_text.hpp"
#include "engine/picture.hpp"
#include "engine/registry.hpp"
#include "engine/turn_tree.hpp"
#include "search/types.hpp"

namespace paika::python {

namespace {

py::object& illegal_move() {
  // Never destroyed: the interpreter is gone before static objects are.
  static auto* const type = new py::object();
  return *type;
}

py::str square_name(const Notation& notation, const std::optional<Square>& square) {
  return square ? notation.coordinates().name(*square) : std::string();
}

/// How a game ended, or that it goes on.
struct PyOutcome {
  Outcome outcome;
  std::string text;
};

struct PyEffect {
  std::string kind;
  int stage;
  std::optional<std::string> from;
  std::optional<std::string> to;
  std::optional<std::string> cause;
  std::string piece;
  int count;
  std::string clause;
  std::string text;
};

/// At most so many moves.
std::uint64_t at_most(const py::object& most) {
  return static_cast<std::uint64_t>(number_of(most, "most", 0, std::numeric_limits<std::int64_t>::max()));
}

std::vector<std::string> legal_moves(const PlayedPosition& p, const py::object& most) {
  std::vector<std::string> texts;
  const std::uint64_t limit = at_most(most);
  const py::gil_scoped_release release;
  p.session().for_each_turn([&](const ListedTurn& turn) {
    if (texts.size() == limit) return false;
    texts.push_back(turn.text);
    return true;
  });
  return texts;
}

py::list legal_steps(const PlayedPosition& p, const py::object& most) {
  py::list list;
  const std::uint64_t limit = at_most(most);
  p.session().for_each_turn([&](const ListedTurn& turn) {
    if (list.size() == limit) return false;
    list.append(step_list(p.notation(), turn.steps));
    return true;
  });
  return list;
}

std::vector<PyEffect> effects(const PlayedPosition& p, const py::object& move) {
  const Turn turn = turn_of(p, move);
  const Notation& notation = p.notation();
  const Board board = p.session().board();
  const auto found = notation.effects(board, turn);
  const auto sentences = effect_sentences(notation, board, found);
  std::vector<PyEffect> list;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Effect& e = found[i];
    const auto named = [&](const std::optional<Square>& s) {
      return s ? std::optional(notation.coordinates().name(*s)) : std::nullopt;
    };
    list.push_back({std::string(name(e.kind)), e.stage, named(e.from), named(e.to), named(e.cause),
                    std::string(1, notation.glyph(e.piece)), e.count, e.clause, sentences[i]});
  }
  return list;
}

std::uint64_t perft(const PlayedPosition& p, const py::object& depth, const py::object& threads) {
  PerftRequest request;
  request.depth = static_cast<int>(number_of(depth, "depth", 0, std::numeric_limits<int>::max()));
  request.threads = static_cast<int>(number_of(threads, "threads", 1, max_search_threads));
  const py::gil_scoped_release release;
  return p.session().perft(request).nodes;
}

std::string svg(const PlayedPosition& p, const std::string& theme, bool flipped) {
  const auto named = theme_named(theme);
  if (!named) throw py::value_error(fmt::format("there is no theme '{}'; the themes are wood, plain and dark", theme));
  return picture_svg(p.session(), {.theme = *named, .flipped = flipped, .last = {}});
}

PyOutcome outcome_of(const PlayedPosition& p) {
  const Outcome outcome = p.session().outcome();
  return {outcome, outcome.over() ? ending_sentence(p.notation(), p.session().board(), outcome) : std::string()};
}

std::vector<std::string> board_rows(const PlayedPosition& p) {
  const Board board = p.session().board();
  std::vector<std::string> rows(static_cast<std::size_t>(board.cells.rows()));
  board.cells.for_each_square(
      [&](Square s) { rows[static_cast<std::size_t>(s.row)].push_back(p.notation().glyph(board.cells[s])); });
  return rows;
}

py::object why(const PlayedPosition& p, const py::object& move) {
  try {
    static_cast<void>(turn_of(p, move));
    return py::none();
  } catch (py::error_already_set& error) {
    if (!error.matches(illegal_move())) throw;
    return error.value();
  }
}

py::tuple next_steps(const PlayedPosition& p, const py::object& steps) {
  const Turn prefix = steps_of(p.notation(), steps);
  const Following following = TurnTree(p.session()).following(prefix);
  return py::make_tuple(step_list(p.notation(), following.steps), following.complete);
}

tl::expected<PlayedPosition, Refusal> play_any(const PlayedPosition& p, const py::object& move) {
  if (py::isinstance<py::str>(move)) return p.play(text_of(move, "the move"));
  return p.play(turn_of(p, move));
}

/// A copy of what never changes.
py::object itself(const py::object& self) { return self; }

void bind_game(py::class_<Game, std::shared_ptr<Game>>& game) {
  const auto player = [](const Game& g, Player p) { return std::string(g.notation().player_name(p)); };
  game.def_property_readonly(
          "spec", [](const Game& g) { return g.notation().spec(); }, "The canonical spec.")
      .def_property_readonly(
          "name", [](const Game& g) { return g.info().name; }, "The game's name: 'othello'.")
      .def_property_readonly(
          "title", [](const Game& g) { return g.info().title; }, "What people call it.")
      .def_property_readonly("cols", [](const Game& g) { return g.notation().coordinates().cols(); })
      .def_property_readonly("rows", [](const Game& g) { return g.notation().coordinates().rows(); })
      .def_property_readonly(
          "players",
          [player](const Game& g) { return py::make_tuple(player(g, Player::first), player(g, Player::second)); },
          "What the two players are called, the one who moves first first.")
      .def(
          "start", [](const std::shared_ptr<Game>& g) { return PlayedPosition::start(g); }, "The start of a game.")
      .def(
          "position",
          [](const std::shared_ptr<Game>& g, const py::object& text) {
            return value_or_throw(PlayedPosition::parse(g, text_of(text, "the position")));
          },
          py::arg("text"), "A position from its text, in any accepted form. ValueError says what is wrong with it.")
      .def("__repr__", [](const Game& g) { return fmt::format("paika.game('{}')", g.notation().spec()); })
      .def(
          "__eq__", [](const Game& a, const Game& b) { return a.notation().spec() == b.notation().spec(); },
          py::is_operator())
      .def("__hash__", [](const Game& g) { return py::hash(py::str(g.notation().spec())); })
      .def("__copy__", itself)
      .def(
          "__deepcopy__", [](const py::object& self, const py::object&) { return self; }, py::arg("memo"))
      .def(py::pickle([](const Game& g) { return py::make_tuple(g.notation().spec()); },
                      [](const py::tuple& state) {
                        return std::const_pointer_cast<Game>(value_or_throw(open_game(state[0].cast<std::string>())));
                      }));
}

void bind_answers(py::module_& module) {
  py::class_<PyOutcome>(module, "Outcome", "How a game stands: ongoing, or who won and why.")
      .def_property_readonly("over", [](const PyOutcome& o) { return o.outcome.over(); })
      .def_property_readonly(
          "verdict", [](const PyOutcome& o) { return std::string(name(o.outcome.verdict)); },
          "'ongoing', 'first_wins', 'second_wins' or 'draw'.")
      .def_property_readonly(
          "reason", [](const PyOutcome& o) { return std::string(name(o.outcome.reason)); },
          "The rule that ended it: 'eliminated', 'move_limit', …; 'none' while it goes on.")
      .def_property_readonly(
          "winner",
          [](const PyOutcome& o) -> std::optional<int> {
            if (o.outcome.won_by(Player::first)) return 0;
            if (o.outcome.won_by(Player::second)) return 1;
            return std::nullopt;
          },
          "0 or 1; None for a draw or a game that goes on.")
      .def_readonly("text", &PyOutcome::text, "The ending as a sentence with its clause; '' while the game goes on.")
      .def("__bool__", [](const PyOutcome& o) { return o.outcome.over(); })
      .def("__repr__", [](const PyOutcome& o) {
        return fmt::format("<Outcome {} {}>", name(o.outcome.verdict), name(o.outcome.reason));
      });
  py::class_<PyEffect>(module, "Effect", "One change of the board that a move makes.")
      .def_readonly("kind", &PyEffect::kind, "'moved', 'captured', 'flipped', …")
      .def_readonly("stage", &PyEffect::stage, "Effects of one stage happen at the same time.")
      .def_readonly("from_square", &PyEffect::from, "The square that is emptied; None where there is none.")
      .def_readonly("to_square", &PyEffect::to, "The square that then shows the piece; None where there is none.")
      .def_readonly("cause_square", &PyEffect::cause, "Where the piece is that caused it; None where there is none.")
      .def_readonly("piece", &PyEffect::piece, "Its letter in the game's own text form.")
      .def_readonly("count", &PyEffect::count, "What the rule counted, where it counts; else 0.")
      .def_readonly("clause", &PyEffect::clause, "The clause of the rules that says so.")
      .def_readonly("text", &PyEffect::text, "A sentence for people.")
      .def("__repr__", [](const PyEffect& e) { return fmt::format("<Effect {}>", e.text); });
}

/// What a position says of itself.
void bind_state(py::class_<PlayedPosition>& position) {
  position
      .def_property_readonly("game", [](const PlayedPosition& p) { return std::const_pointer_cast<Game>(p.game()); })
      .def_property_readonly(
          "text", [](const PlayedPosition& p) { return p.session().position_text(); },
          "The one-line text form, which Game.position reads.")
      .def_property_readonly(
          "key", [](const PlayedPosition& p) { return p.session().key(); }, "The 64-bit key of board and side to move.")
      .def_property_readonly(
          "to_move", [](const PlayedPosition& p) { return p.session().board().to_move == Player::first ? 0 : 1; },
          "The player to move, 0 or 1.")
      .def_property_readonly(
          "player",
          [](const PlayedPosition& p) { return std::string(p.notation().player_name(p.session().board().to_move)); },
          "What the player to move is called.")
      .def_property_readonly("moves", &PlayedPosition::moves, "The moves since the position was started or parsed.")
      .def_property_readonly("board", board_rows, "The rows from the top, in the game's own letters.")
      .def_property_readonly("outcome", outcome_of, "How the game stands.")
      .def_property_readonly("is_over", [](const PlayedPosition& p) { return p.session().outcome().over(); });
}

/// What can be asked about its moves.
void bind_moves(py::class_<PlayedPosition>& position) {
  position
      .def("legal_moves", legal_moves, py::arg("most") = many_turns,
           "The texts of the legal moves, at most so many, in a stable order.")
      .def("legal_steps", legal_steps, py::arg("most") = many_turns,
           "The same moves in the same order, each as its list of steps.")
      .def(
          "count_moves",
          [](const PlayedPosition& p, const py::object& most) { return p.session().count_turns_up_to(at_most(most)); },
          py::arg("most") = many_turns, "How many legal moves there are, counting no further than `most`.")
      .def(
          "play",
          [](const PlayedPosition& p, const py::object& move) {
            auto next = play_any(p, move);
            if (!next) throw_refusal(p.notation(), next.error());
            return std::move(*next);
          },
          py::arg("move"), "The position after a move, given as text or as steps. IllegalMove says why not.")
      .def("why", why, py::arg("move"), "None if the move is legal, else the IllegalMove that play() would raise.")
      .def(
          "undo",
          [](const PlayedPosition& p) {
            auto previous = p.undone();
            if (!previous) throw py::value_error("there is no move to take back");
            return std::move(*previous);
          },
          "The position before the last move.")
      .def("effects", effects, py::arg("move"), "What a legal move does to the board, in order.")
      .def(
          "steps",
          [](const PlayedPosition& p, const py::object& move) { return step_list(p.notation(), turn_of(p, move)); },
          py::arg("move"), "The steps of a legal move: pairs like ('from', 'c2'), ('to', 'c3'), ('approach', '').")
      .def("next_steps", next_steps, py::arg("steps"),
           "(steps, complete): the steps that may follow, and whether the given ones already are a legal move.")
      .def(
          "move_text",
          [](const PlayedPosition& p, const py::object& move) {
            return p.notation().turn_text(p.session().board(), turn_of(p, move));
          },
          py::arg("move"), "The canonical text of a legal move.");
}

/// How it is counted, drawn, written and compared.
void bind_forms(py::class_<PlayedPosition>& position) {
  position
      .def("perft", perft, py::arg("depth"), py::arg("threads") = 1,
           "How many lines of exactly `depth` moves there are.")
      .def(
          "svg",
          [](const PlayedPosition& p, const py::object& theme, const py::object& flipped) {
            return svg(p, text_of(theme, "theme"), py::bool_(flipped));
          },
          py::arg("theme") = "wood", py::arg("flipped") = false,
          "The board as an SVG document; themes are 'wood', 'plain' and 'dark'.")
      .def(
          "record",
          [](const PlayedPosition& p, const py::object& first, const py::object& second) {
            return play::record_text(p.record(text_of(first, "first"), text_of(second, "second")));
          },
          py::arg("first") = "", py::arg("second") = "", "The game so far as the text of a record.")
      .def("_repr_svg_", [](const PlayedPosition& p) { return svg(p, "wood", false); })
      .def("__str__", [](const PlayedPosition& p) { return diagram(p.notation(), p.session().board()); })
      .def("__repr__",
           [](const PlayedPosition& p) {
             return fmt::format("<Position of {}: {}>", p.notation().spec(), p.session().position_text());
           })
      .def(
          "__eq__", [](const PlayedPosition& a, const PlayedPosition& b) { return a == b; }, py::is_operator())
      .def("__hash__", [](const PlayedPosition& p) { return p.session().key(); })
      .def("__copy__", itself)
      .def(
          "__deepcopy__", [](const py::object& self, const py::object&) { return self; }, py::arg("memo"))
      .def(py::pickle([](const PlayedPosition& p) { return py::make_tuple(play::record_text(p.record("", ""))); },
                      [](const py::tuple& state) {
                        const auto records = value_or_throw(play::parse_records(state[0].cast<std::string>()));
                        if (records.size() != 1) throw py::value_error("a pickled position is one record");
                        return PlayedPosition::of(records.front());
                      }));
}

}  // namespace

void throw_refusal(const Notation& notation, const Refusal& refusal) {
  const py::object error = illegal_move()(refusal_sentence(notation, refusal));
  py::list squares;
  for (const Square s : refusal.squares) squares.append(notation.coordinates().name(s));
  error.attr("clause") = refusal.clause;
  error.attr("squares") = squares;
  PyErr_SetObject(illegal_move().ptr(), error.ptr());
  throw py::error_already_set();
}

Turn steps_of(const Notation& notation, const py::object& steps) {
  if (!py::isinstance<py::iterable>(steps)) throw py::type_error("a move is a text or a list of steps");
  Turn turn;
  for (const py::handle item : steps) {
    std::pair<std::string, std::string> pair;
    try {
      pair = item.cast<std::pair<std::string, std::string>>();
    } catch (const py::cast_error&) {
      throw py::value_error("a step is a pair of texts, such as ('from', 'c2') or ('approach', '')");
    }
    const auto* const kind =
        std::find_if(all_step_kinds.begin(), all_step_kinds.end(), [&](StepKind k) { return name(k) == pair.first; });
    if (kind == all_step_kinds.end()) throw py::value_error(fmt::format("there is no kind of step '{}'", pair.first));
    Step step{*kind, {}};
    if (has_square(*kind)) {
      std::string_view text = pair.second;
      const auto square = notation.coordinates().read(text);
      if (!square || !text.empty() || !notation.coordinates().contains(*square)) {
        throw py::value_error(fmt::format("'{}' is not a square of this board: they are {}", pair.second,
                                          notation.coordinates().range().english()));
      }
      step.square = *square;
    }
    turn.push_back(step);
  }
  return turn;
}

Turn turn_of(const PlayedPosition& position, const py::object& move) {
  if (py::isinstance<py::str>(move)) {
    auto turn = position.session().read_turn(text_of(move, "the move"));
    if (!turn) throw_refusal(position.notation(), turn.error());
    return std::move(*turn);
  }
  Turn turn = steps_of(position.notation(), move);
  if (const auto refusal = position.session().refuse(turn)) throw_refusal(position.notation(), *refusal);
  return turn;
}

py::list step_list(const Notation& notation, const Turn& turn) {
  py::list list;
  for (const Step& step : turn) {
    const auto square = has_square(step.kind) ? std::optional(step.square) : std::nullopt;
    list.append(py::make_tuple(std::string(name(step.kind)), square_name(notation, square)));
  }
  return list;
}

void bind_positions(py::module_& module) {
  illegal_move() = py::reinterpret_steal<py::object>(PyErr_NewExceptionWithDoc(
      "paika.IllegalMove", "A move that the rules forbid: `clause` is the rule, `squares` are those concerned.",
      PyExc_ValueError, nullptr));
  module.attr("IllegalMove") = illegal_move();
  // Both classes before their methods, whose signatures would name those of C++ otherwise.
  py::class_<Game, std::shared_ptr<Game>> game(module, "Game", "The rules of one spec, such as 'fanorona:5x5'.");
  py::class_<PlayedPosition> position(module, "Position",
                                      "A position that never changes, with the moves that led to it. Equal positions "
                                      "have the same game, board, side to move and counters.");
  bind_game(game);
  bind_answers(module);
  bind_state(position);
  bind_moves(position);
  bind_forms(position);
  module.def(
      "games",
      [] {
        std::vector<std::string> names;
        for (const GameInfo* info : all_games()) names.push_back(info->name);
        return names;
      },
      "The names of the games.");
  module.def("game", game_of, py::arg("spec"),
             "The rules of a spec: 'othello', 'fanorona:5x5,sacrifice=off'. ValueError says what is wrong.");
  module.def(
      "perft",
      [](const py::object& spec, const py::object& depth, const py::object& threads) {
        return perft(PlayedPosition::start(game_of(spec)), depth, threads);
      },
      py::arg("spec"), py::arg("depth"), py::arg("threads") = 1,
      "How many lines of exactly `depth` moves there are from the start.");
}

}  // namespace paika::python
