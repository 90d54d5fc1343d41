// Bitboard rules and notation of Abalone against each other over random games, on many sizes and options.
#include "rules/conformance.hpp"

#include "games/abalone/instances.hpp"
#include "tests/games/abalone/helpers.hpp"

namespace paika::abalone {
namespace {

void expect_clean(const ConformanceReport& report, const std::string& spec) {
  paika_tests::expect_clean(report, spec, 1);
  EXPECT_GT(report.turns, 1U) << spec;
}

template <Grids Kind = Grids::best>
ConformanceReport conform(const std::string& spec, ConformancePlan plan) {
  const Options options = testing::options_of(spec);
  const auto notation = make_notation(options);
  return with_rules<Kind>(options, [&](const auto& rules) { return check_conformance(rules, *notation, plan); });
}

std::vector<std::string> option_sets() {
  std::vector<std::string> out;
  for (const char* misere : {"", ",misere"})
    for (const char* freeze : {"", ",freeze", ",freeze=initiator"})
      for (const char* must : {"", ",must"}) out.push_back(std::string(misere) + freeze + must);
  return out;
}

TEST(AbaloneConformance, small_boards_with_all_options) {
  std::uint64_t finished = 0;
  std::uint64_t refusals = 0;
  for (const char* size : {"3x3", "3x4", "4x3", "4x4", "5x5", "6x4", "3x8", "7x7"}) {
    for (const std::string& options : option_sets()) {
      paika_tests::for_both_grids([&]<Grids Kind>() {
        const std::string spec = std::string("abalone:") + size + options;
        const auto report = conform<Kind>(spec, {.games = 2, .plies = 60, .seed = 7, .probes = 20});
        expect_clean(report, spec);
        finished += report.finished_games;
        refusals += report.refusals;
      });
    }
  }
  EXPECT_GT(finished, 10U);
  EXPECT_GT(refusals, 10'000U);
}

TEST(AbaloneConformance, every_rung_of_the_ladder_of_sizes) {
  for (const char* size :
       {"8x8", "9x9", "3x26", "25x3", "11x11", "16x16", "10x26", "26x26", "30x26", "99x3", "99x26"}) {
    for (const char* options : {"", ",captures=9,misere,freeze", ",captures=3,freeze=initiator,must"}) {
      const std::string spec = std::string("abalone:") + size + options;
      const ConformancePlan plan{.games = 1, .plies = 8, .seed = 3, .probes = 10, .heavy_turns = 40};
      expect_clean(conform(spec, plan), spec);
    }
  }
}

TEST(AbaloneConformance, long_games_reach_crowded_lines) {
  for (const char* spec : {"abalone:6x6,captures=9", "abalone:5x9,captures=11,freeze", "abalone:4x12,captures=13,must",
                           "abalone:9x5,captures=11,freeze=initiator"}) {
    expect_clean(conform(spec, {.games = 4, .plies = 250, .seed = 11, .probes = 20}), spec);
  }
}

template <int Side>
void expect_agreement(const std::string& options) {
  const std::string spec = "abalone:" + std::to_string(Side) + "x" + std::to_string(Side) + options;
  const Options o = testing::options_of(spec);
  const ConformancePlan plan{.games = 30, .plies = 80, .seed = 5};
  const auto report = check_agreement(random_walk(BitboardRules<FixedShape<Side, Side>>(o), plan),
                                      random_walk(BitboardRules<RuntimeShape<128>>(o), plan), *make_notation(o));
  expect_clean(report, spec);
}

TEST(AbaloneConformance, fixed_and_runtime_grids_agree) {
  for (const std::string& options : option_sets()) {
    expect_agreement<4>(options);
    expect_agreement<5>(options);
  }
}

}  // namespace
}  // namespace paika::abalone
