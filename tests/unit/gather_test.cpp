// Gathering and scattering bits: every way gives the same.
#include "base/gather.hpp"

#include <bit>
#include <cstdint>
#include <gtest/gtest.h>

#include "base/bit_count.hpp"
#include "base/bits.hpp"
#include "base/random.hpp"

namespace paika {
namespace {

TEST(Gather, all_ways_agree) {
  Random random(7);
  for (int i = 0; i < 20000; ++i) {
    const auto word = static_cast<std::uint32_t>(random.next());
    const auto mask = static_cast<std::uint32_t>(random.next() & (i % 2 == 0 ? ~0ULL : random.next()));
    std::uint32_t plain = 0;
    int at = 0;
    for (int bit = 0; bit < 32; ++bit) {
      if ((mask >> bit & 1U) != 0) plain |= (word >> bit & 1U) << at++;
    }
    ASSERT_EQ(gathered(word, mask), plain);
    ASSERT_EQ(gathered32(word, mask), plain);
    ASSERT_EQ(gathered32_in_steps(word, mask), plain);
    ASSERT_EQ(scattered32(plain, mask), word & mask);
    ASSERT_EQ(scattered(plain, mask), word & mask);
  }
}

TEST(Gather, a_few_holes_are_closed_and_opened) {
  Random random(10);
  for (int i = 0; i < 2000; ++i) {
    std::uint64_t holes = 0;
    for (int k = 0; k < i % 7; ++k) holes |= std::uint64_t{1} << random.below(63);
    const std::uint64_t word = random.next() >> 1 & ~holes;
    const std::uint64_t closed = gathered(word, ~holes);
    ASSERT_EQ(closed_up(word, holes), closed);
    ASSERT_EQ(closed_up_in_steps(word, holes), closed);
    ASSERT_EQ(opened_up(closed, holes), word);
    ASSERT_EQ(opened_up_in_steps(closed, holes), word);
  }
}

TEST(BitCount, is_that_of_the_library) {
  Random random(8);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t wide = random.next() >> (i % 64);
    const auto word = static_cast<std::uint32_t>(wide) | 1U;
    ASSERT_EQ(count_ones(wide), std::popcount(wide));
    ASSERT_EQ(lowest_one(word), std::countr_zero(word));
    ASSERT_EQ(leading_zeros(word), std::countl_zero(word));
  }
  EXPECT_EQ(leading_zeros(std::uint32_t{0}), 32);
}

TEST(Bits, of_half_a_word_are_those_of_a_whole) {
  Random random(9);
  using Half = Bits<1, std::uint32_t>;
  for (int i = 0; i < 1000; ++i) {
    const auto word = static_cast<std::uint32_t>(random.next()) & 0x1ffffff;
    Half half{{word}};
    Bits<1> whole{{word}};
    EXPECT_EQ(half.count(), whole.count());
    EXPECT_EQ((half >> 6).words[0], (whole >> 6).words[0]);
    EXPECT_EQ((half << 6).words[0], (whole << 6).words[0]);
    EXPECT_EQ(half.test(i % 25), whole.test(i % 25));
    if (word == 0) continue;
    EXPECT_EQ(half.pop_lowest(), whole.pop_lowest());
    EXPECT_EQ(half.words[0], whole.words[0]);
  }
  EXPECT_EQ(Half::first(25).words[0], 0x1ffffffU);
  EXPECT_EQ(Half::first(32).words[0], ~0U);
}

}  // namespace
}  // namespace paika
