// The search against plain minimax, and its promises: the same answer again, stopping, several lines.
#include "search/search.hpp"

#include <gtest/gtest.h>
#include <set>

#include "base/random.hpp"
#include "games/abalone/instances.hpp"
#include "games/abalone/search_traits.hpp"
#include "games/fanorona/instances.hpp"
#include "games/fanorona/search_traits.hpp"
#include "games/othello/search_traits.hpp"
#include "games/wildebeest/search_traits.hpp"
#include "tests/support/must.hpp"

namespace paika {
namespace {

constexpr SearchFeatures bare = {.table = false,
                                 .quiescence = false,
                                 .reductions = false,
                                 .null_move = false,
                                 .futility = false,
                                 .probcut = false,
                                 .aspiration = false,
                                 .ordering = false,
                                 .tuned = true,
                                 .endings = false};

template <SearchTraits K>
int minimax(const K& k, const typename K::RulesType::Position& p, int depth, int ply, std::vector<std::uint64_t>& path,
            bool repetition_draws) {
  const auto& rules = k.rules();
  if (const Outcome outcome = rules.outcome(p); outcome.over()) {
    if constexpr (HasFinalScores<K>) return k.final_score(p);
    if (outcome.verdict == Verdict::draw) return 0;
    return outcome.won_by(rules.to_move(p)) ? win_in(ply) : loss_in(ply);
  }
  if (ply > 0 && repetition_draws && std::find(path.begin(), path.end(), rules.key(p)) != path.end()) return 0;
  if (depth == 0) return k.evaluate(p);
  path.push_back(rules.key(p));
  int best = -infinite_score;
  std::vector<typename K::RulesType::Move> moves;
  rules.for_each_turn(p, [&](const auto& m) {
    moves.push_back(m);
    return true;
  });
  // A single turn costs no depth, here as in the search.
  const int next = depth - 1 + (ply > 0 && moves.size() == 1 && ply < 2 * depth ? 1 : 0);
  for (const auto& m : moves) {
    best = std::max(best, -minimax(k, rules.play(p, m), next, ply + 1, path, repetition_draws));
  }
  path.pop_back();
  return best;
}

template <SearchTraits K>
typename K::RulesType::Position random_position(const typename K::RulesType& rules, Random& random, int plies) {
  auto p = rules.initial();
  for (int i = 0; i < plies; ++i) {
    std::vector<typename K::RulesType::Move> moves;
    rules.for_each_turn(p, [&](const auto& m) {
      moves.push_back(m);
      return moves.size() < 500;
    });
    if (moves.empty()) return random_position<K>(rules, random, plies / 2);
    p = rules.play(p, moves[random.index(moves.size())]);
  }
  return rules.outcome(p).over() ? random_position<K>(rules, random, plies / 2) : p;
}

/// The score that people see of that of a depth and that of the depth before: their mean, in pieces.
template <SearchTraits K>
int shown(const K& k, int now, int before) {
  const auto decided = [](int score) { return is_win(score) || is_loss(score); };
  if (decided(now)) return now;
  const int swing = decided(before) ? 0 : (before - now) / 2;
  return (now + swing) * 100 / k.params().unit;
}

template <SearchTraits K>
void check_against_minimax(const K& k, int depth, int positions, bool repetition_draws) {
  SearchSettings settings;
  settings.hash_mb = 1;
  settings.features = bare;
  Search<K> search(k, settings);
  settings.features.ordering = true;
  settings.features.aspiration = true;
  Search<K> ordered(k, settings);
  Random random(77);
  for (int i = 0; i < positions; ++i) {
    const auto p = random_position<K>(k.rules(), random, static_cast<int>(random.below(12)));
    std::vector<std::uint64_t> path;
    const int now = minimax(k, p, depth, 0, path, repetition_draws);
    const int expected = shown(k, now, minimax(k, p, depth - 1, 0, path, repetition_draws));
    const PastKeys past{repetition_draws, {}};
    const SearchLimits limits{.depth = depth, .nodes = {}, .move_time = {}, .clock = {}};
    const auto found = search.run(p, past, limits);
    // A win found at a lesser depth ends the search at once; it is the same win.
    ASSERT_EQ(found.report.lines.front().score, expected) << "position " << i;
    ASSERT_EQ(ordered.run(p, past, limits).report.lines.front().score, expected) << "position " << i;
    const bool proven = found.report.lines.front().exact;
    EXPECT_TRUE(proven || found.report.depth == depth);
  }
}

using SmallFanorona = fanorona::BitboardTraits<RuntimeShape<64>>;
using Abalone4 = abalone::BitboardTraits<FixedShape<4, 4>>;
using Othello6 = othello::BitboardTraits<FixedShape<6, 6>>;

template <class K, class Options>
K traits_of(const Result<Options>& options) {
  return K(typename K::RulesType(paika_tests::must(options, "the spec")), Evaluation::tuned);
}

SmallFanorona fanorona3() { return traits_of<SmallFanorona>(fanorona::read_options("fanorona:3x3,sacrifice=off")); }
SmallFanorona fanorona5() { return traits_of<SmallFanorona>(fanorona::read_options("fanorona:5x5")); }
Abalone4 abalone4() { return traits_of<Abalone4>(abalone::read_options("abalone:4x4")); }
Othello6 othello6() { return traits_of<Othello6>(othello::read_options("othello:6x6")); }
wildebeest::BitboardTraits wildebeest_traits() {
  return traits_of<wildebeest::BitboardTraits>(wildebeest::read_options("wildebeest"));
}

TEST(SearchAgainstMinimax, fanorona_3x3) { check_against_minimax(fanorona3(), 6, 40, false); }
TEST(SearchAgainstMinimax, fanorona_5x5) { check_against_minimax(fanorona5(), 3, 10, false); }
TEST(SearchAgainstMinimax, abalone_4x4) { check_against_minimax(abalone4(), 4, 15, true); }
TEST(SearchAgainstMinimax, othello_6x6) { check_against_minimax(othello6(), 5, 15, false); }
TEST(SearchAgainstMinimax, wildebeest) { check_against_minimax(wildebeest_traits(), 2, 10, true); }

template <SearchTraits K>
auto run_once(const K& k, const SearchSettings& settings, const SearchLimits& limits,
              const typename K::RulesType::Position& p) {
  Search<K> search(k, settings);
  return search.run(p, PastKeys{}, limits);
}

// docs/rules/fanorona.md 5.3, with every part of the search on.
TEST(Search, solves_fanorona_3x3) {
  const auto k = fanorona3();
  const auto result = run_once(k, {}, {.depth = 30, .nodes = {}, .move_time = {}, .clock = {}}, k.rules().initial());
  EXPECT_EQ(result.report.lines.front().score, win_in(11));
  EXPECT_TRUE(result.report.lines.front().exact);
}

// With everything on, what the search calls proven is so, with the right side.
TEST(Search, proven_results_agree_with_minimax) {
  const auto k = fanorona3();
  Random random(5);
  int proven = 0;
  for (int i = 0; i < 60; ++i) {
    const auto p = random_position<SmallFanorona>(k.rules(), random, static_cast<int>(random.below(10)));
    std::vector<std::uint64_t> path;
    const auto found = run_once(k, {}, {.depth = 7, .nodes = {}, .move_time = {}, .clock = {}}, p).report.lines.front();
    const int expected = minimax(k, p, 12, 0, path, false);
    if (!found.exact) continue;
    ++proven;
    EXPECT_EQ(is_win(found.score), is_win(expected)) << i;
    EXPECT_EQ(is_loss(found.score), is_loss(expected)) << i;
  }
  EXPECT_GT(proven, 10);
}

/// Whether the side to move wins (or loses) within `plies`, by looking at everything.
template <SearchTraits K>
bool decided_within(const K& k, const typename K::RulesType::Position& p, int plies, bool wins) {
  const auto& rules = k.rules();
  if (const Outcome outcome = rules.outcome(p); outcome.over()) {
    return outcome.verdict != Verdict::draw && outcome.won_by(rules.to_move(p)) == wins;
  }
  if (plies == 0) return false;
  bool found = false;  // a turn that makes the other side lose, or one that does not let it win
  rules.for_each_turn(p, [&](const auto& m) {
    found = decided_within(k, rules.play(p, m), plies - 1, !wins) == wins;
    return !found;
  });
  return found == wins;
}

struct Claims {
  int shortest = 0;
  int bounds = 0;
};

/// Compares what the search says of random positions with the truth, as far as that is quickly found.
template <SearchTraits K>
Claims check_claims(const K& k, int depth, int positions, int longest) {
  Claims claims;
  Random random(11);
  for (int i = 0; i < positions; ++i) {
    const auto p = random_position<K>(k.rules(), random, 6 + static_cast<int>(random.below(30)));
    const auto line =
        run_once(k, {}, {.depth = depth, .nodes = {}, .move_time = {}, .clock = {}}, p).report.lines.front();
    if (!(is_win(line.score) || is_loss(line.score)) || plies_to(line.score) > longest) continue;
    const int plies = plies_to(line.score);
    EXPECT_TRUE(line.exact);
    EXPECT_TRUE(decided_within(k, p, plies, is_win(line.score))) << i;
    const bool sooner = decided_within(k, p, plies - 1, is_win(line.score));
    EXPECT_TRUE(line.at_most || !sooner) << i;
    ++(line.at_most ? claims.bounds : claims.shortest);
  }
  return claims;
}

// A win or loss is claimed only if it is one, and called the shortest only if it is.
TEST(Search, wins_are_proven_and_the_shortest_where_it_says_so) {
  EXPECT_GT(check_claims(abalone4(), 5, 60, 4).shortest, 5);
  EXPECT_GT(check_claims(fanorona5(), 4, 60, 3).shortest, 3);
}

// What it has no positions left to make sure of is a bound.
TEST(Search, a_distance_that_was_not_checked_is_a_bound) {
  const auto k = fanorona3();
  SearchSettings settings;
  settings.hash_mb = 1;
  Search<SmallFanorona> search(k, settings);
  const SearchLimits all{.depth = 30, .nodes = {}, .move_time = {}, .clock = {}};
  const auto whole = search.run(k.rules().initial(), PastKeys{}, all);
  EXPECT_FALSE(whole.report.lines.front().at_most);
  std::uint64_t found_at = 0;
  search.forget();
  search.run(k.rules().initial(), PastKeys{}, all, {}, [&](const auto& report) {
    if (found_at == 0 && is_win(report.lines.front().score)) found_at = report.nodes;
  });
  ASSERT_GT(found_at, 0U);
  int bounds = 0;
  for (std::uint64_t nodes = found_at / 2; nodes < found_at; nodes += 1 + found_at / 200) {
    search.forget();
    const auto line =
        search.run(k.rules().initial(), PastKeys{}, {.depth = {}, .nodes = nodes, .move_time = {}, .clock = {}})
            .report.lines.front();
    if (line.at_most) ++bounds;
    EXPECT_TRUE(!is_win(line.score) || line.at_most || line.score == win_in(11));
  }
  EXPECT_GT(bounds, 0);
}

TEST(Search, one_thread_and_fixed_nodes_give_the_same_again) {
  const auto check = [](const auto& k) {
    const SearchLimits limits{.depth = {}, .nodes = 30'000, .move_time = {}, .clock = {}};
    const auto a = run_once(k, {}, limits, k.rules().initial());
    const auto b = run_once(k, {}, limits, k.rules().initial());
    EXPECT_EQ(a.move, b.move);
    EXPECT_EQ(a.report.nodes, b.report.nodes);
    EXPECT_EQ(a.report.lines.front().score, b.report.lines.front().score);
    EXPECT_EQ(a.report.lines.front().moves, b.report.lines.front().moves);
    EXPECT_LE(a.report.nodes, 30'000U + 1000U);
  };
  check(fanorona5());
  check(abalone4());
  check(othello6());
  check(wildebeest_traits());
}

TEST(Search, forgets_when_told) {
  const auto k = abalone4();
  Search<Abalone4> search(k, {});
  const SearchLimits limits{.depth = 8, .nodes = {}, .move_time = {}, .clock = {}};
  const auto first = search.run(k.rules().initial(), {}, limits).report.nodes;
  const auto second = search.run(k.rules().initial(), {}, limits).report.nodes;
  EXPECT_LT(second, first) << "the table remembers";
  search.forget();
  EXPECT_EQ(search.run(k.rules().initial(), {}, limits).report.nodes, first);
}

TEST(Search, several_lines_are_different_turns_best_first) {
  const auto k = othello6();
  SearchSettings settings;
  settings.lines = 3;
  Random random(8);
  const auto p = random_position<Othello6>(k.rules(), random, 6);
  const auto result = run_once(k, settings, {.depth = 6, .nodes = {}, .move_time = {}, .clock = {}}, p);
  ASSERT_EQ(result.report.lines.size(), 3U);
  std::set<unsigned> firsts;
  for (std::size_t i = 0; i < 3; ++i) {
    firsts.insert(result.report.lines[i].moves.front().square);
    EXPECT_TRUE(i == 0 || result.report.lines[i].score <= result.report.lines[i - 1].score);
  }
  EXPECT_EQ(firsts.size(), 3U);
}

TEST(Search, a_line_is_playable) {
  const auto k = wildebeest_traits();
  const auto result = run_once(k, {}, {.depth = 5, .nodes = {}, .move_time = {}, .clock = {}}, k.rules().initial());
  auto p = k.rules().initial();
  for (const auto& m : result.report.lines.front().moves) {
    bool legal = false;
    k.rules().for_each_turn(p, [&](const auto& other) {
      legal = legal || other == m;
      return !legal;
    });
    ASSERT_TRUE(legal);
    p = k.rules().play(p, m);
  }
}

/// One white stone among scattered black ones: long chains, and many ways round.
Board scattered_board(Random& random, int side) {
  Board board{Grid<Cell>(side, side), Player::first, {}};
  board.cells.for_each_square([&](Square at) {
    if (random.one_in(3)) board.cells[at] = piece_of(Player::second);
  });
  board.cells[{side / 2, side / 2}] = piece_of(Player::first);
  return board;
}

TEST(Search, chains_that_end_alike_are_searched_once) {
  using Fanorona9 = fanorona::BitboardTraits<RuntimeShape<128>>;
  const auto k = traits_of<Fanorona9>(fanorona::read_options("fanorona:9x9"));
  Candidates<Fanorona9> candidates(k);
  Random random(11);
  std::size_t twins = 0;
  for (int i = 0; i < 200; ++i) {
    const auto p = k.rules().from_board(scattered_board(random, 9));
    if (k.rules().count_turns(p) > 1000) continue;  // the search would not look at all of them
    std::set<std::uint64_t> all;
    std::size_t turns = 0;
    k.rules().for_each_turn(p, [&](const auto& m) {
      all.insert(k.rules().key(k.rules().play(p, m)));
      ++turns;
      return true;
    });
    Candidates<Fanorona9>::Frame frame(candidates);
    candidates.list(frame, p, {}, false);
    EXPECT_EQ(frame.size(), all.size()) << i;
    twins += turns - all.size();
  }
  EXPECT_GT(twins, 0U);
}

TEST(Search, stops_when_told) {
  const auto k = fanorona5();
  for (const int threads : {1, 3}) {
    SearchSettings settings;
    settings.threads = threads;
    Search<SmallFanorona> search(k, settings);
    std::stop_source source;
    int depth = 0;
    std::uint64_t nodes = 0;
    const auto result = search.run(k.rules().initial(), {}, {}, source.get_token(), [&](const auto& report) {
      EXPECT_TRUE(threads > 1 || !source.stop_requested()) << "another depth was completed";
      if (report.depth < 6) return;
      depth = report.depth;
      nodes = report.nodes;
      source.request_stop();
    });
    // It looks around every 256 positions. Of several threads one may complete the next depth before it is told to
    // stop.
    EXPECT_GE(result.report.depth, depth) << threads;
    if (threads == 1) {
      EXPECT_EQ(result.report.depth, depth);
      // The caller hears of a depth while the search goes on, and may have to wait for the processor before it says
      // stop.
      EXPECT_LE(result.report.nodes, nodes + 100'000);
    }
  }
}

TEST(Search, gives_a_turn_even_if_stopped_before_it_began) {
  std::stop_source source;
  source.request_stop();
  const auto k = abalone4();
  Search<Abalone4> search(k, {});
  const auto result = search.run(k.rules().initial(), {}, {}, source.get_token());
  EXPECT_FALSE(result.report.lines.empty());
  EXPECT_FALSE(result.report.lines.front().exact);
}

TEST(Search, more_threads_find_the_same_proof) {
  const auto k = fanorona3();
  SearchSettings settings;
  settings.threads = 4;
  Search<SmallFanorona> search(k, settings);
  for (int i = 0; i < 10; ++i) {
    search.forget();
    const auto result = search.run(k.rules().initial(), {}, {.depth = 30, .nodes = {}, .move_time = {}, .clock = {}});
    EXPECT_TRUE(is_win(result.report.lines.front().score));
  }
}

}  // namespace
}  // namespace paika
