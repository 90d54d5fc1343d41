// LiveGame: one game in progress, between people, our engine and other programs.
//
// A screen or a server holds one: it hands over what people play, calls poll() when woken or when
// next_deadline() has come, and shows what is left. Nothing here waits: players think on threads of
// their own, on sessions of their own. Nothing here speaks to people: answers are plain values.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "engine/game.hpp"
#include "play/clock.hpp"
#include "play/game_player.hpp"
#include "play/record.hpp"
#include "play/settings.hpp"

namespace paika::play {

/// A turn later than its limit by this loses for a player, as in matches; people get none of it, for
/// their clock is read when they play.
inline constexpr Milliseconds live_margin{10};

/// Makes the player for a seat that is not a person's; tests put in puppets.
using MakePlayer = std::function<Result<std::unique_ptr<GamePlayer>>(const GamePtr&, const PlayerText&)>;
/// Makes our engine, or runs the program; what that writes to standard error is added to the file `error_log`, or
/// is shown if that is empty. The engine plays from tables of perfect play in the folder `tables`, if that is given.
[[nodiscard]] MakePlayer default_players(const std::string& error_log = "", const std::string& tables = "");

/// What a game needs of the world around it.
struct LiveSetup {
  Now now = steady_now();
  /// Called by another thread when poll() has something to collect; must not call the game.
  std::function<void()> wake;
  MakePlayer make = default_players();
  std::uint64_t number = 0;  // levels that choose by chance choose differently in games of different numbers
};

/// What is to be played, and by whom.
struct LivePlan {
  GamePtr game;
  std::string start;  // a position's text; empty: the game's own start
  std::array<PlayerText, 2> players;
  std::vector<std::string> notes;  // for the record
  /// A person's clock stands still so long before the first move: whoever has just been paired may arrive first.
  Microseconds grace{0};
};

/// A player's turn has been played.
struct TurnPlayed {
  int number = 0;  // of the turn, from 1
  Player player = Player::first;
};
/// The game has ended by a player's turn, by its failure or by the clock; result() says how.
struct GameEnded {};
using LiveEvent = std::variant<TurnPlayed, GameEnded>;

/// Why nothing was played: it is not legal, or not this person's turn.
struct NotPlayed {
  enum class Why : unsigned char {
    refused,    // by the rules: `refusal`
    over,       // the game has ended
    not_yours,  // a player is to move
    too_late    // the player's time was over: the game has ended now
  };
  Why why = Why::refused;
  Refusal refusal;
};

/// To be used by one thread.
class LiveGame {
 public:
  /// Begins a game; clocks and players start at once. The error is that of a bad start position, of one
  /// where the game is over, or of a player that cannot be made.
  [[nodiscard]] static Result<std::unique_ptr<LiveGame>> begin(LivePlan plan, LiveSetup setup);
  /// Goes on with a recorded game, finished or not, with the clocks as they stood. Players that the
  /// record does not name are people.
  [[nodiscard]] static Result<std::unique_ptr<LiveGame>> from_record(const GameRecord& record, LiveSetup setup);
  LiveGame(const LiveGame&) = delete;
  LiveGame& operator=(const LiveGame&) = delete;
  /// Stops whoever thinks.
  ~LiveGame();

  // ---- The game as it stands ----

  [[nodiscard]] const Game& game() const;
  [[nodiscard]] const GamePtr& game_ptr() const;
  [[nodiscard]] const Notation& notation() const { return game().notation(); }
  /// The position with its history; its turns are the ones that stand.
  [[nodiscard]] const Session& session() const;
  [[nodiscard]] Board board() const { return session().board(); }
  /// The board where the game began, before any turn.
  [[nodiscard]] const Board& start_board() const;
  /// The turns that stand, in order, as texts and as steps.
  [[nodiscard]] const std::vector<RecordedTurn>& turns() const;
  [[nodiscard]] const std::vector<Turn>& moves() const;
  /// The board before turn number `index` (from 0), and after the last one if it is turns().size().
  [[nodiscard]] const Board& board_before(std::size_t index) const;
  /// How many turns redo could play again.
  [[nodiscard]] std::size_t undone() const;
  [[nodiscard]] Player to_move() const { return board().to_move; }

  /// True if the game has ended, by its rules or otherwise.
  [[nodiscard]] bool over() const;
  /// The result; Verdict::ongoing with unfinished_reason while it goes on, or with abandoned_reason.
  [[nodiscard]] const GameResult& result() const;

  /// True if a person sits there.
  [[nodiscard]] bool is_person(Player player) const;
  [[nodiscard]] const PlayerText& player(Player player) const;
  /// True if the game goes on and a person is to move.
  [[nodiscard]] bool person_to_move() const { return !over() && is_person(to_move()); }
  /// True if a player is thinking of its turn now.
  [[nodiscard]] bool thinking() const;
  /// True if a player is to move but waits for go_on(), because turns were taken back.
  [[nodiscard]] bool held() const;

  /// What a player has left now; only the side to move's runs, and that only while the game goes on.
  [[nodiscard]] TimeLeft time_left(Player player) const;
  /// How long the side to move has been thinking; zero when nobody's time runs.
  [[nodiscard]] Microseconds time_used() const;
  /// When the clock of the person to move began to run, or will: before a first move it waits for the grace.
  [[nodiscard]] TimePoint clock_start() const;
  /// What Notation::in_play wants to know of the game as it stands now.
  [[nodiscard]] GameProgress progress() const;

  // ---- What people do ----

  /// Plays a person's turn in any accepted text. On a refusal nothing changes.
  tl::expected<Turn, NotPlayed> play(std::string_view text);
  /// The same for a turn entered step by step.
  tl::expected<Turn, NotPlayed> play(const Turn& turn);
  /// Lifts a result that is not one of the rules (time, resigned, …), so that the game goes on; false if
  /// there is none. A player who is to move then waits for go_on().
  bool reopen();
  /// Takes back up to `count` turns, whoever played them, and returns how many; a result that was not one
  /// of the rules falls with it. A player who is to move then waits for go_on().
  int undo(int count);
  /// Plays up to `count` turns again that were taken back, and returns how many. Nobody wins time by that: what
  /// was thought of the current turn before, and of the turns themselves meanwhile, counts.
  int redo(int count);
  /// Lets a held player think; false if none is held.
  bool go_on();
  /// The player gives the game up. False if it is over.
  bool resign(Player player);
  /// Both agree to a draw. False if it is over.
  bool agree_draw();
  /// Ends the game without a result. False if it is over.
  bool abandon();
  /// Puts another player on a seat; whoever thought there is stopped. A clock that differs from the one
  /// before begins now. On an error nothing changes.
  [[nodiscard]] Result<void> seat(Player player, const PlayerText& who);

  // ---- Time and players ----

  /// Collects what players have chosen and looks at the clocks; returns what happened, in order.
  [[nodiscard]] std::vector<LiveEvent> poll();
  /// When poll() could find that time is over without being woken; nothing if no clock runs.
  [[nodiscard]] std::optional<TimePoint> next_deadline() const;

  // ---- Keeping it ----

  /// The game as a record, at any time.
  [[nodiscard]] GameRecord record() const;

 private:
  class Impl;
  explicit LiveGame(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace paika::play
