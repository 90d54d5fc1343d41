// The notation of Black & White: a Notation on plain grids. Its members are defined by theme in
// notation.cpp (what the game is), text.cpp (reading and writing) and explain.cpp (refusals, effects).
#pragma once

#include "games/othello/game.hpp"

namespace paika::othello {

class OthelloNotation final : public Notation {
 public:
  explicit OthelloNotation(const Options& options)
      : options_(options), coordinates_(options.size, options.size, Coordinates::RowsFrom::top) {}

  [[nodiscard]] std::string spec() const override { return canonical_spec(options_); }
  [[nodiscard]] const Coordinates& coordinates() const override { return coordinates_; }
  [[nodiscard]] std::string_view player_name(Player player) const override;
  [[nodiscard]] char glyph(const Cell& cell) const override;
  [[nodiscard]] Phrase kind_phrase(const Cell& cell) const override;
  [[nodiscard]] Phrase piece_phrase(const Cell& cell, Square square) const override;
  [[nodiscard]] Phrase pieces_word() const override { return phrase("Pawns"); }

  [[nodiscard]] Board initial() const override;
  [[nodiscard]] Result<Board> parse_position(std::string_view text) const override;
  [[nodiscard]] std::string position_text(const Board& board) const override;

  [[nodiscard]] tl::expected<Turn, Refusal> parse_turn(const Board& board, std::string_view text) const override;
  [[nodiscard]] std::string turn_text(const Board& board, const Turn& turn) const override;
  [[nodiscard]] std::optional<Refusal> refuse(const Board& board, const Turn& turn) const override;
  [[nodiscard]] std::vector<Effect> effects(const Board& board, const Turn& turn) const override;

  [[nodiscard]] std::vector<Symmetry> symmetries() const override;
  [[nodiscard]] bool repetition_draws() const override { return false; }
  [[nodiscard]] Ending ending(const Board& board, const Outcome& outcome) const override;

 private:
  [[nodiscard]] Result<Grid<Cell>> parse_cells(std::string_view text) const;
  [[nodiscard]] Result<void> check_possible(const Grid<Cell>& cells) const;
  [[nodiscard]] std::optional<Refusal> refuse_pass(const Board& board) const;
  [[nodiscard]] std::optional<Refusal> refuse_placing(const Board& board, Square square) const;
  [[nodiscard]] Refusal nothing_enclosed(const Board& board, Square square) const;

  Options options_;
  Coordinates coordinates_;
};

}  // namespace paika::othello
