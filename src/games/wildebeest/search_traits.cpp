// The weights of the evaluation, and turns judged by what they leave on the board.
#include "games/wildebeest/search_traits.hpp"

#include <algorithm>

namespace paika::wildebeest {

namespace {

constexpr std::array<Weight, feature_count> plain_weights = [] {
  std::array<Weight, feature_count> weights{};
  for (std::size_t i = 0; i < feature_count; ++i) weights[i] = weight(feature_table[i].plain);
  return weights;
}();

constexpr Set end_rows = row_sets[0] | row_sets[last_row];

constexpr bool poisons(Kind kind) noexcept { return kind == Kind::serpent || kind == Kind::empress; }

/// 4.1: would a piece on `to` poison somebody or be poisoned there?
bool may_poison(const Position& p, Code piece, int to) noexcept {
  const Kind kind = kind_of(piece);
  if (kind == Kind::cart || kind == Kind::time_machine) return false;
  const Set near = neighbours[at(to)] & p.sides[1 - owner_of(piece)];
  if (poisons(kind)) return (near & ~(p.all(Kind::cart) | p.all(Kind::time_machine))).any();
  return (near & (p.all(Kind::serpent) | p.all(Kind::empress))).any();
}

/// A board after the move itself, as far as sweeps, pads and Joeys are concerned.
struct AfterMove {
  AfterMove(const Position& p, const Move& m) noexcept : occupied(p.occupied()), joeys(p.all(Kind::joey)) {
    occupied.reset(m.from);
    occupied.set(m.to);
    joeys.reset(m.from);
    joeys.reset(m.to);
    if (kind_of(p.on[m.from]) == Kind::joey) joeys.set(m.to);
  }
  Set occupied;
  Set joeys;
};

/// 5.1: could anything charge a cart after the move? Almost never; whose it is does not matter here.
bool may_charge(const Position& p, Kind mover, int to) noexcept {
  if (((p.all(Kind::pawn) & row_sets[middle_row]) | p.all(Kind::time_machine)).any()) return true;
  const int row = to / board_side;
  return mover == Kind::pawn && (row == middle_row || row == 0 || row == last_row);
}

/// 5.2: is there a cart with something to sweep in its column?
bool may_sweep(const Position& p, const Move& m, const AfterMove& after) noexcept {
  Set carts = p.all(Kind::cart);
  if (carts.test(m.from)) carts.set(m.to);
  carts.reset(m.from);
  for (Set rest = carts & end_rows; rest.any();) {
    if ((column_sets[at(rest.pop_lowest() % board_side)] & after.occupied).count() > 1) return true;
  }
  return false;
}

/// 5.3: lets the pieces on pads ride; true if somebody may be poisoned by that.
bool ride_pads(const Position& p, const Move& m, Pads pads, AfterMove& after) noexcept {
  const AfterMove before = after;
  after.occupied &= ~pad_set;
  after.joeys &= ~pad_set;
  for (const PadWay& way : pad_ways) {
    if (!before.occupied.test(way.pad)) continue;
    const int to = pads == Pads::cycle ? way.cycle : way.diagonal;
    after.occupied.set(to);
    if (before.joeys.test(way.pad)) after.joeys.set(to);
    // The square that the move left counts as it was: a needless alarm does no harm.
    if (may_poison(p, p.on[at(way.pad == m.to ? m.from : way.pad)], to)) return true;
    if (neighbours[at(to)].test(m.to)) return true;
  }
  return false;
}

/// 5.4: does a Joey explode?
bool may_explode(const AfterMove& after) noexcept {
  for (Set rest = after.joeys; rest.any();) {
    const int joey = rest.pop_lowest();
    if ((row_sets[at(joey / board_side)] & after.occupied).count() % 5 == 0) return true;
  }
  return false;
}

}  // namespace

BitboardTraits::BitboardTraits(const BitboardRules& rules, Evaluation evaluation)
    : rules_(rules), weights_(linear_weights(evaluation, weights_file(), feature_names, plain_weights)) {}

LevelPlans BitboardTraits::levels() {
  return {{
      {1, 3'000, 500, 12.0},
      {1, 3'000, 500, 7.0},
      {1, 3'000, 500, 4.0},
      {2, 6'000, 500, 3.0},
      {2, 6'000, 500, 1.4},
      {2, 6'000, 500, 0.5},
      {3, 10'000, 30, 0.5},
      {3, 10'000, 30, 0.22},
      {4, 15'000, 12, 0.25},
      {4, 15'000, 12, 0.1},
      {5, 25'000, 8, 0.06},
      {10, 25'000, 3, 0.08},
      {40, 50'000, 1, 0.0},
      {0, 0, 1, 0.0},
  }};
}

SearchParams BitboardTraits::params() const {
  SearchParams params;
  params.null_move = true;
  return params;
}

std::vector<Term> BitboardTraits::terms(const Position& p) const {
  const PositionFeatures f = count_features(p);
  std::vector<Term> terms;
  for (std::size_t i = 0; i < feature_count; ++i) {
    const std::string_view group = feature_table[i].group;
    auto term = std::ranges::find(terms, group, &Term::name);
    if (term == terms.end()) term = terms.insert(terms.end(), {group, 0});
    term->value += weights_.part(f, i);
  }
  std::erase_if(terms, [](const Term& term) { return term.value == 0; });
  // Equal ones in the order of their names, so that the same position always reads the same.
  std::ranges::sort(terms, [](const Term& a, const Term& b) {
    return std::abs(a.value) != std::abs(b.value) ? std::abs(a.value) > std::abs(b.value) : a.name < b.name;
  });
  return terms;
}

bool BitboardTraits::poison_waits(const Position& p) const noexcept {
  return rules_.options().poison == Poison::once && BitboardRules::somebody_poisoned(p);
}

BitboardTraits::Outlook BitboardTraits::outlook(const Position& p) const noexcept {
  Outlook o;
  const Set occupied = p.occupied();
  // Carts that are charged already and riders on pads act after every turn (5.2, 5.3).
  const Set charging = (p.all(Kind::pawn) & row_sets[middle_row]) | p.all(Kind::time_machine);
  o.alarm = charging.any() || (occupied & pad_set).any() || poison_waits(p);
  o.alarm_to = pad_set;
  const Set poisoners = p.all(Kind::serpent) | p.all(Kind::empress);
  const Set& opposing = p.sides[1 - at(p.to_move)];
  o.alarm_poisoner = around(opposing & ~(p.all(Kind::cart) | p.all(Kind::time_machine)));
  o.alarm_mortal = around(opposing & poisoners);
  // 5.4: one piece more or less in a Joey's row.
  for (Set joeys = p.all(Kind::joey); joeys.any();) {
    const Set& row = row_sets[at(joeys.pop_lowest() / board_side)];
    switch ((row & occupied).count() % 5) {
      case 0: o.alarm = true; break;
      case 1: o.alarm_from |= row; break;
      case 4: o.alarm_to |= row; break;
      default: break;
    }
  }
  return o;
}

bool BitboardTraits::has_effects(const Position& p, const Move& m) const noexcept {
  if (m.kind == MoveKind::push) return true;
  const Code mover = p.on[m.from];
  if (may_poison(p, mover, m.to) || poison_waits(p)) return true;
  AfterMove after(p, m);
  if (may_charge(p, kind_of(mover), m.to)) {
    const bool promotes = kind_of(mover) == Kind::pawn && end_rows.test(m.to);
    if (promotes || may_sweep(p, m, after)) return true;
  }
  if ((after.occupied & pad_set).any() && ride_pads(p, m, rules_.options().pads, after)) return true;
  return may_explode(after);
}

int BitboardTraits::material_change(const Position& p, const Move& m) const noexcept {
  const Position q = rules_.play(p, m);
  Set changed = (p.sides[0] ^ q.sides[0]) | (p.sides[1] ^ q.sides[1]);
  for (std::size_t kind = 1; kind < kinds_count; ++kind) changed |= p.kinds[kind] ^ q.kinds[kind];
  const auto us = static_cast<unsigned>(p.to_move);
  const auto worth = [&](Code code) {
    const int value = piece_values[at(kind_of(code))];
    return owner_of(code) == us ? value : -value;
  };
  int change = 0;
  for_each_bit(changed, [&](int square) { change += worth(q.on[at(square)]) - worth(p.on[at(square)]); });
  return change;
}

}  // namespace paika::wildebeest
