// Weights files by chance, written by an encoder of the tests' own.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "games/othello/pattern_weights.hpp"

namespace paika::othello {

struct SomeWeights {
  int size;
  int step = 8;
  std::vector<std::vector<int>> knots;  // in steps

  /// Mostly small numbers that change a little from knot to knot, a few large ones.
  SomeWeights(int board, std::uint64_t seed) : size(board) {
    const PatternLayout& layout = *PatternLayout::of_size(size);
    std::size_t length = count_names.size() * count_values;
    for (std::size_t i = 0; i < layout.patterns().size(); ++i) {
      const auto numbers = layout.weight_numbers(i);
      length += *std::max_element(numbers.begin(), numbers.end()) + std::size_t{1};
    }
    Random random(seed);
    knots.assign(layout.knots(), std::vector<int>(length));
    for (std::size_t k = 0; k < knots.size(); ++k) {
      for (std::size_t i = 0; i < length; ++i) {
        const int before = k == 0 ? 0 : knots[k - 1][i];
        const int change = random.one_in(500) ? 400 : static_cast<int>(random.below(7)) - 3;
        knots[k][i] = random.one_in(4) ? before : std::clamp(before + (random.one_in(2) ? change : -change), -900, 900);
      }
    }
  }

  [[nodiscard]] std::string file() const {
    return fmt::format("paika othello pattern weights 2\nsize {}\nstep {}\nmade by chance\ndata\n", size, step) +
           coded();
  }

 private:
  static constexpr std::uint32_t scale = 1U << 14;
  static constexpr std::size_t raw = 8;

  /// The symbols of all weights, each with its table.
  [[nodiscard]] std::vector<std::pair<std::size_t, unsigned>> symbols() const {
    std::vector<std::pair<std::size_t, unsigned>> all;
    for (std::size_t k = 0; k < knots.size(); ++k) {
      for (std::size_t i = 0; i < knots[k].size(); ++i) {
        const int before = k == 0 ? 0 : knots[k - 1][i];
        const int difference = knots[k][i] - before;
        const auto folded = static_cast<unsigned>(difference >= 0 ? 2 * difference : -2 * difference - 1);
        const auto width = static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(std::abs(before))));
        all.emplace_back(std::min(width, raw - 1), std::min(folded, 255U));
        if (folded < 255) continue;
        all.emplace_back(raw, folded & 255U);
        all.emplace_back(raw, folded >> 8);
      }
    }
    return all;
  }

  /// All symbols of a table are equally likely: long, but simple.
  [[nodiscard]] std::string coded() const {
    constexpr std::uint32_t frequency = scale / 256;
    std::string head;
    for (std::size_t i = 0; i < 256 * (raw + 1); ++i) head += {static_cast<char>(frequency), '\0'};
    std::string reversed;
    std::uint32_t state = 1U << 23;
    const auto all = symbols();
    for (auto at = all.rbegin(); at != all.rend(); ++at) {
      while (state >= (((1U << 23) >> 14) << 8) * frequency) {
        reversed += static_cast<char>(state & 255U);
        state >>= 8;
      }
      state = (state / frequency << 14) + state % frequency + at->second * frequency;
    }
    for (int i = 0; i < 4; ++i) reversed += static_cast<char>((state >> (8 * i)) & 255U);
    return head + std::string(reversed.rbegin(), reversed.rend());
  }
};

}  // namespace paika::othello
