// The text of game trees, in the manner of PGN: tags, then moves with variations in brackets and comments in braces
// (docs/records.md describes it). Canonical text is written back byte for byte.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "study/game_tree.hpp"

namespace paika::study {

/// Variations inside variations beyond this are refused.
inline constexpr std::size_t max_nesting = 1'000;

/// The canonical text of a tree, ended by a line feed. Files put an empty line between games.
[[nodiscard]] std::string tree_text(const GameTree& tree);
[[nodiscard]] std::string trees_text(std::span<const GameTree> trees);

/// All games of a text. An error names line and column, both from 1; columns count bytes.
[[nodiscard]] Result<std::vector<GameTree>> parse_trees(std::string_view text);

}  // namespace paika::study
