// Hand-made Wildebeest positions for tests: pieces are written like "Ke0 kf10" (upper case White).
//
// The questions go to both rules and notation (tests/support/game.hpp).
#pragma once

#include "base/random.hpp"
#include "base/text.hpp"
#include "games/wildebeest/board_file.hpp"
#include "games/wildebeest/instances.hpp"
#include "games/wildebeest/layout.hpp"
#include "tests/support/game.hpp"

namespace paika::wildebeest::testing {

using TestGame = paika_tests::TestGame<read_options>;
using paika_tests::contains;

inline constexpr Player black = Player::second;

inline constexpr Options standard{};
inline constexpr Options cycle{Pads::cycle, Swarm::enter};
inline constexpr Options forbid{Pads::diagonal, Swarm::forbid};
inline constexpr Options once{Pads::diagonal, Swarm::enter, Poison::once, Serpent::dies};
inline constexpr Options survives{Pads::diagonal, Swarm::enter, Poison::twice, Serpent::survives};

inline std::vector<Options> all_options() {
  return {standard,
          cycle,
          forbid,
          {Pads::cycle, Swarm::forbid},
          once,
          survives,
          {Pads::cycle, Swarm::forbid, Poison::once, Serpent::survives}};
}

inline Square square(std::string_view name) {
  const auto notation = make_notation(standard);
  const auto s = notation->coordinates().read(name);
  EXPECT_TRUE(s && name.empty());
  return s.value_or(Square{});
}

/// A board with the pieces of `text` and nothing else.
inline Board board(std::string_view text, Player to_move = Player::first) {
  const auto notation = make_notation(standard);
  Board b{Grid<Cell>(board_side, board_side), to_move, initial_counters};
  b.cells.for_each_square([&](Square s) { b.cells[s] = notation->empty_cell(s); });
  for (const auto word : split(text, ' ')) {
    if (word.empty()) continue;
    const bool white = word[0] == raised(word[0]);
    b.cells[square(word.substr(1))] = {white ? Owner::first : Owner::second, raised(word[0])};
  }
  return b;
}

/// The pieces of a grid in one canonical order, to compare with pieces("Ke0 kf10").
inline std::string pieces(const Grid<Cell>& cells) {
  const auto notation = make_notation(standard);
  std::string out;
  cells.for_each_square([&](Square s) {
    if (cells[s].owner == Owner::nobody) {
      EXPECT_EQ(cells[s], notation->empty_cell(s)) << "an empty square shows its sign";
      return;
    }
    if (!out.empty()) out += ' ';
    out += notation->glyph(cells[s]);
    out += notation->coordinates().name(s);
  });
  return out;
}
inline std::string pieces(std::string_view text) { return pieces(board(text).cells); }

inline Turn turn(std::string_view text) { return TestGame(standard).turn(text); }

/// The texts of all turns the pieces can make (6.2: kings are not asked about).
inline std::set<std::string> turns(const Board& b, const Options& options = standard) {
  const auto listed = TestGame(options).listed(b);
  return {listed.begin(), listed.end()};
}

/// Those of turns() that choose the piece on `from`, written as their targets: "e2 e3"; flings "Fe5".
inline std::string targets(const Board& b, std::string_view from, const Options& options = standard) {
  std::string out;
  for (const auto& text : turns(b, options)) {
    const Turn t = turn(text);
    if (t.front().square != square(from)) continue;
    if (!out.empty()) out += ' ';
    if (t.size() == 3) out += 'F';
    out += make_notation(options)->coordinates().name(t.back().square);
  }
  return out;
}

/// The pieces after a turn, which must be legal.
inline std::string after(const Board& b, const std::string& text, const Options& options = standard) {
  const Board next = TestGame(options).played(b, text);
  EXPECT_EQ(next.counters, b.counters);
  return pieces(next.cells);
}

/// Why a turn is refused, which it must be.
template <class TextOrTurn>
Refusal refusal(const Board& b, const TextOrTurn& turn, const Options& options = standard) {
  const Refusal refused = TestGame(options).refusal(b, turn);
  EXPECT_NE(refused.message.english(), "") << "not refused";
  return refused;
}

}  // namespace paika::wildebeest::testing
