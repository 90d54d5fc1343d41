// Scores as people see them: in pieces, steady from depth to depth, and alike for turns that a symmetry makes alike.
#include <array>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>

#include "base/random.hpp"
#include "board/symmetry.hpp"
#include "engine/engine.hpp"
#include "tests/support/session.hpp"

namespace paika {
namespace {

using paika_tests::must_open;

SearchLimits to_depth(int depth) { return {.depth = depth, .nodes = {}, .move_time = {}, .clock = {}}; }

SearchSettings with_lines(int lines, int level = full_level, std::uint64_t seed = 0) {
  SearchSettings settings;
  settings.threads = 0;
  settings.hash_mb = 4;
  settings.lines = lines;
  settings.level = level;
  settings.seed = seed;
  return settings;
}

/// A game with what is asked of its scores.
struct Kind {
  std::string_view spec;
  int depth;    // to which scores are compared
  int longest;  // games from which positions are taken
};

constexpr std::array<Kind, 4> kinds = {
    {{"fanorona:9x5", 6, 40}, {"abalone:5x5,captures=3", 7, 40}, {"othello", 8, 50}, {"wildebeest", 5, 60}}};

/// A position out of a game of weak play that varies with the seed, at any stage of it.
std::unique_ptr<Session> position_of(const Game& game, std::uint64_t seed, int longest) {
  auto session = game.start();
  const auto engine = game.engine(with_lines(1, 3, seed));
  const auto plies = 2 + Random(seed).below(static_cast<std::uint64_t>(longest));
  for (std::uint64_t i = 0; i < plies; ++i) {
    session->play(engine->think(*session, {}).turn);
    if (!session->outcome().over()) continue;
    session->undo();
    break;
  }
  return session;
}

/// How many positions are looked at in each game: a few, or more in the slow tests.
int positions_asked() {
  const char* const asked = std::getenv("PAIKA_SCORE_POSITIONS");
  return asked == nullptr ? 20 : std::atoi(asked);
}

// A score that says who is ahead by more than a piece has not said the opposite one turn less deep.
TEST(Scores, keep_their_sign_from_depth_to_depth) {
  constexpr double max_changes = 0.05;
  for (const Kind& kind : kinds) {
    const GamePtr game = must_open(kind.spec);
    int positions = 0;
    int pairs = 0;
    int changes = 0;
    const int max_tried = 50 * positions_asked();
    for (int i = 1; i <= max_tried && positions < positions_asked(); ++i) {
      const auto session = position_of(*game, static_cast<std::uint64_t>(i), kind.longest);
      std::vector<int> shown;
      const Decision decision =
          game->engine(with_lines(1))->think(*session, to_depth(kind.depth), {}, [&](const SearchInfo& info) {
            shown.push_back(info.lines.front().score);
          });
      if (std::abs(decision.info.lines.front().score) <= 100 || shown.size() < 2) continue;
      ++positions;
      for (std::size_t d = 1; d < shown.size(); ++d) {
        ++pairs;
        if ((shown[d] > 0) != (shown[d - 1] > 0)) ++changes;
      }
    }
    ASSERT_EQ(positions, positions_asked()) << kind.spec << ": of " << max_tried;
    std::printf("%.*s: %d positions, %d changes of sign in %d pairs of depths, %.1f %%\n",
                static_cast<int>(kind.spec.size()), kind.spec.data(), positions, changes, pairs,
                100.0 * changes / pairs);
    EXPECT_LT(changes, max_changes * pairs) << kind.spec;
  }
}

/// By how much the score rises, on average, when one of the other side's pieces vanishes; in pieces.
double worth_of_a_piece(const Kind& kind, char piece) {
  const GamePtr game = must_open(kind.spec);
  const auto engine = game->engine(with_lines(1));
  const auto score_of = [&](const Board& board) -> std::optional<double> {
    const auto session = game->start_from(board);
    if (session->outcome().over()) return {};
    const InfoLine line = engine->think(*session, to_depth(2)).info.lines.front();
    if (is_win(line.score) || is_loss(line.score)) return {};
    return line.score / 100.0;
  };
  double sum = 0;
  int counted = 0;
  for (int i = 1; i <= positions_asked(); ++i) {
    const Board board = position_of(*game, static_cast<std::uint64_t>(i), kind.longest)->board();
    const auto before = score_of(board);
    if (!before) continue;
    board.cells.for_each_square([&](Square s) {
      const Cell cell = board.cells[s];
      if (!cell.belongs_to(other(board.to_move)) || cell.kind != piece) return;
      Board less = board;
      less.cells[s] = Cell{};
      if (const auto after = score_of(less)) {
        sum += *after - *before;
        ++counted;
      }
    });
  }
  EXPECT_GT(counted, 0) << kind.spec;
  std::printf("%.*s: a piece is worth %.2f (%d taken away)\n", static_cast<int>(kind.spec.size()), kind.spec.data(),
              sum / counted, counted);
  return sum / counted;
}

// docs/protocol.md, Scores. In Othello a disc more now is not one more at the end.
TEST(Scores, are_in_pieces) {
  const auto expect_about = [](double worth, double expected) {
    EXPECT_GT(worth, 0.6 * expected);
    EXPECT_LT(worth, 1.6 * expected);
  };
  expect_about(worth_of_a_piece(kinds[0], 'o'), 1);
  expect_about(worth_of_a_piece(kinds[1], 'o'), 1);
  expect_about(worth_of_a_piece(kinds[3], 'R'), 5);
}

/// The text of a turn as `symmetry` maps it.
std::string image_of(const Session& session, const Turn& turn, Symmetry symmetry) {
  const Board board = session.board();
  return session.notation().turn_text(board, transformed(turn, symmetry.map, board.cells.cols(), board.cells.rows()));
}

// All turns of a symmetric position have the values of their images, and lines that are legal.
TEST(Scores, of_symmetric_turns_are_the_same) {
  for (const std::string_view spec : {"fanorona:9x5", "fanorona:5x5", "abalone:4x4", "abalone:5x5,captures=3",
                                      "othello", "othello:6x6", "wildebeest"}) {
    const GamePtr game = must_open(spec);
    const auto session = game->start();
    const Decision decision = game->engine(with_lines(max_lines))->think(*session, to_depth(4));
    ASSERT_EQ(decision.info.lines.size(), session->count_turns()) << spec;
    std::map<std::string, int> scores;
    for (const InfoLine& line : decision.info.lines) {
      scores[line.texts.front()] = line.score;
      const auto copy = session->clone();
      for (const std::string& text : line.texts) ASSERT_TRUE(copy->try_play(text)) << spec << " " << text;
    }
    for (const Symmetry symmetry : session->notation().symmetries()) {
      if (symmetry.swap_players || transformed(session->board(), symmetry) != session->board()) continue;
      for (const InfoLine& line : decision.info.lines) {
        const std::string image = image_of(*session, line.turns.front(), symmetry);
        ASSERT_TRUE(scores.contains(image)) << spec << " " << image;
        EXPECT_EQ(scores[image], line.score) << spec << " " << line.texts.front() << " and " << image;
      }
    }
  }
}

}  // namespace
}  // namespace paika
