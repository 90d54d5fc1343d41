// What a move does: the whole line moves at once, and at the edge the last piece is captured.
#include "games/abalone/notation.hpp"

namespace paika::abalone {

std::vector<Effect> AbaloneNotation::effects(const Board& board, const Turn& turn) const {
  const Square from = turn[0].square;
  const Line line = line_of(board, board.to_move, from, *direction_to(from, turn[1].square));
  std::vector<Effect> out;
  for (int i = 0; i < line.size(); ++i) {
    const bool own = i < line.own;
    Effect effect;
    effect.kind = own ? EffectKind::moved : EffectKind::pushed;
    effect.from = line.at(i);
    effect.to = line.at(i + 1);
    effect.piece = board.cells[line.at(i)];
    effect.clause = own ? "2.1" : "2.4";
    if (i > 0) effect.cause = from;
    out.push_back(effect);
  }
  if (line.captures()) {
    out.back().kind = EffectKind::captured;
    out.back().to.reset();
  }
  return out;
}

}  // namespace paika::abalone
