// Bits<W>: a set of up to 64*W small numbers in W machine words, the stuff boards are made of.
// Bits<1, std::uint32_t> is the half of one, for machines on which that is quicker.
//
// Trivially copyable, no allocation, usable at compile time. With W = 1 every operation compiles to
// the plain 64-bit instruction, so the smallest W that fits is always the right one.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/bit_count.hpp"

namespace paika {

template <int W, class WordType = std::uint64_t>
struct Bits {
  static_assert(W >= 1);
  using Word = WordType;
  static constexpr int words_count = W;
  static constexpr int word_bits = std::numeric_limits<Word>::digits;
  static constexpr int word_shift = word_bits == 64 ? 6 : 5;
  static constexpr int capacity = word_bits * W;

  std::array<Word, W> words{};

  /// The set that holds `index` alone. Requires 0 <= index < capacity.
  [[nodiscard]] static constexpr Bits single(int index) noexcept {
    Bits b;
    b.set(index);
    return b;
  }
  /// The set of the numbers 0 to count-1. Requires 0 <= count <= capacity.
  [[nodiscard]] static constexpr Bits first(int count) noexcept {
    Bits b;
    for (int i = 0; i < W; ++i) {
      const int here = count - word_bits * i;
      b.words[at(i)] = here >= word_bits ? ~Word{0} : here <= 0 ? Word{0} : (Word{1} << here) - 1;
    }
    return b;
  }

  [[nodiscard]] constexpr bool test(int index) const noexcept {
    return (words[word_of(index)] >> (index & (word_bits - 1))) & 1;
  }
  constexpr void set(int index) noexcept { words[word_of(index)] |= Word{1} << (index & (word_bits - 1)); }
  constexpr void reset(int index) noexcept { words[word_of(index)] &= ~(Word{1} << (index & (word_bits - 1))); }

  [[nodiscard]] constexpr bool any() const noexcept {
    Word all = 0;
    for (const auto w : words) all |= w;
    return all != 0;
  }
  [[nodiscard]] constexpr bool none() const noexcept { return !any(); }
  [[nodiscard]] constexpr int count() const noexcept {
    int n = 0;
    for (const auto w : words) n += count_ones(w);
    return n;
  }
  /// Removes the smallest member and returns it. Requires any().
  constexpr int pop_lowest() noexcept {
    if constexpr (W == 1) {
      const int index = lowest_one(words[0]);
      words[0] &= words[0] - 1;
      return index;
    } else {
      int i = 0;
      while (i < W - 1 && words[at(i)] == 0) ++i;
      const int index = word_bits * i + lowest_one(words[at(i)]);
      words[at(i)] &= words[at(i)] - 1;
      return index;
    }
  }

  constexpr Bits& operator&=(const Bits& o) noexcept {
    for (int i = 0; i < W; ++i) words[at(i)] &= o.words[at(i)];
    return *this;
  }
  constexpr Bits& operator|=(const Bits& o) noexcept {
    for (int i = 0; i < W; ++i) words[at(i)] |= o.words[at(i)];
    return *this;
  }
  constexpr Bits& operator^=(const Bits& o) noexcept {
    for (int i = 0; i < W; ++i) words[at(i)] ^= o.words[at(i)];
    return *this;
  }
  [[nodiscard]] friend constexpr Bits operator&(Bits a, const Bits& b) noexcept { return a &= b; }
  [[nodiscard]] friend constexpr Bits operator|(Bits a, const Bits& b) noexcept { return a |= b; }
  [[nodiscard]] friend constexpr Bits operator^(Bits a, const Bits& b) noexcept { return a ^= b; }
  [[nodiscard]] constexpr Bits operator~() const noexcept {
    Bits r;
    for (int i = 0; i < W; ++i) r.words[at(i)] = ~words[at(i)];
    return r;
  }

  /// Adds n to every member; members that reach capacity fall out. Requires 0 <= n < capacity.
  [[nodiscard]] constexpr Bits operator<<(int n) const noexcept {
    Bits r;
    if constexpr (W == 1) {
      r.words[0] = words[0] << n;
    } else {
      const int skip = n >> word_shift;
      const int part = n & (word_bits - 1);
      for (int i = W - 1; i >= skip; --i) {
        Word w = words[at(i - skip)] << part;
        if (part != 0 && i > skip) w |= words[at(i - skip - 1)] >> (word_bits - part);
        r.words[at(i)] = w;
      }
    }
    return r;
  }
  /// Subtracts n from every member; members below n fall out. Requires 0 <= n < capacity.
  [[nodiscard]] constexpr Bits operator>>(int n) const noexcept {
    Bits r;
    if constexpr (W == 1) {
      r.words[0] = words[0] >> n;
    } else {
      const int skip = n >> word_shift;
      const int part = n & (word_bits - 1);
      for (int i = 0; i + skip < W; ++i) {
        Word w = words[at(i + skip)] >> part;
        if (part != 0 && i + skip + 1 < W) w |= words[at(i + skip + 1)] << (word_bits - part);
        r.words[at(i)] = w;
      }
    }
    return r;
  }

  friend constexpr bool operator==(const Bits&, const Bits&) = default;

 private:
  static constexpr std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }
  /// With one word the compiler need not be told where: a GPU would have to keep the set in memory to look.
  static constexpr std::size_t word_of(int index) noexcept {
    return W == 1 ? 0 : static_cast<std::size_t>(index >> word_shift);
  }
};

/// How many words a set of `count` numbers needs.
[[nodiscard]] constexpr int words_for(int count) noexcept { return (count + 63) / 64; }

/// Calls f(index) for every member of `set`, smallest first.
template <int W, class Word, class F>
constexpr void for_each_bit(Bits<W, Word> set, F&& f) {
  for (auto word = std::size_t{0}; word < W; ++word) {
    for (Word w = set.words[word]; w != 0; w &= w - 1) {
      f(static_cast<int>(std::numeric_limits<Word>::digits * word) + lowest_one(w));
    }
  }
}

}  // namespace paika
