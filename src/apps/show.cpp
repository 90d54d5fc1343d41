// `paika games`, `paika show`, `paika moves`, `paika why`: looking at games and positions.
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "apps/tables_input.hpp"
#include "base/text.hpp"
#include "engine/diagram.hpp"
#include "engine/effect_text.hpp"
#include "engine/json.hpp"
#include "engine/registry.hpp"
#include "play/pass.hpp"

namespace paika::apps {

namespace {

void print_json(const Json& json) { fmt::print("{}\n", json.dump(2)); }

void print_game(const GameInfo& info) {
  fmt::print("{}: {}\n  {}\n", info.name, info.title, info.summary);
  if (!info.aliases.empty()) fmt::print("  also called: {}\n", fmt::join(info.aliases, ", "));
  if (!info.size_form.empty()) fmt::print("  size: {} (standard: {})\n", info.size_form, info.standard_size);
  if (!info.options.empty() || !info.presets.empty()) fmt::print("  options:\n");
  for (const auto& preset : info.presets) fmt::print("    {:<28} {}\n", preset.key, preset.meaning);
  for (const auto& option : info.options) {
    fmt::print("    {:<28} {} (standard: {})\n", option_form(option), option.meaning, option.standard);
  }
  fmt::print("  for example: {}\n", fmt::join(info.examples, "  "));
}

void print_effects(const Notation& notation, const std::vector<Effect>& effects) {
  for (const Effect& effect : effects) fmt::print("  {}\n", effect_line(notation, effect));
}

/// What each turn is worth, by its text.
using TurnValues = std::map<std::string, MoveValue>;

/// The values of all turns; an error if they cannot be told.
Result<TurnValues> values_of(const Session& session, const Oracle& oracle) {
  const auto turns = oracle(session);
  if (!turns) return tl::unexpected(turns.error());
  if (turns->empty() && !session.outcome().over()) {
    return fail("the table of {} does not hold this position", session.notation().spec());
  }
  TurnValues values;
  for (const OracleTurn& turn : *turns) values[turn.text] = turn.value;
  return values;
}

/// Why the values would take too long; nothing if they do not.
std::optional<std::string> too_early(const Session& session, int max_empty) {
  const int empty = empty_squares(session.board());
  if (!solved_by_search(session.game()) || empty <= max_empty) return std::nullopt;
  return fmt::format(
      "{} squares are empty, and positions with at most {} are searched to their end; --max-empty {} allows it, and "
      "each square more takes two to three times as long",
      empty, max_empty, empty);
}

void print_moves(const Session& session, bool effects, const TurnValues& values) {
  const Notation& notation = session.notation();
  const Board board = session.board();
  session.for_each_turn([&](const ListedTurn& turn) {
    fmt::print("{}\t{}", turn.text, turn.position_after);
    if (const auto value = values.find(turn.text); value != values.end())
      fmt::print("\t{}", value_words(value->second));
    fmt::print("\n");
    if (effects) print_effects(notation, notation.effects(board, turn.steps));
    return std::ferror(stdout) == 0;
  });
}

/// The same as JSON, written turn by turn: there may be more turns than fit in memory.
void print_moves_json(const Session& session, bool effects, const TurnValues& values) {
  const Notation& notation = session.notation();
  const Board board = session.board();
  fmt::print("{{\"spec\": {}, \"position\": {}, \"moves\": [", Json(notation.spec()).dump(),
             Json(session.position_text()).dump());
  bool first = true;
  session.for_each_turn([&](const ListedTurn& turn) {
    Json json{{"move", turn.text}, {"steps", turn_json(notation, turn.steps)}, {"position", turn.position_after}};
    if (effects) json["effects"] = effects_json(notation, notation.effects(board, turn.steps));
    if (const auto value = values.find(turn.text); value != values.end()) json.update(value_json(value->second));
    fmt::print("{}\n{}", first ? "" : ",", json.dump());
    first = false;
    return std::ferror(stdout) == 0;
  });
  fmt::print("\n]}}\n");
}

/// Whose turn it is and how many there are; a player who can only pass is told so.
void print_turn_count(const Session& session) {
  const auto player = session.notation().player_name(session.board().to_move);
  if (play::must_pass(session)) return fmt::print("{} must pass\n", player);
  const std::uint64_t turns = session.count_turns_up_to(many_turns + 1);
  fmt::print("{} to move, {}{} legal move{}\n", player, turns > many_turns ? "more than " : "",
             std::min(turns, many_turns), turns == 1 ? "" : "s");
}

int print_legal(Session& session, const Turn& turn, bool json) {
  const Notation& notation = session.notation();
  const Board before = session.board();
  const std::string text = notation.turn_text(before, turn);
  const auto effects = notation.effects(before, turn);
  if (!json) {
    fmt::print("{} is legal\n", text);
    print_effects(notation, effects);
  }
  session.play(turn);
  const Outcome outcome = session.outcome();
  if (json) {
    print_json({{"legal", true},
                {"move", text},
                {"steps", turn_json(notation, turn)},
                {"effects", effects_json(notation, effects)},
                {"position", session.position_text()},
                {"outcome", outcome_json(notation, session.board(), outcome)}});
  } else {
    fmt::print("then: {}\n", session.position_text());
    if (outcome.over()) {
      fmt::print("{}\n", ending_sentence(notation, session.board(), outcome));
      for (const auto& line : cause_sentences(notation, before, effects, outcome)) fmt::print("{}\n", line);
    }
  }
  return exit_done;
}

}  // namespace

int run_games(const GamesArgs& args) {
  std::vector<const GameInfo*> games = all_games();
  if (!args.name.empty()) {
    const auto game = find_game(spec_name(args.name));
    if (!game) return complain(game.error().message);
    games = {*game};
  }
  if (args.json) {
    Json list = Json::array();
    for (const GameInfo* info : games) list.push_back(to_json(*info));
    print_json(list);
    return finish(exit_done);
  }
  for (std::size_t i = 0; i < games.size(); ++i) {
    if (i > 0) fmt::print("\n");
    print_game(*games[i]);
  }
  return finish(exit_done);
}

int run_show(const PositionArgs& args) {
  const auto session = open_position(args);
  if (!session) return complain(session.error().message);
  if (args.json) {
    print_json(session_json(**session));
    return finish(exit_done);
  }
  const Notation& notation = (*session)->notation();
  const Board board = (*session)->board();
  const Outcome outcome = (*session)->outcome();
  fmt::print("{}\n\n{}\n", notation.spec(), diagram(notation, board));
  if (outcome.over()) {
    fmt::print("{}\n", ending_sentence(notation, board, outcome));
  } else {
    print_turn_count(**session);
  }
  fmt::print("position: {}\nkey: {:016x}\n", notation.position_text(board), (*session)->key());
  return finish(exit_done);
}

int run_moves(const MovesArgs& args) {
  const auto session = open_position(args.at);
  if (!session) return complain(session.error().message);
  TurnValues values;
  if (args.values) {
    const auto oracle = open_oracle((*session)->game(), args.tables, args.max_empty);
    if (!oracle) return complain(oracle.error().message);
    if (const auto why = too_early(**session, args.max_empty)) {
      complain(*why);
      return exit_no;
    }
    auto known = values_of(**session, *oracle);
    if (!known) return complain(known.error().message);
    values = std::move(*known);
  }
  if (args.at.json) {
    print_moves_json(**session, args.effects, values);
  } else {
    print_moves(**session, args.effects, values);
  }
  return finish(exit_done);
}

int run_why(const WhyArgs& args) {
  const auto session = open_position(args.at);
  if (!session) return complain(session.error().message);
  const Notation& notation = (*session)->notation();
  const auto turn = notation.parse_turn((*session)->board(), args.move);
  // Text that is no move at all is bad input; a move that the rules forbid is an answer.
  if (!turn) return complain(refusal_sentence(notation, turn.error()));
  const auto refusal = (*session)->refuse(*turn);
  if (!refusal) return finish(print_legal(**session, *turn, args.at.json));
  const std::string text = notation.turn_text((*session)->board(), *turn);
  if (args.at.json) {
    Json json{{"legal", false}, {"move", text}};
    json.update(refusal_json(notation, *refusal));
    print_json(json);
  } else {
    fmt::print("{} is not legal: {}\n", text, refusal_sentence(notation, *refusal));
  }
  return finish(exit_no);
}

}  // namespace paika::apps
