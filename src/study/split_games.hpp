// Where the games of a text begin, in the formats that hold many: so that a bad game costs nobody the others.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace paika::study {

/// The text of one game, and the number of its first line, from 1.
struct GameText {
  std::string_view text;
  std::size_t line = 1;
};

/// Trees: a game begins with a tag after something that is none.
[[nodiscard]] std::vector<GameText> split_trees(std::string_view text);
/// A game begins with each line that starts with `word`; what comes before the first belongs to it.
[[nodiscard]] std::vector<GameText> split_at_lines(std::string_view text, std::string_view word);
/// GGF: a game begins with "(;" outside of values.
[[nodiscard]] std::vector<GameText> split_ggf(std::string_view text);
/// An empty line is between games.
[[nodiscard]] std::vector<GameText> split_at_empty_lines(std::string_view text);

}  // namespace paika::study
