// Positions of few stones: their numbering, their tables with and without distances against those of all positions, and
// what the engine and the proof search make of them.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "engine/engine.hpp"
#include "engine/prover.hpp"
#include "engine/registry.hpp"
#include "engine/solver.hpp"
#include "engine/tables.hpp"
#include "games/fanorona/space.hpp"
#include "instances/fanorona/module.hpp"
#include "solve/device_job.hpp"
#include "tests/solve/space_links.hpp"
#include "tests/support/folder.hpp"

namespace paika::fanorona {
namespace {

using AnyEndgames = Endgames<RuntimeShape<64>>;
using Standard = Endgames<FixedShape<9, 5>>;
static_assert(GoesBack<AnyEndgames> && GoesBack<Standard>);

TEST(FanoronaEndgames, counts_what_was_published) {
  // Schadd and others, "Solving Fanorona" (2007): the databases of at most 7 stones on the standard board.
  const Standard space({9, 5, false, 0}, 7);
  std::uint64_t unfolded = 0;
  std::uint64_t folded = 0;
  for (std::uint32_t tier = 0; tier < space.tiers(); ++tier) {
    unfolded += space.unfolded(tier);
    folded += space.size(tier);
  }
  EXPECT_EQ(unfolded, 6'261'651'660U);
  EXPECT_GT(folded, unfolded / 4);
  EXPECT_LT(folded, unfolded / 4 * 11 / 10) << "symmetric positions are folded but for a few";
}

TEST(FanoronaEndgames, places_lead_to_positions_and_back) {
  Random random(3);
  for (const Options& options : {Options{9, 5, false, 0}, Options{9, 5, true, 0}, Options{5, 3, true, 0},
                                 Options{3, 3, false, 0}, Options{13, 1, true, 0}, Options{9, 7, false, 0}}) {
    const AnyEndgames space(options, 6);
    for (std::uint32_t tier = 0; tier < space.tiers(); ++tier) {
      for (int i = 0; i < 500; ++i) {
        const TierIndex place{tier, random.below(space.size(tier))};
        const auto p = space.position(place);
        ASSERT_TRUE(p);
        ASSERT_TRUE(p->own.any() && p->opp.any() && (p->own & p->opp).none() && (p->block & (p->own | p->opp)).none());
        ASSERT_LE((p->own | p->opp | p->block).count(), 6);
        ASSERT_EQ(space.place(*p), place);
        // Whatever is played, the table holds it or the game is over; and below() knows of its tier.
        const auto below = space.below(tier);
        for (const auto& m : paika_tests::turns_of(space.rules(), *p)) {
          const auto q = space.rules().play(*p, m);
          const auto next = space.place(q);
          ASSERT_TRUE(next || space.rules().outcome(q).over());
          ASSERT_TRUE(!next || next->tier == tier || std::find(below.begin(), below.end(), next->tier) != below.end());
          ASSERT_EQ(next && next->tier == tier, space.stays(*p, m));
        }
      }
    }
  }
}

TEST(FanoronaEndgames, more_stones_are_not_held) {
  const Standard space({9, 5, true, 0}, 4);
  EXPECT_FALSE(space.place(space.rules().initial()));
  Standard::Position p;
  p.own.words[0] = 0b11;
  p.opp.words[0] = 0b1100;
  EXPECT_TRUE(space.place(p));
  p.block.words[0] = 0b10000;
  EXPECT_FALSE(space.place(p)) << "a sacrificed stone counts";
}

TEST(FanoronaEndgames, the_way_back_is_the_way_there) {
  const auto look = [](const Options& options, int stones) {
    const AnyEndgames space(options, stones);
    for (std::uint32_t tier = 0; tier < space.tiers(); ++tier) paika_tests::expect_the_way_back(space, tier);
  };
  look({3, 3, false, 0}, 7);
  look({3, 3, true, 0}, 5);
  look({5, 3, false, 0}, 5);
  look({7, 1, true, 0}, 6);
  look({9, 5, false, 0}, 3);
}

class EndgameTables : public testing::Test {
 protected:
  [[nodiscard]] std::string folder() const { return folder_.path().string(); }
  /// Makes a table in the folder; its path.
  std::string solve(const std::string& spec, int stones, bool distances) {
    const auto solver = paika::open_solver(spec, stones);
    EXPECT_TRUE(solver) << (solver ? "" : solver.error().message);
    SolveSettings settings;
    settings.table = table_path(folder(), (*solver)->label());
    settings.distances = distances;
    settings.verify = true;
    settings.threads = 2;
    std::filesystem::remove(settings.table);
    const auto done = (*solver)->solve(settings);
    EXPECT_TRUE(done) << (done ? "" : done.error().message);
    return settings.table;
  }
  paika_tests::TemporaryFolder folder_;
};

/// Random positions of a space as sessions of a game.
template <class Look>
void look_at_sessions(const std::string& spec, int stones, int count, Look&& look) {
  const auto game = *open_game(spec);
  auto options = *read_options(spec);
  options.limit = 0;
  const AnyEndgames space(options, stones);
  Random random(5);
  for (int i = 0; i < count; ++i) {
    const auto tier = static_cast<std::uint32_t>(random.below(space.tiers()));
    const auto p = space.position({tier, random.below(space.size(tier))});
    Board board = space.rules().to_board(*p);
    board.counters[0] = p->block.any() ? 1 : 0;
    look(*game->start_from(board));
  }
}

TEST_F(EndgameTables, agree_with_the_table_of_all_positions) {
  struct Case {
    const char* spec;
    int stones;
  };
  for (const auto& [spec, stones] : {Case{"fanorona:5x3,sacrifice=off,limit=0", 6}, Case{"fanorona:3x3,limit=0", 7},
                                     Case{"fanorona:3x3,sacrifice=off,limit=0", 8}, Case{"fanorona:1x9,limit=0", 6}}) {
    SCOPED_TRACE(spec);
    const auto whole = solve(spec, 0, true);
    auto all = TableBook::open_file(spec, whole);
    ASSERT_TRUE(all);
    std::vector<int> kinds(4);
    for (const bool distances : {true, false}) {
      auto few = TableBook::open_file(spec, solve(spec, stones, distances));
      ASSERT_TRUE(few) << few.error().message;
      look_at_sessions(spec, stones, 3000, [&](const Session& session) {
        const Value right = **(*all)->value(session);
        const Value found = **(*few)->value(session);
        ++kinds[static_cast<std::size_t>(found.kind())];
        const bool over = session.outcome().over();  // then the rules say it
        ASSERT_EQ(found, distances || over ? right : without_distance(right)) << session.position_text();
      });
    }
    EXPECT_GT(kinds[1], 500);
    EXPECT_GT(kinds[2], 500);
    std::filesystem::remove(whole);
  }
}

TEST_F(EndgameTables, are_verified_with_and_without_distances) {
  const std::string spec = "fanorona:7x3,sacrifice=off,limit=0";
  const auto solver = *paika::open_solver(spec, 5);
  for (const bool distances : {true, false}) {
    const auto table = ValueTable::open(solve(spec, 5, distances));
    ASSERT_TRUE(table && table->check());
    const auto verdict = solver->verify(*table, {.threads = 2});
    ASSERT_TRUE(verdict);
    EXPECT_FALSE(*verdict) << **verdict;
    for (const TableSection& tier : table->tiers()) EXPECT_EQ(tier.is_packed(), !distances);
  }
}

TEST_F(EndgameTables, take_two_bits_a_position) {
  const auto path = solve("fanorona:9x5,sacrifice=off", 4, false);
  const auto table = ValueTable::open(path);
  ASSERT_TRUE(table);
  EXPECT_LT(std::filesystem::file_size(path), table->positions() / 4 * 102 / 100 + 4096);
}

TEST_F(EndgameTables, with_a_limit_tell_only_what_it_cannot_change) {
  const std::string spec = "fanorona:5x3,sacrifice=off,limit=0";
  const std::string limited = "fanorona:5x3,sacrifice=off,limit=8";
  const auto with = TableBook::open_file(limited, solve(spec, 4, true));
  ASSERT_TRUE(with);
  // Each is looked up before the other takes its place.
  std::vector<std::optional<Value>> exact;
  look_at_sessions(limited, 4, 500, [&](const Session& s) { exact.push_back(*(*with)->value(s)); });
  const auto without = TableBook::open_file(limited, solve(spec, 4, false));
  ASSERT_TRUE(without);
  std::size_t i = 0;
  int open = 0;
  look_at_sessions(limited, 4, 500, [&](const Session& s) {
    const auto found = *(*without)->value(s);
    const auto right = exact[i++];
    ASSERT_TRUE(right.has_value());
    if (!found) {
      ++open;
    } else if (!s.outcome().over()) {
      ASSERT_TRUE(found->is_draw() && right->is_draw()) << s.position_text();
    }
  });
  EXPECT_GT(open, 100) << "a win may come too late";
}

TEST_F(EndgameTables, a_changed_byte_is_found_when_it_is_looked_up) {
  const auto path = solve("fanorona:5x3,sacrifice=off", 6, false);
  const auto size = std::filesystem::file_size(path);
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(size) - 100);
    const auto byte = static_cast<char>(file.get() ^ 1);
    file.seekp(static_cast<std::streamoff>(size) - 100);
    file.put(byte);
  }
  const auto table = ValueTable::open(path);
  ASSERT_TRUE(table) << "blocks are checked when they are used";
  EXPECT_FALSE(table->check());
  TableReader reader = table->reader(1);
  const auto last = static_cast<std::uint32_t>(table->tiers().size() - 1);
  const auto found = table->lookup(reader, last, table->tiers()[last].positions() - 1);
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("checksum"), std::string::npos) << found.error().message;
}

TEST_F(EndgameTables, let_the_engine_win_and_hold_what_can_be_held) {
  const std::string spec = "fanorona:5x5,sacrifice=off,limit=0";
  auto truth = TableBook::open_file(spec, solve(spec, 4, true));
  ASSERT_TRUE(truth);
  // The engine has the table without distances, in another folder.
  const paika_tests::TemporaryFolder other;
  const auto solver = *paika::open_solver(spec, 4);
  ASSERT_TRUE(solver->solve({.table = table_path(other.path().string(), solver->label()), .distances = false}));
  const auto game = *open_game(spec);
  SearchSettings settings;
  settings.hash_mb = 4;
  settings.tables = other.path().string();
  int won = 0;
  int held = 0;
  look_at_sessions(spec, 4, 60, [&](const Session& first) {
    if (first.outcome().over()) return;
    const Value value = **(*truth)->value(first);
    if (value.is_loss()) return;
    const auto engine = game->engine(settings);
    const auto session = game->start_from(first.board());
    const Player me = session->board().to_move;
    for (int ply = 0; ply < 80 && !session->outcome().over(); ++ply) {
      if (session->board().to_move == me) {
        SearchLimits limits;
        limits.nodes = 3000;
        const Decision decision = engine->think(*session, limits);
        session->play(decision.turn);
      } else {
        session->play((**(*truth)->turns(*session)).front().steps);
      }
      if (session->outcome().over()) break;
      const Value now = **(*truth)->value(*session);
      const bool mine = session->board().to_move == me;
      ASSERT_EQ(now.kind(), value.is_draw() ? ValueKind::draw
                            : mine          ? ValueKind::win
                                            : ValueKind::loss)
          << first.position_text() << " ply " << ply;
    }
    if (value.is_win()) {
      EXPECT_TRUE(session->outcome().over() && session->outcome().won_by(me)) << first.position_text();
      ++won;
    } else {
      ++held;
    }
  });
  EXPECT_GT(won, 10);
  EXPECT_GT(held, 3);
}

TEST_F(EndgameTables, tell_the_search_and_the_proof_search_what_they_come_to) {
  const std::string spec = "fanorona:7x3,sacrifice=off,limit=0";
  auto truth = TableBook::open_file(spec, solve(spec, 5, true));
  ASSERT_TRUE(truth);
  std::filesystem::remove((*truth)->path());
  solve(spec, 4, false);
  const auto game = *open_game(spec);
  SearchSettings settings;
  settings.hash_mb = 4;
  settings.tables = folder();
  const auto engine = game->engine(settings);
  SearchLimits limits;
  limits.depth = 5;
  int by_table = 0;
  int proven = 0;
  look_at_sessions(spec, 5, 150, [&](const Session& session) {
    if (session.outcome().over()) return;
    const Value right = **(*truth)->value(session);
    engine->forget();
    const int score = engine->think(*game->start_from(session.board()), limits).info.lines.front().score;
    ASSERT_TRUE(!is_won(score) || right.is_win()) << session.position_text();
    ASSERT_TRUE(!is_lost(score) || right.is_loss()) << session.position_text();
    if ((is_won(score) && !is_win(score)) || (is_lost(score) && !is_loss(score))) ++by_table;
    ProofRequest request;
    request.memory = std::size_t{4} << 20;
    request.limits.nodes = 3000;
    request.tables = folder();
    const auto report = paika::prove(session, request);
    ASSERT_TRUE(report);
    ASSERT_TRUE(report->value != KnownValue::win || right.is_win()) << session.position_text();
    ASSERT_TRUE(report->value != KnownValue::loss || right.is_loss()) << session.position_text();
    ASSERT_TRUE(report->value != KnownValue::draw || right.is_draw()) << session.position_text();
    if (report->ends_in_table) ++proven;
  });
  EXPECT_GT(by_table, 20);
  EXPECT_GT(proven, 20);
}

TEST_F(EndgameTables, are_looked_up_by_the_upper_levels_only) {
  const std::string spec = "fanorona:7x3,sacrifice=off,limit=0";
  solve(spec, 4, false);
  const auto game = *open_game(spec);
  const auto seen_by = [&](int level) {
    SearchSettings settings;
    settings.hash_mb = 4;
    settings.tables = folder();
    settings.level = level;
    const auto engine = game->engine(settings);
    SearchLimits limits;
    limits.depth = 5;
    int by_table = 0;
    look_at_sessions(spec, 5, 100, [&](const Session& session) {
      if (session.outcome().over()) return;
      engine->forget();
      const int score = engine->think(*game->start_from(session.board()), limits).info.lines.front().score;
      by_table += (is_won(score) && !is_win(score)) || (is_lost(score) && !is_loss(score)) ? 1 : 0;
    });
    return by_table;
  };
  for (const int level : {full_level - 2, full_level - 1, full_level}) EXPECT_GT(seen_by(level), 5) << level;
  for (const int level : {1, 6, full_level - 3}) EXPECT_EQ(seen_by(level), 0) << level;
}

TEST_F(EndgameTables, of_boards_and_numbers_that_are_too_large_are_refused) {
  const auto message = [](const std::string& spec, int stones) {
    const auto label = paika::table_label(spec, stones);
    return label ? *label : label.error().message;
  };
  EXPECT_EQ(message("fanorona:5x9,sacrifice=off", 7), "fanorona:9x5,sacrifice=off,limit=0 of 7 stones");
  EXPECT_NE(message("fanorona:13x13", 4).find("169 points"), std::string::npos);
  EXPECT_NE(message("fanorona", 11).find("2 to 10 stones, not 11"), std::string::npos);
  EXPECT_NE(message("abalone", 4).find("abalone has no tables of positions with few stones"), std::string::npos);
  EXPECT_NE(message("fanorona", 0).find("--stones"), std::string::npos) << "says what would be possible";
}

}  // namespace
}  // namespace paika::fanorona
