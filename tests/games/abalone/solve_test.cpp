// The known values of tiny games (rules 6.2), by working backwards over all reachable positions.
#include <algorithm>
#include <unordered_map>

#include "games/abalone/rules.hpp"
#include "tests/games/abalone/helpers.hpp"

namespace paika::abalone {
namespace {

using Tiny = BitboardRules<RuntimeShape<64>>;

/// The value for the player to move; nobody can force anything in a draw (3.3).
enum class Value : signed char { loss = -1, draw = 0, win = 1 };

struct Solved {
  Value value = Value::draw;
  int plies = 0;  // to the end, with the winner hurrying and the loser delaying
};

struct Node {
  std::vector<std::size_t> next;
  std::optional<Solved> solved;
};

/// The graph of everything reachable from the start, which is node 0.
std::vector<Node> reachable(const Tiny& rules) {
  std::vector<Node> nodes;
  std::vector<Tiny::Position> positions;
  std::unordered_map<std::uint64_t, std::size_t> numbers;
  const auto number_of = [&](const Tiny::Position& p) {
    const auto [it, fresh] = numbers.emplace(rules.key(p), positions.size());
    if (fresh) {
      positions.push_back(p);
      nodes.emplace_back();
    }
    return it->second;
  };
  number_of(rules.initial());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Tiny::Position p = positions[i];
    if (const Outcome o = rules.outcome(p); o.over()) {
      nodes[i].solved = Solved{o.won_by(rules.to_move(p)) ? Value::win : Value::loss, 0};
    }
    rules.for_each_turn(p, [&](const Tiny::Move& m) {
      const std::size_t child = number_of(rules.play(p, m));
      nodes[i].next.push_back(child);
      return true;
    });
  }
  return nodes;
}

/// The value of a node whose end is exactly `plies` away, if the solved nodes already tell.
std::optional<Solved> value_at(const std::vector<Node>& nodes, const Node& node, int plies) {
  bool all_won = true;
  for (const std::size_t child : node.next) {
    const auto& solved = nodes[child].solved;
    if (solved && solved->value == Value::loss && solved->plies == plies - 1) return Solved{Value::win, plies};
    all_won = all_won && solved && solved->value == Value::win && solved->plies < plies;
  }
  if (all_won && !node.next.empty()) return Solved{Value::loss, plies};
  return std::nullopt;
}

Solved solve(const std::string& spec) {
  std::vector<Node> nodes = reachable(Tiny(testing::options_of(spec)));
  bool changed = true;
  for (int plies = 1; changed; ++plies) {
    changed = false;
    for (Node& node : nodes) {
      if (node.solved) continue;
      node.solved = value_at(nodes, node, plies);
      changed = changed || node.solved;
    }
  }
  return nodes[0].solved.value_or(Solved{});
}

TEST(AbaloneSolved, clause_6_2_3x3_with_one_capture_is_won_in_three_plies) {
  const Solved s = solve("abalone:3x3,captures=1");
  EXPECT_EQ(s.value, Value::win);
  EXPECT_EQ(s.plies, 3);
}

TEST(AbaloneSolved, clause_6_2_with_freeze_it_is_won_in_one) {
  const Solved s = solve("abalone:3x3,captures=1,freeze");
  EXPECT_EQ(s.value, Value::win);
  EXPECT_EQ(s.plies, 1);
}

TEST(AbaloneSolved, clause_6_2_the_misere_game_is_a_draw) {
  EXPECT_EQ(solve("abalone:3x3,captures=1,misere").value, Value::draw);
}

}  // namespace
}  // namespace paika::abalone
