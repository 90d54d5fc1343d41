// The tables of the bitboard rules: pieces as small numbers, sets of squares, and key words.
//
// Everything is computed by the compiler. A square's index is row * 11 + col, row 0 at the top.
#pragma once

#include <array>
#include <cstdint>

#include "base/bits.hpp"
#include "base/hash.hpp"
#include "board/shape.hpp"
#include "games/wildebeest/layout.hpp"

namespace paika::wildebeest {

using Shape = FixedShape<board_side, board_side>;
using Set = Shape::Set;
inline constexpr Shape shape;
inline constexpr int squares = Shape::max_size;

/// Kinds of pieces; a number of its own for "nothing" lets play treat a quiet move as a capture of
/// nothing, without a branch. The others are in the order of piece_letters.
enum class Kind : std::uint8_t {
  nothing,
  king,
  jet_king,
  pawn,
  bishop,
  knight,
  rook,
  serpent,
  old_woman,
  empress,
  joey,
  catapult,
  gorilla,
  cart,
  time_machine,
  beekeeper
};
inline constexpr std::size_t kinds_count = 16;

/// A piece: its kind and, in bit 4, its owner (0 White, 1 Black). 0 is an empty square.
using Code = std::uint8_t;
inline constexpr std::size_t codes_count = 2 * kinds_count;

[[nodiscard]] constexpr Code code_of(Kind kind, unsigned owner) noexcept {
  return static_cast<Code>(static_cast<unsigned>(kind) | owner << 4);
}
[[nodiscard]] constexpr Kind kind_of(Code code) noexcept { return static_cast<Kind>(code & 15); }
[[nodiscard]] constexpr unsigned owner_of(Code code) noexcept { return code >> 4; }

template <class T>
[[nodiscard]] constexpr std::size_t at(T index) noexcept {
  return static_cast<std::size_t>(index);
}

using SquareSets = std::array<Set, at(squares)>;

namespace detail {

/// For each square the set of those squares at one of `offsets` that are on the board.
template <std::size_t N>
[[nodiscard]] constexpr SquareSets leaps(const std::array<Square, N>& offsets) noexcept {
  SquareSets sets{};
  for (int i = 0; i < squares; ++i) {
    for (const Square o : offsets) {
      const Square to{shape.square(i).col + o.col, shape.square(i).row + o.row};
      if (shape.contains(to)) sets[at(i)].set(shape.index(to));
    }
  }
  return sets;
}

/// Rays have room for index 127, where a ray is empty: it stands for "no blocker found".
inline constexpr std::size_t ray_slots = 128;
using Rays = std::array<std::array<Set, ray_slots>, 8>;

[[nodiscard]] constexpr Rays make_rays() noexcept {
  Rays rays{};
  for (const Direction d : all_directions) {
    for (int i = 0; i < squares; ++i) {
      for (Square s = step(shape.square(i), d); shape.contains(s); s = step(s, d)) {
        rays[at(d)][at(i)].set(shape.index(s));
      }
    }
  }
  return rays;
}

/// 2: a cart drives one square left or right, on rows 0 and 10 only.
[[nodiscard]] constexpr SquareSets make_drives() noexcept {
  auto sets = leaps(std::array<Square, 2>{Square{-1, 0}, Square{1, 0}});
  for (int i = board_side; i < squares - board_side; ++i) sets[at(i)] = {};
  return sets;
}

/// 3.2: the neighbours that could be pushed straight on without leaving the board.
[[nodiscard]] constexpr SquareSets make_pushes() noexcept {
  SquareSets sets{};
  for (int i = 0; i < squares; ++i) {
    for (const Direction d : all_directions) {
      if (shape.contains(step(shape.square(i), d, 2))) sets[at(i)].set(shape.index(step(shape.square(i), d)));
    }
  }
  return sets;
}

[[nodiscard]] constexpr auto make_row_sets() noexcept {
  std::array<Set, board_side> sets{};
  for (int i = 0; i < squares; ++i) sets[at(i / board_side)].set(i);
  return sets;
}
[[nodiscard]] constexpr auto make_column_sets() noexcept {
  std::array<Set, board_side> sets{};
  for (int col = 0; col < board_side; ++col) sets[at(col)] = column_set<Set>(board_side, board_side, col);
  return sets;
}

[[nodiscard]] constexpr Set make_pad_set() noexcept {
  Set set;
  for (const Square pad : transporter_pads) set.set(shape.index(pad));
  return set;
}

/// Directions by the difference of two neighbours' indices, from -12 to 12.
[[nodiscard]] constexpr auto make_directions() noexcept {
  std::array<Direction, 25> directions{};
  for (const Direction d : all_directions) directions[at(shape.delta(d) + 12)] = d;
  return directions;
}

using Keys = std::array<std::array<std::uint64_t, at(squares)>, codes_count>;

/// Codes of nothing keep zero words, so taking nothing off the board leaves a key as it is.
[[nodiscard]] constexpr Keys make_keys() noexcept {
  constexpr std::uint64_t plane = 0x400;
  Keys keys{};
  for (std::size_t code = 0; code < codes_count; ++code) {
    if (kind_of(static_cast<Code>(code)) != Kind::nothing) keys[code] = hash_keys<at(squares)>(plane + code);
  }
  return keys;
}

}  // namespace detail

inline constexpr SquareSets neighbours =
    detail::leaps(std::array<Square, 8>{Square{0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}});
inline constexpr SquareSets knight_leaps =
    detail::leaps(std::array<Square, 8>{Square{1, -2}, {2, -1}, {2, 1}, {1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}});
/// The squares two steps away in the eight directions: where pushed pieces come to rest.
inline constexpr SquareSets second_neighbours =
    detail::leaps(std::array<Square, 8>{Square{0, -2}, {2, -2}, {2, 0}, {2, 2}, {0, 2}, {-2, 2}, {-2, 0}, {-2, -2}});
inline constexpr detail::Rays rays = detail::make_rays();
inline constexpr SquareSets cart_drives = detail::make_drives();
inline constexpr SquareSets pushable = detail::make_pushes();
inline constexpr auto row_sets = detail::make_row_sets();
inline constexpr auto column_sets = detail::make_column_sets();
inline constexpr Set pad_set = detail::make_pad_set();
/// 5.3: where the pads send a piece, spelled out apart from the notation's way so that the two can be compared.
struct PadWay {
  int pad;
  int diagonal;
  int cycle;
};
inline constexpr std::array<PadWay, 4> pad_ways = {{{shape.index({1, 3}), shape.index({9, 7}), shape.index({9, 7})},
                                                    {shape.index({9, 3}), shape.index({1, 7}), shape.index({1, 3})},
                                                    {shape.index({1, 7}), shape.index({9, 3}), shape.index({9, 3})},
                                                    {shape.index({9, 7}), shape.index({1, 3}), shape.index({1, 7})}}};
/// 2: the row where the pawns of an owner (as in Code) become Time Machines.
[[nodiscard]] constexpr int promotion_row(unsigned owner) noexcept { return owner == 0 ? 10 : 0; }
inline constexpr int jet_pack_index = shape.index(jet_pack);
inline constexpr detail::Keys piece_keys = detail::make_keys();
inline constexpr std::uint64_t black_to_move_key = hash_key(0x420, 0);

/// The direction from a square to its neighbour. Requires neighbours.
[[nodiscard]] constexpr Direction direction_between(int from, int to) noexcept {
  constexpr auto directions = detail::make_directions();
  return directions[at(to - from + 12)];
}

/// The squares a slider on `from` sees in direction D, up to and with the first of `occupied`.
template <Direction D>
[[nodiscard, gnu::always_inline]] inline Set seen(int from, const Set& occupied) noexcept {
  const auto& ray = rays[at(D)];
  const Set blockers = ray[at(from)] & occupied;
  int first = 0;
  if constexpr (shape.delta(D) > 0) {
    const std::uint64_t high = blockers.words[1] | std::uint64_t{1} << 63;
    first = blockers.words[0] != 0 ? std::countr_zero(blockers.words[0]) : 64 + std::countr_zero(high);
  } else {
    const std::uint64_t low = blockers.words[0] | 1;
    first = blockers.words[1] != 0 ? 127 - std::countl_zero(blockers.words[1]) : 63 - std::countl_zero(low);
  }
  return ray[at(from)] ^ ray[at(first)];
}

[[nodiscard]] inline Set seen_diagonally(int from, const Set& occupied) noexcept {
  return seen<Direction::ne>(from, occupied) | seen<Direction::se>(from, occupied) |
         seen<Direction::sw>(from, occupied) | seen<Direction::nw>(from, occupied);
}
[[nodiscard]] inline Set seen_straight(int from, const Set& occupied) noexcept {
  return seen<Direction::n>(from, occupied) | seen<Direction::e>(from, occupied) | seen<Direction::s>(from, occupied) |
         seen<Direction::w>(from, occupied);
}

}  // namespace paika::wildebeest
