// `paika review`: what perfect play, or else the engine, says of a recorded game.
#include "play/review.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "apps/interrupt.hpp"
#include "apps/progress.hpp"
#include "apps/tables_input.hpp"
#include "engine/engine.hpp"
#include "engine/registry.hpp"

namespace paika::apps {

namespace {

std::string player_title(const Notation& notation, const play::GameRecord& record, Player player) {
  const std::string& name = record.players[seat_of(player)];
  const std::string colour(notation.player_name(player));
  return name.empty() ? colour : fmt::format("{} ({})", colour, name);
}

/// What was not judged and why; nothing if everything was.
std::string unknown_words(const play::GameReview& review, const std::optional<int>& max_empty) {
  const auto count = std::count_if(review.turns.begin(), review.turns.end(), [](const auto& t) { return !t.judged(); });
  if (count == 0) return "";
  if (!max_empty) return fmt::format("{} moves are not in the table and were not judged\n", count);
  return fmt::format("{} moves with more than {} empty squares were not judged; --max-empty N judges from N on\n",
                     count, *max_empty);
}

/// The chances of the first player over the game, a character for each position.
std::string graph_text(const play::GameReview& review, bool ascii) {
  constexpr std::array<std::string_view, 8> blocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::array<std::string_view, 8> letters = {"_", ".", ":", "-", "=", "+", "*", "#"};
  std::string text;
  for (const std::optional<double>& chances : review.chances) {
    const auto step = static_cast<std::size_t>(std::clamp(chances.value_or(0) * 8 / 100, 0.0, 7.0));
    text += !chances ? " " : ascii ? letters[step] : blocks[step];
  }
  return text;
}

void print_turning_points(const Notation& notation, const play::GameReview& review) {
  if (review.turning_points.empty()) return;
  fmt::print("\nTurning points:\n");
  for (const std::size_t i : review.turning_points) {
    const play::ReviewedTurn& turn = review.turns[i];
    fmt::print("{:>3}. {} {}: {}; right was {}\n", i + 1, notation.player_name(turn.player), turn.text,
               play::review_words(turn), fmt::join(turn.better, " "));
  }
}

void print_players(const Notation& notation, const play::GameRecord& record, const play::GameReview& review,
                   const std::optional<int>& max_empty) {
  fmt::print("{:<30} {:>6} {:>6} {:>7} {:>9} {:>9}{}\n", "player", "moves", "best", max_empty ? "weaker" : "slower",
             "mistakes", "accuracy", max_empty ? " discs lost" : "");
  for (const Player player : {Player::first, Player::second}) {
    const play::Accuracy& a = review.players[seat_of(player)];
    fmt::print("{:<30} {:>6} {:>6} {:>7} {:>9} {:>7.1f} %{}\n", player_title(notation, record, player), a.turns, a.best,
               a.weaker, a.mistakes, a.per_cent(), max_empty ? fmt::format(" {:>10}", a.discs_lost) : "");
  }
}

/// `max_empty`: the game was judged by searches of so many empty squares, and discs count.
void print_review(const Notation& notation, const play::GameRecord& record, const play::GameReview& review,
                  const std::optional<int>& max_empty, bool ascii) {
  int number = 0;
  for (const play::ReviewedTurn& turn : review.turns) {
    fmt::print("{:>3}. {:<6} {:<10} {}{}", ++number, notation.player_name(turn.player), turn.text,
               turn.given ? "(opening) " : "", play::review_words(turn));
    if (turn.grade == play::TurnGrade::mistake) fmt::print("; right was {}", fmt::join(turn.better, " "));
    fmt::print("\n");
  }
  fmt::print("\nResults are for the player who made the move.\n{}", unknown_words(review, max_empty));
  fmt::print("Chances of {}: {}\n", notation.player_name(Player::first), graph_text(review, ascii));
  print_turning_points(notation, review);
  fmt::print("\n");
  print_players(notation, record, review, max_empty);
}

}  // namespace

int run_review(const ReviewArgs& args) {
  const auto record = read_game(args.file, args.game);
  if (!record) return complain(record.error().message);
  const auto game = open_game(record->spec);
  if (!game) return complain(game.error().message);
  SearchSettings settings;
  settings.tables = tables_folder(args.tables);
  // Without the engine somebody must know.
  auto oracle =
      args.exact ? open_oracle(**game, args.tables, args.max_empty) : certain_oracle(**game, settings, args.max_empty);
  if (!oracle) return complain(oracle.error().message);
  const auto engine = (*game)->engine(settings);
  const Interrupt interrupt;
  Progress progress("review");
  play::ReviewRequest request;
  request.oracle = std::move(*oracle);
  if (!args.exact) {
    request.engine = engine.get();
    request.oracle_time = play::time_for_endings(Milliseconds(args.time_ms));
  }
  request.time = Milliseconds(args.time_ms);
  request.stop = interrupt.token();
  request.on_progress = [&](double part) { progress.update(part); };
  const auto review = play::review(**game, *record, request);
  if (!review) return complain(review.error().message);
  const Notation& notation = (*game)->notation();
  std::optional<int> max_empty;
  if (solved_by_search(**game)) max_empty = args.max_empty;
  if (args.json) {
    Json json{{"spec", record->spec}};
    json.update(play::review_json(*review));
    json["players"][0]["player"] = player_title(notation, *record, Player::first);
    json["players"][1]["player"] = player_title(notation, *record, Player::second);
    if (max_empty) json["max_empty"] = *max_empty;
    fmt::print("{}\n", json.dump(2));
  } else {
    print_review(notation, *record, *review, max_empty, args.ascii);
  }
  return finish(exit_done);
}

}  // namespace paika::apps
