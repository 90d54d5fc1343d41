// Counting the features of a position: whole-set operations, no move is generated.
#include "games/wildebeest/features.hpp"

#include <algorithm>

namespace paika::wildebeest {

namespace {

/// The squares at most D king's steps away from each square, itself included.
template <int D>
constexpr SquareSets make_within() noexcept {
  SquareSets sets{};
  for (int a = 0; a < squares; ++a) {
    for (int b = 0; b < squares; ++b) {
      const int cols = a % board_side - b % board_side;
      const int rows = a / board_side - b / board_side;
      if (cols >= -D && cols <= D && rows >= -D && rows <= D) sets[at(a)].set(b);
    }
  }
  return sets;
}
constexpr SquareSets within_2 = make_within<2>();
constexpr SquareSets within_3 = make_within<3>();
constexpr SquareSets within_5 = make_within<5>();

constexpr int nearness(int distance) noexcept { return 5 - distance; }

/// One side as the other has to see it.
struct SideView {
  unsigned side = 0;
  Set own;
  Set opposing;
  Set swarmed;        // next to an opposing Beekeeper
  Set movers;         // own pieces that are not paralysed (3.3)
  Set captures;       // squares that own pieces could capture on, whoever stands there
  Set pawn_captures;  // those of the pawns
  Set poison;         // squares that a Serpent's or Empress's next move would poison (4.1)
  Set fling_poison;   // squares that a flung Serpent or Empress would poison
  Set fling_landings;
  int king = 0;
};

class FeatureCounter {
 public:
  explicit FeatureCounter(const Position& p) noexcept
      : p_(p), occupied_(p.occupied()), empty_(shape.all() & ~occupied_) {}

  PositionFeatures count() noexcept {
    const unsigned us = static_cast<unsigned>(p_.to_move);
    count_pieces(us);
    add(Feature::to_move, 1);
    std::array<SideView, 2> views;
    look(us, 1, views[0]);
    look(1 - us, -1, views[1]);
    count_against(views[0], views[1], 1);
    count_against(views[1], views[0], -1);
    count_joeys(views[0], views[1]);
    // Full boards have 44 pieces; with 12 or fewer the game is an ending.
    features_.phase = std::clamp((44 - occupied_.count()) * 8, 0, PositionFeatures::whole);
    return features_;
  }

 private:
  void add(Feature feature, int value) noexcept { features_.values[at(feature)] += value; }

  void count_pieces(unsigned us) noexcept;
  void look(unsigned side, int sign, SideView& v) noexcept;
  void look_along_lines(int sign, SideView& v) noexcept;
  void look_at_catapults(int sign, SideView& v) noexcept;
  void count_against(const SideView& me, const SideView& foe, int sign) noexcept;
  void count_king(const SideView& me, const SideView& foe, int sign) noexcept;
  void count_carts(const SideView& me, const SideView& foe, int sign) noexcept;
  void count_pushes(const SideView& me, const SideView& foe, int sign) noexcept;
  void count_joeys(const SideView& me, const SideView& foe) noexcept;

  const Position& p_;
  Set occupied_;
  Set empty_;
  PositionFeatures features_;
};

/// Which features count the pieces of a kind; Feature::count: none does.
struct KindFeatures {
  Feature material = Feature::count;
  Feature advance = Feature::count;
  Feature inside = Feature::count;
};
constexpr std::array<KindFeatures, kinds_count> kind_features = {{
    {},
    {Feature::count, Feature::advance_king, Feature::inside_king},
    {Feature::jet_kings, Feature::count, Feature::count},
    {Feature::pawns, Feature::count, Feature::count},
    {Feature::bishops, Feature::advance_bishop, Feature::inside_bishop},
    {Feature::knights, Feature::advance_knight, Feature::inside_knight},
    {Feature::rooks, Feature::advance_rook, Feature::inside_rook},
    {Feature::serpents, Feature::advance_serpent, Feature::inside_serpent},
    {Feature::old_women, Feature::advance_old_woman, Feature::inside_old_woman},
    {Feature::empresses, Feature::count, Feature::count},
    {Feature::joeys, Feature::advance_joey, Feature::inside_joey},
    {Feature::catapults, Feature::advance_catapult, Feature::inside_catapult},
    {Feature::gorillas, Feature::advance_gorilla, Feature::inside_gorilla},
    {Feature::carts, Feature::count, Feature::inside_cart},
    {Feature::time_machines, Feature::count, Feature::count},
    {Feature::beekeepers, Feature::advance_beekeeper, Feature::inside_beekeeper},
}};

/// A square as (row from the own end, nearness to the middle column).
struct SquareFeatures {
  std::int8_t advance = 0;
  std::int8_t inside = 0;
};
constexpr auto places = [] {
  std::array<std::array<SquareFeatures, at(squares)>, 2> table{};
  for (int i = 0; i < squares; ++i) {
    const int row = i / board_side;
    const int off = i % board_side - middle_row;
    const auto inside = static_cast<std::int8_t>(nearness(off < 0 ? -off : off));
    table[0][at(i)] = {static_cast<std::int8_t>(row), inside};
    table[1][at(i)] = {static_cast<std::int8_t>(last_row - row), inside};
  }
  return table;
}();

/// Which feature counts the pawns of a row; those that have not moved, and those that a push has thrown
/// back, are counted by none.
constexpr std::array<Feature, board_side> row_features = {
    Feature::count,       Feature::count,       Feature::pawns_row_2, Feature::pawns_row_3,
    Feature::pawns_row_4, Feature::pawns_row_5, Feature::pawns_row_6, Feature::pawns_row_7,
    Feature::pawns_row_8, Feature::pawns_row_9, Feature::count};

void FeatureCounter::count_pieces(unsigned us) noexcept {
  // One value too many, so that kinds without a feature need no test.
  std::array<std::int32_t, feature_count + 1> values{};
  const Set& pawns = p_.all(Kind::pawn);
  for_each_bit(occupied_ & ~pawns, [&](int square) {
    const Code code = p_.on[at(square)];
    const int sign = owner_of(code) == us ? 1 : -1;
    const KindFeatures& f = kind_features[at(kind_of(code))];
    const SquareFeatures place = places[owner_of(code)][at(square)];
    values[at(f.material)] += sign;
    values[at(f.advance)] += sign * place.advance;
    values[at(f.inside)] += sign * place.inside;
  });
  for (const unsigned side : {us, 1 - us}) {
    const int sign = side == us ? 1 : -1;
    for_each_bit(pawns & p_.sides[side], [&](int square) {
      values[at(Feature::pawns)] += sign;
      values[at(row_features[at(places[side][at(square)].advance)])] += sign;
    });
  }
  std::copy_n(values.begin(), feature_count, features_.values.begin());
}

void FeatureCounter::look(unsigned side, int sign, SideView& v) noexcept {
  v.side = side;
  v.own = p_.sides[side];
  v.opposing = p_.sides[1 - side];
  Set kings = p_.kings() & v.own;
  v.king = kings.any() ? kings.pop_lowest() : 0;
  v.swarmed = around(p_.all(Kind::beekeeper) & v.opposing);
  v.movers = v.own & ~v.swarmed;
  const Set steppers = p_.all(Kind::king) | p_.all(Kind::old_woman) | p_.all(Kind::joey) | p_.all(Kind::beekeeper);
  const Set pawns = p_.all(Kind::pawn) & v.movers;
  const Set ahead = shape.moved(pawns, side == 0 ? Direction::s : Direction::n);
  v.pawn_captures = shape.moved(ahead, Direction::w) | shape.moved(ahead, Direction::e);
  v.captures = around(steppers & v.movers) | v.pawn_captures;
  const Set creeping = around(p_.all(Kind::serpent) & v.movers) & empty_;
  v.poison = around(creeping);
  add(Feature::reach_serpent, sign * creeping.count());
  look_along_lines(sign, v);
  look_at_catapults(sign, v);
}

void FeatureCounter::look_along_lines(int sign, SideView& v) noexcept {
  const Set open = ~v.own;
  const auto see = [&](Kind kind, Feature feature, auto&& seen_from) {
    for_each_bit(p_.all(kind) & v.movers, [&](int from) {
      const Set seen = seen_from(from);
      v.captures |= seen;
      add(feature, sign * (seen & open).count());
      if (kind == Kind::empress) v.poison |= around(seen & open);
    });
  };
  const auto diagonally = [&](int from) { return seen_diagonally(from, occupied_); };
  see(Kind::knight, Feature::reach_knight, [](int from) { return knight_leaps[at(from)]; });
  see(Kind::bishop, Feature::reach_bishop, diagonally);
  see(Kind::rook, Feature::reach_rook, [&](int from) { return seen_straight(from, occupied_); });
  see(Kind::empress, Feature::reach_empress,
      [&](int from) { return diagonally(from) | seen_straight(from, occupied_) | knight_leaps[at(from)]; });
  for_each_bit(p_.all(Kind::jet_king) & v.movers, [&](int from) { v.captures |= diagonally(from); });
}

void FeatureCounter::look_at_catapults(int sign, SideView& v) noexcept {
  const Set landings = empty_ | (v.opposing & ~p_.all(Kind::gorilla) & ~p_.kings());
  const Set poisoners = p_.all(Kind::serpent) | p_.all(Kind::empress);
  for_each_bit(p_.all(Kind::catapult) & v.movers, [&](int catapult) {
    const Set friends = neighbours[at(catapult)] & v.own & ~p_.all(Kind::time_machine);
    for_each_bit(friends, [&](int flung) {
      const Set lands = rays[at(direction_between(flung, catapult))][at(catapult)] & landings;
      v.fling_landings |= lands;
      if (poisoners.test(flung)) v.fling_poison |= around(lands);
    });
    add(Feature::throws, sign * friends.count());
  });
}

/// What stands well for `me` against `foe`.
void FeatureCounter::count_against(const SideView& me, const SideView& foe, int sign) noexcept {
  const Set immune = p_.all(Kind::cart) | p_.all(Kind::time_machine);
  const Set& pawns = p_.all(Kind::pawn);
  const Set prey = foe.own & ~p_.all(Kind::gorilla) & ~p_.kings();
  const Set hanging = prey & me.captures & ~foe.captures;
  add(Feature::hanging_pieces, sign * (hanging & ~pawns).count());
  add(Feature::hanging_pawns, sign * (hanging & pawns).count());
  add(Feature::pawn_threats, sign * (prey & me.pawn_captures & ~pawns).count());
  const Set poisonable = foe.own & me.poison & ~immune;
  add(Feature::poison_pieces, sign * (poisonable & ~pawns).count());
  add(Feature::poison_pawns, sign * (poisonable & pawns).count());
  add(Feature::fling_pieces, sign * (foe.own & me.fling_landings & ~pawns).count());
  const Set stuck = me.own & me.swarmed & ~immune;
  add(Feature::stuck_pieces, sign * (stuck & ~pawns).count());
  add(Feature::stuck_pawns, sign * (stuck & pawns).count());
  const Set women = p_.all(Kind::old_woman) & me.own;
  if (women.any()) add(Feature::guarded, sign * (around(women) & me.own & ~immune).count());
  add(Feature::on_pads, sign * (me.own & pad_set).count());
  count_king(me, foe, sign);
  count_carts(me, foe, sign);
  count_pushes(me, foe, sign);
}

void FeatureCounter::count_king(const SideView& me, const SideView& foe, int sign) noexcept {
  const Set& ring = neighbours[at(me.king)];
  const Set serpents = p_.all(Kind::serpent) & foe.own;
  const Set foe_joeys = p_.all(Kind::joey) & foe.own;
  add(Feature::king_attacked, sign * (foe.captures.test(me.king) ? 1 : 0));
  const int pressed = (ring & (foe.captures | foe.poison)).count();
  const int free = (ring & ~me.own & ~foe.captures & ~foe.poison).count();
  const Set officers = foe.own & ~(p_.all(Kind::pawn) | p_.all(Kind::cart) | p_.all(Kind::time_machine) | p_.kings());
  add(Feature::king_ring, sign * pressed);
  add(Feature::king_pressure, sign * pressed * pressed);
  add(Feature::king_freedom, sign * free);
  add(Feature::king_cornered, free == 0 ? sign : 0);
  add(Feature::king_foes_3, sign * (within_3[at(me.king)] & officers).count());
  add(Feature::king_foes_5, sign * (within_5[at(me.king)] & officers).count());
  add(Feature::king_paralysed, sign * (me.swarmed.test(me.king) ? 1 : 0));
  add(Feature::king_poison, sign * (foe.poison.test(me.king) ? 1 : 0));
  add(Feature::king_poison_fling, sign * (foe.fling_poison.test(me.king) ? 1 : 0));
  add(Feature::king_serpents_3, sign * (within_3[at(me.king)] & serpents).count());
  add(Feature::king_serpents_5, sign * (within_5[at(me.king)] & serpents).count());
  add(Feature::king_gorillas, sign * (within_3[at(me.king)] & p_.all(Kind::gorilla) & foe.own).count());
  add(Feature::king_foe_joey_2, sign * (within_2[at(me.king)] & foe_joeys).count());
  add(Feature::king_guards, sign * (ring & me.own).count());
}

void FeatureCounter::count_carts(const SideView& me, const SideView& foe, int sign) noexcept {
  const Set ends = row_sets[0] | row_sets[last_row];
  const bool machine = (p_.all(Kind::time_machine) & me.own).any();
  const int foe_col = foe.king % board_side;
  for_each_bit(p_.all(Kind::cart) & me.own & ends, [&](int cart) {
    const int col = cart % board_side;
    const int away = col < foe_col ? foe_col - col : col - foe_col;
    const Set& column = column_sets[at(col)];
    add(Feature::cart_foes, sign * (column & foe.own).count());
    add(Feature::cart_friends, sign * ((column & me.own).count() - 1));
    if (away == 0) add(Feature::king_cart, -sign);
    if (away == 1) add(Feature::king_cart_near, -sign);
    if (col == me.king % board_side) add(Feature::king_own_cart, sign);
    if (machine) {
      add(Feature::armed_carts, sign);
      add(Feature::armed_cart_near, sign * (last_row - away));
    }
  });
}

void FeatureCounter::count_pushes(const SideView& me, const SideView& foe, int sign) noexcept {
  const Set& gorillas = p_.all(Kind::gorilla);
  const Set prey = foe.own & ~gorillas & ~p_.all(Kind::pawn);
  for_each_bit(gorillas & me.movers, [&](int from) {
    for_each_bit(second_neighbours[at(from)] & prey, [&](int beyond) {
      const int between = (from + beyond) / 2;
      if (!occupied_.test(between) || gorillas.test(between)) return;
      add(beyond == foe.king ? Feature::king_push : Feature::push_pieces, beyond == foe.king ? -sign : sign);
    });
  });
}

/// 5.4: a Joey harms whoever stands next to it when its row has 5 or 10 pieces; with 1 more or 1 less
/// than that, one turn can do it.
void FeatureCounter::count_joeys(const SideView& me, const SideView& foe) noexcept {
  for_each_bit(p_.all(Kind::joey), [&](int joey) {
    const int rest = (row_sets[at(joey / board_side)] & occupied_).count() % 5;
    const Set& blast = neighbours[at(joey)];
    const int balance = (blast & me.own).count() - (blast & foe.own).count();
    const int kings = (blast.test(me.king) ? 1 : 0) - (blast.test(foe.king) ? 1 : 0);
    add(Feature::king_joey, kings);
    if (rest == 1) add(Feature::king_joey_1, kings);
    if (rest == 4) add(Feature::king_joey_4, kings);
    if (rest != 0) features_.values[at(Feature::blast_1) + at(rest - 1)] += balance;
  });
}

}  // namespace

PositionFeatures count_features(const Position& p) noexcept { return FeatureCounter(p).count(); }

}  // namespace paika::wildebeest
