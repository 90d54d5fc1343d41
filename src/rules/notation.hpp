// Notation: a game with its options as people see it: text, names, explanations, effects.
//
// A notation works on plain Boards and Turns, slowly and obviously, and knows no bitboards. It is the
// second of the two halves of a game; the first is a fast Rules type (rules/concepts.hpp). The
// conformance suite holds the two together: what the rules list, the notation never refuses;
// what the notation's effects do to the grid, the rules' play does too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "base/phrase.hpp"
#include "base/result.hpp"
#include "board/coordinates.hpp"
#include "rules/badge.hpp"
#include "rules/board.hpp"
#include "rules/effect.hpp"
#include "rules/outcome.hpp"
#include "rules/refusal.hpp"
#include "rules/turn.hpp"

namespace paika {

/// What is known of a game in progress beside its board.
struct GameProgress {
  std::int64_t used_ms = 0;                // by the side to move, in all its turns
  std::optional<std::int64_t> allowed_ms;  // to the side to move for the whole game; nothing: no such limit
  std::int64_t turns = 0;                  // played since the position where it began
};

/// A sentence about a rule, and the clause that says so.
struct RuleNote {
  Phrase text;
  std::string clause;
};

class Notation {
 public:
  Notation() = default;
  Notation(const Notation&) = delete;
  Notation& operator=(const Notation&) = delete;
  virtual ~Notation() = default;

  /// The canonical spec string: the size where the game has sizes, then only options that differ
  /// from the standard, in the order of GameInfo. Reading it again gives the same game.
  [[nodiscard]] virtual std::string spec() const = 0;
  [[nodiscard]] virtual const Coordinates& coordinates() const = 0;
  /// In English, for records and machines, and marked translatable: people are shown player_phrase().
  [[nodiscard]] virtual std::string_view player_name(Player player) const = 0;
  /// The character for a cell in the game's own text form ('w', 'X', 'k', '-').
  [[nodiscard]] virtual char glyph(const Cell& cell) const = 0;
  /// Every piece that a position can show: the first player's kinds, the second player's, then nobody's.
  [[nodiscard]] virtual std::vector<Cell> all_pieces() const {
    return {piece_of(Player::first), piece_of(Player::second)};
  }
  /// What a kind of piece is called: "stone", "Rook". Requires a piece.
  [[nodiscard]] virtual Phrase kind_phrase(const Cell& cell) const = 0;
  /// A piece and where it stands, to begin or end a sentence with: "White's Rook on e1". Requires a piece.
  [[nodiscard]] virtual Phrase piece_phrase(const Cell& cell, Square square) const = 0;
  /// What `square` shows when nothing stands on it.
  [[nodiscard]] virtual Cell empty_cell(Square /*square*/) const { return {}; }
  /// True if the board shows a line between the two; false where it has squares instead of points and lines.
  [[nodiscard]] virtual bool joined(Square /*a*/, Square /*b*/) const { return false; }
  /// What its pieces are called, as a heading: "Stones".
  [[nodiscard]] virtual Phrase pieces_word() const { return phrase("Pieces"); }
  /// What a position says beside its board and the side to move, a line each: "Moves left : 50".
  [[nodiscard]] virtual std::vector<Phrase> facts(const Board& /*board*/) const { return {}; }
  /// What pieces are at the moment (frozen, charged, …), row by row; a piece may have several.
  [[nodiscard]] virtual std::vector<Badge> badges(const Board& /*board*/) const { return {}; }
  /// How a piece moves and what it does, or what a special square does, in a few sentences; none where the board
  /// says it all. Requires one of all_pieces() or an empty_cell().
  [[nodiscard]] virtual std::vector<RuleNote> card(const Cell& /*cell*/) const { return {}; }
  /// A board of a game in progress with what its text tells of times and turns and the rules do not touch. Requires
  /// a board whose counters are still those where the game began, as far as its rules leave them alone.
  [[nodiscard]] virtual Board in_play(const Board& board, const GameProgress& /*progress*/) const { return board; }

  [[nodiscard]] virtual Board initial() const = 0;
  /// Reads any accepted form of a position and refuses malformed and impossible ones.
  [[nodiscard]] virtual Result<Board> parse_position(std::string_view text) const = 0;
  /// The one-line text form. parse_position gives the same board back.
  [[nodiscard]] virtual std::string position_text(const Board& board) const = 0;

  /// Reads any accepted form of a turn. Says nothing about legality: only the form is checked, and
  /// that squares are on the board. The clause of a refusal is that of the notation.
  [[nodiscard]] virtual tl::expected<Turn, Refusal> parse_turn(const Board& board, std::string_view text) const = 0;
  /// The canonical text of a turn. parse_turn gives the same turn back.
  [[nodiscard]] virtual std::string turn_text(const Board& board, const Turn& turn) const = 0;
  /// Nothing if the turn is legal, else the clause that forbids it. Requires a position that is not
  /// over. Any Turn whatever may be asked about, also one that no text would give.
  [[nodiscard]] virtual std::optional<Refusal> refuse(const Board& board, const Turn& turn) const = 0;
  /// What a legal turn does, in order. Requires refuse(board, turn) == nothing.
  [[nodiscard]] virtual std::vector<Effect> effects(const Board& board, const Turn& turn) const = 0;

  /// The maps of positions that keep this game's rules, the identity first.
  [[nodiscard]] virtual std::vector<Symmetry> symmetries() const = 0;
  /// True if the third occurrence of a position (board and side to move) is a draw in play.
  [[nodiscard]] virtual bool repetition_draws() const = 0;
  /// The outcome of a finished game in words. Requires outcome.over().
  [[nodiscard]] virtual Ending ending(const Board& board, const Outcome& outcome) const = 0;
  /// True if an effect of the last turn took a piece without which the game would have gone on. Requires
  /// outcome.over().
  [[nodiscard]] virtual bool decides(const Effect& effect, const Outcome& outcome) const {
    if (outcome.reason != EndReason::eliminated && outcome.reason != EndReason::captures) return false;
    if (effect.kind == EffectKind::sacrificed) return true;
    return effect.from && !effect.to && effect.piece.belongs_to(other(outcome.winner()));
  }
};

/// The name of a player for people: "White".
[[nodiscard]] inline Phrase player_phrase(const Notation& notation, Player player) {
  return phrase_of(notation.player_name(player));
}

}  // namespace paika
