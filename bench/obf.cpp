#include "obf.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include "base/text.hpp"
#include "games/othello/game.hpp"

namespace paika::othello {

namespace {

const Notation& notation() {
  static const std::unique_ptr<Notation> made = make_notation(Options{8});
  return *made;
}

/// "a2:+38": checks that the move is legal and returns its score.
Result<int> parse_score(const Board& board, std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    return fail("{} is not a move and its score, which are written a2:+38", in_quotes(text));
  }
  const auto turn = notation().parse_turn(board, text.substr(0, colon));
  if (!turn) return fail("{}", turn.error().message.english());
  if (const auto refusal = notation().refuse(board, *turn)) return fail("{}", refusal->message.english());
  std::string_view digits = trimmed(text.substr(colon + 1));
  const bool plus = digits.starts_with('+');
  if (plus) digits.remove_prefix(1);
  const auto score = plus && digits.starts_with('-') ? std::nullopt : parse_int(digits);
  if (!score || *score < -64 || *score > 64 || *score % 2 != 0) {
    return fail("{} has no score: an even number of discs from -64 to +64 comes after the colon", in_quotes(text));
  }
  return static_cast<int>(*score);
}

}  // namespace

Result<ObfPosition> parse_obf_line(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ';');
  auto board = notation().parse_position(parts.front());
  if (!board) return tl::unexpected(board.error());
  ObfPosition position;
  position.board = std::move(*board);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::string_view part = trimmed(parts[i]);
    if (part.empty()) continue;
    const auto score = parse_score(position.board, part);
    if (!score) return tl::unexpected(score.error());
    position.score = std::max(position.score.value_or(*score), *score);
  }
  return position;
}

Result<std::vector<ObfPosition>> read_obf(std::istream& in) {
  std::vector<ObfPosition> positions;
  std::string text;
  for (int line = 1; std::getline(in, text); ++line) {
    const std::string_view body = trimmed(std::string_view(text).substr(0, text.find('%')));
    if (body.empty()) continue;
    auto position = parse_obf_line(body);
    if (!position) return fail("line {}: {}", line, position.error().message);
    position->line = line;
    positions.push_back(std::move(*position));
  }
  return positions;
}

std::string move_text(const Board& board, const Turn& turn) { return notation().turn_text(board, turn); }

std::string obf_line(const Board& board, const Turn& best, int score) {
  return fmt::format("{}; {}:{:+};", notation().position_text(board), move_text(board, best), score);
}

}  // namespace paika::othello
