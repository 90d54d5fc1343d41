// The notation of Fanorona: what people read, write and are told, on plain Boards and Turns.
//
// The members are spread over files by subject: position_text.cpp, turn_text.cpp, explain.cpp
// (refusals), effects.cpp, and notation.cpp for the rest.
#pragma once

#include "games/fanorona/game.hpp"

namespace paika::fanorona {

class FanoronaNotation final : public Notation {
 public:
  /// Requires options that read_options could give.
  explicit FanoronaNotation(const Options& options);

  [[nodiscard]] std::string spec() const override;
  [[nodiscard]] const Coordinates& coordinates() const override { return coordinates_; }
  [[nodiscard]] std::string_view player_name(Player player) const override;
  [[nodiscard]] char glyph(const Cell& cell) const override;
  [[nodiscard]] std::vector<Cell> all_pieces() const override;
  [[nodiscard]] Phrase kind_phrase(const Cell& cell) const override;
  [[nodiscard]] Phrase piece_phrase(const Cell& cell, Square square) const override;
  [[nodiscard]] bool joined(Square a, Square b) const override;
  [[nodiscard]] Phrase pieces_word() const override { return phrase("Stones"); }
  [[nodiscard]] std::vector<Phrase> facts(const Board& board) const override;

  [[nodiscard]] Board initial() const override;
  [[nodiscard]] Result<Board> parse_position(std::string_view text) const override;
  [[nodiscard]] std::string position_text(const Board& board) const override;

  [[nodiscard]] tl::expected<Turn, Refusal> parse_turn(const Board& board, std::string_view text) const override;
  [[nodiscard]] std::string turn_text(const Board& board, const Turn& turn) const override;
  [[nodiscard]] std::optional<Refusal> refuse(const Board& board, const Turn& turn) const override;
  [[nodiscard]] std::vector<Effect> effects(const Board& board, const Turn& turn) const override;

  [[nodiscard]] std::vector<Symmetry> symmetries() const override;
  [[nodiscard]] bool repetition_draws() const override { return options_.limit == 0; }  // 3.4
  [[nodiscard]] Ending ending(const Board& board, const Outcome& outcome) const override;

 private:
  /// How many stones each side begins with.
  [[nodiscard]] int stones_at_start() const noexcept { return options_.cols * options_.rows / 2; }
  /// Nothing if the position can occur, else why it cannot.
  [[nodiscard]] Result<void> check_possible(const Board& board) const;

  Options options_;
  Coordinates coordinates_;
};

}  // namespace paika::fanorona
