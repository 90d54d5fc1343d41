// `paika openings`: beginnings of games that a table proves fair.
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "apps/stderr.hpp"
#include "apps/tables_input.hpp"
#include "base/random.hpp"

namespace paika::apps {

namespace {

/// Plays `plies` turns by chance; false if the game ended before.
bool wander(Session& session, int plies, Random& random, std::vector<std::string>& turns) {
  for (int i = 0; i < plies; ++i) {
    std::vector<ListedTurn> legal;
    session.for_each_turn([&](const ListedTurn& turn) {
      legal.push_back(turn);
      return legal.size() < many_turns;
    });
    if (legal.empty()) return false;
    const ListedTurn& chosen = legal[random.index(legal.size())];
    turns.push_back(chosen.text);
    session.play(chosen.steps);
  }
  return !session.outcome().over();
}

/// What the position is worth if it is one to be listed: drawn, or of equal value for both colours.
Result<std::optional<Value>> fair_value(TableBook& book, const Session& session, bool equal) {
  if (equal) return value_for_either(book, session);
  auto value = book.value(session);
  if (value && *value && !(*value)->is_draw()) return std::optional<Value>();
  return value;
}

/// An opening that was found.
struct Opening {
  std::vector<std::string> turns;
  std::string position;
  Value value;
};

/// Only openings that are not all drawn say what they are worth.
void print_opening(const Opening& opening, bool with_value) {
  fmt::print("{}\t{}", fmt::join(opening.turns, " "), opening.position);
  fmt::print("{}\n", with_value ? "\t" + value_words(opening.value) : "");
}

Json opening_json(const Opening& opening, bool with_value) {
  Json json{{"moves", opening.turns}, {"position", opening.position}};
  if (with_value) json["worth"] = value_json(opening.value);
  return json;
}

}  // namespace

int run_openings(const OpeningsArgs& args) {
  const auto start = open_position(args.at);
  if (!start) return complain(start.error().message);
  const auto book = open_book((*start)->notation().spec(), args.tables);
  if (!book) return complain(book.error().message);
  Random random(static_cast<std::uint64_t>(args.seed));
  std::set<std::string> seen;
  Json found = Json::array();
  // Far more tries than openings: most lines of random play are decided.
  const std::int64_t tries = std::int64_t{1000} * args.count;
  for (std::int64_t i = 0; i < tries && seen.size() < static_cast<std::size_t>(args.count); ++i) {
    const auto session = (*start)->clone();
    std::vector<std::string> turns;
    if (!wander(*session, args.plies, random, turns)) continue;
    const auto value = fair_value(**book, *session, args.equal);
    if (!value) return complain(value.error().message);
    if (!*value || !seen.insert(session->position_text()).second) continue;
    const Opening opening{turns, session->position_text(), **value};
    if (args.at.json) {
      found.push_back(opening_json(opening, args.equal));
    } else {
      print_opening(opening, args.equal);
    }
  }
  if (args.at.json) fmt::print("{}\n", Json{{"spec", (*start)->notation().spec()}, {"openings", found}}.dump(2));
  if (seen.size() < static_cast<std::size_t>(args.count)) {
    to_stderr(fmt::format("paika: only {} {} positions were found after {} moves\n", seen.size(),
                          args.equal ? "equal" : "drawn", args.plies));
  }
  return finish(seen.empty() ? exit_no : exit_done);
}

}  // namespace paika::apps
