// Spec strings of Fanorona: sizes, options, presets, and what is refused.
#include "helpers.hpp"

namespace paika::fanorona::testing {
namespace {

std::string canonical(const std::string& spec) { return canonical_spec(options_of(spec)); }

std::string error(const std::string& spec) { return Game::spec_error(spec); }

TEST(FanoronaOptions, standard_game) {
  EXPECT_EQ(options_of("fanorona"), (Options{9, 5, true, 50}));
  EXPECT_EQ(options_of("fanorona:tournament"), (Options{9, 5, true, 50}));
  EXPECT_EQ(canonical("fanorona"), "fanorona:9x5");
}

TEST(FanoronaOptions, clause_1_1_sizes_are_columns_by_rows) {
  EXPECT_EQ(options_of("fanorona:3x13"), (Options{3, 13, true, 130}));
  EXPECT_EQ(options_of("fanorona:13x3"), (Options{13, 3, true, 30}));
  for (const char* bad : {"4x5", "5x4", "15x5", "5x15", "2x2", "13x14"}) {
    EXPECT_TRUE(contains(error(std::string("fanorona:") + bad), bad)) << bad;
    EXPECT_TRUE(contains(error(std::string("fanorona:") + bad), "odd, 1 to 13")) << bad;
  }
  EXPECT_TRUE(contains(error("fanorona:4x5"), "columns must"));
  EXPECT_TRUE(contains(error("fanorona:5x4"), "rows must"));
  EXPECT_TRUE(contains(error("fanorona:4x4"), "columns and rows must"));
  EXPECT_TRUE(contains(error("fanorona:0x5"), "odd, 1 to 13"));
  EXPECT_TRUE(contains(error("fanorona:-3x5"), "odd, 1 to 13"));
  EXPECT_TRUE(contains(error("fanorona:99999999999999999999x5"), "out of range"));
}

TEST(FanoronaOptions, clause_3_5_presets_give_way_to_options) {
  EXPECT_EQ(options_of("fanorona:classic"), (Options{9, 5, false, 0}));
  EXPECT_EQ(options_of("fanorona:classic,sacrifice"), (Options{9, 5, true, 0}));
  EXPECT_EQ(options_of("fanorona:sacrifice=on,classic"), (Options{9, 5, true, 0}));
  EXPECT_EQ(options_of("fanorona:limit=7,classic,5x5"), (Options{5, 5, false, 7}));
  EXPECT_EQ(options_of("fanorona:sacrifice=off,tournament"), (Options{9, 5, false, 50}));
  EXPECT_TRUE(contains(error("fanorona:classic,tournament"), "two presets"));
}

TEST(FanoronaOptions, clause_3_2_limit_range) {
  EXPECT_EQ(options_of("fanorona:limit=1000000").limit, 1000000);
  EXPECT_EQ(options_of("fanorona:limit=0").limit, 0);
  EXPECT_TRUE(contains(error("fanorona:limit=1000001"), "0 (none) to 1000000"));
  EXPECT_TRUE(contains(error("fanorona:limit=-1"), "limit=-1"));
  EXPECT_TRUE(contains(error("fanorona:limit=many"), "whole number"));
  EXPECT_TRUE(contains(error("fanorona:limit"), "needs a value"));
}

TEST(FanoronaOptions, wrong_words_are_named_with_what_is_valid) {
  EXPECT_TRUE(contains(error("fanorona:sacrifce=off"), "did you mean sacrifice"));
  EXPECT_TRUE(contains(error("fanorona:sacrifice=maybe"), "on or off"));
  EXPECT_TRUE(contains(error("fanorona:5x5,7x7"), "twice"));
  EXPECT_TRUE(contains(error("fanorona:limit=3,limit=3"), "twice"));
  EXPECT_TRUE(contains(error("fanorona:"), "missing"));
  EXPECT_TRUE(contains(error("chess:9x5"), "must begin with fanorona"));
  EXPECT_LT(error("fanorona:" + std::string(1'000'000, 'q')).size(), 400U);
}

TEST(FanoronaOptions, canonical_spec_reads_back) {
  EXPECT_EQ(canonical("fanorona:limit=0,sacrifice=off,5x5"), "fanorona:5x5,sacrifice=off,limit=0");
  EXPECT_EQ(canonical("fanorona:limit=50"), "fanorona:9x5");
  EXPECT_EQ(canonical("fanorona:5x3,limit=50"), "fanorona:5x3,limit=50");
  EXPECT_EQ(canonical("fanorona:SACRIFICE=OFF"), "fanorona:9x5,sacrifice=off");
  for (int cols = 1; cols <= 13; cols += 2) {
    for (int rows = 1; rows <= 13; rows += 2) {
      for (const int limit : {0, 50, 10 * rows, 1000000}) {
        for (const bool sacrifice : {false, true}) {
          const Options options{cols, rows, sacrifice, limit};
          EXPECT_EQ(options_of(canonical_spec(options)), options);
          EXPECT_EQ(make_notation(options)->spec(), canonical_spec(options));
        }
      }
    }
  }
}

TEST(FanoronaOptions, examples_and_table_are_valid) {
  for (const auto& spec : info().examples) EXPECT_EQ(error(spec), "") << spec;
  for (const auto& preset : info().presets) EXPECT_EQ(error("fanorona:" + preset.key), "");
  for (const auto& option : info().options) {
    for (const auto& value : option.values) EXPECT_EQ(error("fanorona:" + option.key + "=" + value), "");
  }
}

}  // namespace
}  // namespace paika::fanorona::testing
