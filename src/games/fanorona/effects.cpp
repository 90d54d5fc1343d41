// Effects: what a turn does to the board, step by step.
#include "games/fanorona/notation.hpp"
#include "games/fanorona/plain.hpp"

namespace paika::fanorona {

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
