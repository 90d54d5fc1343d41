// `paika review` and `paika openings`: what tables of perfect play are good for among people.
#include "play/review.hpp"

#include <fmt/format.h>
#include <set>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "apps/record_input.hpp"
#include "apps/stderr.hpp"
#include "apps/tables_input.hpp"
#include "base/random.hpp"
#include "engine/registry.hpp"

namespace paika::apps {

namespace {

std::string player_title(const GameFace& face, const play::GameRecord& record, Player player) {
  const std::string& name = record.players[player == Player::first ? 0 : 1];
  const std::string colour(face.player_name(player));
  return name.empty() ? colour : fmt::format("{} ({})", colour, name);
}

void print_review(const GameFace& face, const play::GameRecord& record, const play::GameReview& review) {
  int number = 0;
  for (const play::ReviewedTurn& turn : review.turns) {
    fmt::print("{:>3}. {:<6} {:<10} {}{}", ++number, face.player_name(turn.player), turn.text,
               turn.given ? "(opening) " : "", play::review_words(turn));
    if (turn.grade == play::TurnGrade::mistake) fmt::print("; right was {}", fmt::join(turn.better, " "));
    fmt::print("\n");
  }
  fmt::print("\n{:<30} {:>6} {:>6} {:>7} {:>9} {:>9}\n", "player", "turns", "best", "slower", "mistakes", "accuracy");
  for (const Player player : {Player::first, Player::second}) {
    const play::Accuracy& a = review.players[player == Player::first ? 0 : 1];
    fmt::print("{:<30} {:>6} {:>6} {:>7} {:>9} {:>7.1f} %\n", player_title(face, record, player), a.turns, a.best,
               a.slower, a.mistakes, a.per_cent());
  }
}

Json turn_json_of(const GameFace& face, const play::ReviewedTurn& turn) {
  constexpr std::array<const char*, 3> grades = {"best", "slower", "mistake"};
  Json json{{"turn", turn.text}, {"player", face.player_name(turn.player)}, {"opening", turn.given}};
  if (!turn.did) return json;
  json["could"] = value_json(*turn.could);
  json["did"] = value_json(*turn.did);
  json["grade"] = grades[static_cast<std::size_t>(turn.grade)];
  json["better"] = turn.better;
  return json;
}

void print_review_json(const GameFace& face, const play::GameRecord& record, const play::GameReview& review) {
  Json json{{"spec", record.spec}, {"turns", Json::array()}, {"players", Json::array()}};
  for (const play::ReviewedTurn& turn : review.turns) json["turns"].push_back(turn_json_of(face, turn));
  for (const Player player : {Player::first, Player::second}) {
    const play::Accuracy& a = review.players[player == Player::first ? 0 : 1];
    json["players"].push_back({{"player", player_title(face, record, player)},
                               {"turns", a.turns},
                               {"best", a.best},
                               {"slower", a.slower},
                               {"mistakes", a.mistakes},
                               {"accuracy", a.per_cent()}});
  }
  fmt::print("{}\n", json.dump(2));
}

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

}  // namespace

int run_review(const ReviewArgs& args) {
  const auto record = read_game(args.file, args.game);
  if (!record) return complain(record.error().message);
  const auto book = open_book(record->spec, args.tables);
  if (!book) return complain(book.error().message);
  const auto review = play::review(*record, **book);
  if (!review) return complain(review.error().message);
  const auto game = open_game(record->spec);
  const GameFace& face = (*game)->face();
  args.json ? print_review_json(face, *record, *review) : print_review(face, *record, *review);
  return finish(exit_done);
}

int run_openings(const OpeningsArgs& args) {
  const auto start = open_position(args.at);
  if (!start) return complain(start.error().message);
  const auto book = open_book((*start)->face().spec(), args.tables);
  if (!book) return complain(book.error().message);
  Random random(static_cast<std::uint64_t>(args.seed));
  std::set<std::string> seen;
  Json found = Json::array();
  // Far more tries than openings: most lines of random play are decided.
  const std::int64_t tries = std::int64_t{1000} * args.count;
  for (std::int64_t i = 0; i < tries && seen.size() < static_cast<std::size_t>(args.count); ++i) {
    const auto session = (*start)->game().start_from((*start)->board());
    std::vector<std::string> turns;
    if (!wander(*session, args.plies, random, turns)) continue;
    const auto value = (*book)->value(*session);
    if (!value) return complain(value.error().message);
    if (!*value || !(*value)->is_draw() || !seen.insert(session->position_text()).second) continue;
    if (args.at.json) {
      found.push_back({{"turns", turns}, {"position", session->position_text()}});
    } else {
      fmt::print("{}\t{}\n", fmt::join(turns, " "), session->position_text());
    }
  }
  if (args.at.json) fmt::print("{}\n", Json{{"spec", (*start)->face().spec()}, {"openings", found}}.dump(2));
  if (seen.size() < static_cast<std::size_t>(args.count)) {
    to_stderr(fmt::format("paika: only {} drawn positions were found after {} turns\n", seen.size(), args.plies));
  }
  return finish(seen.empty() ? exit_no : exit_done);
}

}  // namespace paika::apps
