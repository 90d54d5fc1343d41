// What rarely happens after a move (rules 4 and 5), out of the way of what always does.
#include "games/wildebeest/rules.hpp"

namespace paika::wildebeest {

namespace {

constexpr std::array<unsigned, 2> both_sides = {0, 1};

void take_all(Position& q, const Set& set) noexcept {
  for_each_bit(set, [&](int square) { q.take(square); });
}

/// 5.1: the carts of `side` that sweep: charged, and on row 0 or 10.
Set sweeping_carts(const Position& q, unsigned side) noexcept {
  const bool by_pawn = (q.all(Kind::pawn) & q.sides[1 - side] & row_sets[middle_row]).any();
  const bool by_machine = (q.all(Kind::time_machine) & q.sides[side]).any();
  if (!by_pawn && !by_machine) return {};
  return q.all(Kind::cart) & q.sides[side] & (row_sets[0] | row_sets[last_row]);
}

}  // namespace

void BitboardRules::push(Position& q, const Move& m) noexcept {
  const int beyond = 2 * m.to - m.from;
  const Code gorilla = q.take(m.from);
  const Code pushed = q.take(m.to);
  q.take(beyond);
  settle(q, beyond, pushed);
  q.put(m.to, gorilla);
}

void BitboardRules::poison(Position& q) const noexcept {
  const Set mortal = q.occupied() & ~(q.all(Kind::cart) | q.all(Kind::time_machine));
  Set victims;
  for (const unsigned side : both_sides) {
    const Set poisoners = (q.all(Kind::serpent) | q.all(Kind::empress)) & q.sides[side];
    for_each_bit(poisoners, [&](int s) { victims |= neighbours[at(s)] & q.sides[1 - side] & mortal; });
  }
  // 4.3: a Serpent whose victim stands next to another's Old Woman of its side is lost.
  const Set helpless = options_.serpent == Serpent::survives ? victims : Set{};
  Set lost_serpents;
  Set old_women;
  for (const unsigned side : both_sides) {
    const Set women = q.all(Kind::old_woman) & q.sides[1 - side] & ~helpless;
    for_each_bit(q.all(Kind::serpent) & q.sides[side], [&](int serpent) {
      for_each_bit(neighbours[at(serpent)] & q.sides[1 - side] & mortal, [&](int victim) {
        const Set witnesses = neighbours[at(victim)] & women;
        if (witnesses.none()) return;
        lost_serpents.set(serpent);
        old_women |= witnesses;
      });
    });
  }
  take_all(q, victims | lost_serpents);
  for_each_bit(old_women & ~victims, [&](int square) {
    const Code woman = q.take(square);
    q.put(square, code_of(Kind::empress, owner_of(woman)));
  });
}

void BitboardRules::sweep(Position& q) noexcept {
  const Set carts = sweeping_carts(q, 0) | sweeping_carts(q, 1);
  std::array<Code, at(squares)> arriving{};
  Set ends;
  for_each_bit(carts, [&](int cart) {
    const int col = cart % board_side;
    // Two sweeping carts in one column destroy each other (5.2).
    if ((carts & column_sets[at(col)]).count() > 1) return;
    const int end = cart < board_side ? last_row * board_side + col : col;
    ends.set(end);
    arriving[at(end)] = q.on[at(cart)];
  });
  for_each_bit(carts, [&](int cart) { take_all(q, column_sets[at(cart % board_side)] & q.occupied()); });
  for_each_bit(ends, [&](int end) { q.put(end, arriving[at(end)]); });
}

void BitboardRules::teleport(Position& q) const noexcept {
  std::array<Code, pad_ways.size()> riders{};
  for (std::size_t i = 0; i < riders.size(); ++i) riders[i] = q.take(pad_ways[i].pad);
  for (std::size_t i = 0; i < riders.size(); ++i) {
    if (riders[i] != 0) q.put(options_.pads == Pads::cycle ? pad_ways[i].cycle : pad_ways[i].diagonal, riders[i]);
  }
}

void BitboardRules::explode(Position& q, const Set& joeys) noexcept {
  Set hit = joeys;
  for_each_bit(joeys, [&](int joey) { hit |= neighbours[at(joey)]; });
  take_all(q, hit & q.occupied());
}

}  // namespace paika::wildebeest
