#include "base/bits.hpp"

#include <bitset>
#include <gtest/gtest.h>

#include "base/random.hpp"

namespace paika {
namespace {

template <class T>
class BitsTest : public testing::Test {};

using Widths = testing::Types<Bits<1>, Bits<2>, Bits<3>, Bits<11>>;
TYPED_TEST_SUITE(BitsTest, Widths);

template <class B>
std::pair<B, std::bitset<B::capacity>> random_pair(Random& random) {
  B bits;
  std::bitset<B::capacity> model;
  for (int i = 0; i < B::capacity; ++i) {
    if (!random.one_in(3)) continue;
    bits.set(i);
    model.set(static_cast<std::size_t>(i));
  }
  return {bits, model};
}

template <class B>
void expect_same(const B& bits, const std::bitset<B::capacity>& model) {
  for (int i = 0; i < B::capacity; ++i) ASSERT_EQ(bits.test(i), model.test(static_cast<std::size_t>(i))) << i;
}

TYPED_TEST(BitsTest, agrees_with_bitset_in_all_operations) {
  Random random(7);
  for (int round = 0; round < 50; ++round) {
    const auto [a, model_a] = random_pair<TypeParam>(random);
    const auto [b, model_b] = random_pair<TypeParam>(random);
    expect_same(a & b, model_a & model_b);
    expect_same(a | b, model_a | model_b);
    expect_same(a ^ b, model_a ^ model_b);
    expect_same(~a, ~model_a);
    EXPECT_EQ(a.count(), static_cast<int>(model_a.count()));
    EXPECT_EQ(a.any(), model_a.any());
  }
}

TYPED_TEST(BitsTest, shifts_by_every_amount) {
  Random random(8);
  const auto [a, model] = random_pair<TypeParam>(random);
  for (int n = 0; n < TypeParam::capacity; ++n) {
    expect_same(a << n, model << static_cast<std::size_t>(n));
    expect_same(a >> n, model >> static_cast<std::size_t>(n));
  }
}

TYPED_TEST(BitsTest, pop_and_for_each_visit_members_in_order) {
  Random random(9);
  const auto pair = random_pair<TypeParam>(random);
  TypeParam rest = pair.first;
  int before = -1;
  for_each_bit(pair.first, [&](int i) {
    EXPECT_GT(i, before);
    EXPECT_TRUE(pair.second.test(static_cast<std::size_t>(i)));
    EXPECT_EQ(rest.pop_lowest(), i);
    before = i;
  });
  EXPECT_TRUE(rest.none());
}

TYPED_TEST(BitsTest, first_holds_the_first_numbers) {
  for (int n = 0; n <= TypeParam::capacity; ++n) {
    const auto set = TypeParam::first(n);
    EXPECT_EQ(set.count(), n);
    EXPECT_EQ(n > 0 && set.test(n - 1), n > 0);
  }
}

}  // namespace
}  // namespace paika
