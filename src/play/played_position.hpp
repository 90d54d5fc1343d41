// PlayedPosition: a position that never changes, with the moves that led to it, for programs in other languages.
//
// A Session is played on; a value in C or Python is kept, compared and shared between threads. Copying one is cheap:
// copies share the session.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "engine/game.hpp"
#include "play/record.hpp"

namespace paika::play {

class PlayedPosition {
 public:
  /// The start of a game.
  [[nodiscard]] static PlayedPosition start(GamePtr game);
  /// A position from its text, in any accepted form.
  [[nodiscard]] static Result<PlayedPosition> parse(GamePtr game, std::string_view text);
  /// The last position of a record that was read.
  [[nodiscard]] static PlayedPosition of(const GameRecord& record);

  [[nodiscard]] const GamePtr& game() const noexcept { return game_; }
  [[nodiscard]] const Session& session() const noexcept { return *session_; }
  [[nodiscard]] const Notation& notation() const { return game_->notation(); }
  /// The canonical texts of the moves since it was started or parsed.
  [[nodiscard]] const std::vector<std::string>& moves() const noexcept { return moves_; }

  [[nodiscard]] tl::expected<PlayedPosition, Refusal> play(std::string_view text) const;
  [[nodiscard]] tl::expected<PlayedPosition, Refusal> play(const Turn& turn) const;
  /// The position before the last move; nothing if there is none.
  [[nodiscard]] std::optional<PlayedPosition> undone() const;

  /// The same position as one of `game`, another object with the same spec: an engine takes only sessions of its own.
  [[nodiscard]] PlayedPosition in(const GamePtr& game) const;

  /// The game so far; its result is that of the rules.
  [[nodiscard]] GameRecord record(std::string_view first, std::string_view second) const;

  /// The same game, board, side to move and counters; how it came about does not count.
  friend bool operator==(const PlayedPosition& a, const PlayedPosition& b);

 private:
  PlayedPosition(GamePtr game, std::shared_ptr<const Session> session);
  /// Requires a start and moves that are legal in this game.
  [[nodiscard]] static PlayedPosition replayed(GamePtr game, const std::string& start, std::vector<std::string> moves);
  [[nodiscard]] PlayedPosition after(const Turn& turn) const;

  GamePtr game_;
  std::shared_ptr<const Session> session_;
  std::string start_;  // canonical position text; empty: the game's own start
  std::vector<std::string> moves_;
};

}  // namespace paika::play
