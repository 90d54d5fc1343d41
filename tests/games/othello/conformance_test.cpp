// Bitboard rules and notation against each other, the shapes against each other, and perft.
#include "rules/conformance.hpp"

#include "helpers.hpp"

namespace paika::othello {
namespace {

using paika_tests::expect_clean;

class OthelloConformance : public testing::TestWithParam<int> {};

TEST_P(OthelloConformance, halves_agree_on_random_games) {
  const int size = GetParam();
  const Options options{size};
  const auto notation = make_notation(options);
  ConformancePlan plan;
  plan.games = size <= 8 ? 60 : size <= 12 ? 6 : 2;
  plan.plies = size <= 12 ? size * size : 80;
  plan.probes = size <= 12 ? 40 : 15;
  paika_tests::for_both_grids([&]<Grids Kind>() {
    plan.seed = static_cast<std::uint64_t>(size) * 10 + (Kind == Grids::best ? 0 : 1);
    const auto report =
        with_rules<Kind>(options, [&](const auto& rules) { return check_conformance(rules, *notation, plan); });
    expect_clean(report, notation->spec());
    EXPECT_GT(report.refusals, 0U);
    EXPECT_EQ(report.finished_games > 0, size <= 12) << "games without a limit of plies must reach their end";
  });
}

INSTANTIATE_TEST_SUITE_P(AllSizes, OthelloConformance, testing::Range(6, 27, 2));

template <class A, class B>
void expect_agreement(int size) {
  const Options options{size};
  ConformancePlan plan;
  plan.games = 100;
  plan.plies = size * size + 20;
  expect_clean(check_agreement(random_walk(BitboardRules<A>(options), plan),
                               random_walk(BitboardRules<B>(options), plan), *make_notation(options)),
               canonical_spec(options));
}

TEST(OthelloShapes, fixed_and_runtime_shapes_agree) {
  expect_agreement<FixedShape<6, 6>, RuntimeShape<64>>(6);
  expect_agreement<FixedShape<8, 8>, RuntimeShape<64>>(8);
  expect_agreement<FixedShape<10, 10>, RuntimeShape<128>>(10);
  expect_agreement<FixedShape<8, 8>, RuntimeShape<704>>(8);
  expect_agreement<RuntimeShape<256>, RuntimeShape<704>>(12);
}

#if defined(__AVX2__)
template <class Shape>
void compare_lines(const Shape& shape, int rounds) {
  const WordLines<Shape> words(shape);
  const SetLines<Shape> sets(shape);
  Random random(7);
  for (int round = 0; round < rounds; ++round) {
    // Any two disjoint sets, dense and sparse: more than games would ever show.
    std::uint64_t own = random.next();
    std::uint64_t opponent = random.next();
    if (round % 3 == 1) own &= random.next();
    if (round % 3 == 2) opponent |= random.next();
    const Bits<1> a{{own & ~opponent & shape.all().words[0]}};
    const Bits<1> b{{opponent & shape.all().words[0]}};
    const Bits<1> squares = sets.placings(a, b);
    ASSERT_EQ(words.placings(a, b), squares) << own << " " << opponent;
    for (int i = 0; i < shape.size(); ++i) {
      if (a.test(i) || b.test(i)) continue;
      const Bits<1> flipped = sets.flips(i, a, b);
      ASSERT_EQ(words.flips(i, a, b), flipped) << own << " " << opponent << " " << i;
      ASSERT_EQ(flipped.any(), squares.test(i)) << own << " " << opponent << " " << i;
    }
  }
}

TEST(OthelloShapes, vector_lines_equal_plain_lines_on_any_sets) {
  compare_lines(FixedShape<8, 8>(), 20000);
  compare_lines(FixedShape<6, 6>(), 20000);
  compare_lines(RuntimeShape<64>(8, 8), 2000);
}
#endif

TEST(OthelloPerft, clause_6_1_known_numbers) {
  using Counts = std::vector<std::uint64_t>;
  const Counts eight = {4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288};
  const Counts six = {4, 12, 56, 244, 1364, 7604, 47740, 308716};
  const Counts ten = {4, 12, 56, 244, 1396, 8200, 55180};
  paika_tests::for_both_grids([&]<Grids Kind>() {
    EXPECT_EQ(TestGame(Options{8}).perft_counts<Kind>(9), eight);
    EXPECT_EQ(TestGame(Options{6}).perft_counts<Kind>(8), six);
    EXPECT_EQ(TestGame(Options{10}).perft_counts<Kind>(7), ten);
  });
}

TEST(OthelloPerft, clause_6_1_finished_games) {
  with_rules(Options{8}, [&](const auto& rules) {
    EXPECT_EQ(finished_before(rules, rules.initial(), 9), 0U);
    EXPECT_EQ(finished_before(rules, rules.initial(), 10), 228U);
    return 0;
  });
}

TEST(OthelloKeys, the_side_to_move_and_every_square_count) {
  const BitboardRules<FixedShape<8, 8>> rules(Options{8});
  auto p = rules.initial();
  const auto key = rules.key(p);
  p.to_move = other(p.to_move);
  EXPECT_NE(rules.key_from_scratch(p), key) << "exchanged colours and side";
  const auto moved = rules.transform(rules.initial(), {Dihedral::mirror, false});
  EXPECT_NE(rules.key(moved), key);
}

}  // namespace
}  // namespace paika::othello
