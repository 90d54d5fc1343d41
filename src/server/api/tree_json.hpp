// Game trees as JSON: what a page that edits one gets and sends.
//
// {spec, start, players, tags, result, nodes}. The first node is the start of the game; every other one has the number
// of its parent, which comes before it, and the first child of a node continues the main line. What is empty is left
// out.
#pragma once

#include <string>
#include <vector>

#include "engine/json.hpp"
#include "server/api/positions_request.hpp"
#include "study/game_tree.hpp"

namespace paika::server {

inline constexpr std::size_t max_tree_nodes = 5'000;  // of a tree that is sent

[[nodiscard]] Json tree_json(const study::GameTree& tree);

/// A move that the rules refuse. It is left out of the tree with all that follows it.
struct TreeFault {
  std::size_t node = 0;  // its number in what was sent
  std::string message;
};
struct SentTree {
  study::GameTree tree;
  std::vector<TreeFault> faults;
};
/// The tree that was sent. A result that the main line cannot have is replaced by that of the rules; everything else
/// that is not what it must be is refused: 400 bad_request or bad_spec, 422 bad_position.
[[nodiscard]] Answer<SentTree> read_tree(const Json& json);

}  // namespace paika::server
