// `paika games`, `paika show`, `paika moves`, `paika why`: looking at games and positions.
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <map>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "apps/tables_input.hpp"
#include "base/text.hpp"
#include "engine/diagram.hpp"
#include "engine/json.hpp"
#include "engine/registry.hpp"

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

void print_effects(const GameFace& face, const std::vector<Effect>& effects) {
  for (const Effect& effect : effects) fmt::print("  {}\n", effect_line(face, effect));
}

/// What each turn is worth, by its text.
using TurnValues = std::map<std::string, Value>;

/// The values of all turns, from a table; an error if there is none that holds them.
Result<TurnValues> values_of(const Session& session, const std::string& asked_folder) {
  const auto book = open_book(session.face().spec(), asked_folder);
  if (!book) return tl::unexpected(book.error());
  const auto turns = (*book)->turns(session);
  if (!turns) return tl::unexpected(turns.error());
  if (!*turns) return fail("the table {} does not hold this position", (*book)->path());
  TurnValues values;
  for (const ValuedTurn& turn : **turns) values[turn.text] = turn.value;
  return values;
}

void print_moves(const Session& session, bool effects, const TurnValues& values) {
  const GameFace& face = session.face();
  const Board board = session.board();
  session.for_each_turn([&](const ListedTurn& turn) {
    fmt::print("{}\t{}", turn.text, turn.position_after);
    if (const auto value = values.find(turn.text); value != values.end())
      fmt::print("\t{}", value_words(value->second));
    fmt::print("\n");
    if (effects) print_effects(face, face.effects(board, turn.steps));
    return std::ferror(stdout) == 0;
  });
}

/// The same as JSON, written turn by turn: there may be more turns than fit in memory.
void print_moves_json(const Session& session, bool effects, const TurnValues& values) {
  const GameFace& face = session.face();
  const Board board = session.board();
  fmt::print("{{\"spec\": {}, \"position\": {}, \"turns\": [", Json(face.spec()).dump(),
             Json(session.position_text()).dump());
  bool first = true;
  session.for_each_turn([&](const ListedTurn& turn) {
    Json json{{"turn", turn.text}, {"steps", turn_json(face, turn.steps)}, {"position", turn.position_after}};
    if (effects) json["effects"] = effects_json(face, face.effects(board, turn.steps));
    if (const auto value = values.find(turn.text); value != values.end()) json.update(value_json(value->second));
    fmt::print("{}\n{}", first ? "" : ",", json.dump());
    first = false;
    return std::ferror(stdout) == 0;
  });
  fmt::print("\n]}}\n");
}

/// Whose turn it is and how many there are; a player who can only pass is told so.
void print_turn_count(const Session& session) {
  const auto player = session.face().player_name(session.board().to_move);
  bool must_pass = false;  // a pass is never one turn among others
  session.for_each_turn([&](const ListedTurn& turn) {
    must_pass = turn.steps.front().kind == StepKind::pass;
    return false;
  });
  if (must_pass) return fmt::print("{} must pass\n", player);
  const std::uint64_t turns = session.count_turns_up_to(many_turns + 1);
  fmt::print("{} to move, {}{} legal turn{}\n", player, turns > many_turns ? "more than " : "",
             std::min(turns, many_turns), turns == 1 ? "" : "s");
}

int print_legal(Session& session, const Turn& turn, bool json) {
  const GameFace& face = session.face();
  const Board before = session.board();
  const std::string text = face.turn_text(before, turn);
  const auto effects = face.effects(before, turn);
  if (!json) {
    fmt::print("{} is legal\n", text);
    print_effects(face, effects);
  }
  session.play(turn);
  const Outcome outcome = session.outcome();
  if (json) {
    print_json({{"legal", true},
                {"turn", text},
                {"steps", turn_json(face, turn)},
                {"effects", effects_json(face, effects)},
                {"position", session.position_text()},
                {"outcome", outcome_json(face, session.board(), outcome)}});
  } else {
    fmt::print("then: {}\n", session.position_text());
    if (outcome.over()) fmt::print("{}\n", ending_sentence(face, session.board(), outcome));
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
  const GameFace& face = (*session)->face();
  const Board board = (*session)->board();
  const Outcome outcome = (*session)->outcome();
  fmt::print("{}\n\n{}\n", face.spec(), diagram(face, board));
  if (outcome.over()) {
    fmt::print("{}\n", ending_sentence(face, board, outcome));
  } else {
    print_turn_count(**session);
  }
  fmt::print("position: {}\nkey: {:016x}\n", face.position_text(board), (*session)->key());
  return finish(exit_done);
}

int run_moves(const MovesArgs& args) {
  const auto session = open_position(args.at);
  if (!session) return complain(session.error().message);
  const auto values = args.values ? values_of(**session, args.tables) : Result<TurnValues>(TurnValues());
  if (!values) return complain(values.error().message);
  if (args.at.json) {
    print_moves_json(**session, args.effects, *values);
  } else {
    print_moves(**session, args.effects, *values);
  }
  return finish(exit_done);
}

int run_why(const WhyArgs& args) {
  const auto session = open_position(args.at);
  if (!session) return complain(session.error().message);
  const GameFace& face = (*session)->face();
  const auto turn = face.parse_turn((*session)->board(), args.move);
  // Text that is no move at all is bad input; a move that the rules forbid is an answer.
  if (!turn) return complain(refusal_sentence(face, turn.error()));
  const auto refusal = (*session)->refuse(*turn);
  if (!refusal) return finish(print_legal(**session, *turn, args.at.json));
  const std::string text = face.turn_text((*session)->board(), *turn);
  if (args.at.json) {
    Json json{{"legal", false}, {"turn", text}};
    json.update(refusal_json(face, *refusal));
    print_json(json);
  } else {
    fmt::print("{} is not legal: {}\n", text, refusal_sentence(face, *refusal));
  }
  return finish(exit_no);
}

}  // namespace paika::apps
