#include "server/puzzles_api.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "base/check.hpp"
#include "base/data.hpp"
#include "base/text.hpp"
#include "engine/registry.hpp"
#include "play/start.hpp"
#include "server/api/positions_request.hpp"
#include "server/http/answers.hpp"

namespace paika::server {

namespace {

using Catalogue = std::map<std::string, std::vector<study::Puzzle>, std::less<>>;

/// Of all games, read when they are first needed.
const Catalogue& catalogue() {
  static const Catalogue all = [] {
    Catalogue read;
    for (const std::string_view file : data_names()) {
      if (!file.ends_with(".tsv")) continue;
      auto puzzles = study::parse_puzzles(data_file(file));
      PAIKA_CHECK(puzzles.has_value());  // they are built in, and a test reads them all
      read.emplace(file.substr(0, file.size() - 4), std::move(*puzzles));
    }
    return read;
  }();
  return all;
}

Json rating_json(const PuzzleRating& row) {
  return {{"game", row.game},
          {"rating", std::lround(row.rating.value)},
          {"deviation", std::lround(row.rating.deviation)},
          {"puzzles", row.puzzles},
          {"solved", row.solved}};
}

Json next_json(Store& store, PersonId person, const std::string& game, const PuzzleRating& row) {
  const study::Puzzle* const next =
      next_puzzle(puzzles_of(game), store.puzzles_tried(person, game), row.rating, person);
  return next == nullptr ? Json() : Json(next->id);
}

Response no_puzzles(std::string_view what) {
  return error_response(404, "not_found", fmt::format("there is no puzzle {}", in_quotes(what)));
}

/// GET /api/puzzles/{game}: my rating, and the puzzle to try next.
Response my_puzzles(const Call& call, Store& store) {
  const std::string& game = call.params.at("game");
  if (puzzles_of(game).empty()) return no_puzzles(game);
  const PersonId person = call.person->id;
  const PuzzleRating row = store.puzzle_rating(person, game);
  return json_response({{"rating", rating_json(row)}, {"next", next_json(store, person, game, row)}});
}

/// Whether a move, in any form that the game reads, is the solution. An error says why it is no move at all.
Result<bool> solves(const study::Puzzle& puzzle, std::string_view move) {
  const auto game = open_game(puzzle.spec);
  PAIKA_CHECK(game.has_value());
  const auto session = play::start_at(**game, puzzle.position);
  PAIKA_CHECK(session.has_value());
  const auto turn = (*session)->read_turn(move);
  if (!turn) return fail("{} is not a legal move", in_quotes(move));
  return (*session)->notation().turn_text((*session)->board(), *turn) == puzzle.solution;
}

/// POST /api/puzzles/{game}/{id}: a try.
class Tries {
 public:
  explicit Tries(const PuzzleDeps& deps) : deps_(deps) {}

  void answer(const std::shared_ptr<const Call>& call, const std::shared_ptr<Reply>& reply) const {
    const std::string& game = call->params.at("game");
    const auto& puzzles = puzzles_of(game);
    const auto found = std::find_if(puzzles.begin(), puzzles.end(),
                                    [&](const study::Puzzle& puzzle) { return puzzle.id == call->params.at("id"); });
    if (found == puzzles.end()) return reply->send(no_puzzles(call->params.at("id")));
    if (const auto known = only_fields(call->body, {"move"}); !known) return reply->send(bad_request(known.error()));
    const auto move = read_text(call->body, "move");
    if (!move) return reply->send(move.error());
    // Without a move the solution was looked at, which is no solving.
    const auto right = move->empty() ? Result<bool>(false) : solves(*found, *move);
    if (!right) return reply->send(error_response(422, "illegal", right.error().message));
    count(call->person->id, game, *found, *right, reply);
  }

 private:
  void count(PersonId person, const std::string& game, const study::Puzzle& puzzle, bool right,
             const std::shared_ptr<Reply>& reply) const {
    const auto told = std::make_shared<Json>();
    deps_.writer.submit(
        [=, &puzzle](Store& store) {
          const PuzzleRating before = store.puzzle_rating(person, game);
          const bool counted = store.rate_puzzle(person, game, puzzle.id, puzzle_difficulty(puzzle.level), right);
          const PuzzleRating after = store.puzzle_rating(person, game);
          *told = {{"right", right},
                   {"counted", counted},
                   {"before", std::lround(before.rating.value)},
                   {"rating", rating_json(after)},
                   {"next", next_json(store, person, game, after)}};
        },
        [told, reply, report = deps_.report](const std::optional<std::string>& failure) {
          if (failure) report("puzzle_not_committed", {{"what", *failure}});
          reply->send(failure ? error_response(503, "storage", "nothing can be kept now; try again in a moment")
                              : json_response(*told));
        });
  }

  PuzzleDeps deps_;
};

}  // namespace

const std::vector<study::Puzzle>& puzzles_of(std::string_view game) {
  static const std::vector<study::Puzzle> none;
  const auto found = catalogue().find(game);
  return found == catalogue().end() ? none : found->second;
}

play::Rating puzzle_difficulty(int level) {
  constexpr double easiest = 900;
  constexpr double per_level = 150;  // three times as many positions to look at
  constexpr double deviation = 60;
  return {easiest + per_level * (level - 1), deviation, play::Rating{}.volatility};
}

const study::Puzzle* next_puzzle(std::span<const study::Puzzle> puzzles, const std::set<std::string>& tried,
                                 const play::Rating& rating, PersonId person) {
  const study::Puzzle* best = nullptr;
  std::tuple<double, std::uint64_t> least;
  for (const study::Puzzle& puzzle : puzzles) {
    if (tried.contains(puzzle.id)) continue;
    const double apart = std::abs(puzzle_difficulty(puzzle.level).value - rating.value);
    const std::tuple rank(apart, std::hash<std::string>{}(fmt::format("{} {}", person, puzzle.id)));
    if (best != nullptr && rank >= least) continue;
    best = &puzzle;
    least = rank;
  }
  return best;
}

Json puzzle_ratings_json(Store& store, PersonId person) {
  Json list = Json::array();
  for (const PuzzleRating& row : store.puzzle_ratings(person)) list.push_back(rating_json(row));
  return list;
}

std::vector<Route> puzzle_routes(const PuzzleDeps& deps) {
  const auto tries = std::make_shared<const Tries>(deps);
  const LateHandler answer = [tries](const auto& call, const auto& reply) { tries->answer(call, reply); };
  return {{"GET", "/api/puzzles/{game}", Rate::reading, Need::member, SlowHandler{my_puzzles}},
          {"POST", "/api/puzzles/{game}/{id}", Rate::command, Need::member, answer}};
}

}  // namespace paika::server
