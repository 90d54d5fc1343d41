#include "games/othello/patterns.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "board/symmetry.hpp"

namespace paika::othello {

namespace {

constexpr std::array<Pattern, 15> patterns_8 = {{
    {"edge and X squares", "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2"},
    {"edge block", "a1 c1 d1 e1 f1 h1 c2 d2 e2 f2"},
    {"corner 2x5", "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"},
    {"corner triangle", "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4"},
    {"narrow triangle", "a1 b1 c1 d1 e1 a2 b2 a3 a4 a5"},
    {"corner diagonals", "a1 b1 a2 b2 c2 b3 c3 d3 c4 d4"},
    {"corner 3x3", "a1 b1 c1 a2 b2 c2 a3 b3 c3"},
    {"inner block", "b2 c2 d2 e2 f2 g2 c3 d3 e3 f3"},
    {"row 2", "a2 b2 c2 d2 e2 f2 g2 h2"},
    {"row 3", "a3 b3 c3 d3 e3 f3 g3 h3"},
    {"row 4", "a4 b4 c4 d4 e4 f4 g4 h4"},
    {"diagonal 8", "a1 b2 c3 d4 e5 f6 g7 h8"},
    {"diagonal 7", "a1 b1 c2 d3 e4 f5 g6 h7 h8"},
    {"diagonal 6", "b1 b2 c1 d2 e3 f4 g5 h6 g7 h7"},
    {"diagonal 5", "d1 e2 f3 g4 h5 h1 g2"},
}};

constexpr std::array<Pattern, 11> patterns_6 = {{
    {"edge and X squares", "a1 b1 c1 d1 e1 f1 b2 e2"},
    {"edge block", "a1 b1 c1 d1 e1 f1 b2 c2 d2 e2"},
    {"corner 2x5", "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"},
    {"corner triangle", "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4"},
    {"narrow triangle", "a1 b1 c1 d1 e1 a2 b2 a3 a4 a5"},
    {"corner diagonals", "a1 b1 a2 b2 c2 b3 c3 d3 c4 d4"},
    {"corner 3x3", "a1 b1 c1 a2 b2 c2 a3 b3 c3"},
    {"row 2", "a2 b2 c2 d2 e2 f2"},
    {"row 3", "a3 b3 c3 d3 e3 f3"},
    {"diagonal 6", "a1 b2 c3 d4 e5 f6"},
    {"diagonal 5", "b1 c2 d3 e4 f5"},
}};

constexpr std::array<Pattern, 15> patterns_10 = {{
    {"edge", "a1 b1 c1 d1 e1 f1 g1 h1 i1 j1"},
    {"edge block", "c1 d1 e1 f1 g1 h1 d2 e2 f2 g2"},
    {"corner 2x5", "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"},
    {"corner triangle", "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4"},
    {"corner diagonals", "a1 b1 a2 b2 c2 b3 c3 d3 c4 d4"},
    {"corner 3x3", "a1 b1 c1 a2 b2 c2 a3 b3 c3"},
    {"row 2", "a2 b2 c2 d2 e2 f2 g2 h2 i2 j2"},
    {"row 3", "a3 b3 c3 d3 e3 f3 g3 h3 i3 j3"},
    {"row 4", "a4 b4 c4 d4 e4 f4 g4 h4 i4 j4"},
    {"row 5", "a5 b5 c5 d5 e5 f5 g5 h5 i5 j5"},
    {"diagonal 10", "a1 b2 c3 d4 e5 f6 g7 h8 i9 j10"},
    {"diagonal 9", "b1 c2 d3 e4 f5 g6 h7 i8 j9"},
    {"diagonal 8", "c1 d2 e3 f4 g5 h6 i7 j8"},
    {"diagonal 7", "d1 e2 f3 g4 h5 i6 j7"},
    {"diagonal 6", "e1 f2 g3 h4 i5 j6"},
}};

/// The squares of "a1 b1 …", which only a bug in the tables above can get wrong.
std::vector<Square> squares_of(std::string_view text) {
  std::vector<Square> squares;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int col = text[i] - 'a';
    int row = 0;
    for (++i; i < text.size() && text[i] != ' '; ++i) row = 10 * row + (text[i] - '0');
    squares.push_back({col, row - 1});
  }
  return squares;
}

std::size_t power_of_3(std::size_t digits) noexcept {
  std::size_t power = 1;
  for (; digits > 0; --digits) power *= 3;
  return power;
}

}  // namespace

const PatternLayout* PatternLayout::of_size(int size) {
  static const PatternLayout six(6, patterns_6, 4, 2);
  static const PatternLayout eight(8, patterns_8, 4, 2);
  static const PatternLayout ten(10, patterns_10, 8, 4);
  return size == 6 ? &six : size == 8 ? &eight : size == 10 ? &ten : nullptr;
}

PatternLayout::PatternLayout(int size, std::span<const Pattern> patterns, int knot_step, int phase_step)
    : size_(size), patterns_(patterns), knot_step_(knot_step), phase_step_(phase_step), symmetries_(patterns.size()) {
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    const std::vector<Square> first = squares_of(patterns[p].squares);
    std::vector<std::vector<int>> found;  // the places so far, each in the order of its squares
    for (const Dihedral map : all_dihedrals) {
      std::vector<int> image;
      for (const Square s : first) {
        const Square to = mapped(s, map, size, size);
        image.push_back(to.row * size + to.col);
      }
      std::vector<int> sorted = image;
      std::sort(sorted.begin(), sorted.end());
      if (std::find(found.begin(), found.end(), sorted) == found.end()) {
        found.push_back(sorted);
        places_.push_back({p, image});
      }
      if (sorted != found.front()) continue;
      // The map keeps the pattern's squares: digit i goes to where its square goes.
      const std::vector<int>& own = places_[places_.size() - found.size()].squares;
      std::vector<int> digits;
      for (const int square : image) {
        digits.push_back(static_cast<int>(std::find(own.begin(), own.end(), square) - own.begin()));
      }
      symmetries_[p].push_back(digits);
    }
  }
  PAIKA_CHECK(places_.size() <= PatternLanes::size);
  std::array<PatternLanes::Numbers, max_board> digits{};
  for (std::size_t i = 0; i < places_.size(); ++i) {
    for (std::size_t d = 0; d < places_[i].squares.size(); ++d) {
      digits[static_cast<std::size_t>(places_[i].squares[d])][i] = static_cast<std::uint16_t>(power_of_3(d));
    }
  }
  for (std::size_t i = 0; i < digits.size(); ++i) digits_[i] = PatternLanes(digits[i]);
}

std::size_t PatternLayout::states(std::size_t pattern) const noexcept {
  return power_of_3(symmetries_[pattern].front().size());
}

std::vector<std::uint32_t> PatternLayout::weight_numbers(std::size_t pattern) const {
  // Every state's least image; a state's image is that of the state without its highest digit, and this digit moved.
  std::vector<std::uint32_t> least(states(pattern));
  for (std::uint32_t state = 0; state < least.size(); ++state) least[state] = state;
  std::vector<std::uint32_t> image(least.size());
  for (const auto& digits : symmetries(pattern)) {
    std::size_t known = 1;
    for (const int to : digits) {
      const auto moved = static_cast<std::uint32_t>(power_of_3(static_cast<std::size_t>(to)));
      for (std::size_t i = 0; i < 2 * known; ++i) image[known + i] = image[i] + moved;
      known *= 3;
    }
    for (std::size_t i = 0; i < least.size(); ++i) least[i] = std::min(least[i], image[i]);
  }
  std::uint32_t next = 0;
  for (std::uint32_t state = 0; state < least.size(); ++state) {
    least[state] = least[state] == state ? next++ : least[least[state]];
  }
  return least;
}

PatternLayout::KnotPlace PatternLayout::knot_place(std::size_t phase) const noexcept {
  const int whole = 2 * knot_step_;
  const int place = 2 * phase_step_ * static_cast<int>(phase) + phase_step_ - 1;
  const int lower = std::min(place / whole, static_cast<int>(knots()) - 2);
  return {static_cast<std::size_t>(lower), place - lower * whole, whole};
}

}  // namespace paika::othello
