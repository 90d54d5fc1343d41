// The lie of the land (rules 1): the size, the special squares, the letters of the pieces and the
// initial board. Plain data that rules and notation share; what it means for play is not here.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "board/square.hpp"

namespace paika::wildebeest {

inline constexpr int board_side = 11;
inline constexpr int last_row = board_side - 1;
inline constexpr int middle_row = 5;

/// 1.2: the Jet Pack in the middle and the four transporter pads.
inline constexpr Square jet_pack{5, 5};
inline constexpr std::array<Square, 4> transporter_pads = {Square{1, 3}, Square{9, 3}, Square{1, 7}, Square{9, 7}};

[[nodiscard]] constexpr bool is_pad(Square s) noexcept {
  return (s.col == 1 || s.col == 9) && (s.row == 3 || s.row == 7);
}

/// What a square shows while nothing stands on it.
[[nodiscard]] constexpr char empty_sign(Square s) noexcept { return s == jet_pack ? '#' : is_pad(s) ? '*' : '.'; }

/// The letters of all kinds of pieces, in the order of the table in rules 2.
inline constexpr std::string_view piece_letters = "KWPBNRSOEJCGXHZ";

/// 1.3: the rows of the initial board from the top, upper case White.
inline constexpr std::array<std::string_view, board_side> initial_rows = {
    "RNZBOKXBCNR", "GPPSPJPPPPG", "...........", ".*.......*.", "...........", ".....#.....",
    "...........", ".*.......*.", "...........", "gppspjppppg", "rnzbokxbcnr"};
inline constexpr std::array<std::int64_t, 3> initial_counters = {0, 60000, 0};

}  // namespace paika::wildebeest
