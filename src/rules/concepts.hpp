// The Rules concept: what search, solver and perft need of a game, without a virtual call.
//
// A Rules object holds size, options and tables; it acts on pointer-free, trivially copyable
// Position and Move values. It is the fast part of a game (the other is rules/notation.hpp).
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "base/function_ref.hpp"
#include "board/symmetry.hpp"
#include "rules/board.hpp"
#include "rules/outcome.hpp"
#include "rules/turn.hpp"

namespace paika {

namespace detail {
/// A stand-in for any visitor of moves.
template <class Move>
struct AnyMoveVisitor {
  bool operator()(const Move&) const noexcept { return true; }
};
}  // namespace detail

template <class R>
concept Rules = std::is_trivially_copyable_v<typename R::Position> && std::is_trivially_copyable_v<typename R::Move> &&
                std::equality_comparable<typename R::Position> && std::equality_comparable<typename R::Move> &&
                requires(const R& rules, const typename R::Position& p, const typename R::Move& m, const Board& board,
                         const Turn& turn, Symmetry symmetry) {
                  { rules.initial() } -> std::same_as<typename R::Position>;
                  { rules.to_move(p) } -> std::same_as<Player>;
                  /// The outcome from the position alone (repetition is the history's business). Complete: a
                  /// player without a legal turn is found too.
                  { rules.outcome(p) } -> std::same_as<Outcome>;
                  /// Calls visit(move) for each legal turn once, in an order that depends on the position only,
                  /// until visit returns false; none if the game is over. Returns false if it was stopped.
                  { rules.for_each_turn(p, detail::AnyMoveVisitor<typename R::Move>{}) } -> std::same_as<bool>;
                  /// How many turns for_each_turn would give, as fast as can be.
                  { rules.count_turns(p) } -> std::same_as<std::uint64_t>;
                  /// The position after a legal turn.
                  { rules.play(p, m) } -> std::same_as<typename R::Position>;
                  /// The position's 64-bit key, kept up to date by play. Two positions with the same board, side
                  /// to move and blocked stones have the same key; counters (move numbers, times) do not count.
                  { rules.key(p) } -> std::same_as<std::uint64_t>;
                  { rules.key_from_scratch(p) } -> std::same_as<std::uint64_t>;
                  /// Between the fast values and what people see. from_board requires a board that the game's
                  /// notation accepts; from_turn requires a legal turn.
                  { rules.from_board(board) } -> std::same_as<typename R::Position>;
                  { rules.to_board(p) } -> std::same_as<Board>;
                  { rules.to_turn(p, m) } -> std::same_as<Turn>;
                  { rules.from_turn(p, turn) } -> std::same_as<typename R::Move>;
                  /// The position moved by one of the notation's symmetries.
                  { rules.transform(p, symmetry) } -> std::same_as<typename R::Position>;
                };

/// As rules.for_each_turn(p, visit), for whoever is in no hurry: one instance serves all visitors, where
/// for_each_turn is compiled anew, with all that it inlines, for each.
template <Rules R>
[[gnu::noinline]] bool visit_turns(const R& rules, const typename R::Position& p,
                                   FunctionRef<bool(const typename R::Move&)> visit) {
  return rules.for_each_turn(p, visit);
}

}  // namespace paika
