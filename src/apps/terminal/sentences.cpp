#include "apps/terminal/sentences.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>

#include "apps/terminal/words.hpp"
#include "engine/diagram.hpp"
#include "engine/effect_text.hpp"
#include "play/reason.hpp"

namespace paika::terminal {

namespace {

constexpr std::int64_t ms_per_second = 1000;

}  // namespace

std::string printable(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return out;
}

std::string seat_words(const Catalogue& catalogue, const play::PlayerText& player) {
  if (player.person) return catalogue.say(phrase("human"));
  if (!player.command.empty()) return printable("bot:" + player.command);
  if (player.settings.search.level == full_level) return catalogue.say(phrase("the computer"));
  return catalogue.say(phrase("the computer, level {}", player.settings.search.level));
}

std::string score_words(const Catalogue& catalogue, const Notation& notation, InfoLine line, Player mover, View view) {
  const Player whose = view == View::mover ? mover : Player::first;
  if (whose != mover) line.score = -line.score;
  return catalogue.say(phrase("{} for {}", score_text(line, catalogue), player_phrase(notation, whose)));
}

std::string refusal_words(const Catalogue& catalogue, const Notation& notation, const Refusal& refusal) {
  return printable(refusal_sentence(notation, refusal, catalogue));
}

std::string result_words(const Catalogue& catalogue, const Notation& notation, const play::GameResult& result) {
  return catalogue.say(play::result_phrase(notation, result));
}

std::vector<std::string> end_words(const Catalogue& catalogue, const play::LiveGame& game) {
  if (const Outcome outcome = game.session().outcome(); outcome.over()) {
    std::vector<std::string> lines = {ending_sentence(game.notation(), game.board(), outcome, catalogue)};
    if (game.moves().empty()) return lines;
    const Board& before = game.board_before(game.moves().size() - 1);
    const auto effects = game.notation().effects(before, game.moves().back());
    for (auto& line : cause_sentences(game.notation(), before, effects, outcome, catalogue)) {
      lines.push_back(std::move(line));
    }
    return lines;
  }
  std::vector<std::string> lines = {result_words(catalogue, game.notation(), game.result())};
  if (!game.result().remark.empty()) lines.push_back(printable(game.result().remark));
  if (game.result().reason == play::abandoned_reason) lines.push_back(lead_words(catalogue, game));
  return lines;
}

std::string lead_words(const Catalogue& catalogue, const play::LiveGame& game) {
  const Board board = game.board();
  const int first = count_pieces(board, Player::first);
  const int second = count_pieces(board, Player::second);
  if (first == second) return catalogue.say(phrase("Neither side leads: {} pieces each.", first));
  const Player leader = first > second ? Player::first : Player::second;
  return catalogue.say(phrase("{} leads with {} pieces to {}.", player_words(catalogue, game.notation(), leader),
                              std::max(first, second), std::min(first, second)));
}

std::vector<std::string> facts_in_play(const Catalogue& catalogue, const play::LiveGame& game) {
  GameProgress progress = game.progress();
  progress.used_ms -= progress.used_ms % ms_per_second;
  return fact_words(catalogue, game.notation(), game.notation().in_play(game.board(), progress));
}

std::optional<std::chrono::milliseconds> facts_hold(const play::LiveGame& game) {
  if (game.over() || game.held()) return std::nullopt;
  const GameProgress now = game.progress();
  GameProgress later = now;
  later.used_ms += ms_per_second;
  const auto facts = [&](const GameProgress& progress) {
    return game.notation().facts(game.notation().in_play(game.board(), progress));
  };
  if (facts(now) == facts(later)) return std::nullopt;
  return std::chrono::milliseconds(ms_per_second - now.used_ms % ms_per_second);
}

std::string clock_text(play::Microseconds left) {
  // Rounded up, so that zero is shown only when time is over.
  const auto rounded_up = [&](std::int64_t unit) {
    return (std::max<std::int64_t>(left.count(), 0) + unit - 1) / unit;
  };
  const auto tenths = rounded_up(100'000);
  if (tenths < 600) return fmt::format("{}.{}", tenths / 10, tenths % 10);
  const auto seconds = rounded_up(1'000'000);
  if (seconds < 3600) return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::string time_words(const Catalogue& catalogue, const play::TimeLeft& left) {
  if (left.game && left.turn) {
    return catalogue.say(phrase("{} (this move {})", clock_text(*left.game), clock_text(*left.turn)));
  }
  if (const auto least = left.least()) return clock_text(*least);
  return "";
}

}  // namespace paika::terminal
