// Between fast positions and moves and what people see, and the outcome.
#include "games/wildebeest/rules.hpp"

namespace paika::wildebeest {

namespace {

Code code_of(const Cell& cell) noexcept {
  const auto letter = piece_letters.find(cell.kind);
  if (cell.owner == Owner::nobody || letter == std::string_view::npos) return 0;
  return code_of(static_cast<Kind>(letter + 1), cell.owner == Owner::first ? 0 : 1);
}

Cell cell_of(Code code) noexcept {
  return {owner_of(code) == 0 ? Owner::first : Owner::second, piece_letters[at(kind_of(code)) - 1]};
}

}  // namespace

Position BitboardRules::initial() const {
  Position p;
  for (int i = 0; i < squares; ++i) {
    const char c = initial_rows[at(i / board_side)][at(i % board_side)];
    const bool black = c >= 'a';
    const auto letter = piece_letters.find(black ? static_cast<char>(c - 'a' + 'A') : c);
    if (letter != std::string_view::npos) p.put(i, wildebeest::code_of(static_cast<Kind>(letter + 1), black ? 1 : 0));
  }
  p.counters = initial_counters;
  return p;
}

Outcome BitboardRules::outcome(const Position& p) const {
  const bool white = (p.kings() & p.sides[0]).any();
  const bool black = (p.kings() & p.sides[1]).any();
  if (!white && !black) return Outcome::draw(EndReason::kings_lost);
  if (!white) return Outcome::win(Player::second, EndReason::king_lost);
  if (!black) return Outcome::win(Player::first, EndReason::king_lost);
  Finder finder;
  if (generate(p, finder)) return Outcome::win(other(p.to_move), EndReason::trapped);
  return {};
}

std::uint64_t BitboardRules::key_from_scratch(const Position& p) const noexcept {
  std::uint64_t key = p.to_move == Player::second ? black_to_move_key : 0;
  for (int i = 0; i < squares; ++i) key ^= piece_keys[p.on[at(i)]][at(i)];
  return key;
}

Position BitboardRules::from_board(const Board& board) const {
  Position p;
  for (int i = 0; i < squares; ++i) {
    if (const Code code = code_of(board.cells[shape.square(i)]); code != 0) p.put(i, code);
  }
  p.to_move = board.to_move;
  if (p.to_move == Player::second) p.key ^= black_to_move_key;
  p.counters = board.counters;
  return p;
}

Board BitboardRules::to_board(const Position& p) const {
  Board board{Grid<Cell>(board_side, board_side), p.to_move, p.counters};
  for (int i = 0; i < squares; ++i) {
    const Square s = shape.square(i);
    board.cells[s] = p.on[at(i)] == 0 ? Cell{Owner::nobody, empty_sign(s)} : cell_of(p.on[at(i)]);
  }
  return board;
}

Turn BitboardRules::to_turn(const Position& /*p*/, const Move& m) const {
  Turn turn{{StepKind::from, shape.square(m.from)}};
  if (m.kind == MoveKind::fling) turn.push_back({StepKind::fling, {}});
  turn.push_back({StepKind::to, shape.square(m.to)});
  return turn;
}

Move BitboardRules::from_turn(const Position& p, const Turn& turn) const {
  const auto from = static_cast<std::uint8_t>(shape.index(turn.front().square));
  const auto to = static_cast<std::uint8_t>(shape.index(turn.back().square));
  if (turn.size() == 3) return {from, to, MoveKind::fling};
  const bool pushes = kind_of(p.on[from]) == Kind::gorilla && p.on[to] != 0;
  return {from, to, pushes ? MoveKind::push : MoveKind::move};
}

Position BitboardRules::transform(const Position& p, Symmetry symmetry) const {
  Position q;
  for (int i = 0; i < squares; ++i) {
    if (p.on[at(i)] == 0) continue;
    const unsigned owner = owner_of(p.on[at(i)]) ^ (symmetry.swap_players ? 1U : 0U);
    const Square to = mapped(shape.square(i), symmetry.map, board_side, board_side);
    q.put(shape.index(to), wildebeest::code_of(kind_of(p.on[at(i)]), owner));
  }
  q.to_move = symmetry.swap_players ? other(p.to_move) : p.to_move;
  if (q.to_move == Player::second) q.key ^= black_to_move_key;
  q.counters = p.counters;
  return q;
}

}  // namespace paika::wildebeest
