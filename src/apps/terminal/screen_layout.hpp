// The layout of a full screen: what stands where on a terminal of any size, composed on a canvas.
//
// The board is at the left under the title, the players with their clocks and the list of turns are at its
// right, messages below, then the line to type in and the keys. Used for games, records and demonstrations.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/terminal/canvas.hpp"
#include "apps/terminal/conversation.hpp"
#include "base/catalogue.hpp"

namespace paika::terminal {

/// What is shown of a player.
struct PlayerPanel {
  std::string name;    // "White: engine:level=5"
  std::string count;   // "20 pieces, 2 lost"
  std::string clock;   // "4:59"; empty: none
  bool hurry = false;  // the clock is about to run out
  bool to_move = false;
};

/// Everything a screen shows, apart from its size.
struct ScreenView {
  const Notation* notation = nullptr;  // never null when composed
  Board board;
  PictureOptions picture;  // form and rows are chosen by the layout; the row of `focus` is shown
  Square focus;
  std::string title;
  std::string state;  // at the right end of the title line
  std::array<PlayerPanel, 2> players;
  std::vector<std::string> facts;  // what else the position says, a line each
  std::optional<int> score;        // for the first player, as in search/types.hpp
  bool score_at_most = true;       // of a win or loss: it may come sooner
  std::vector<std::string> turns;  // texts of the turns so far
  bool first_began = true;
  std::size_t turn_shown = 0;       // turns[turn_shown - 1] led to the board; 0: none
  std::vector<ReplyLine> messages;  // the newest last
  int scrolled = 0;                 // so many lines of messages are below the window
  std::string prompt;
  std::string typed;
  std::optional<std::size_t> caret;                       // bytes of `typed` before it; nothing: nobody types
  std::vector<std::pair<std::string, std::string>> keys;  // name and meaning, most important first
  std::vector<std::string> overlay;                       // lines in a box over all; empty: none
};

struct Composed {
  Canvas canvas;
  Picture picture;
  ScreenPoint board_at;              // the picture's corner on the canvas
  std::optional<ScreenPoint> caret;  // where the terminal's cursor belongs; nothing: hidden
  bool fits = true;                  // false: only a remark that the terminal is too small
  int message_lines = 0;             // how many lines of messages can be seen
};

/// The smallest terminal that this game is shown on.
[[nodiscard]] Extent min_size(const Notation& notation);

/// The screen; without view.picture.unicode everything on it is ASCII.
[[nodiscard]] Composed compose(const ScreenView& view, Extent size, const Catalogue& catalogue);

/// A line of a list of keys: the key in a column of its own.
[[nodiscard]] std::string help_line(std::string_view key, std::string_view meaning);

/// How long clock_text(left) (sentences.hpp) stays right while the clock runs down.
[[nodiscard]] std::chrono::microseconds clock_holds(std::chrono::microseconds left);

}  // namespace paika::terminal
