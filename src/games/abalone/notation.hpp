// The notation of Abalone: the game as people see it. Its parts are in notation.cpp (the game at large), text.cpp
// (positions and turns as text), explain.cpp (why a turn is illegal) and effects.cpp.
#pragma once

#include "games/abalone/game.hpp"
#include "games/abalone/line.hpp"

namespace paika::abalone {

class AbaloneNotation final : public Notation {
 public:
  explicit AbaloneNotation(const Options& options);

  [[nodiscard]] std::string spec() const override;
  [[nodiscard]] const Coordinates& coordinates() const override { return coordinates_; }
  [[nodiscard]] std::string_view player_name(Player player) const override;
  [[nodiscard]] char glyph(const Cell& cell) const override;
  [[nodiscard]] Phrase kind_phrase(const Cell& cell) const override;
  [[nodiscard]] Phrase piece_phrase(const Cell& cell, Square square) const override;

  [[nodiscard]] Board initial() const override;
  [[nodiscard]] Result<Board> parse_position(std::string_view text) const override;
  [[nodiscard]] std::string position_text(const Board& board) const override;

  [[nodiscard]] tl::expected<Turn, Refusal> parse_turn(const Board& board, std::string_view text) const override;
  [[nodiscard]] std::string turn_text(const Board& board, const Turn& turn) const override;
  [[nodiscard]] std::optional<Refusal> refuse(const Board& board, const Turn& turn) const override;
  [[nodiscard]] std::vector<Effect> effects(const Board& board, const Turn& turn) const override;

  [[nodiscard]] std::vector<Badge> badges(const Board& board) const override;
  [[nodiscard]] std::vector<Symmetry> symmetries() const override;
  [[nodiscard]] bool repetition_draws() const override { return true; }  // 3.3
  [[nodiscard]] Ending ending(const Board& board, const Outcome& outcome) const override;

 private:
  [[nodiscard]] Phrase player(Player player) const { return player_phrase(*this, player); }

  /// How the game ended by captures, the usual way or that of misere.
  [[nodiscard]] Phrase captures_sentence(Player winner) const;

  // text.cpp
  [[nodiscard]] Phrase form() const;
  [[nodiscard]] Result<void> read_row(std::string_view text, int row, Board& board) const;
  [[nodiscard]] Result<void> check_possible(const Board& board) const;
  [[nodiscard]] tl::expected<Square, Refusal> read_square(std::string_view& rest, std::string_view whole) const;

  // explain.cpp
  [[nodiscard]] std::optional<Refusal> refuse_form(const Turn& turn) const;
  [[nodiscard]] std::optional<Refusal> refuse_choice(const Board& board, Square from, Square to) const;
  [[nodiscard]] std::optional<Refusal> refuse_line(const Board& board, const Line& line) const;
  [[nodiscard]] std::optional<Refusal> refuse_frozen(const Board& board, const Line& line) const;
  [[nodiscard]] std::optional<Refusal> refuse_quiet(const Board& board, const Line& line) const;
  [[nodiscard]] Phrase frozen_sentence(Square s, const Line& push, Player pusher) const;
  [[nodiscard]] std::string move_name(const Line& line) const;
  [[nodiscard]] Phrase pieces(Player whose, int count) const;

  Options options_;
  Coordinates coordinates_;
};

}  // namespace paika::abalone
