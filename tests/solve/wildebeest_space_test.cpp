// The numbering of Wildebeest's endings: its own laws, the contract of Solvable over random play, and the values of
// all two-piece endings against a solve of the reference's positions, which knows of no numbering.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <queue>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/random.hpp"
#include "games/wildebeest/board_file.hpp"
#include "games/wildebeest/notation.hpp"
#include "games/wildebeest/space.hpp"
#include "solve/solvable.hpp"
#include "solve/value.hpp"
#include "tests/reference/reference.hpp"
#include "tests/support/must.hpp"

namespace paika::wildebeest {
namespace {

static_assert(Solvable<Space>);

constexpr std::array<Options, 4> all_options = {{{Pads::diagonal, Swarm::enter},
                                                 {Pads::diagonal, Swarm::forbid},
                                                 {Pads::cycle, Swarm::enter},
                                                 {Pads::cycle, Swarm::forbid}}};

std::string text_of(const Space& space, const Position& p) { return board_line_text(space.rules().to_board(p)); }

/// A position of the tier, each equally likely.
Position random_position(const Space& space, std::uint32_t tier, Random& random) {
  while (true) {
    if (const auto p = space.position({tier, random.below(space.size(tier))})) return *p;
  }
}

std::uint32_t tier_named(const Space& space, std::string_view name) {
  for (std::uint32_t tier = 0; tier < space.tiers(); ++tier) {
    if (space.tier_name(tier) == name) return tier;
  }
  throw std::runtime_error("no tier " + std::string(name));
}

// ---- Numbers --------------------------------------------------------------------------------

TEST(WildebeestSpace, tiers_are_the_materials_without_their_colours) {
  const Space two(BitboardRules({}), 2);
  ASSERT_EQ(two.tiers(), 3U);
  EXPECT_EQ(two.tier_name(0), "Ww");
  EXPECT_EQ(two.tier_name(1), "Wk");
  EXPECT_EQ(two.tier_name(2), "Kk");
  EXPECT_EQ(two.size(2), 66U * 120);
  EXPECT_EQ(two.size(1), 2U * 66 * 120);
  const Space three(BitboardRules({}), 3);
  // Thirteen kinds beside either king against either king, and six ways to have two kings against one.
  ASSERT_EQ(three.tiers(), 3U + 13 * 4 + 6);
  EXPECT_EQ(three.size(tier_named(three, "KRk")), 2U * 66 * 120 * 119);
  EXPECT_EQ(three.size(tier_named(three, "KKw")), 2U * 66 * 120 * 119 / 2);
  EXPECT_LT(tier_named(three, "KHk"), tier_named(three, "KPk"));
  EXPECT_LT(tier_named(three, "KEk"), tier_named(three, "KOk"));
  EXPECT_LT(tier_named(three, "KRw"), tier_named(three, "KRk"));
  const Space cycle(BitboardRules({Pads::cycle, Swarm::enter}), 3);
  EXPECT_EQ(cycle.size(tier_named(cycle, "KRk")), 2U * 121 * 120 * 119);
}

TEST(WildebeestSpace, every_place_of_two_pieces_has_its_position) {
  for (const Options& options : all_options) {
    const Space space(BitboardRules(options), 2);
    for (std::uint32_t tier = 0; tier < space.tiers(); ++tier) {
      std::uint64_t held = 0;
      for (std::uint64_t index = 0; index < space.size(tier); ++index) {
        const auto p = space.position({tier, index});
        if (!p) continue;
        ++held;
        ASSERT_EQ(space.place(*p), (TierIndex{tier, index})) << text_of(space, *p);
        ASSERT_EQ(p->key, space.rules().key_from_scratch(*p));
      }
      // Only a K on the Jet Pack is left out.
      const std::string name = space.tier_name(tier);
      const std::uint64_t lone_squares = (options.pads == Pads::diagonal ? 66 : 121) - (name[1] == 'k' ? 1 : 0);
      const std::uint64_t strong_squares = 120 - (name[0] == 'K' ? 1 : 0);
      EXPECT_EQ(held, (name == "Wk" ? 2 : 1) * lone_squares * strong_squares) << name;
    }
    EXPECT_EQ(space.position({space.tiers(), 0}), std::nullopt);
    EXPECT_EQ(space.position({0, space.size(0)}), std::nullopt);
  }
}

TEST(WildebeestSpace, places_of_three_pieces_have_their_positions) {
  Random random(1);
  for (const Options& options : all_options) {
    const Space space(BitboardRules(options), 3);
    for (std::uint32_t tier = 0; tier < space.tiers(); ++tier) {
      std::uint64_t held = 0;
      constexpr std::uint64_t samples = 5000;
      for (std::uint64_t i = 0; i < samples; ++i) {
        const std::uint64_t near_the_end = space.size(tier) - 1 - i % 100;
        const TierIndex place{tier, i < 100 ? i : i < 200 ? near_the_end : random.below(space.size(tier))};
        const auto p = space.position(place);
        if (!p) continue;
        ++held;
        ASSERT_EQ(space.place(*p), place) << text_of(space, *p);
        ASSERT_EQ(p->key, space.rules().key_from_scratch(*p));
      }
      EXPECT_GT(held * 10, samples * 8) << space.tier_name(tier);
    }
  }
}

/// A board with `count` pieces of any kind and side on any squares.
Board random_board(Random& random, const Notation& notation, int count) {
  Board board{Grid<Cell>(board_side, board_side), random.one_in(2) ? Player::first : Player::second, {}};
  board.cells.for_each_square([&](Square s) { board.cells[s] = notation.empty_cell(s); });
  for (int i = 0; i < count; ++i) {
    const Square s = shape.square(static_cast<int>(random.below(at(squares))));
    // Kings are likely, and so are the rows and the square where pieces change.
    const char kind = random.one_in(2) ? "KW"[random.below(2)] : piece_letters[random.index(piece_letters.size())];
    const Square where = random.one_in(10) ? jet_pack : Square{s.col, random.one_in(4) ? 0 : s.row};
    board.cells[where] = {random.one_in(2) ? Owner::first : Owner::second, kind};
  }
  return board;
}

TEST(WildebeestSpace, every_accepted_board_is_held_unless_a_king_is_missing) {
  Random random(2);
  for (const Options& options : all_options) {
    const auto notation = make_notation(options);
    const Space space(BitboardRules(options), 3);
    int held = 0;
    for (int i = 0; i < 20000; ++i) {
      const Board board = random_board(random, *notation, 2 + static_cast<int>(random.below(3)));
      const Position p = space.rules().from_board(board);
      const int pieces = p.occupied().count();
      const bool kings = (p.kings() & p.sides[0]).any() && (p.kings() & p.sides[1]).any();
      const bool accepted = notation->parse_position(notation->position_text(board)).has_value();
      const auto place = space.place(p);
      ASSERT_TRUE((kings && pieces <= 3) || !place) << notation->position_text(board);
      ASSERT_TRUE(!(kings && pieces <= 3 && accepted) || place) << notation->position_text(board);
      held += place ? 1 : 0;
    }
    EXPECT_GT(held, 1000);
  }
}

TEST(WildebeestSpace, boards_where_a_piece_would_have_changed_are_not_held) {
  const Space space(BitboardRules({}), 3);
  const auto place_of = [&](const std::string& text) {
    return space.place(space.rules().from_board(paika_tests::must(parse_board_line(text), text)));
  };
  const std::string top = "W K........../.........../.........../.*.......*./.........../";
  EXPECT_EQ(place_of(top + ".....k...../.........../.*.......*./.........../.........../........... 0 0 0"),
            std::nullopt);
  EXPECT_TRUE(place_of(top + ".....w...../.........../.*.......*./.........../.........../........... 0 0 0"));
  const std::string middle = top + ".....#...../.........../.*.......*./";
  EXPECT_EQ(place_of(middle + "...k......./.........../......P.... 0 0 0"), std::nullopt);
  EXPECT_TRUE(place_of(middle + "...k......./.........../......p.... 0 0 0"));
  EXPECT_TRUE(place_of(middle + "...k......./......P..../........... 0 0 0"));
}

// ---- The contract over random play ----------------------------------------------------------

/// What places that share a value must agree on: where the turns lead, as far as tiers go.
std::map<std::uint32_t, int> tiers_after(const Space& space, const Position& p) {
  std::map<std::uint32_t, int> tiers;
  space.rules().for_each_turn(p, [&](const Move& m) {
    const auto place = space.place(space.rules().play(p, m));
    ++tiers[place ? place->tier : space.tiers()];
    return true;
  });
  return tiers;
}

void check_symmetries(const Space& space, const Notation& notation, const Position& p) {
  const auto place = space.place(p);
  const Position stored = *space.position(*place);
  bool found = false;
  for (const Symmetry s : notation.symmetries()) {
    const Position q = space.rules().transform(p, s);
    const auto other_place = space.place(q);
    ASSERT_TRUE(other_place) << text_of(space, q);
    ASSERT_EQ(other_place->tier, place->tier) << text_of(space, p);
    // Top and bottom with colours exchanged are always folded together.
    ASSERT_TRUE(s.map != Dihedral::flip || other_place == place) << text_of(space, p);
    ASSERT_EQ(tiers_after(space, q), tiers_after(space, p)) << text_of(space, p);
    found = found || q == stored;
  }
  ASSERT_TRUE(found) << text_of(space, p) << " and " << text_of(space, stored) << " share a place";
}

/// Checks all turns of a held position; returns the positions after those that go on.
std::vector<Position> check_turns(const Space& space, const Position& p) {
  std::vector<Position> after;
  const std::uint32_t tier = space.place(p)->tier;
  const auto below = space.below(tier);
  space.rules().for_each_turn(p, [&](const Move& m) {
    const Position q = space.rules().play(p, m);
    const auto place = space.place(q);
    EXPECT_EQ(space.stays(p, m), place && place->tier == tier) << text_of(space, p) << " to " << text_of(space, q);
    if (!place) {
      EXPECT_TRUE(space.rules().outcome(q).over()) << text_of(space, q);
      return true;
    }
    EXPECT_LE(place->tier, tier) << text_of(space, p) << " to " << text_of(space, q);
    if (place->tier != tier) {
      EXPECT_TRUE(std::binary_search(below.begin(), below.end(), place->tier))
          << text_of(space, p) << " to " << text_of(space, q);
    }
    if (!space.rules().outcome(q).over()) after.push_back(q);
    return true;
  });
  return after;
}

TEST(WildebeestSpace, play_stays_inside_and_never_goes_up) {
  Random random(3);
  for (const Options& options : all_options) {
    const auto notation = make_notation(options);
    const Space space(BitboardRules(options), 3);
    for (std::uint32_t tier = 0; tier < space.tiers(); ++tier) {
      for (int game = 0; game < 20; ++game) {
        Position p = random_position(space, tier, random);
        for (int turn = 0; turn < 12; ++turn) {
          check_symmetries(space, *notation, p);
          const auto after = check_turns(space, p);
          if (HasFailure()) return;
          if (after.empty()) break;
          p = after[random.index(after.size())];
        }
      }
    }
  }
}

TEST(WildebeestSpace, below_is_ascending_and_lower) {
  const Space space(BitboardRules({}), 3);
  for (std::uint32_t tier = 0; tier < space.tiers(); ++tier) {
    const auto below = space.below(tier);
    EXPECT_TRUE(std::is_sorted(below.begin(), below.end(), std::less_equal<>()));
    EXPECT_TRUE(below.empty() || below.back() < tier);
  }
  const auto names_below = [&](std::string_view name) {
    std::string names;
    for (const auto tier : space.below(tier_named(space, name))) names += space.tier_name(tier) + " ";
    return names;
  };
  EXPECT_EQ(names_below("Ww"), "");
  EXPECT_EQ(names_below("Wk"), "Ww ");
  EXPECT_EQ(names_below("Kk"), "Wk ");
  EXPECT_EQ(names_below("WPw"), "Ww WHw ");
  EXPECT_EQ(names_below("KRk"), "Wk Kk KRw WRk ");
}

// ---- Values ---------------------------------------------------------------------------------

Value value_of_end(const Outcome& outcome, Player to_move) {
  if (outcome.verdict == Verdict::draw) return Value::draw();
  return outcome.won_by(to_move) ? Value::win(0) : Value::loss(0);
}

/// A turn to a position whose value is known, or to another one of the tier.
struct Way {
  std::optional<Value> known;
  std::uint64_t index = 0;
};
using Table = std::vector<std::vector<Value>>;

/// The ways out of each place of a tier; none where there is no position or the game is over.
template <Solvable S>
std::vector<std::vector<Way>> ways_of_tier(const S& space, std::uint32_t tier, Table& table) {
  std::vector<std::vector<Way>> ways(space.size(tier));
  for (std::uint64_t index = 0; index < space.size(tier); ++index) {
    const auto p = space.position({tier, index});
    if (!p) {
      table[tier][index] = Value::none();
      continue;
    }
    const auto& rules = space.rules();
    if (const Outcome now = rules.outcome(*p); now.over()) table[tier][index] = value_of_end(now, rules.to_move(*p));
    rules.for_each_turn(*p, [&](const auto& m) {
      const auto q = rules.play(*p, m);
      const auto place = space.place(q);
      if (place && place->tier == tier) {
        ways[index].push_back({std::nullopt, place->index});
      } else {
        const Value v = place ? table[place->tier][place->index] : value_of_end(rules.outcome(q), rules.to_move(q));
        ways[index].push_back({v, 0});
      }
      return true;
    });
  }
  return ways;
}

/// Solves a tier in rounds: round n finds the positions that are decided in exactly n turns.
template <Solvable S>
void solve_tier(const S& space, std::uint32_t tier, Table& table, int max_below) {
  const auto ways = ways_of_tier(space, tier, table);
  auto& values = table[tier];
  bool busy = true;
  for (int round = 1; busy || round <= max_below + 1; ++round) {
    busy = false;
    for (std::uint64_t index = 0; index < ways.size(); ++index) {
      if (!values[index].is_draw() || ways[index].empty()) continue;
      bool all_lost = true;
      for (const Way& way : ways[index]) {
        const Value v = way.known ? *way.known : values[way.index];
        const bool early = v.turns() < round;
        if (v.is_loss() && early) values[index] = Value::win(v.turns() + 1);
        all_lost = all_lost && v.is_win() && early;
      }
      if (values[index].is_draw() && all_lost) values[index] = Value::loss(round);
      busy = busy || !values[index].is_draw();
    }
  }
}

template <Solvable S>
Table solve(const S& space) {
  Table table(space.tiers());
  int longest = 0;
  for (std::uint32_t tier = 0; tier < space.tiers(); ++tier) {
    table[tier].resize(space.size(tier));
    solve_tier(space, tier, table, longest);
    for (const Value v : table[tier]) longest = std::max(longest, v.turns());
  }
  return table;
}

/// Whether these two kings can stand there: a K on the Jet Pack would be a W.
bool is_possible(const std::string& pair, int white, int black) {
  return white != black && !(pair[0] == 'K' && white == jet_pack_index) && !(pair[1] == 'k' && black == jet_pack_index);
}

/// The values of all boards with one king of each side, found backwards from the ends: nodes are texts, turns are
/// the reference's, and every board stands for itself alone.
class TextSolver {
 public:
  TextSolver(const paika_reference::WildebeestOptions& options, const std::vector<std::string>& kings)
      : game_(paika_reference::make_wildebeest(options)) {
    for (const std::string& pair : kings) {
      for (int white = 0; white < squares; ++white) {
        for (int black = 0; black < squares; ++black) add_boards(pair, white, black);
      }
    }
    const std::size_t given = nodes_.size();
    for (std::size_t id = 0; id < given; ++id) expand(id);
    go_back();
  }

  /// Calls f(text, value) for the boards with one king each and White to move.
  template <class F>
  void for_each_white(F&& f) const {
    for (const auto& [text, id] : ids_) {
      if (text.front() == 'W' && nodes_[id].given) f(text, nodes_[id].value);
    }
  }

 private:
  struct Node {
    std::string text;
    bool given = false;
    Value value;
    std::size_t open_turns = 0;
    std::vector<std::size_t> before;
  };

  void add_boards(const std::string& pair, int white, int black) {
    if (!is_possible(pair, white, black)) return;
    std::string rows;
    for (int i = 0; i < squares; ++i) {
      if (i > 0 && i % board_side == 0) rows += '/';
      rows += i == white ? pair[0] : i == black ? pair[1] : empty_sign(shape.square(i));
    }
    for (const std::string mover : {"W ", "B "}) nodes_[id_of(mover + rows + " 0 60000 0")].given = true;
  }

  std::size_t id_of(const std::string& text) {
    const auto [found, is_new] = ids_.try_emplace(text, nodes_.size());
    if (is_new) nodes_.push_back({text, false, {}, 0, {}});
    return found->second;
  }

  void settle(std::size_t id, Value value) {
    nodes_[id].value = value;
    settled_.push(id);
  }

  /// Asks the reference for the turns of a given board. One that it leads to and that is not given is over.
  void expand(std::size_t id) {
    const auto successors = game_->successors(nodes_[id].text);
    nodes_[id].open_turns = successors.size();
    if (successors.empty()) settle(id, Value::loss(0));  // 6.1: no legal move
    for (const auto& successor : successors) {
      const std::size_t known = nodes_.size();
      const std::size_t next = id_of(successor.position);
      nodes_[next].before.push_back(id);
      if (next != known) continue;
      const std::string outcome = game_->outcome(successor.position);
      const bool white_moves = successor.position.front() == 'W';
      const bool white_won = outcome.starts_with("first_wins");
      if (!white_won && !outcome.starts_with("second_wins")) throw std::runtime_error(successor.position + outcome);
      settle(next, white_won == white_moves ? Value::win(0) : Value::loss(0));
    }
  }

  /// Breadth first, so that a position is reached in the order of its turns to the end.
  void go_back() {
    while (!settled_.empty()) {
      const Node& node = nodes_[settled_.front()];
      settled_.pop();
      for (const std::size_t id : node.before) {
        if (!nodes_[id].value.is_draw()) continue;
        if (node.value.is_loss() || --nodes_[id].open_turns == 0) settle(id, paika::before(node.value));
      }
    }
  }

  std::unique_ptr<paika_reference::ReferenceGame> game_;
  std::unordered_map<std::string, std::size_t> ids_;
  std::vector<Node> nodes_;
  std::queue<std::size_t> settled_;  // whose predecessors have not been told
};

struct Tally {
  int wins = 0;
  int losses = 0;
  int draws = 0;
  int longest_win = 0;
  friend bool operator==(const Tally&, const Tally&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Tally& t) {
    return out << t.wins << " won, " << t.losses << " lost, " << t.draws << " drawn, longest win " << t.longest_win;
  }
  void add(Value v) {
    wins += v.is_win() ? 1 : 0;
    losses += v.is_loss() ? 1 : 0;
    draws += v.is_draw() ? 1 : 0;
    if (v.is_win()) longest_win = std::max(longest_win, v.turns());
  }
};

/// What the mover makes of each pair of kings, over all boards and not only over those that the space keeps.
std::map<std::string, Tally> tallies_of_table(const Space& space, const Table& table) {
  std::map<std::string, Tally> tallies;
  for (const std::string pair : {"Ww", "Wk", "Kw", "Kk"}) {
    for (int white = 0; white < squares; ++white) {
      for (int black = 0; black < squares; ++black) {
        if (!is_possible(pair, white, black)) continue;
        Position p;
        p.put(white, code_of(pair[0] == 'K' ? Kind::king : Kind::jet_king, 0));
        p.put(black, code_of(pair[1] == 'k' ? Kind::king : Kind::jet_king, 1));
        const auto place = space.place(p);
        tallies[pair].add(table[place->tier][place->index]);
      }
    }
  }
  return tallies;
}

TEST(WildebeestSpace, values_of_two_pieces) {
  const Space space(BitboardRules({}), 2);
  const auto tallies = tallies_of_table(space, solve(space));
  EXPECT_EQ(tallies.at("Kk"), (Tally{856, 4, 13420, 3}));
  EXPECT_EQ(tallies.at("Kw"), (Tally{832, 0, 13568, 1}));
  EXPECT_EQ(tallies.at("Wk"), (Tally{1520, 0, 12880, 1}));
  EXPECT_EQ(tallies.at("Ww"), (Tally{1580, 4, 12936, 3}));
  const Space cycle(BitboardRules({Pads::cycle, Swarm::enter}), 2);
  const auto cycle_tallies = tallies_of_table(cycle, solve(cycle));
  EXPECT_EQ(cycle_tallies.at("Kk"), (Tally{856, 4, 13420, 3}));
  EXPECT_EQ(cycle_tallies.at("Ww"), (Tally{1582, 4, 12934, 3}));
}

/// Expects the solved space to agree with the solved texts of these kings, with White to move.
void compare_values(const Options& options, const std::vector<std::string>& kings) {
  const Space space(BitboardRules(options), 2);
  const Table table = solve(space);
  const TextSolver texts({options.pads == Pads::cycle, options.swarm == Swarm::forbid}, kings);
  std::size_t compared = 0;
  texts.for_each_white([&](const std::string& text, Value expected) {
    const auto place = space.place(space.rules().from_board(paika_tests::must(parse_board_line(text), text)));
    ASSERT_TRUE(place) << text;
    EXPECT_EQ(table[place->tier][place->index].code(), expected.code()) << text;
    ++compared;
  });
  EXPECT_GE(compared, kings.size() * 120 * 119);
}

// Two kings with Jet Packs keep to themselves, so they can be solved alone; the others take longer, and
// PAIKA_SOLVE_ALL in the environment asks for them.
TEST(WildebeestSpace, values_of_two_pieces_are_those_of_the_reference) {
  const bool all = std::getenv("PAIKA_SOLVE_ALL") != nullptr;
  const std::vector<std::string> kings =
      all ? std::vector<std::string>{"Ww", "Wk", "Kw", "Kk"} : std::vector<std::string>{"Ww"};
  compare_values({}, kings);
  if (all) compare_values({Pads::cycle, Swarm::enter}, kings);
}

}  // namespace
}  // namespace paika::wildebeest
