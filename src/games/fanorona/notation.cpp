#include "games/fanorona/notation.hpp"

#include <algorithm>

#include "games/fanorona/plain.hpp"

namespace paika::fanorona {

std::unique_ptr<Notation> make_notation(const Options& options) { return std::make_unique<FanoronaNotation>(options); }

FanoronaNotation::FanoronaNotation(const Options& options)
    : options_(options), coordinates_(options.cols, options.rows, Coordinates::RowsFrom::bottom) {}

std::string FanoronaNotation::spec() const { return canonical_spec(options_); }

std::string_view FanoronaNotation::player_name(Player player) const {
  return player == Player::first ? translatable("White") : translatable("Black");
}

char FanoronaNotation::glyph(const Cell& cell) const {
  if (cell.belongs_to(Player::first)) return 'w';
  if (cell.belongs_to(Player::second)) return 'b';
  return cell.kind;
}

std::vector<Cell> FanoronaNotation::all_pieces() const {
  std::vector<Cell> all = Notation::all_pieces();
  if (options_.sacrifice) all.push_back(sacrificed_stone);
  return all;
}

Phrase FanoronaNotation::kind_phrase(const Cell& cell) const {
  return cell == sacrificed_stone ? phrase("sacrificed stone") : phrase("stone");
}

Phrase FanoronaNotation::piece_phrase(const Cell& cell, Square square) const {
  const std::string name = coordinates_.name(square);
  if (cell == sacrificed_stone) return phrase("the sacrificed stone on {}", name);
  return phrase("{}'s stone on {}", player_phrase(*this, player_of(cell)), name);
}

bool FanoronaNotation::joined(Square a, Square b) const {
  return coordinates_.contains(a) && coordinates_.contains(b) && adjacent(a, b) &&
         fanorona::joined(Grid<Cell>(options_.cols, options_.rows), a, b);
}

std::vector<Phrase> FanoronaNotation::facts(const Board& board) const {
  if (options_.limit == 0) return {};
  return {phrase("Moves left : {}", std::max<std::int64_t>(options_.limit - board.counters[0], 0))};
}

Board FanoronaNotation::initial() const {
  Board board{Grid<Cell>(options_.cols, options_.rows), Player::first, {}};
  const int middle = options_.rows / 2;
  const int centre = options_.cols / 2;
  for (int row = 0; row < options_.rows; ++row) {
    Player colour = row < middle ? Player::second : Player::first;  // 1.2: Black above, White below
    if (row == middle) colour = Player::second;                     // where colours alternate from Black
    for (int col = 0; col < options_.cols; ++col) {
      if (row == middle && col == centre) continue;
      board.cells[{col, row}] = piece_of(colour);
      if (row == middle) colour = other(colour);
    }
  }
  return board;
}

std::vector<Symmetry> FanoronaNotation::symmetries() const { return all_symmetries(options_.cols, options_.rows); }

Ending FanoronaNotation::ending(const Board& board, const Outcome& outcome) const {
  if (outcome.reason == EndReason::empty_board) return {phrase("Draw: there is no stone to play with"), "3.1"};
  if (outcome.reason == EndReason::move_limit) {
    return {phrase("Draw: {} moves have been played", board.counters[0]), "3.2"};
  }
  if (outcome.reason == EndReason::repetition)
    return {phrase("Draw: the position has occurred for the third time"), "3.4"};
  const Player winner = outcome.winner();
  const Phrase won = player_phrase(*this, winner);
  const Phrase lost = player_phrase(*this, other(winner));
  if (outcome.reason == EndReason::trapped) return {phrase("{} wins: {} cannot move", won, lost), "3.3"};
  const bool sacrificed = count_cells(board, [](const Cell& cell) { return cell == sacrificed_stone; }) > 0;
  // A sacrificed stone belongs to the side not on move (4.1).
  if (sacrificed && board.to_move == winner) {
    return {phrase("{} wins: {} has sacrificed its last stone", won, lost), "3.1"};
  }
  return {phrase("{} wins: {} has no stone left", won, lost), "3.1"};
}

// ---- What a turn does to the board, step by step ----

namespace {

/// Collects effects; every call is a stage of its own.
class Story {
 public:
  explicit Story(const Board& board) : board_(board) {}

  void sacrifice(Square s) { add({EffectKind::sacrificed, stage_, {}, s, sacrificed_stone, {}, "2.5"}); }

  void move(Square from, Square to) {
    const Cell stone = piece_of(board_.to_move);
    add({EffectKind::moved, stage_, from, to, stone, {}, "2.1"});
    board_.cells[from] = {};
    board_.cells[to] = stone;
  }

  void capture(Square from, Square to, StepKind how) {
    const auto taken = taken_by(board_, from, to, how);
    move(from, to);
    for (const Square s : taken) {
      effects_.push_back({EffectKind::captured, stage_, s, {}, board_.cells[s], to, "2.1"});
      board_.cells[s] = {};
    }
    ++stage_;
  }

  /// 2.5: a sacrificed stone goes at the end of the turn it has blocked.
  void remove_block(Square s) { add({EffectKind::removed, stage_, s, {}, sacrificed_stone, {}, "2.5"}); }

  [[nodiscard]] std::vector<Effect> take() { return std::move(effects_); }

 private:
  void add(Effect e) {
    effects_.push_back(std::move(e));
    ++stage_;
  }

  Board board_;
  int stage_ = 0;
  std::vector<Effect> effects_;
};

}  // namespace

std::vector<Effect> FanoronaNotation::effects(const Board& board, const Turn& turn) const {
  Story story(board);
  if (turn[1].kind == StepKind::sacrifice) {
    story.sacrifice(turn[0].square);
  } else if (turn.size() == 2) {
    story.move(turn[0].square, turn[1].square);
  } else {
    Square at = turn[0].square;
    for (std::size_t i = 1; i < turn.size(); i += 2) {
      story.capture(at, turn[i].square, turn[i + 1].kind);
      at = turn[i].square;
    }
  }
  board.cells.for_each_square([&](Square s) {
    if (board.cells[s] == sacrificed_stone) story.remove_block(s);
  });
  return story.take();
}

}  // namespace paika::fanorona
