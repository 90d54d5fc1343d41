// The fuzz targets of the study layer: game trees, the files of other programs, puzzles, opening books.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paika::fuzz {

/// Trees: what is accepted is written, read back and written as the same.
void run_game_tree(std::string_view bytes);
[[nodiscard]] std::vector<std::string> game_tree_seeds();

/// Files of games in every other format; the first byte chooses the format. What is accepted is written again.
void run_game_file(std::string_view bytes);
[[nodiscard]] std::vector<std::string> game_file_seeds();

/// Files of puzzles.
void run_puzzles(std::string_view bytes);
[[nodiscard]] std::vector<std::string> puzzles_seeds();

/// Opening books: what is accepted is written as the same bytes, and may be walked through.
void run_book(std::string_view bytes);
[[nodiscard]] std::vector<std::string> book_seeds();

}  // namespace paika::fuzz
