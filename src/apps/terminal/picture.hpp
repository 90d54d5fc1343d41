// Picture: a board as lines of styled cells. No terminal in it: colours are a Theme's, showing is the screen's.
//
// A picture says what each character is (a stone, a line, a bracket) and how its square is marked. Marks
// are shown by signs around the square as well, so that nothing depends on colours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rules/notation.hpp"

namespace paika::terminal {

/// What a character on the screen is; a theme gives it its colours.
enum class Look : unsigned char {
  text,     // sentences
  faint,    // less important text
  title,    // the line at the top
  warning,  // a refusal, a clock that runs out
  key,      // the name of a key
  edge,     // column letters and row numbers
  line,     // frames and the lines of the board
  empty,    // an empty square
  special,  // an empty square with a meaning of its own: pads, the Jet Pack, strong points
  first,    // a piece of the first player
  second,   // … of the second
  block     // a piece of nobody: a sacrificed stone
};

/// How a square is marked. Of several marks the later one in this list is shown.
enum class Mark : unsigned char { none, last, target, hint, refused, chosen, cursor };

/// One column of one line.
struct PictureCell {
  std::string text = " ";  // one character in UTF-8; empty: the second column of a wide one
  Look look = Look::text;
  Mark mark = Mark::none;

  friend bool operator==(const PictureCell&, const PictureCell&) = default;
};

/// How much room a square gets: one line and two columns without lines, or two lines and four columns.
enum class PictureForm : unsigned char { compact, spacious };

struct PictureOptions {
  bool unicode = true;
  PictureForm form = PictureForm::spacious;
  bool flipped = false;  // turned by 180 degrees: the second player's view
  /// The rows of the board that are shown, counted as they appear on the screen; 0 rows: all.
  int first_row = 0;
  int rows = 0;
  // Squares off the board are ignored.
  std::vector<Square> last;     // of the last turn
  std::vector<Square> targets;  // where the next step of a turn can go
  std::vector<Square> hints;
  std::vector<Square> refused;
  std::vector<Square> chosen;  // the steps of a turn that is being entered
  std::optional<Square> cursor;
};

/// A place on the screen or in a picture: column from the left, line from the top, both from 0.
struct ScreenPoint {
  int x = 0;
  int y = 0;
  friend constexpr bool operator==(const ScreenPoint&, const ScreenPoint&) = default;
};

struct Extent {
  int width = 0;
  int height = 0;
  friend constexpr bool operator==(const Extent&, const Extent&) = default;
};

struct Picture {
  Extent size;
  std::vector<std::vector<PictureCell>> lines;  // size.height lines of size.width cells
  Grid<std::optional<Square>> squares;          // the square that a place belongs to, for the mouse

  /// The square at a place of the picture; nothing beside the board.
  [[nodiscard]] std::optional<Square> square_at(ScreenPoint place) const;
};

/// How large the picture of a board of this game is with `rows` of its rows shown (0: all).
[[nodiscard]] Extent picture_size(const Notation& notation, PictureForm form, int rows = 0);

/// The board as a picture. Requires a board of the notation's game.
[[nodiscard]] Picture draw(const Notation& notation, const Board& board, const PictureOptions& options);

/// The row on the screen (counted from the top of the whole board) where a square appears.
[[nodiscard]] int shown_row(const Notation& notation, Square square, bool flipped);

/// The sign of a piece or an empty square as a picture shows it: "●", "K", "O", "·".
[[nodiscard]] std::string cell_sign(const Notation& notation, Square square, const Cell& cell, bool unicode);
/// The sign of a player's pieces where they are all alike: "●", "O"; "" in a game with kinds of pieces.
[[nodiscard]] std::string player_sign(const Notation& notation, Player player, bool unicode);

/// What kind of character a cell is.
[[nodiscard]] Look cell_look(const Notation& notation, Square square, const Cell& cell);

}  // namespace paika::terminal
