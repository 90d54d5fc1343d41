// A slow and obvious solver for comparison: all positions that can be reached, kept as texts, valued
// distance by distance by looking at all of them again and again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "engine/game.hpp"
#include "solve/value.hpp"

namespace paika::test {

/// The value of every position that games from `start` can come to, by its text (without move numbers if
/// `name` leaves them out).
template <class Name>
std::map<std::string, Value> slow_values(const Game& game, const Board& start, Name&& name) {
  struct Node {
    std::vector<std::string> next;
    int winner = 0;  // of a finished game: 1 the mover, -1 the other, 0 nobody
    bool over = false;
    bool known = false;
    Value value;
  };
  std::map<std::string, Node> nodes;
  std::vector<Board> waiting{start};
  while (!waiting.empty()) {
    const Board board = waiting.back();
    waiting.pop_back();
    const auto [it, fresh] = nodes.try_emplace(name(board));
    if (!fresh) continue;
    const auto session = game.start_from(board);
    if (const Outcome outcome = session->outcome(); outcome.over()) {
      it->second.over = true;
      if (outcome.verdict != Verdict::draw) it->second.winner = outcome.won_by(board.to_move) ? 1 : -1;
      continue;
    }
    session->for_each_turn([&](const ListedTurn& turn) {
      const auto after = game.start_from(board);
      after->play(turn.steps);
      it->second.next.push_back(name(after->board()));
      waiting.push_back(after->board());
      return true;
    });
  }
  bool message = true;
  for (int turns = 0; message || turns == 0; ++turns) {
    message = false;
    std::vector<Node*> found;
    for (auto& [text, node] : nodes) {
      if (node.known) continue;
      bool lost_next = false;
      bool all_won_next = true;
      for (const std::string& next : node.next) {
        const Node& n = nodes.at(next);
        lost_next = lost_next || (n.known && n.value.is_loss());
        all_won_next = all_won_next && n.known && n.value.is_win();
      }
      if (node.over ? node.winner == 1 : lost_next) {
        node.value = Value::win(turns);
      } else if (node.over ? node.winner == -1 : all_won_next) {
        node.value = Value::loss(turns);
      } else {
        continue;
      }
      found.push_back(&node);
    }
    for (Node* node : found) node->known = true;
    message = !found.empty();
  }
  std::map<std::string, Value> values;
  for (const auto& [text, node] : nodes) values[text] = node.known ? node.value : Value::draw();
  return values;
}

}  // namespace paika::test
