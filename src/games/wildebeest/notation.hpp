// The notation of Two-player Wildebeest: text, explanations and effects on plain boards.
//
// It shares only the layout of the board with the bitboard rules, so that each can check the other: what
// the rules make of that layout is said here for the notation, and in tables.hpp once more.
#pragma once

#include "games/wildebeest/game.hpp"
#include "games/wildebeest/layout.hpp"

namespace paika::wildebeest {

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

/// Why the turn is not legal (explain.cpp); nothing if it is.
[[nodiscard]] std::optional<Refusal> explain(const Board& board, const Turn& turn, const Options& options,
                                             const Coordinates& coordinates);

/// What a legal turn does, in the order of rules 3, 4 and 5 (effects.cpp).
[[nodiscard]] std::vector<Effect> list_effects(const Board& board, const Turn& turn, const Options& options);

/// 4.1: is it an effect of the poison pass after the pads?
[[nodiscard]] bool is_second_poison(const Effect& effect) noexcept;

/// How a kind of piece moves and what it does, or what the special square with that sign does (card.cpp).
[[nodiscard]] std::vector<RuleNote> card_of(char kind, const Options& options);

/// 3.3: the opposing Beekeeper next to `square` if a piece of `owner` stood there; the one on `gone` is not counted.
[[nodiscard]] std::optional<Square> beekeeper_next_to(const Grid<Cell>& cells, Square square, Player owner,
                                                      std::optional<Square> gone = {});
/// 3.3: the Beekeeper that keeps the piece on `square` from moving; nothing if it may move. Requires a piece.
[[nodiscard]] std::optional<Square> paralyser_of(const Grid<Cell>& cells, Square square);
/// 5.1: the piece that charges the cart on `cart`; nothing if it is not charged. Requires a cart.
[[nodiscard]] std::optional<Square> charger_of(const Grid<Cell>& cells, Square cart);
/// Paralysed pieces (3.3), charged carts (5.1) and kings with the Jet Pack (2), row by row.
[[nodiscard]] std::vector<Badge> list_badges(const Board& board);

/// What is impossible about a well-formed board, as a sentence; nothing if a game could lead to it
/// as far as we can tell.
[[nodiscard]] std::optional<Error> impossible(const Board& board);

/// "White" or "Black".
[[nodiscard]] std::string_view side_name(Player player) noexcept;

}  // namespace paika::wildebeest
