// Game and Session: the one virtual door to the rules. Layers above see only these.
//
// A Game is the rules of one spec, immutable and shared. A Session is one game being played: a
// position with its history. Everything here is plain values and text; no type of a particular
// game appears, so a screen, a server or a bot referee is written once for all games.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "base/result.hpp"
#include "engine/perft_types.hpp"
#include "rules/notation.hpp"
#include "rules/spec.hpp"
#include "search/types.hpp"

namespace paika {

/// A legal turn with what people want to know of it.
struct ListedTurn {
  std::string text;            // canonical move text
  Turn steps;                  // the way to it in the prefix tree
  std::string position_after;  // the game's text form of the next position
};

/// More turns than this are told as "more than": nobody can look through them.
inline constexpr std::uint64_t many_turns = 1'000'000;

class Session;
class Engine;

class Game {
 public:
  Game() = default;
  Game(const Game&) = delete;
  Game& operator=(const Game&) = delete;
  virtual ~Game() = default;

  [[nodiscard]] virtual const GameInfo& info() const = 0;
  [[nodiscard]] virtual const Notation& notation() const = 0;
  /// A new game from the start.
  [[nodiscard]] virtual std::unique_ptr<Session> start() const = 0;
  /// A new game from a board. Requires one that notation().parse_position could have given.
  [[nodiscard]] virtual std::unique_ptr<Session> start_from(const Board& board) const = 0;
  /// A computer player for sessions of this game. It plays from an opening book and from a table of perfect play if the
  /// settings name one, and searches otherwise. May throw std::bad_alloc if its hash table is too large.
  [[nodiscard]] std::unique_ptr<Engine> engine(const SearchSettings& settings) const;
  /// A new game from a position's text, in any accepted form.
  [[nodiscard]] Result<std::unique_ptr<Session>> start_from_text(std::string_view position) const;

 protected:
  /// A computer player that searches.
  [[nodiscard]] virtual std::unique_ptr<Engine> searcher(const SearchSettings& settings) const = 0;
};

class Session {
 public:
  Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  virtual ~Session() = default;

  /// The game that is played; it lives as long as the session.
  [[nodiscard]] virtual const Game& game() const = 0;
  [[nodiscard]] virtual Board board() const = 0;
  /// The position's 64-bit key (rules/concepts.hpp says what it covers).
  [[nodiscard]] virtual std::uint64_t key() const = 0;
  /// The outcome, with the third occurrence of a position counted where the game says so.
  [[nodiscard]] virtual Outcome outcome() const = 0;

  /// Calls visit for each legal turn once, in a stable order, until it returns false; none if the
  /// game is over. Returns false if it was stopped. Turns are streamed: there may be very many.
  virtual bool for_each_turn(const std::function<bool(const ListedTurn&)>& visit) const = 0;
  /// How many legal turns there are, but no more than `most` are looked for: a few Fanorona positions
  /// have more than anybody can wait for.
  [[nodiscard]] virtual std::uint64_t count_turns_up_to(std::uint64_t most) const = 0;

  /// A session of its own at the same position with the same history. Copies the positions; replays nothing.
  [[nodiscard]] virtual std::unique_ptr<Session> clone() const = 0;

  /// Plays a legal turn without checking it: what may be illegal goes through try_play() or read_turn(), once, where
  /// it comes in. Requires refuse(turn) == nothing; builds with assertions check that.
  virtual void play(const Turn& turn) = 0;
  /// Takes back the last turn; false if there is none.
  virtual bool undo() = 0;
  /// How many turns have been played in this session.
  [[nodiscard]] virtual int turns_played() const = 0;

  /// Lines of exactly `depth` turns (rules/perft.hpp), split over threads.
  [[nodiscard]] virtual PerftResult perft(const PerftRequest& request) const = 0;

  // What follows from the above, the same for all games.

  [[nodiscard]] const Notation& notation() const { return game().notation(); }
  [[nodiscard]] std::uint64_t count_turns() const { return count_turns_up_to(UINT64_MAX); }
  [[nodiscard]] std::string position_text() const { return notation().position_text(board()); }
  /// Nothing if the turn may be played now, else why not; a game that is over refuses every turn.
  [[nodiscard]] std::optional<Refusal> refuse(const Turn& turn) const;
  /// Reads a turn in any accepted form and checks that it is legal.
  [[nodiscard]] tl::expected<Turn, Refusal> read_turn(std::string_view text) const;
  /// Reads, checks and plays; on a refusal nothing changes.
  tl::expected<Turn, Refusal> try_play(std::string_view text);
};

using GamePtr = std::shared_ptr<const Game>;

}  // namespace paika
