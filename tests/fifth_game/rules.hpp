// The bitboard rules of Tic-tac-toe, what the computer player knows of it, and the numbering of its positions.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "game.hpp"
#include "rules/concepts.hpp"
#include "rules/search_traits.hpp"
#include "solve/solvable.hpp"

namespace paika::tictactoe {

/// Square i is bit i, row by row from the top.
class BitboardRules {
 public:
  struct Position {
    std::array<std::uint16_t, 2> signs{};
    Player to_move = Player::first;
    friend constexpr bool operator==(const Position&, const Position&) = default;
  };
  struct Move {
    std::uint8_t square = 0;
    friend constexpr bool operator==(const Move&, const Move&) = default;
  };

  [[nodiscard]] Position initial() const { return {}; }
  [[nodiscard]] Player to_move(const Position& p) const noexcept { return p.to_move; }
  [[nodiscard]] Outcome outcome(const Position& p) const noexcept {
    for (const Player player : {Player::first, Player::second}) {
      for (const unsigned line : lines) {
        if ((p.signs[at(player)] & line) == line) return Outcome::win(player, EndReason::trapped);
      }
    }
    return empty(p) == 0 ? Outcome::draw(EndReason::board_full) : Outcome{};
  }
  template <class Visit>
  bool for_each_turn(const Position& p, Visit&& visit) const {
    if (outcome(p).over()) return true;
    for (unsigned rest = empty(p); rest != 0; rest &= rest - 1) {
      if (!visit(Move{static_cast<std::uint8_t>(std::countr_zero(rest))})) return false;
    }
    return true;
  }
  [[nodiscard]] std::uint64_t count_turns(const Position& p) const noexcept {
    return outcome(p).over() ? 0 : static_cast<std::uint64_t>(std::popcount(empty(p)));
  }
  [[nodiscard]] Position play(Position p, const Move& m) const noexcept {
    p.signs[at(p.to_move)] = static_cast<std::uint16_t>(p.signs[at(p.to_move)] | 1U << m.square);
    p.to_move = other(p.to_move);
    return p;
  }
  [[nodiscard]] std::uint64_t key(const Position& p) const noexcept { return key_from_scratch(p); }
  [[nodiscard]] std::uint64_t key_from_scratch(const Position& p) const noexcept {
    return mix64(std::uint64_t{p.signs[0]} << 16 | p.signs[1]);  // the side to move follows
  }
  [[nodiscard]] Position from_board(const Board& board) const {
    Position p;
    board.cells.for_each_square([&](Square s) {
      for (const Player player : {Player::first, Player::second}) {
        if (!board.cells[s].belongs_to(player)) continue;
        p.signs[at(player)] = static_cast<std::uint16_t>(p.signs[at(player)] | 1U << (s.row * 3 + s.col));
      }
    });
    p.to_move = board.to_move;
    return p;
  }
  [[nodiscard]] Board to_board(const Position& p) const {
    Board board;
    board.cells = Grid<Cell>(3, 3);
    board.cells.for_each_square([&](Square s) {
      for (const Player player : {Player::first, Player::second}) {
        if ((p.signs[at(player)] >> (s.row * 3 + s.col) & 1U) != 0) board.cells[s] = piece_of(player);
      }
    });
    board.to_move = p.to_move;
    return board;
  }
  [[nodiscard]] Turn to_turn(const Position& /*p*/, const Move& m) const {
    return {{StepKind::place, {m.square % 3, m.square / 3}}};
  }
  [[nodiscard]] Move from_turn(const Position& /*p*/, const Turn& turn) const {
    return {static_cast<std::uint8_t>(turn.front().square.row * 3 + turn.front().square.col)};
  }
  [[nodiscard]] Position transform(const Position& p, Symmetry symmetry) const {
    return from_board(transformed(to_board(p), symmetry));
  }
  [[nodiscard]] static constexpr unsigned empty(const Position& p) noexcept {
    return 0x1ffU & ~(static_cast<unsigned>(p.signs[0]) | p.signs[1]);
  }

 private:
  static constexpr std::array<unsigned, 8> lines = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
  static constexpr std::size_t at(Player p) noexcept { return static_cast<std::size_t>(p); }
};
static_assert(Rules<BitboardRules>);

class BitboardTraits {
 public:
  using RulesType = BitboardRules;
  static constexpr std::size_t history_size = 9;

  BitboardTraits(const BitboardRules& rules, Evaluation /*evaluation*/) : rules_(rules) {}
  [[nodiscard]] const BitboardRules& rules() const { return rules_; }
  [[nodiscard]] SearchParams params() const { return {}; }
  [[nodiscard]] int evaluate(const BitboardRules::Position& p) const {
    const auto middle = [&](Player player) { return p.signs[static_cast<std::size_t>(player)] >> 4U & 1; };
    return 10 * (middle(p.to_move) - middle(other(p.to_move)));
  }
  [[nodiscard]] std::vector<Term> terms(const BitboardRules::Position& p) const { return {{"middle", evaluate(p)}}; }
  [[nodiscard]] int tactical_score(const BitboardRules::Position& /*p*/, const BitboardRules::Move& /*m*/) const {
    return 0;
  }
  [[nodiscard]] std::size_t history_index(const BitboardRules::Position& /*p*/, const BitboardRules::Move& m) const {
    return m.square;
  }

 private:
  BitboardRules rules_;
};
static_assert(SearchTraits<BitboardTraits>);

/// The positions that are not over, by the number of empty squares; the index is the board read as a number of base 3.
class Space {
 public:
  using RulesType = BitboardRules;
  using Position = BitboardRules::Position;

  [[nodiscard]] const BitboardRules& rules() const { return rules_; }
  [[nodiscard]] std::uint32_t tiers() const { return 10; }
  [[nodiscard]] std::uint64_t size(std::uint32_t /*tier*/) const { return 19683; }
  [[nodiscard]] std::string tier_name(std::uint32_t tier) const { return std::to_string(tier); }
  [[nodiscard]] std::vector<std::uint32_t> below(std::uint32_t tier) const {
    return tier == 0 ? std::vector<std::uint32_t>{} : std::vector<std::uint32_t>{tier - 1};
  }
  [[nodiscard]] std::optional<TierIndex> place(const Position& p) const {
    if (rules_.outcome(p).over()) return std::nullopt;
    std::uint64_t index = 0;
    for (unsigned i = 9; i-- > 0;) index = 3 * index + (p.signs[0] >> i & 1U) + 2 * (p.signs[1] >> i & 1U);
    return TierIndex{static_cast<std::uint32_t>(std::popcount(BitboardRules::empty(p))), index};
  }
  [[nodiscard]] std::optional<Position> position(TierIndex place) const {
    Position p;
    std::uint64_t rest = place.index;
    for (unsigned i = 0; i < 9; ++i, rest /= 3) {
      if (rest % 3 != 0) p.signs[rest % 3 - 1] = static_cast<std::uint16_t>(p.signs[rest % 3 - 1] | 1U << i);
    }
    const int more = std::popcount(p.signs[0]) - std::popcount(p.signs[1]);
    if (more != 0 && more != 1) return std::nullopt;
    p.to_move = more == 0 ? Player::first : Player::second;
    if (std::popcount(BitboardRules::empty(p)) != static_cast<int>(place.tier) || rules_.outcome(p).over()) {
      return std::nullopt;
    }
    return p;
  }
  [[nodiscard]] bool stays(const Position& /*p*/, const BitboardRules::Move& /*m*/) const { return false; }
  template <class Visit>
  void for_each_predecessor(TierIndex /*place*/, Visit&& /*visit*/) const {}  // every turn leaves its tier

 private:
  BitboardRules rules_;
};
static_assert(GoesBack<Space>);

}  // namespace paika::tictactoe
