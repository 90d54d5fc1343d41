// Conversation: what people type while they play, and what they are answered, in either user interface.
//
// A user interface (plain lines or the full screen) hands over lines and turns, calls poll() when woken or when
// next_deadline() has come, and shows the answers. Nothing here waits, draws or reads: the engine and the
// hints think on threads of their own.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/catalogue.hpp"
#include "base/phrase.hpp"
#include "play/autosave.hpp"
#include "play/live_game.hpp"

namespace paika::terminal {

/// What a line of an answer is, for its colour.
enum class Tone : unsigned char {
  normal,   // what was asked for
  event,    // something happened in the game: a turn, an end
  refusal,  // it was not done, and why
  warning   // something beside the game went wrong
};

struct ReplyLine {
  std::string text;  // one line in the person's language; no control characters
  Tone tone = Tone::normal;

  friend bool operator==(const ReplyLine&, const ReplyLine&) = default;
};

struct Reply {
  std::vector<ReplyLine> lines;
  bool board_changed = false;   // or whose turn it is, or the game itself
  bool show_board = false;      // the person asked to see it
  bool quit = false;            // the conversation is over
  std::vector<Square> squares;  // what a refusal is about, for marks
};

/// What the computer thinks of the position, for a bar or marks.
struct Insight {
  int score = 0;  // for the player who moves first, in hundredths of a piece (search/types.hpp)
  int depth = 0;
  bool at_most = true;  // of a win or loss: it may come sooner
};

struct ConversationSetup {
  Catalogue catalogue;
  std::string language = "en";               // of the catalogue, for the rules documents
  bool flipped = false;                      // the board is shown from the other side at first
  play::LiveSetup live;                      // live.wake is called for hints too
  std::string autosave_folder;               // where running games are kept; empty: nowhere
  std::unique_ptr<play::Autosave> autosave;  // the file of the first game, where it has one already
  std::string tables{};                      // a folder of tables of perfect play; empty: none are used
  std::string record_file;                   // the record is added to this file when a game is left; empty: none
  std::string error_log;                     // where programs' standard error goes (live.make); empty: it is shown
  Milliseconds hint_time{1000};
};

class Conversation {
 public:
  Conversation(std::unique_ptr<play::LiveGame> game, ConversationSetup setup);
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;
  ~Conversation();

  /// Answers a typed line: a turn or a command. Any bytes of any number are survived.
  [[nodiscard]] Reply take(std::string_view line);
  /// Plays a turn that was entered step by step.
  [[nodiscard]] Reply play(const Turn& turn);
  /// What has happened meanwhile; mostly nothing.
  [[nodiscard]] Reply poll();
  /// When poll() must be called although nobody wakes us; nothing: never.
  [[nodiscard]] std::optional<play::TimePoint> next_deadline() const;
  /// The end of input, or a Ctrl-C: keeps the game and says where.
  [[nodiscard]] Reply finish();
  /// What to say first: who plays, how to get help.
  [[nodiscard]] Reply greeting();

  /// The game now; `new` and `load` put another in its place.
  [[nodiscard]] const play::LiveGame& game() const;
  [[nodiscard]] const Catalogue& catalogue() const;
  [[nodiscard]] std::string say(const Phrase& phrase) const { return catalogue().say(phrase); }
  /// True if the board is to be shown from the other side.
  [[nodiscard]] bool flipped() const;
  /// True if a game could not be added to the record file that was asked for.
  [[nodiscard]] bool record_lost() const;
  /// True while a hint is being looked for.
  [[nodiscard]] bool looking_for_hint() const;
  /// The turn of the last hint, as long as it is for the position on the board.
  [[nodiscard]] const std::optional<Turn>& hint() const;
  /// The newest evaluation: the engine's own of its last turn, or a hint's.
  [[nodiscard]] std::optional<Insight> insight() const;
  /// All commands with their keys and a line about each, in the order people see them.
  [[nodiscard]] std::vector<std::string> command_overview() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace paika::terminal
