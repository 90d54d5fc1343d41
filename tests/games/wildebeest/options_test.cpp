#include "tests/games/wildebeest/support.hpp"

namespace paika::wildebeest::testing {

TEST(WildebeestOptions, canonical_specs_read_back) {
  EXPECT_EQ(canonical_spec(standard), "wildebeest");
  EXPECT_EQ(canonical_spec(cycle), "wildebeest:pads=cycle");
  EXPECT_EQ(canonical_spec(forbid), "wildebeest:swarm=forbid");
  EXPECT_EQ(canonical_spec({Pads::cycle, Swarm::forbid}), "wildebeest:pads=cycle,swarm=forbid");
  EXPECT_EQ(canonical_spec(once), "wildebeest:poison=once");
  EXPECT_EQ(canonical_spec(survives), "wildebeest:serpent=survives");
  for (const auto& options : all_options()) {
    const auto read = read_options(canonical_spec(options));
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(*read, options);
    EXPECT_EQ(make_notation(options)->spec(), canonical_spec(options));
  }
}

TEST(WildebeestOptions, other_ways_to_write_them) {
  EXPECT_EQ(read_options("2pw").value(), standard);
  EXPECT_EQ(read_options("Wildebeest:swarm=forbid,pads=cycle").value(), (Options{Pads::cycle, Swarm::forbid}));
  EXPECT_EQ(read_options("wildebeest:pads=diagonal,swarm=enter").value(), standard);
}

TEST(WildebeestOptions, errors_say_what_is_valid) {
  const auto message = [](std::string_view spec) { return TestGame::spec_error(spec); };
  EXPECT_TRUE(contains(message("wildebeest:pads=round"), "pads takes diagonal or cycle, not \"round\""));
  EXPECT_TRUE(contains(message("wildebeest:swarm=maybe"), "swarm takes enter or forbid"));
  EXPECT_TRUE(contains(message("wildebeest:pads"), "needs a value"));
  EXPECT_TRUE(contains(message("wildebeest:pad=cycle"), "did you mean pads?"));
  EXPECT_TRUE(contains(message("wildebeest:pads=cycle,pads=cycle"), "given twice"));
  EXPECT_TRUE(contains(message("wildebeest:11x11"), "only one size"));
  EXPECT_TRUE(contains(message("wildebeest:"), "option is missing"));
  EXPECT_TRUE(contains(message("othello:8x8"), "must begin with wildebeest or 2pw"));
  EXPECT_TRUE(contains(message("wildebeests"), "must begin with"));
  EXPECT_TRUE(contains(message(""), "must begin with"));
  EXPECT_LT(message(std::string(5'000'000, 'x')).size(), 300U);
}

TEST(WildebeestOptions, the_table_and_the_reader_agree) {
  for (const auto& option : info().options) {
    for (const auto& value : option.values) {
      EXPECT_TRUE(read_options("wildebeest:" + option.key + "=" + value).has_value());
    }
    EXPECT_EQ(read_options("wildebeest:" + option.key + "=" + option.standard).value(), standard);
  }
  for (const auto& example : info().examples) EXPECT_TRUE(read_options(example).has_value()) << example;
}

}  // namespace paika::wildebeest::testing
