// Hand-made Wildebeest positions for tests: pieces are written like "Ke0 kf10" (upper case White).
//
// Every helper asks both halves of the game and fails the test where they differ.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "base/text.hpp"
#include "games/wildebeest/board_file.hpp"
#include "games/wildebeest/instances.hpp"
#include "games/wildebeest/layout.hpp"

namespace paika::wildebeest::testing {

inline constexpr Options standard{};
inline constexpr Options cycle{Pads::cycle, Swarm::enter};
inline constexpr Options forbid{Pads::diagonal, Swarm::forbid};

inline std::vector<Options> all_options() { return {standard, cycle, forbid, {Pads::cycle, Swarm::forbid}}; }

inline Square square(std::string_view name) {
  const auto face = make_face(standard);
  const auto s = face->coordinates().read(name);
  EXPECT_TRUE(s && name.empty());
  return s.value_or(Square{});
}

/// A board with the pieces of `text` and nothing else.
inline Board board(std::string_view text, Player to_move = Player::first) {
  const auto face = make_face(standard);
  Board b{Grid<Cell>(board_side, board_side), to_move, initial_counters};
  b.cells.for_each_square([&](Square s) { b.cells[s] = face->empty_cell(s); });
  for (const auto word : split(text, ' ')) {
    if (word.empty()) continue;
    const bool white = word[0] == raised(word[0]);
    b.cells[square(word.substr(1))] = {white ? Owner::first : Owner::second, raised(word[0])};
  }
  return b;
}

/// The pieces of a grid in one canonical order, to compare with pieces("Ke0 kf10").
inline std::string pieces(const Grid<Cell>& cells) {
  const auto face = make_face(standard);
  std::string out;
  cells.for_each_square([&](Square s) {
    if (cells[s].owner == Owner::nobody) {
      EXPECT_EQ(cells[s], face->empty_cell(s)) << "an empty square shows its sign";
      return;
    }
    if (!out.empty()) out += ' ';
    out += face->glyph(cells[s]);
    out += face->coordinates().name(s);
  });
  return out;
}
inline std::string pieces(std::string_view text) { return pieces(board(text).cells); }

inline Turn turn(std::string_view text) {
  const auto face = make_face(standard);
  const auto read = face->parse_turn(face->initial(), text);
  EXPECT_TRUE(read.has_value()) << text;
  return read.value_or(Turn{});
}

/// The texts of all turns the pieces can make (6.2: kings are not asked about).
inline std::set<std::string> turns(const Board& b, const Options& options = standard) {
  const FastRules rules(options);
  const auto face = make_face(options);
  const auto p = rules.from_board(b);
  std::set<std::string> out;
  rules.for_each_successor(p, [&](const Move& m) {
    const Turn t = rules.to_turn(p, m);
    EXPECT_TRUE(out.insert(face->turn_text(b, t)).second) << "listed once";
    const auto refusal = face->refuse(b, t);
    EXPECT_FALSE(refusal) << face->turn_text(b, t) << ": " << refusal->message;
    EXPECT_TRUE(rules.from_turn(p, t) == m);
    return true;
  });
  EXPECT_EQ(rules.count_successors(p), out.size());
  return out;
}

/// Those of turns() that choose the piece on `from`, written as their targets: "e2 e3"; flings "Fe5".
inline std::string targets(const Board& b, std::string_view from, const Options& options = standard) {
  std::string out;
  for (const auto& text : turns(b, options)) {
    const Turn t = turn(text);
    if (t.front().square != square(from)) continue;
    if (!out.empty()) out += ' ';
    if (t.size() == 3) out += 'F';
    out += make_face(options)->coordinates().name(t.back().square);
  }
  return out;
}

/// The pieces after a turn, which must be legal.
inline std::string after(const Board& b, std::string_view text, const Options& options = standard) {
  const FastRules rules(options);
  const auto face = make_face(options);
  const Turn t = turn(text);
  if (!turns(b, options).contains(std::string(text))) return std::string("illegal");
  const auto p = rules.from_board(b);
  const auto q = rules.play(p, rules.from_turn(p, t));
  const auto grid = replayed(b.cells, face->effects(b, t), [&](Square s) { return face->empty_cell(s); });
  EXPECT_EQ(pieces(grid), pieces(rules.to_board(q).cells)) << "effects of " << text;
  EXPECT_EQ(rules.key(q), rules.key_from_scratch(q));
  EXPECT_EQ(rules.from_board(rules.to_board(q)), q);
  EXPECT_EQ(q.to_move, other(b.to_move));
  EXPECT_EQ(q.counters, b.counters);
  return pieces(grid);
}

/// Why a turn is refused; an empty refusal if it is legal.
inline Refusal refusal(const Board& b, const Turn& t, const Options& options = standard) {
  const auto face = make_face(options);
  const auto refused = face->refuse(b, t);
  if (!refused) {
    ADD_FAILURE() << face->turn_text(b, t) << " is not refused";
    return {};
  }
  EXPECT_FALSE(turns(b, options).contains(face->turn_text(b, t)));
  return *refused;
}
inline Refusal refusal(const Board& b, std::string_view text, const Options& options = standard) {
  return refusal(b, turn(text), options);
}

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace paika::wildebeest::testing
