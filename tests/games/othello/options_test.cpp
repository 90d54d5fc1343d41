// Spec strings of Black & White.
#include "helpers.hpp"

namespace paika::othello {
namespace {

std::string option_error(std::string_view spec) { return TestGame::spec_error(spec); }

TEST(OthelloOptions, clause_1_1_every_even_size_from_6_to_26) {
  for (int n = 6; n <= 26; n += 2) {
    const auto read = read_options(fmt::format("othello:{}x{}", n, n));
    ASSERT_TRUE(read) << n;
    EXPECT_EQ(read->size, n);
    EXPECT_EQ(canonical_spec(*read), fmt::format("othello:{}x{}", n, n));
    EXPECT_EQ(make_notation(*read)->spec(), canonical_spec(*read));
  }
}

TEST(OthelloOptions, clause_1_1_the_default_is_8) {
  EXPECT_EQ(read_options("othello"), Options{8});
  EXPECT_EQ(read_options("blackwhite"), Options{8});
  EXPECT_EQ(read_options("blackwhite:8X8"), Options{8});
  EXPECT_EQ(canonical_spec(Options{}), "othello:8x8");
}

TEST(OthelloOptions, bad_sizes_say_what_is_valid) {
  for (const char* spec : {"othello:7x7", "othello:4x4", "othello:28x28", "othello:2x2", "othello:25x25"}) {
    EXPECT_TRUE(contains(option_error(spec), "must be even, 6 to 26"));
  }
  EXPECT_TRUE(contains(option_error("othello:7x7"), "7x7"));
  EXPECT_TRUE(contains(option_error("othello:8x10"), "both numbers must be equal"));
  for (const char* spec : {"othello:0x0", "othello:-8x-8", "othello:99999999999999999999x8", "othello:8", "othello:8x",
                           "othello:", "othello:8x8,", "othello:8x8,8x8", "othello:8x8,misere", "othello:size=8"}) {
    EXPECT_NE(option_error(spec), "") << spec;
  }
}

TEST(OthelloOptions, an_unknown_option_lists_what_is_valid) {
  EXPECT_TRUE(contains(option_error("othello:misere"), "N even, 6 to 26"));
  EXPECT_TRUE(contains(option_error("chess:8x8"), "must begin with othello or blackwhite"));
}

TEST(OthelloOptions, rubbish_of_any_length_is_refused_in_few_words) {
  const std::string rubbish = "othello:" + std::string(10'000'000, '\xfe');
  EXPECT_LT(option_error(rubbish).size(), 500U);
}

TEST(OthelloOptions, the_table_speaks_for_itself) {
  EXPECT_EQ(info().name, "othello");
  EXPECT_EQ(info().aliases, std::vector<std::string>{"blackwhite"});
  EXPECT_EQ(info().standard_size, "8x8");
  for (const auto& example : info().examples) EXPECT_TRUE(read_options(example)) << example;
}

}  // namespace
}  // namespace paika::othello
