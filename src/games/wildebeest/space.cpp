#include "games/wildebeest/space.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/check.hpp"

namespace paika::wildebeest {

namespace {

constexpr int half_columns = board_side / 2 + 1;
/// Where the strong side's pieces can stand once the lone king has its square.
constexpr int others = squares - 1;
constexpr std::size_t ordered_pairs = at(others) * at(others - 1);
constexpr std::size_t unordered_pairs = ordered_pairs / 2;

using SquareMap = std::array<std::uint8_t, at(squares)>;

[[nodiscard]] constexpr SquareMap make_map(Dihedral d) noexcept {
  SquareMap map{};
  for (int i = 0; i < squares; ++i) {
    map[at(i)] = static_cast<std::uint8_t>(shape.index(mapped(shape.square(i), d, board_side, board_side)));
  }
  return map;
}
constexpr SquareMap flipped = make_map(Dihedral::flip);
constexpr SquareMap mirrored = make_map(Dihedral::mirror);

struct Pair {
  std::uint8_t low = 0;
  std::uint8_t high = 0;
};
/// The number of a pair of `others` is high * (high - 1) / 2 + low; this is the way back.
[[nodiscard]] constexpr auto make_pairs() noexcept {
  std::array<Pair, unordered_pairs> pairs{};
  std::size_t next = 0;
  for (int high = 1; high < others; ++high) {
    for (int low = 0; low < high; ++low) {
      pairs[next++] = {static_cast<std::uint8_t>(low), static_cast<std::uint8_t>(high)};
    }
  }
  return pairs;
}
constexpr auto pairs = make_pairs();

[[nodiscard]] constexpr bool is_king(Kind kind) noexcept { return kind == Kind::king || kind == Kind::jet_king; }

/// Whether a piece of this kind may be one of another kind later (2 and 4.3).
[[nodiscard]] constexpr bool can_change(Kind kind) noexcept {
  return kind == Kind::king || kind == Kind::pawn || kind == Kind::old_woman;
}

/// 2: whether a piece that comes to rest on `square` changes its kind there, so that it never stands there.
[[nodiscard]] constexpr bool changes_on(Kind kind, unsigned owner, int square) noexcept {
  if (kind == Kind::king) return square == jet_pack_index;
  return kind == Kind::pawn && square / board_side == promotion_row(owner);
}

[[nodiscard]] char letter(Kind kind) noexcept { return piece_letters[at(kind) - 1]; }

/// How many ways the strong side's pieces can stand while the lone king stays.
[[nodiscard]] constexpr std::uint64_t strong_ways(Kind first, Kind second) noexcept {
  if (second == Kind::nothing) return at(others);
  return first == second ? unordered_pairs : ordered_pairs;
}

/// The number of a square among those that are not `taken`, and the square of such a number.
[[nodiscard]] constexpr int without(int square, int taken) noexcept { return square - (square > taken ? 1 : 0); }
[[nodiscard]] constexpr int with(int number, int taken) noexcept { return number + (number >= taken ? 1 : 0); }

}  // namespace

Space::Space(const BitboardRules& rules, int max_pieces)
    : rules_(rules),
      mirrors_(rules.options().pads == Pads::diagonal),
      lone_squares_(mirrors_ ? half_columns * board_side : squares) {
  PAIKA_CHECK(max_pieces == 2 || max_pieces == 3);
  for (const Kind first : {Kind::king, Kind::jet_king}) {
    for (const Kind lone : {Kind::king, Kind::jet_king}) {
      // One against one, the strong side is the one with the W.
      if (first >= lone) tiers_.push_back({first, Kind::nothing, lone});
      if (max_pieces == 2) continue;
      for (std::size_t second = at(first); second < kinds_count; ++second) {
        tiers_.push_back({first, static_cast<Kind>(second), lone});
      }
    }
  }
  const auto rank = [](const Material& m) {
    const int changing = (can_change(m.first) ? 1 : 0) + (can_change(m.second) ? 1 : 0) + (can_change(m.lone) ? 1 : 0);
    return std::tuple(m.second != Kind::nothing, changing, m.second, m.first, m.lone);
  };
  std::sort(tiers_.begin(), tiers_.end(), [&](const Material& a, const Material& b) { return rank(a) < rank(b); });
  for (auto& by_second : tier_of_) {
    for (auto& by_lone : by_second) by_lone.fill(no_tier);
  }
  for (std::uint32_t tier = 0; tier < tiers(); ++tier) {
    const Material& m = tiers_[tier];
    tier_of_[at(m.first)][at(m.second)][at(m.lone)] = tier;
  }
}

std::uint64_t Space::size(std::uint32_t tier) const {
  PAIKA_CHECK(tier < tiers());
  const Material& m = tiers_[tier];
  return (m.is_even() ? 1U : 2U) * at(lone_squares_) * strong_ways(m.first, m.second);
}

std::string Space::tier_name(std::uint32_t tier) const {
  PAIKA_CHECK(tier < tiers());
  const Material& m = tiers_[tier];
  std::string name(1, letter(m.first));
  if (m.second != Kind::nothing) name += letter(m.second);
  return name + (m.lone == Kind::king ? 'k' : 'w');
}

/// The tier of these pieces of the two sides, whichever is the stronger; no_tier if a side has no king.
std::uint32_t Space::tier_without_colours(const std::array<std::vector<Kind>, 2>& sides) const {
  if (sides[0].empty() || sides[1].empty()) return no_tier;
  const bool second_stronger =
      sides[0].size() == sides[1].size() ? sides[1][0] > sides[0][0] : sides[1].size() > sides[0].size();
  std::vector<Kind> strong = sides[second_stronger ? 1 : 0];
  const Kind lone = sides[second_stronger ? 0 : 1][0];
  std::sort(strong.begin(), strong.end());
  if (!is_king(strong[0]) || !is_king(lone)) return no_tier;
  return tier_of({strong[0], strong.size() > 1 ? strong[1] : Kind::nothing, lone});
}

std::vector<std::uint32_t> Space::below(std::uint32_t tier) const {
  PAIKA_CHECK(tier < tiers());
  const Material& m = tiers_[tier];
  const std::array<Kind, 3> before = {m.first, m.lone, m.second};
  const std::size_t count = m.second == Kind::nothing ? 2 : 3;
  std::vector<std::uint32_t> found;
  // At most one piece changes where it comes to rest: of a Gorilla and the piece it pushes, only the
  // latter can. No Old Woman is crowned (4.3): that takes her, a victim, a Serpent and its king, four pieces.
  for (std::size_t changed = 0; changed <= count; ++changed) {
    std::array<Kind, 3> kinds = before;
    if (changed < count && kinds[changed] == Kind::king) kinds[changed] = Kind::jet_king;
    if (changed < count && kinds[changed] == Kind::pawn) kinds[changed] = Kind::time_machine;
    for (unsigned kept = 0; kept < 1U << count; ++kept) {
      std::array<std::vector<Kind>, 2> sides;
      for (std::size_t i = 0; i < count; ++i) {
        if ((kept >> i & 1U) != 0) sides[i == 1 ? 1 : 0].push_back(kinds[i]);
      }
      if (const auto other_tier = tier_without_colours(sides); other_tier < tier) found.push_back(other_tier);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

bool Space::is_impossible(const Lineup& lineup) noexcept {
  const auto& [material, where, strong_moves] = lineup;
  return changes_on(material.first, 0, where.first) || changes_on(material.second, 0, where.second) ||
         changes_on(material.lone, 1, where.lone);
}

/// `p` in the order of its tier, turned so that White is strong. Nothing if a side has no king, if a
/// piece stands where it would have changed, or if there are too many pieces.
std::optional<Space::Lineup> Space::line_up(const Position& p) noexcept {
  const std::array<int, 2> counts = {p.sides[0].count(), p.sides[1].count()};
  if (counts[0] == 0 || counts[1] == 0 || counts[0] + counts[1] > 3) return std::nullopt;
  const auto kind_on = [&](int square) { return kind_of(p.on[at(square)]); };
  std::array<Set, 2> rest = p.sides;
  const std::array<int, 2> lowest = {rest[0].pop_lowest(), rest[1].pop_lowest()};
  std::size_t strong = counts[1] > counts[0] ? 1 : 0;
  if (counts[0] == counts[1]) {
    const Kind white = kind_on(lowest[0]);
    const Kind black = kind_on(lowest[1]);
    strong = white == black ? at(p.to_move) : (black > white ? 1 : 0);
  }
  Lineup l;
  l.strong_moves = at(p.to_move) == strong;
  l.squares = {lowest[strong], 0, lowest[1 - strong]};
  l.material = {kind_on(l.squares.first), Kind::nothing, kind_on(l.squares.lone)};
  if (rest[strong].any()) {
    l.squares.second = rest[strong].pop_lowest();
    l.material.second = kind_on(l.squares.second);
    if (l.material.second < l.material.first) {
      std::swap(l.material.first, l.material.second);
      std::swap(l.squares.first, l.squares.second);
    }
  }
  if (!is_king(l.material.first) || !is_king(l.material.lone)) return std::nullopt;
  if (strong == 1)
    l.squares = {flipped[at(l.squares.first)], flipped[at(l.squares.second)], flipped[at(l.squares.lone)]};
  if (is_impossible(l)) return std::nullopt;
  return l;
}

std::uint64_t Space::index_of(const Lineup& lineup) const noexcept {
  const Material& m = lineup.material;
  Squares s = lineup.squares;
  int lone_number = s.lone;
  if (mirrors_) {
    if (s.lone % board_side >= half_columns) s = {mirrored[at(s.first)], mirrored[at(s.second)], mirrored[at(s.lone)]};
    lone_number = s.lone / board_side * half_columns + s.lone % board_side;
  }
  const int first = without(s.first, s.lone);
  const int second = without(s.second, s.lone);
  std::uint64_t way = 0;
  if (m.second == Kind::nothing) {
    way = at(first);
  } else if (m.first == m.second) {
    const auto [low, high] = std::minmax(first, second);
    way = at(high) * (at(high) - 1) / 2 + at(low);
  } else {
    way = at(first) * at(others - 1) + at(without(second, first));
  }
  const bool second_half = !m.is_even() && !lineup.strong_moves;
  return (at(second_half ? lone_squares_ : 0) + at(lone_number)) * strong_ways(m.first, m.second) + way;
}

/// The way back from index_of.
Space::Lineup Space::lineup_at(TierIndex place) const noexcept {
  Lineup l;
  const Material& m = l.material = tiers_[place.tier];
  const std::uint64_t ways = strong_ways(m.first, m.second);
  const auto way = place.index % ways;
  auto lone_number = static_cast<int>(place.index / ways);
  l.strong_moves = lone_number < lone_squares_;
  if (!l.strong_moves) lone_number -= lone_squares_;
  const int lone = mirrors_ ? lone_number / half_columns * board_side + lone_number % half_columns : lone_number;
  int first = 0;
  int second = 0;
  if (m.second == Kind::nothing) {
    first = static_cast<int>(way);
  } else if (m.first == m.second) {
    first = pairs[way].low;
    second = pairs[way].high;
  } else {
    first = static_cast<int>(way / at(others - 1));
    second = with(static_cast<int>(way % at(others - 1)), first);
  }
  l.squares = {with(first, lone), with(second, lone), lone};
  return l;
}

std::optional<TierIndex> Space::place(const Position& p) const noexcept {
  const auto lineup = line_up(p);
  if (!lineup) return std::nullopt;
  const std::uint32_t tier = tier_of(lineup->material);
  if (tier == no_tier) return std::nullopt;
  return TierIndex{tier, index_of(*lineup)};
}

std::optional<Position> Space::position(TierIndex place) const {
  if (place.tier >= tiers() || place.index >= size(place.tier)) return std::nullopt;
  const Lineup lineup = lineup_at(place);
  if (is_impossible(lineup)) return std::nullopt;
  const auto& [material, where, strong_moves] = lineup;
  Position p;
  p.put(where.first, code_of(material.first, 0));
  if (material.second != Kind::nothing) p.put(where.second, code_of(material.second, 0));
  p.put(where.lone, code_of(material.lone, 1));
  p.counters = initial_counters;
  if (!strong_moves) {
    p.to_move = Player::second;
    p.key ^= black_to_move_key;
  }
  return p;
}

bool Space::stays(const Position& p, const Move& m) const noexcept {
  const bool push = m.kind == MoveKind::push;
  const int rest = push ? 2 * m.to - m.from : m.to;
  if (p.on[at(rest)] != 0) return false;  // a capture
  const Code moved = p.on[push ? m.to : m.from];
  if (changes_on(kind_of(moved), owner_of(moved), rest)) return false;
  // Of the after effects only poison needs no more than three pieces, two of them kings: a charge takes
  // a cart and a pawn or Time Machine (5.1), an explosion five pieces in a row (5.4).
  if ((p.all(Kind::serpent) | p.all(Kind::empress)).none()) return true;
  return rules_.play(p, m).occupied().count() == p.occupied().count();
}

}  // namespace paika::wildebeest
