// What a comment of a game tree holds: commands such as [%clock 0:05:00] and [%arrow c2 c3], then words.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "study/game_tree.hpp"

namespace paika::study {

/// The inside of a node's comment as it is written between braces; "" if there is nothing to say.
[[nodiscard]] std::string comment_text(const Notation& notation, const TreeNode& node);

/// Adds what a comment says, as it stands between braces, to a node. Commands of other programs stay in the words.
[[nodiscard]] Result<void> add_comment(GameTree& tree, std::size_t node, std::string_view raw);

}  // namespace paika::study
