// The patterns of the boards that have some: which squares are looked at together, and where.
//
// A pattern is a small set of squares (an edge, a corner, a line); every way its squares can be empty,
// own or opponent is a state, numbered in base 3, and has a weight. A pattern lies in several places, its
// images under the symmetries of the board. The states of all places are kept in the lanes of a vector, so
// that they can be brought up to date move by move (PatternStates). pattern_weights.hpp has the weights;
// tools/tune/othello learns them.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/bits.hpp"

namespace paika::othello {

/// The two sides' pawns on a board of one word, the mover's first.
struct WordPair {
  std::uint64_t own = 0;
  std::uint64_t opponent = 0;
};

struct Pattern {
  std::string_view name;
  std::string_view squares;  // as they lie in the first place, the lowest digit first: "a1 b1"
};

/// A number for each place of the patterns, in the lanes of a few vectors.
class PatternLanes {
 public:
  static constexpr std::size_t size = 64;
  using Numbers = std::array<std::uint16_t, size>;

  PatternLanes() = default;
  explicit PatternLanes(const Numbers& numbers) noexcept : parts_(std::bit_cast<Parts>(numbers)) {}
  [[nodiscard]] Numbers numbers() const noexcept { return std::bit_cast<Numbers>(parts_); }

  [[gnu::always_inline]] PatternLanes& operator+=(const PatternLanes& o) noexcept {
    for (std::size_t i = 0; i < parts_.size(); ++i) parts_[i] += o.parts_[i];
    return *this;
  }
  [[gnu::always_inline]] PatternLanes& operator-=(const PatternLanes& o) noexcept {
    for (std::size_t i = 0; i < parts_.size(); ++i) parts_[i] -= o.parts_[i];
    return *this;
  }
  [[nodiscard, gnu::always_inline]] friend PatternLanes operator+(PatternLanes a, const PatternLanes& b) noexcept {
    return a += b;
  }
  [[nodiscard, gnu::always_inline]] friend PatternLanes operator-(PatternLanes a, const PatternLanes& b) noexcept {
    return a -= b;
  }
  friend bool operator==(const PatternLanes& a, const PatternLanes& b) { return a.numbers() == b.numbers(); }

 private:
#if defined(__AVX2__)
  using Part [[gnu::vector_size(32)]] = std::uint16_t;
#else
  using Part [[gnu::vector_size(16)]] = std::uint16_t;
#endif
  using Parts = std::array<Part, sizeof(Numbers) / sizeof(Part)>;
  Parts parts_{};
};

/// The places of the patterns on a board of one size, and the phases of its games.
class PatternLayout {
 public:
  static constexpr std::size_t max_board = 100;  // squares

  struct Place {
    std::size_t pattern;
    std::vector<int> squares;  // by digit
  };
  /// Where a phase lies: `part` of `whole` from knot `lower` towards the next one.
  struct KnotPlace {
    std::size_t lower;
    int part;
    int whole;
  };

  /// The layout for boards of this size; null if there is none.
  [[nodiscard]] static const PatternLayout* of_size(int size);

  [[nodiscard]] int size() const noexcept { return size_; }
  [[nodiscard]] std::span<const Pattern> patterns() const noexcept { return patterns_; }
  [[nodiscard]] const std::vector<Place>& places() const noexcept { return places_; }

  /// The ways a pattern's digits can be reordered by a symmetry of the board that keeps its squares:
  /// states that differ by one of these share their weight.
  [[nodiscard]] const std::vector<std::vector<int>>& symmetries(std::size_t pattern) const noexcept {
    return symmetries_[pattern];
  }
  /// For every state of a pattern the number of its weight; weights are numbered from 0 in the order of
  /// the least state that has them.
  [[nodiscard]] std::vector<std::uint32_t> weight_numbers(std::size_t pattern) const;
  [[nodiscard]] std::size_t states(std::size_t pattern) const noexcept;

  /// Weights are learned at knots, numbers of pawns `knot_step` apart from 4 on, and change evenly between them;
  /// a phase is `phase_step` numbers of pawns that share their weights.
  [[nodiscard]] int knot_step() const noexcept { return knot_step_; }
  [[nodiscard]] int phase_step() const noexcept { return phase_step_; }
  [[nodiscard]] std::size_t knots() const noexcept {
    return static_cast<std::size_t>((size_ * size_ - 4) / knot_step_) + 1;
  }
  [[nodiscard]] std::size_t phases() const noexcept {
    return static_cast<std::size_t>((size_ * size_ - 4) / phase_step_);
  }
  [[nodiscard]] KnotPlace knot_place(std::size_t phase) const noexcept;
  /// The phase of a position with this many pawns; of a full board the last one.
  [[nodiscard]] std::size_t phase_of(int pawns) const noexcept {
    const int last = size_ * size_ - 1;
    return static_cast<std::size_t>(((pawns < last ? pawns : last) - 4) / phase_step_);
  }

  /// What a pawn on `square` adds to the lane of each place: the power of 3 of its digit there.
  [[nodiscard]] const PatternLanes& digits(int square) const noexcept {
    return digits_[static_cast<std::size_t>(square)];
  }

 private:
  PatternLayout(int size, std::span<const Pattern> patterns, int knot_step, int phase_step);

  int size_;
  std::span<const Pattern> patterns_;
  int knot_step_;
  int phase_step_;
  std::vector<Place> places_;
  std::vector<std::vector<std::vector<int>>> symmetries_;
  std::array<PatternLanes, max_board> digits_{};
};

/// The states of all places of a position: the mover's pawns have the digit 1, the opponent's 2. Kept as the sums of
/// either side's digits, so that a turn, which exchanges the sides, costs a few additions.
class PatternStates {
 public:
  template <class Set>
  PatternStates(const PatternLayout& layout, const Set& own, const Set& opponent) noexcept
      : own_(sum(layout, own)), opponent_(sum(layout, opponent)) {}

  /// The states after the mover places on `square` and turns `flipped` over, for the opponent.
  template <class Set>
  [[nodiscard]] PatternStates after(const PatternLayout& layout, int square, const Set& flipped) const noexcept {
    const PatternLanes turned = sum(layout, flipped);
    return {opponent_ - turned, own_ + turned + layout.digits(square)};
  }
  /// The states after a pass.
  [[nodiscard]] PatternStates passed() const noexcept { return {opponent_, own_}; }

  /// The numbers of the states.
  [[nodiscard]] PatternLanes lanes() const noexcept { return own_ + opponent_ + opponent_; }
  /// The same as after(layout, square, flipped).lanes(), in one go: for the last ply of a search.
  template <class Set>
  [[nodiscard]] PatternLanes lanes_after(const PatternLayout& layout, int square, const Set& flipped) const noexcept {
    const PatternLanes grown = own_ + layout.digits(square);
    return sum(layout, flipped) + opponent_ + grown + grown;
  }

  friend bool operator==(const PatternStates&, const PatternStates&) = default;

 private:
  PatternStates(const PatternLanes& own, const PatternLanes& opponent) noexcept : own_(own), opponent_(opponent) {}

  /// The digits of all pawns of a set.
  template <class Set>
  [[nodiscard, gnu::always_inline]] static PatternLanes sum(const PatternLayout& layout, const Set& pawns) noexcept {
    PatternLanes lanes;
    for_each_bit(pawns, [&](int square) { lanes += layout.digits(square); });
    return lanes;
  }

  PatternLanes own_;
  PatternLanes opponent_;
};

}  // namespace paika::othello
