// PlayScreen: the state of the full-screen user interface between two keys. No terminal in it: keys go in, a view comes
// out.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "apps/terminal/conversation.hpp"
#include "apps/terminal/line_editor.hpp"
#include "apps/terminal/screen_layout.hpp"
#include "apps/terminal/turn_entry.hpp"

namespace paika::terminal {

class PlayScreen {
 public:
  /// `now` is asked for animations only.
  PlayScreen(Conversation& conversation, bool unicode, bool animation, play::Now now = play::steady_now());

  /// Obeys a key. `shown` is what is on the screen, for clicks and pages.
  void take(const Key& key, const Composed& shown);
  /// Collects what happened meanwhile and goes on with the animation.
  void poll();
  /// The end of input or a signal: the game is kept.
  void finish();

  [[nodiscard]] ScreenView view() const;
  /// When poll() is to be called, and the screen to be shown again, if nothing happens.
  [[nodiscard]] std::optional<play::TimePoint> deadline() const;
  [[nodiscard]] bool done() const noexcept { return done_; }
  /// What leaving the game said, to be left on the terminal after the end; nothing if there was nothing to keep.
  [[nodiscard]] const std::vector<ReplyLine>& last_words() const noexcept { return last_words_; }

 private:
  // What keys do.
  void take_typing(const Key& key);
  void take_board(const Key& key, const Composed& shown);
  void take_letter(const std::string& letter);
  void take_overlay(const Key& key, const Composed& shown);
  void move_cursor(int cols, int rows);
  void choose_square(Square square);
  /// Requires that there is such a choice.
  void choose_kind(StepKind kind);
  void open_help();
  void step_back();
  void play_entry();
  void command(std::string_view line);
  void answer(const Reply& reply);
  /// Looks at the game anew; returns what its last turn did if that is new.
  [[nodiscard]] std::vector<ReplyLine> board_changed();
  /// What turn `number` (from 1) did; begins to show it.
  [[nodiscard]] std::vector<ReplyLine> report_turn(std::size_t number);

  // What is shown.
  [[nodiscard]] std::string say(const Phrase& phrase) const { return conversation_.say(phrase); }
  [[nodiscard]] const play::LiveGame& game() const { return conversation_.game(); }
  [[nodiscard]] std::string name_of(Player player) const;
  /// The board, or what an animation or a turn that is being entered makes of it.
  [[nodiscard]] Board shown_board() const;
  [[nodiscard]] PlayerPanel panel_of(Player player) const;
  [[nodiscard]] std::string prompt() const;
  [[nodiscard]] std::string entry_prompt() const;
  [[nodiscard]] std::string step_words(const Step& step) const;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> keys() const;
  void mark(PictureOptions& picture) const;
  [[nodiscard]] std::vector<std::string> help_lines() const;
  /// The square that says approach or withdraw: the first stone that would be taken.
  [[nodiscard]] std::optional<Square> capture_square(StepKind kind) const;

  Conversation& conversation_;
  bool unicode_;
  bool animation_;
  play::Now now_;
  TurnEntry entry_;
  Square cursor_;
  LineEditor line_;
  bool typing_ = false;
  bool show_choices_ = false;  // also before the first step
  bool leaving_ = false;       // q was pressed once
  std::deque<ReplyLine> messages_;
  int scrolled_ = 0;
  std::vector<Square> refused_;
  std::vector<std::string> overlay_;
  std::size_t overlay_top_ = 0;
  std::vector<Board> frames_;  // what is still to be shown before the board itself
  play::TimePoint frame_until_;
  std::chrono::milliseconds frame_time_{0};
  std::size_t turns_seen_ = 0;
  bool done_ = false;
  std::vector<ReplyLine> last_words_;
};

}  // namespace paika::terminal
