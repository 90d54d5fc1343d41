// The class protocol of Fanorona as text (docs/rules/fanorona.md, section 6): bytes in, messages out, and back.
//
// Peers differ in where they end a message (6.4): a line feed, a carriage return, a zero byte, a blank, or nothing at
// all. So messages are not cut at their ends but recognised from their beginnings: a keyword is a message as soon as it
// is complete, whatever is glued to it, and a move is one when something follows that cannot belong to it. Only where a
// move is complete and could still go on (" + …", another digit) a short silence has to end it; the caller knows time.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "rules/player.hpp"

namespace paika::protocols {

/// INFO: what the server tells of the game.
struct ClassGame {
  int cols = 9;
  int rows = 5;
  Player client = Player::second;  // the client's colour; White is the first player
  int time_ms = 0;                 // for each move; 0: no limit

  friend bool operator==(const ClassGame&, const ClassGame&) = default;
};

struct ClassMessage {
  enum class Kind : unsigned char { welcome, info, ready, begin, ok, move, illegal, time, winner, loser, tie, unknown };
  Kind kind = Kind::unknown;
  std::string text;  // as it was heard, with single blanks: the text of a move, or what could not be understood
  ClassGame game;    // of info
};

/// The keyword of a kind, such as "WELCOME"; "" for moves and what is unknown.
[[nodiscard]] std::string_view keyword(ClassMessage::Kind kind) noexcept;

/// The message INFO without its line end.
[[nodiscard]] std::string info_text(const ClassGame& game);

/// A message that was heard, for people: its keyword, INFO with its numbers, or the text.
[[nodiscard]] std::string message_text(const ClassMessage& message);

/// Cuts what a peer sends into messages.
class ClassFramer {
 public:
  /// More than this without a complete message is a flood: no chain of the largest board is half as long.
  static constexpr std::size_t max_message = 8192;

  void add(std::string_view bytes);
  /// The next message. `silent`: nothing more has come for a while, so that a move that is complete has ended, and
  /// so has a line that makes no sense. Something that is not complete waits for ever.
  [[nodiscard]] std::optional<ClassMessage> next(bool silent = false);
  /// True if a silence could make a message of what has come.
  [[nodiscard]] bool pending() const { return at_ < bytes_.size(); }
  /// True once too much has come without an end; nothing comes out any more.
  [[nodiscard]] bool flooded() const { return flooded_; }
  /// What has come of a message that is not complete.
  [[nodiscard]] std::string_view rest() const { return std::string_view(bytes_).substr(at_); }

 private:
  /// Drops so many bytes and the separators after them.
  void skip(std::size_t count);

  std::string bytes_;
  std::size_t at_ = 0;  // where the next message begins; never at a separator
  bool flooded_ = false;
};

}  // namespace paika::protocols
