// The text form of moves (4.2) and game records (4.3).
#include "helpers.hpp"

namespace paika::othello {
namespace {

std::string read_turn(int size, std::string_view text) {
  const auto notation = make_notation(Options{size});
  const auto turn = notation->parse_turn(notation->initial(), text);
  if (!turn) return turn.error().clause + ": " + turn.error().message.english();
  return notation->turn_text(notation->initial(), *turn);
}

std::string join(const Options& options, const std::vector<Turn>& turns) {
  const auto notation = make_notation(options);
  std::vector<std::string> texts;
  for (const Turn& t : turns) texts.push_back(notation->turn_text(notation->initial(), t));
  return fmt::format("{}", fmt::join(texts, " "));
}

std::string read_record(int size, std::string_view text) {
  const auto turns = parse_record(Options{size}, text);
  return turns ? join(Options{size}, *turns) : turns.error().message;
}

/// The position after a record, by the bitboard rules.
std::string position_after(int size, std::string_view record) {
  const auto turns = parse_record(Options{size}, record);
  if (!turns) return turns.error().message;
  return with_rules(Options{size}, [&](const auto& rules) {
    auto p = rules.initial();
    for (const Turn& t : *turns) p = rules.play(p, rules.from_turn(p, t));
    return make_notation(Options{size})->position_text(rules.to_board(p));
  });
}

TEST(OthelloTurnText, clause_4_2_squares_in_either_case) {
  EXPECT_EQ(read_turn(8, "d3"), "d3");
  EXPECT_EQ(read_turn(8, " D3\r\n"), "d3");
  EXPECT_EQ(read_turn(26, "z26"), "z26");
  EXPECT_EQ(read_turn(26, "P1"), "p1");
  const auto notation = make_notation(Options{8});
  EXPECT_EQ(notation->parse_turn(notation->initial(), "d3"), (Turn{{StepKind::place, {3, 2}}}));
}

TEST(OthelloTurnText, clause_4_2_every_form_of_a_pass) {
  for (const char* text : {"pass", "PASS", "Pass", "ps", "PS", "--", " -- "}) EXPECT_EQ(read_turn(8, text), "pass");
}

TEST(OthelloTurnText, what_is_not_a_move_is_said) {
  for (const char* text : {"", " ", "d", "3", "3d", "d3d4", "d3 d4", "d03", "d3!", "passe", "pa", "-", "---", "d-3",
                           "d3pass", "\xff\xff", "d33333"}) {
    const std::string said = read_turn(8, text);
    EXPECT_EQ(said.find("4.2: "), 0U) << said;
    EXPECT_NE(said.find("is not a move: write a square (a1 to h8) or pass"), std::string::npos) << said;
  }
  EXPECT_EQ(read_turn(8, "d9"), "4.2: \"d9\" is off the board: the squares are a1 to h8");
  EXPECT_EQ(read_turn(8, "i1"), "4.2: \"i1\" is off the board: the squares are a1 to h8");
  EXPECT_EQ(read_turn(8, "d0"), "4.2: \"d0\" is off the board: the squares are a1 to h8");
  EXPECT_LT(read_turn(8, std::string(10'000'000, 'd')).size(), 300U);
}

TEST(OthelloRecord, clause_4_3_the_known_example) {
  const std::string expected =
      text_of({"--------", "--------", "----X---", "---OXO--", "---OO---", "---OX---", "--------", "--------"}, 'X');
  EXPECT_EQ(position_after(8, "e6f4e3d6"), expected);
  EXPECT_EQ(position_after(8, " E6 F4\te3\nD6 "), expected);
  EXPECT_EQ(read_record(8, "e6f4e3d6"), "e6 f4 e3 d6");
  EXPECT_EQ(read_record(8, ""), "");
}

TEST(OthelloRecord, clause_4_3_rows_of_two_digits) {
  EXPECT_EQ(read_record(26, "m12n12"), "m12 n12");
  EXPECT_EQ(read_record(26, "m12n1"),
            "move 2 of the record, \"n1\" by White: n1 encloses nothing: no black pawn is next to it (rules 2.1)");
}

TEST(OthelloRecord, an_error_names_the_move_and_why) {
  EXPECT_EQ(read_record(8, "e6f4a1"),
            "move 3 of the record, \"a1\" by Black: a1 encloses nothing: no white pawn is next to it (rules 2.1)");
  EXPECT_EQ(read_record(8, "e6f4pass").substr(0, 60), "move 3 of the record, \"pass\" by Black: Black may not pass: a");
  EXPECT_NE(read_record(8, "e6f4e9").find("move 3 of the record, \"e9\" by Black: \"e9\" is off the board"),
            std::string::npos);
  EXPECT_NE(read_record(8, "e6 ?? f4").find("move 2 of the record, \"??\" by White: \"??\" is not a move"),
            std::string::npos);
  EXPECT_LT(read_record(8, "e6" + std::string(10'000'000, 'x')).size(), 300U);
  EXPECT_EQ(read_record(8, "e6" + std::string(10'000'000, ' ')), "e6");
}

/// A random game to its end as text; `passes` says whether passes are written.
struct RandomGame {
  std::string with_passes;
  std::string without_passes;
  std::string turns;  // as read_record gives them
  int passes = 0;
};

RandomGame random_game(int size, std::uint64_t seed) {
  return with_rules(Options{size}, [&](const auto& rules) {
    RandomGame game;
    Random random(seed);
    const auto notation = make_notation(Options{size});
    auto p = rules.initial();
    while (rules.count_turns(p) > 0) {
      auto chosen = random.below(rules.count_turns(p));
      auto next = p;
      rules.for_each_turn(p, [&](const auto& m) {
        if (chosen-- > 0) return true;
        const std::string text = notation->turn_text(notation->initial(), rules.to_turn(p, m));
        game.with_passes += m.is_pass() ? std::string(game.passes % 2 == 0 ? "--" : "PS") : text;
        game.without_passes += m.is_pass() ? "" : text;
        game.turns += (game.turns.empty() ? "" : " ") + text;
        game.passes += m.is_pass() ? 1 : 0;
        next = rules.play(p, m);
        return false;
      });
      p = next;
    }
    return game;
  });
}

TEST(OthelloRecord, clause_4_3_passes_may_be_left_out) {
  int passes = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const RandomGame game = random_game(6, seed);
    passes += game.passes;
    EXPECT_EQ(read_record(6, game.with_passes), game.turns);
    EXPECT_EQ(read_record(6, game.without_passes), game.turns);
    EXPECT_NE(read_record(6, game.with_passes + "a1").find("the game was already over (rules 3.1)"), std::string::npos);
  }
  EXPECT_GT(passes, 10) << "these games must contain passes to test anything";
}

}  // namespace
}  // namespace paika::othello
