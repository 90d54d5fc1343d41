#include "rules/conformance.hpp"

#include <algorithm>
#include <span>

namespace paika {

namespace {

Square random_square(Random& random, const Board& board) {
  return {static_cast<int>(random.below(static_cast<std::uint64_t>(board.cells.cols()))),
          static_cast<int>(random.below(static_cast<std::uint64_t>(board.cells.rows())))};
}

Square neighbour(Random& random, const Board& board, Square s) {
  const Square near = step(s, all_directions[random.index(all_directions.size())], random.one_in(5) ? 2 : 1);
  return board.cells.contains(near) ? near : random_square(random, board);
}

Step random_step(Random& random, const Board& board) {
  const StepKind kind = all_step_kinds[random.index(all_step_kinds.size())];
  // Sometimes a square where none belongs: that must be refused too.
  const bool square = has_square(kind) || random.one_in(3);
  return {kind, square ? random_square(random, board) : Square{}};
}

/// A turn of a common form with random squares near each other.
Turn random_form(Random& random, const Board& board) {
  const Square from = random_square(random, board);
  const Square to = neighbour(random, board, from);
  switch (random.below(8)) {
    case 0: return {{StepKind::place, from}};
    case 1: return {{StepKind::pass, {}}};
    case 2: return {{StepKind::from, from}, {StepKind::sacrifice, {}}};
    case 3: return {{StepKind::from, from}, {StepKind::to, to}, {StepKind::approach, {}}};
    case 4: return {{StepKind::from, from}, {StepKind::to, to}, {StepKind::withdraw, {}}};
    case 5: return {{StepKind::from, from}, {StepKind::fling, {}}, {StepKind::to, random_square(random, board)}};
    default: return {{StepKind::from, from}, {StepKind::to, to}};
  }
}

/// A legal turn with one thing changed.
Turn bent(Random& random, const Board& board, Turn turn) {
  const std::size_t i = random.index(turn.size());
  switch (random.below(6)) {
    case 0: turn.erase(turn.begin() + static_cast<std::ptrdiff_t>(i)); break;
    case 1: turn[i] = random_step(random, board); break;
    case 2: turn.push_back(random_step(random, board)); break;
    case 3:
      turn[i].square =
          has_square(turn[i].kind) ? neighbour(random, board, turn[i].square) : random_square(random, board);
      break;
    case 4:
      for (Step& s : turn) {
        if (s.kind == StepKind::approach) {
          s.kind = StepKind::withdraw;
          break;
        }
        if (s.kind == StepKind::withdraw) {
          s.kind = StepKind::approach;
          break;
        }
      }
      break;
    default: {
      const Turn more = random_form(random, board);
      turn.insert(turn.end(), more.begin() + (more.size() > 1 ? 1 : 0), more.end());
    }
  }
  return turn;
}

}  // namespace

Turn random_probe(Random& random, const Board& board, const std::vector<Turn>& legal) {
  if (random.one_in(40)) return {};
  if (legal.empty() || random.one_in(2)) return random_form(random, board);
  return bent(random, board, legal[random.index(legal.size())]);
}

ConformanceReport check_agreement(const std::vector<WalkedPosition>& a, const std::vector<WalkedPosition>& b,
                                  const Notation& notation) {
  ConformanceReport report;
  const auto [one, other] = std::ranges::mismatch(a, b);
  const auto same = static_cast<std::size_t>(one - a.begin());
  report.positions = same;
  for (const WalkedPosition& p : std::span(a).first(same)) report.turns += p.turns.size();
  if (one == a.end() && other == b.end()) return report;
  const std::string where = one == a.end() ? "the end" : notation.position_text(one->board);
  report.failures.push_back(notation.spec() + " differs at " + where);
  return report;
}

}  // namespace paika
