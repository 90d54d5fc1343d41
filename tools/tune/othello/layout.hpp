// The layout of the patterns as JSON, for train.py: it learns what C++ knows and repeats none of it.
#pragma once

#include <bit>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <vector>

#include "base/gather.hpp"
#include "base/random.hpp"
#include "games/othello/patterns.hpp"

namespace paika::othello {

/// The squares of a pattern in one image of the board, by digit.
inline std::vector<int> place_of(const Pattern& pattern, std::size_t image) {
  std::vector<int> squares;
  for (std::uint64_t left = pattern.squares; left != 0; left &= left - 1) {
    for (int square = 0; square < 64; ++square) {
      const BoardImages images = board_images({std::uint64_t{1} << square, 0});
      if (images[image].own == (left & (0 - left))) squares.push_back(square);
    }
  }
  return squares;
}

/// The state of every pattern in every place, in the order of the layout.
inline std::vector<std::size_t> states_of_board(const WordPair& board) {
  std::vector<std::size_t> states;
  const BoardImages images = board_images(board);
  for (const Pattern& pattern : patterns) {
    for (std::size_t i = 0; i < images.size(); ++i) {
      if (((pattern.images >> i) & 1) == 0) continue;
      states.push_back(ternary_index(images[i].own, images[i].opponent, pattern.squares));
    }
  }
  return states;
}

inline std::string layout_json() {
  std::string text = "{\n\"phase_of\": [";
  for (int pawns = 0; pawns <= 64; ++pawns)
    text += fmt::format("{}{}", pawns == 0 ? "" : ",", pawns < 4 ? 0 : phase_of(pawns));
  text += fmt::format("],\n\"phases\": {},\n\"count_values\": {},\n\"counts\": {},\n\"patterns\": [\n", phases,
                      count_values, count_names.size());
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    std::vector<std::string> places;
    for (std::size_t image = 0; image < 8; ++image) {
      if (((patterns[p].images >> image) & 1) == 0) continue;
      places.push_back(fmt::format("[{}]", fmt::join(place_of(patterns[p], image), ",")));
    }
    text += fmt::format("{{\"name\": \"{}\", \"places\": [{}],\n\"numbers\": [{}]}}{}\n", patterns[p].name,
                        fmt::join(places, ","), fmt::join(weight_numbers(patterns[p]), ","),
                        p + 1 < patterns.size() ? "," : "");
  }
  text += "],\n\"checks\": [\n";
  Random random(1);
  constexpr int checks = 20;
  for (int i = 0; i < checks; ++i) {
    const std::uint64_t taken = random.next();
    const std::uint64_t colours = random.next();
    const WordPair board{taken & colours, taken & ~colours};
    text += fmt::format("{{\"own\": \"{:x}\", \"opponent\": \"{:x}\", \"states\": [{}]}}{}\n", board.own,
                        board.opponent, fmt::join(states_of_board(board), ","), i + 1 < checks ? "," : "");
  }
  return text + "]\n}\n";
}

}  // namespace paika::othello
