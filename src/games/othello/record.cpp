// Game records (4.3): moves run together, "e6f4e3d6", passes written or left out.
#include <algorithm>

#include "base/text.hpp"
#include "games/othello/enclosing.hpp"
#include "games/othello/notation.hpp"

namespace paika::othello {

namespace {

/// Cuts the next move off the front of `text`: a pass word, or a letter with the digits after it.
/// What is neither is cut up to the next blank, for the error message. Requires no leading blank.
std::string_view next_move(std::string_view& text) {
  std::size_t length = 0;
  for (const std::string_view word : {"pass", "ps", "--"}) {
    if (lowered(text.substr(0, word.size())) == word) length = word.size();
  }
  if (length == 0) {
    length = 1;
    while (length < text.size() && is_digit(text[length])) ++length;
    if (length == 1) length = std::min(text.find_first_of(blanks), text.size());
  }
  const std::string_view move = text.substr(0, length);
  text.remove_prefix(length);
  return move;
}

/// Plays a game from the start and keeps the turns.
class Replay {
 public:
  explicit Replay(const Options& options) : notation_(options), board_(notation_.initial()) {}

  /// Plays `move` as it is written, after a pass that was left out (4.3).
  std::optional<Refusal> play(std::string_view move) {
    if (!can_place(Player::first) && !can_place(Player::second)) {
      return Refusal{phrase("the game was already over"), "3.1", {}};
    }
    const auto turn = notation_.parse_turn(board_, move);
    if (!turn) return turn.error();
    if (turn->front().kind == StepKind::place && !can_place(board_.to_move)) apply({{StepKind::pass, {}}});
    if (auto refusal = notation_.refuse(board_, *turn)) return refusal;
    apply(*turn);
    return std::nullopt;
  }

  [[nodiscard]] std::string_view mover() const { return notation_.player_name(board_.to_move); }
  [[nodiscard]] std::vector<Turn> take_turns() { return std::move(turns_); }

 private:
  [[nodiscard]] bool can_place(Player player) const { return !placings(board_.cells, player).empty(); }

  void apply(const Turn& turn) {
    board_.cells =
        replayed(board_.cells, notation_.effects(board_, turn), [this](Square s) { return notation_.empty_cell(s); });
    board_.to_move = other(board_.to_move);
    turns_.push_back(turn);
  }

  OthelloNotation notation_;
  Board board_;
  std::vector<Turn> turns_;
};

}  // namespace

std::vector<std::string_view> split_record(std::string_view text) {
  std::vector<std::string_view> moves;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) moves.push_back(next_move(text));
  return moves;
}

Result<std::vector<Turn>> parse_record(const Options& options, std::string_view text) {
  Replay replay(options);
  int number = 0;
  for (const std::string_view move : split_record(text)) {
    ++number;
    if (const auto refusal = replay.play(move)) {
      return fail("move {} of the record, {} by {}: {} (rules {})", number, in_quotes(move), replay.mover(),
                  refusal->message.english(), refusal->clause);
    }
  }
  return replay.take_turns();
}

}  // namespace paika::othello
