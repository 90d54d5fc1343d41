// Bitboard rules and notation of Fanorona held together over random games, and fixed against runtime grids.
#include "rules/conformance.hpp"

#include "helpers.hpp"

namespace paika::fanorona::testing {
namespace {

struct Case {
  const char* spec;
  int games;
  int plies;
};

class FanoronaConformance : public ::testing::TestWithParam<Case> {};

TEST_P(FanoronaConformance, halves_agree) {
  const Case& c = GetParam();
  const Options options = options_of(c.spec);
  const auto notation = make_notation(options);
  ConformancePlan plan;
  plan.games = c.games;
  plan.plies = c.plies;
  plan.seed = 20;
  plan.heavy_turns = 120;
  paika_tests::for_both_grids([&]<Grids Kind>() {
    ++plan.seed;
    with_rules<Kind>(options, [&](const auto& rules) {
      paika_tests::expect_clean(check_conformance(rules, *notation, plan), c.spec);
    });
  });
}

INSTANTIATE_TEST_SUITE_P(sizes, FanoronaConformance,
                         ::testing::Values(Case{"fanorona", 12, 60}, Case{"fanorona:classic", 12, 80},
                                           Case{"fanorona:5x5", 40, 60}, Case{"fanorona:5x5,classic", 40, 60},
                                           Case{"fanorona:3x3", 60, 40}, Case{"fanorona:3x3,classic", 60, 40},
                                           Case{"fanorona:1x1", 2, 3}, Case{"fanorona:1x13", 20, 60},
                                           Case{"fanorona:1x13,classic", 20, 60}, Case{"fanorona:13x1", 20, 40},
                                           Case{"fanorona:13x1,classic", 20, 60}, Case{"fanorona:1x3", 5, 9},
                                           Case{"fanorona:3x1", 5, 9}, Case{"fanorona:3x1,classic", 5, 9},
                                           Case{"fanorona:7x7", 8, 50}, Case{"fanorona:3x13", 8, 60},
                                           Case{"fanorona:13x3,sacrifice=off", 8, 40},
                                           Case{"fanorona:7x9,sacrifice=off", 4, 40}, Case{"fanorona:5x13", 4, 40},
                                           Case{"fanorona:11x9", 2, 24}, Case{"fanorona:9x13,sacrifice=off", 1, 24},
                                           Case{"fanorona:13x13", 1, 12}, Case{"fanorona:13x13,classic", 1, 8}));

template <class Fixed, class Runtime>
void expect_agreement(const char* spec, int games) {
  const Options options = options_of(spec);
  ConformancePlan plan;
  plan.games = games;
  plan.plies = 80;
  plan.seed = 77;
  const auto report = check_agreement(random_walk(BitboardRules<Fixed>(options), plan),
                                      random_walk(BitboardRules<Runtime>(options), plan), *make_notation(options));
  paika_tests::expect_clean(report, spec, static_cast<std::uint64_t>(games));
}

TEST(FanoronaGrids, fixed_and_runtime_agree) {
  expect_agreement<FixedShape<9, 5>, RuntimeShape<64>>("fanorona", 60);
  expect_agreement<FixedShape<9, 5>, RuntimeShape<64>>("fanorona:classic", 60);
  expect_agreement<FixedShape<5, 5>, RuntimeShape<64>>("fanorona:5x5", 200);
  expect_agreement<FixedShape<5, 5>, RuntimeShape<64>>("fanorona:5x5,classic", 200);
}

TEST(FanoronaGrids, one_word_and_several_words_agree) {
  expect_agreement<FixedShape<9, 5>, RuntimeShape<128>>("fanorona:classic", 40);
  expect_agreement<FixedShape<5, 5>, RuntimeShape<169>>("fanorona:5x5", 60);
  expect_agreement<RuntimeShape<64>, RuntimeShape<169>>("fanorona:7x7", 20);
  expect_agreement<RuntimeShape<64>, RuntimeShape<128>>("fanorona:1x13", 20);
  expect_agreement<RuntimeShape<128>, RuntimeShape<169>>("fanorona:9x9,classic", 6);
}

}  // namespace
}  // namespace paika::fanorona::testing
