// GamePlayer: somebody who plays games: our engine, another program, a test's puppet.
//
// The referee (play/referee.hpp) asks a player for turns and believes nothing it says: turns are
// checked and times are measured there.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "engine/game.hpp"
#include "search/types.hpp"

namespace paika::play {

/// How long a program is listened to after a move's time is over; the referee judges.
inline constexpr Milliseconds beyond_limit{50};

/// How a player can lose a game other than by the rules of the game.
enum class Failure : unsigned char {
  illegal,   // a turn that is not legal, or no turn at all
  time,      // later than its limit
  crash,     // its program has ended
  protocol,  // what it says is not the protocol
  stall,     // no answer where no limit of time says when it is late, or it took too long to get ready
  memory,    // it used more memory than it may
  flood,     // it said or wrote more than it may
  stopped    // nobody's fault: we were told to stop
};

/// Those that lose a game, in the order of their numbers.
inline constexpr std::array failures = {Failure::illegal, Failure::time,   Failure::crash, Failure::protocol,
                                        Failure::stall,   Failure::memory, Failure::flood};

[[nodiscard]] std::string_view name(Failure failure) noexcept;

struct Failed {
  Failure how = Failure::protocol;
  std::string message;  // for people
};

/// A game as it stands when a player is to move.
struct GameSoFar {
  const Session& session;              // never over
  std::string_view start;              // the position's text where the game began; empty: the game's own start
  std::span<const std::string> turns;  // canonical texts of all turns since then
};

/// What a player may use for a turn.
struct Allowance {
  SearchLimits limits;  // clock: its own, as it stands now
  GameClock opponent;   // the other side's clock; meaningful where limits has a clock
};

/// A turn, and what its player said about it.
struct Choice {
  std::string turn;          // any accepted text
  std::optional<int> score;  // for the side to move; search/types.hpp says how wins are told
  int depth = 0;             // 0: not told
};

class GamePlayer {
 public:
  GamePlayer() = default;
  GamePlayer(const GamePlayer&) = delete;
  GamePlayer& operator=(const GamePlayer&) = delete;
  virtual ~GamePlayer() = default;

  /// Who it is, for reports and records.
  [[nodiscard]] virtual std::string name() const = 0;
  /// Gets ready for a new game; what was learned in earlier games is forgotten. Games with different
  /// numbers may be played differently by players that choose by chance.
  [[nodiscard]] virtual tl::expected<void, Failed> start(std::uint64_t game_number) = 0;
  /// Chooses a turn. Returns soon after `stop` was requested.
  [[nodiscard]] virtual tl::expected<Choice, Failed> choose(const GameSoFar& game, const Allowance& allowance,
                                                            const std::stop_token& stop) = 0;
  /// Called after choose(), when its time has been taken: what has to be cleared away and is not thinking, such as
  /// waiting for a program that was dropped, and stopping one that must not think on the opponent's time.
  virtual void tidy() {}
  /// The game is over, or goes on some other time: it must not think any more. Called by whoever calls choose().
  virtual void rest() {}
  /// What its clock is charged for the last turn, which took `passed`; known after tidy().
  [[nodiscard]] virtual std::chrono::microseconds time_charged(std::chrono::microseconds passed) const {
    return passed;
  }
  /// True if it can end by itself between its turns; whoever waits for it then asks ended() now and again.
  [[nodiscard]] virtual bool mortal() const { return false; }
  /// Why it cannot go on, if it has ended since its last turn; start() may bring it back.
  [[nodiscard]] virtual std::optional<Failed> ended() { return std::nullopt; }
  /// It will not be needed any more: a start() under way fails soon. May be called by any thread.
  virtual void dismiss() {}
};

}  // namespace paika::play
