// Spec strings of Abalone: what is read, what is refused with which words, the one spelling.
#include "tests/games/abalone/helpers.hpp"

namespace paika::abalone {
namespace {

std::string error_of(std::string_view spec) { return testing::Game::spec_error(spec); }

void expect_option_error(std::string_view spec, std::string_view part) {
  EXPECT_NE(error_of(spec).find(part), std::string::npos) << spec << " gave: " << error_of(spec);
}

TEST(AbaloneOptions, clause_1_1_the_standard_game) {
  const Options o = testing::options_of("abalone");
  EXPECT_EQ(o, (Options{.rows = 4, .cols = 4, .captures = 2}));
  EXPECT_EQ(pieces_each(o), 5);
}

TEST(AbaloneOptions, rows_come_before_columns) {
  const Options o = testing::options_of("abalone:5x7");
  EXPECT_EQ(o.rows, 5);
  EXPECT_EQ(o.cols, 7);
}

TEST(AbaloneOptions, every_option_is_read) {
  const Options o = testing::options_of("abalone:99x26,captures=122,misere,freeze,must");
  EXPECT_EQ(o, (Options{99, 26, 122, true, Freeze::strict, true}));
  EXPECT_EQ(testing::options_of("abalone:misere=on,must=on,freeze=strict"),
            testing::options_of("abalone:freeze,must,misere"));
  EXPECT_EQ(testing::options_of("abalone:misere=off,must=off,freeze=off"), Options{});
  EXPECT_EQ(testing::options_of("abalone:freeze=initiator").freeze, Freeze::initiator);
  EXPECT_EQ(testing::options_of("abalone:3X3,CAPTURES=1,Freeze=Initiator").freeze, Freeze::initiator);
}

TEST(AbaloneOptions, canonical_spelling) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"abalone", "abalone:4x4"},
      {"abalone:4x4,captures=2", "abalone:4x4"},
      {"abalone:must,freeze=strict,misere=on,captures=3,5x4", "abalone:5x4,captures=3,misere,freeze,must"},
      {"abalone:freeze=initiator,3x3", "abalone:3x3,freeze=initiator"},
      {"abalone:freeze=off,must=off,misere=off", "abalone:4x4"},
  };
  for (const auto& [given, canonical] : cases) {
    const Options o = testing::options_of(given);
    EXPECT_EQ(canonical_spec(o), canonical);
    EXPECT_EQ(testing::options_of(canonical), o);
  }
}

TEST(AbaloneOptions, clause_1_1_sizes_out_of_range_are_refused_with_the_range) {
  expect_option_error("abalone:2x4", "size 2x4: the number of rows (before the x) must be 3 to 99");
  expect_option_error("abalone:100x4", "must be 3 to 99");
  expect_option_error("abalone:4x2", "size 4x2: the number of columns (after the x) must be 3 to 26");
  expect_option_error("abalone:4x27", "must be 3 to 26");
  expect_option_error("abalone:0x4", "3 to 99 rows and 3 to 26 columns");
  expect_option_error("abalone:4x-4", "3 to 99 rows and 3 to 26 columns");
  expect_option_error("abalone:99999999999999999999x4", "out of range");
  expect_option_error("abalone:4x4,5x5", "twice");
}

TEST(AbaloneOptions, clause_1_1_captures_out_of_range_are_refused_with_the_range) {
  EXPECT_EQ(error_of("abalone:captures=5"), "");
  expect_option_error("abalone:captures=6", "captures=6: on 4 rows and 4 columns it must be 1 to 5");
  expect_option_error("abalone:captures=0", "1 to 5");
  expect_option_error("abalone:captures=-1", "1 to 5");
  expect_option_error("abalone:captures=4,3x3", "1 to 3");
  expect_option_error("abalone:captures=two", "whole number");
  expect_option_error("abalone:captures", "needs a value");
  expect_option_error("abalone:captures=1,captures=1", "twice");
}

TEST(AbaloneOptions, unknown_words_are_refused_with_the_valid_ones) {
  expect_option_error("abalone:freese", "did you mean freeze?");
  expect_option_error("abalone:hex", "captures=NUMBER");
  expect_option_error("abalone:freeze=hard", "off, strict or initiator");
  expect_option_error("abalone:misere=maybe", "on or off");
  expect_option_error("abalone:must=1", "on or off");
  expect_option_error("abalone:", "missing");
  expect_option_error("chess:4x4", "must begin with abalone");
  expect_option_error("abalone:4x4,,must", "missing");
}

TEST(AbaloneOptions, the_table_lists_every_option_with_its_standard_and_good_examples) {
  EXPECT_EQ(info().name, "abalone");
  ASSERT_EQ(info().options.size(), 4U);
  for (const OptionInfo& option : info().options) {
    const std::string spec = "abalone:" + option.key + "=" + option.standard;
    EXPECT_EQ(testing::options_of(spec), Options{}) << spec;
    EXPECT_FALSE(option.meaning.empty());
  }
  for (const std::string& example : info().examples) EXPECT_EQ(error_of(example), "");
}

}  // namespace
}  // namespace paika::abalone
