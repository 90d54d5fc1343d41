// The lie of the land (rules 1 and 5.3): the size, the special squares, the letters of the pieces and
// the initial board. Plain data that both halves of the game share.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "board/square.hpp"
#include "games/wildebeest/game.hpp"
#include "rules/player.hpp"

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

/// 5.3: where the pad on `pad` sends a piece. Requires is_pad(pad).
[[nodiscard]] constexpr Square pad_exit(Square pad, Pads pads) noexcept {
  // The cycle leaves the left pads like the diagonal way; the right ones go straight to the left.
  if (pads == Pads::cycle && pad.col == 9) return {1, pad.row};
  return {last_row - pad.col, last_row - pad.row};
}

/// The first row of a side's pawns, where they may move two squares, and the row they never leave.
[[nodiscard]] constexpr int pawn_row(Player p) noexcept { return p == Player::first ? 1 : last_row - 1; }
[[nodiscard]] constexpr int far_row(Player p) noexcept { return p == Player::first ? last_row : 0; }
/// +1 for White, whose pawns move down the board, -1 for Black.
[[nodiscard]] constexpr int pawn_step(Player p) noexcept { return p == Player::first ? 1 : -1; }

/// The letters of all kinds of pieces, in the order of the table in rules 2.
inline constexpr std::string_view piece_letters = "KWPBNRSOEJCGXHZ";

/// "King" for 'K'. Requires one of piece_letters.
[[nodiscard]] constexpr std::string_view piece_name(char kind) noexcept {
  switch (kind) {
    case 'K': return "King";
    case 'W': return "King with a Jet Pack";
    case 'P': return "Pawn";
    case 'B': return "Bishop";
    case 'N': return "Knight";
    case 'R': return "Rook";
    case 'S': return "Serpent";
    case 'O': return "Old Woman";
    case 'E': return "Grand Empress";
    case 'J': return "Prince Joey";
    case 'C': return "Catapult";
    case 'G': return "Gorilla";
    case 'X': return "Golf Cart";
    case 'H': return "Time Machine";
    default: return "Beekeeper";
  }
}

/// 1.3: the rows of the initial board from the top, upper case White.
inline constexpr std::array<std::string_view, board_side> initial_rows = {
    "RNZBOKXBCNR", "GPPSPJPPPPG", "...........", ".*.......*.", "...........", ".....#.....",
    "...........", ".*.......*.", "...........", "gppspjppppg", "rnzbokxbcnr"};
inline constexpr std::array<std::int64_t, 3> initial_counters = {0, 60000, 0};

}  // namespace paika::wildebeest
