// Refusals: for each clause a turn that breaks it, with the sentence, the clause and the squares.
#include "helpers.hpp"

namespace paika::fanorona::testing {
namespace {

void expect_refused(const Game& game, const std::string& position, const std::string& move, const std::string& clause,
                    const std::string& part, const std::string& squares) {
  const Refusal refusal = game.refusal(position, move);
  EXPECT_EQ(refusal.clause, clause) << move;
  EXPECT_TRUE(contains(refusal.message.english(), part)) << move;
  EXPECT_EQ(game.names(refusal.squares), squares) << move;
}

const std::string start = "bbbbb/bbbbb/bw.bw/wwwww/wwwww w 0";
const std::string blocked = "...b./.b.../.b.ww/b.bxw/...ww b 11";

TEST(FanoronaRefusal, clause_2_1_stone_and_target) {
  const Game game("fanorona:5x5");
  expect_refused(game, start, "a3b3A", "2.1", "the stone on a3 is Black's, and White is to move", "a3");
  expect_refused(game, start, "c3c4A", "2.1", "no stone on c3", "c3");
  expect_refused(game, start, "a1a2", "2.1", "a2 is occupied by a stone of White", "a1 a2");
  expect_refused(game, start, "a2a3", "2.1", "a3 is occupied by a stone of Black", "a2 a3");
  expect_refused(game, start, "a1c3A", "2.1", "c3 is not next to a1", "a1 c3");
  expect_refused(game, start, "a1a1", "2.1", "must go to another point", "a1");
}

TEST(FanoronaRefusal, clause_1_3_no_line) {
  const Game game("fanorona:5x5");
  expect_refused(game, "....b/...../...../..w../..... w 3", "c2d3", "1.3", "c2 is a weak point", "c2 d3");
}

TEST(FanoronaRefusal, clause_2_1_nothing_to_capture) {
  const Game game("fanorona:5x5");
  expect_refused(game, start, "c2c3W", "2.1", "White's own; by approach it captures c4", "c2 c3 c1");
  const std::string open = "....b/...../..w../...../..... w 3";
  expect_refused(game, open, "c3c2A", "2.1", "by approach: c1 is empty", "c3 c2 c1");
  expect_refused(game, "....b/...../...../..w../..... w 3", "c2c1A", "2.1", "the board ends there", "c2 c1");
}

TEST(FanoronaRefusal, clause_2_3_paika_while_a_capture_exists) {
  const Game game("fanorona:5x5");
  expect_refused(game, start, "c2c3", "2.3", "this same move captures if written c2c3A", "c2 c3 c4 c5");
  expect_refused(game, blocked, "c2c1", "2.3", "Black can capture with d5d4A", "d5 d4 d3");
  // The chosen stone's own capture is named first.
  expect_refused(game, "b..../...../w.w../...../..... w 3", "c3c4", "2.3", "White can capture with c3b4A", "c3 b4 a5");
  expect_refused(game, "b..../...../w.w../...../..... w 3", "a3a2", "2.3", "White can capture with a3a4A", "a3 a4 a5");
}

TEST(FanoronaRefusal, clause_2_4_chains) {
  const Game game("fanorona:5x5");
  expect_refused(game, blocked, "d5d4A,d3A", "2.4", "goes on in the direction", "d5 d4 d3");
  expect_refused(game, blocked, "d5d4A,d5A", "2.4", "already been on d5", "d4 d5");
  expect_refused(game, blocked, "d5d4A,c5W,b5A", "2.1", "captures nothing", "c5 b5 a5");
  expect_refused(game, blocked, "d5d4A,c5A", "2.1", "by withdrawal it captures e3", "d4 c5");
  expect_refused(game, "....b/...../...../...../bw..b w 3", "b1c1W,d1A", "2.4", "goes on in the direction", "b1 c1 d1");
  expect_refused(game, "....b/...../b.b../..b../w.... w 3", "a1a2A,b2A,a1W", "2.4", "already been on a1", "b2 a1");
  using K = StepKind;
  const auto refuse = [&](const Turn& turn) {
    return game.notation().refuse(game.board(blocked), turn).value_or(Refusal{});
  };
  const Square d5{3, 0};
  const Square d4{3, 1};
  const Square c5{2, 0};
  EXPECT_EQ(refuse({{K::from, d5}, {K::to, d4}, {K::to, c5}}).clause, "2.4");
  EXPECT_TRUE(contains(refuse({{K::from, d5}, {K::to, d4}, {K::to, c5}}).message.english(), "a paika ends the move"));
  EXPECT_TRUE(contains(refuse({{K::from, d5}, {K::to, d4}, {K::approach, {}}, {K::to, c5}}).message.english(),
                       "must say which capture"));
}

TEST(FanoronaRefusal, clause_2_5_sacrifice) {
  const Game game("fanorona:5x5");
  expect_refused(game, blocked, "d2d3", "2.5", "the stone on d2 is sacrificed", "d2");
  expect_refused(game, blocked, "Sd2", "2.5", "the stone on d2 is sacrificed", "d2");
  expect_refused(game, blocked, "c2d2", "2.5", "d2 is blocked by a sacrificed stone", "c2 d2");
  expect_refused(game, blocked, "b4c3A", "2.5", "the stone on d2 is sacrificed", "b4 c3 d2");
  expect_refused(game, blocked, "c2b2W", "2.5", "the stone on d2 is sacrificed", "c2 b2 d2");
  expect_refused(game, blocked, "Sd3", "2.1", "White's", "d3");
  expect_refused(Game("fanorona:5x5,sacrifice=off"), start, "Sc2", "2.5", "no sacrifice", "c2");
}

TEST(FanoronaRefusal, any_list_of_steps_gets_an_answer) {
  const Game game("fanorona:5x5");
  using K = StepKind;
  const Square c2{2, 3};
  const Square c3{2, 2};
  const auto clause = [&](const Turn& turn) {
    return game.notation().refuse(game.board(start), turn).value_or(Refusal{}).clause;
  };
  EXPECT_EQ(clause({}), "4.2");
  EXPECT_EQ(clause({{K::from, c2}}), "4.2");
  EXPECT_EQ(clause({{K::to, c2}}), "4.2");
  EXPECT_EQ(clause({{K::pass, {}}}), "4.2");
  EXPECT_EQ(clause({{K::from, c2}, {K::approach, {}}}), "4.2");
  EXPECT_EQ(clause({{K::from, c2}, {K::from, c3}}), "4.2");
  EXPECT_EQ(clause({{K::from, c2}, {K::fling, {}}, {K::to, c3}}), "4.2");
  EXPECT_EQ(clause({{K::from, c2}, {K::to, c3}, {K::approach, {1, 1}}}), "4.2");
  EXPECT_EQ(clause({{K::from, c2}, {K::to, c3}, {K::approach, {}}, {K::approach, {}}}), "4.2");
  EXPECT_EQ(clause({{K::from, c2}, {K::sacrifice, {}}, {K::to, c3}}), "2.5");
  EXPECT_EQ(clause({{K::from, c2}, {K::to, c3}, {K::sacrifice, {}}}), "2.5");
  EXPECT_EQ(clause({{K::from, c2}, {K::to, c3}, {K::approach, {}}, {K::sacrifice, {}}}), "2.5");
  EXPECT_EQ(clause({{K::from, {-1, 900}}, {K::to, c3}}), "1.1");
  EXPECT_EQ(clause({{K::from, c2}, {K::to, {2, -1}}, {K::approach, {}}}), "1.1");
  EXPECT_EQ(clause({{K::from, c2}, {K::to, c3}, {K::approach, {}}}), "");
}

}  // namespace
}  // namespace paika::fanorona::testing
