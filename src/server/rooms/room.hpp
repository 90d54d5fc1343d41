// Room: one game between two players as a machine that turns commands into events.
//
// It owns the rules (through LiveGame), the clocks, the offers and the chat of one game. It knows no network, no
// storage and no threads: time comes in with every call, events come out. restore() of the events gives the same
// room again, clocks included.
//
// The events, by their word "event" (docs/server.md has every field). Seats are "first" and "second", in the order in
// which the game's rules name its players; times are microseconds (…_us) or milliseconds (…_ms) of the server's clock;
// `left` is {first, second}, each {move_ms, game_ms} with null where there is no such limit; `clock_from_us` is when
// the clock of the side to move begins to run, which is later than the event before a player's first move (the grace);
// `who` is {name, member, seat} and the `engine`'s level if it is that: nothing tells which account somebody has.
//   created     {room, spec, start, clock, extra_ms, rated, listed, takebacks, seats}
//               the first one; start: null for the game's own; extra_ms: how much more time each has, where one has
//               more
//   joined      {seat, who}                                           a seat is taken
//   begun       {rated, position, to_move, clock_from_us, left}       both seats are taken
//   move        {move, seat, id, text, steps, effects, position, to_move, clock_from_us, time_us, left, over}
//   offered     {what: draw|takeback|rematch, seat}                   a rematch that both offer is agreed
//   withdrawn   {what, seat}          by who offered it, or by a turn that was played meanwhile
//   declined    {what, seat}          by who was offered it
//   taken_back  {moves, seat, position, to_move, clock_from_us, left} `move` events, newest first; offers end with it
//   chat        {who, text} or {who, preset}
//   ended       {verdict, reason, sentence, clause, rules, left}      offers end with it
//   rated       {seats: [{before, after} …]}
//   rematch     {room}                the room where both go on; offers end with it
//   hidden      {}                    sent in the place of an event that somebody may not see now; never stored
//
// A position's text is the game's own with what it tells of the game in progress (Wildebeest: the time used by the side
// to move in its earlier turns, the time it is allowed, the number of the move), as it was when the turn began.
#pragma once

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "engine/game.hpp"
#include "engine/json.hpp"
#include "play/live_game.hpp"
#include "server/rooms/conditional.hpp"
#include "server/rooms/event.hpp"

namespace paika::server {

/// Who does something in a room.
struct Identity {
  PersonId person = 0;
  std::string name;
  bool member = false;  // has an account; guests have none

  friend bool operator==(const Identity&, const Identity&) = default;
};

/// Which side the person takes who opens a room.
enum class Side : unsigned char { first, second, random };

struct RoomPlan {
  GamePtr game;
  std::string start;                      // a position's text; empty: the game's own start
  std::optional<Milliseconds> turn_time;  // for every turn
  std::optional<GameClock> clock;         // for the whole game; at most one of the two is given
  std::array<Milliseconds, 2> extra{};    // so much more a player has at the start, with a clock for the whole game
  Milliseconds grace{0};                  // before each player's first turn the clock stands still so long
  Side side = Side::random;               // of the opener
  std::optional<int> engine_level;        // the opponent is our engine at this level; nothing: who comes by link
  std::optional<std::array<Identity, 2>> seated;  // both seats are taken at once (a rematch); nobody joins by link
  /// Counts for the ratings if both are members and it begins at the game's own start: else anybody could win points
  /// from a position that is won already. What cannot count is not rated, without an error.
  bool rated = false;
  bool listed = false;    // shown in the list of rooms, else only known by its link
  bool takebacks = true;  // moves may be taken back if both agree
};

enum class OfferKind : unsigned char { draw, takeback, rematch };
inline constexpr std::array<OfferKind, 3> all_offers = {OfferKind::draw, OfferKind::takeback, OfferKind::rematch};
[[nodiscard]] std::string_view name(OfferKind kind) noexcept;
[[nodiscard]] std::optional<OfferKind> offer_named(std::string_view word) noexcept;

/// The sentences a player may say with one click, by their words in the protocol ("hello", "good_game", …).
[[nodiscard]] std::span<const std::string_view> chat_presets() noexcept;

inline constexpr std::size_t max_chat = 500;        // bytes
inline constexpr int max_takebacks = 200;           // of a player in a game
inline constexpr std::size_t max_turn_id = 64;      // bytes
inline constexpr std::size_t max_turn_text = 2000;  // bytes; the longest chain on 13x13 fits

// ---- What people and the engine do ----

namespace command {
/// Takes the seat that is free.
struct Join {};
/// Plays a complete turn. `id` is the client's own name for it, 1 to 64 printable ASCII characters: sent again by the
/// same player, it is answered like the first time and not played again, also after it was taken back or the game has
/// ended. A turn that was refused has used up no id. `number` is the number of the turn it is meant to be, from 1, if
/// the client tells.
struct Play {
  std::string text;
  std::string id;
  std::optional<int> number;
};
/// Offers something; if the opponent has offered the same already, this agrees. Our engine answers at once: it
/// agrees to takebacks and rematches and declines draws. One's own offer that still stands is not made again.
/// Draws and takebacks can be offered while the game goes on, a rematch after its end. A takeback takes the offerer's
/// last turn back, and the opponent's answer with it if there is one; the clocks are those of before. A turn of the
/// opponent ends an offer of a draw, any turn one of a takeback. What was declined, withdrawn or ended by a turn may be
/// offered again by the same player after a further turn of his own, a rematch never.
struct Offer {
  OfferKind what = OfferKind::draw;
};
struct Agree {
  OfferKind what = OfferKind::draw;
};
/// Declines the opponent's offer, or withdraws one's own.
struct Decline {
  OfferKind what = OfferKind::draw;
};
struct Resign {};
/// Ends a game without a result: the opener of one that has not begun, a player who has not yet played a turn.
struct Abort {};
struct Say {
  std::string text;    // either this
  std::string preset;  // or this
};
/// Leaves moves for the opponent's next ones, in the place of those that were left before; no lines: none. Only while
/// the opponent is to move in a game of correspondence (is_correspondence()). They are played at once when they are
/// due; any other move of the opponent, a takeback and the end drop them.
struct Conditional {
  ConditionalLines lines;
};
}  // namespace command

using Command = std::variant<command::Join, command::Play, command::Offer, command::Agree, command::Decline,
                             command::Resign, command::Abort, command::Say, command::Conditional>;
/// True for a command that may end in another room.
[[nodiscard]] bool asks_for_rematch(const Command& command) noexcept;

/// Why a command did nothing. The code is for programs and never changes its meaning:
///   illegal      the rules forbid the turn ("clause", "squares" and the document "rules" in `details`)
///   late         the player's time was over: the game has ended now ("verdict" and "reason" in `details`)
///   over         the game has ended ("verdict" and "reason" in `details`, "rematch" if there is one)
///   not_over     the game goes on
///   not_begun    the game has not begun, or never will
///   not_yours    it is not this person's turn, or this person does not play here
///   stale        another turn was expected: the client looks at an older position ("move" expected in `details`)
///   taken        the seats are taken
///   no_offer     there is nothing to agree to or to decline
///   no_turn      there is no turn of this player that could be taken back
///   no_takeback  moves cannot be taken back in this game
///   too_often    chat or offers came too fast ("retry_after_ms" in `details` where waiting alone helps)
///   too_fast     conditional moves are for games of correspondence
///   bad_request  a field is missing, too long or not what it must be
struct Refused {
  std::string code;
  std::string message;  // a sentence in English
  Json details = Json::object();
};

/// A command was done.
struct Accepted {
  std::uint64_t number = 0;  // of the event that answers it; for a repeated turn that of the first time
  bool repeated = false;
};

/// What a command led to.
struct Applied {
  /// New ones, in order, to be stored before anybody hears of them. A refused command can have some too: that of a
  /// clock that had run out.
  std::vector<Event> events;
  tl::expected<Accepted, Refused> answer;
};

/// What is to be done outside the room after a command, if anything.
struct EngineTask {
  int level = 0;
  int turns = 0;  // played so far
  /// The event that led to the position: an answer for another one comes too late and is dropped. (The number of
  /// turns would not do: a turn may be taken back and another one played while the engine thinks.)
  std::uint64_t position = 0;
  /// Always with a time, which leaves some for the way back; time that a task waits must be taken off.
  SearchLimits limits;
};

/// The engine never thinks longer than this about one turn: others wait for it too.
inline constexpr Milliseconds max_thinking{2000};

/// To be used by one thread.
class Room {
 public:
  /// A new room and its first events. `seed` decides what is left to chance. An error is that of a bad plan.
  [[nodiscard]] static Result<std::pair<std::unique_ptr<Room>, std::vector<Event>>> open(
      RoomId id, const RoomPlan& plan, const Identity& opener, ServerTime now, std::uint64_t seed);
  /// A room again from its stored events, of which there may be any number from the first on, the first of them brief;
  /// `persons` are those who sit on the seats, as events do not tell. It is the same room, but for how fast people have
  /// chatted and for the texts of the brief events. An error, "event 7: …", if the events are not those of a room.
  [[nodiscard]] static Result<std::unique_ptr<Room>> restore(RoomId id, std::span<const Event> events,
                                                             const std::array<PersonId, 2>& persons);
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  ~Room();

  // ---- Changing it. Every call first decides whether a clock has run out at `now`: a turn that comes when exactly
  // the time of the limit is used is played, one that comes a microsecond later is not, for people and the engine
  // alike. A `now` before the last event counts as the time of that. ----

  /// Does what a person asks; refuses it and changes nothing else if that may not be done.
  [[nodiscard]] Applied apply(const Identity& who, const Command& command, ServerTime now);
  /// Plays the engine's answer to engine_task(); nothing happens if it comes too late for that. An answer that the
  /// rules forbid gives the game up: it must not stand still for ever.
  [[nodiscard]] std::vector<Event> engine_played(const EngineTask& task, std::string_view turn, ServerTime now);
  /// Events of clocks that have run out.
  [[nodiscard]] std::vector<Event> tick(ServerTime now);
  /// Tells what the game did to the ratings of both, by the order of the seats. Requires an ended rated game
  /// whose ratings were not told yet.
  [[nodiscard]] Event rated(const std::array<std::pair<double, double>, 2>& before_after, ServerTime now);
  /// Tells where both go on. Requires rematch_agreed().
  [[nodiscard]] Event rematch_opened(const RoomId& room, ServerTime now);

  // ---- Looking at it ----

  [[nodiscard]] const RoomId& id() const noexcept;
  [[nodiscard]] RoomState state() const noexcept;
  /// True once both seats were taken, also after the end.
  [[nodiscard]] bool has_begun() const noexcept;
  [[nodiscard]] const Game& game() const noexcept;
  /// Who sits there; person 0 and the name "Paika, level 7" for the engine; nothing while it is free.
  [[nodiscard]] const std::optional<Identity>& seat(Player player) const noexcept;
  [[nodiscard]] std::optional<Player> seat_of(PersonId person) const noexcept;
  /// The level of the engine if it sits there.
  [[nodiscard]] std::optional<int> engine_at(Player player) const noexcept;
  [[nodiscard]] bool is_rated() const noexcept;
  /// True if there is at least an hour for every move, or no clock at all.
  [[nodiscard]] bool is_correspondence() const noexcept;
  /// Who is to move in a game that goes on.
  [[nodiscard]] std::optional<Player> to_move() const;
  /// The clock as in the snapshot.
  [[nodiscard]] Json clock() const;
  [[nodiscard]] bool is_listed() const noexcept;
  /// True if an ended rated game has changed no rating yet.
  [[nodiscard]] bool awaits_rating() const noexcept;
  /// True from the moment both want a rematch until rematch_opened().
  [[nodiscard]] bool rematch_agreed() const noexcept;
  /// The plan of the rematch: the same with the sides exchanged. Requires rematch_agreed().
  [[nodiscard]] RoomPlan rematch_plan() const;
  /// When tick() would find that a clock has run out, the first microsecond that is too late; nothing if none runs.
  [[nodiscard]] std::optional<ServerTime> next_deadline() const;
  /// What the engine has to think about now, if it is to move and has time left; session_copy() is the game for it.
  [[nodiscard]] std::optional<EngineTask> engine_task(ServerTime now) const;
  /// A session of its own at the position as it stands, with its history.
  [[nodiscard]] std::unique_ptr<Session> session_copy() const;
  /// The moves that a player has left, and a number that changes with them. They are in no event: whoever stores the
  /// room stores them too, and gives them back after restore().
  [[nodiscard]] const ConditionalLines& conditional(Player player) const noexcept;
  [[nodiscard]] std::uint64_t conditional_version() const noexcept;
  void restore_conditional(Player player, const ConditionalLines& lines);
  /// Verdict and reason; ongoing while it is not ended.
  [[nodiscard]] const play::GameResult& result() const noexcept;
  [[nodiscard]] int turns_played() const noexcept;
  /// About how much memory it takes.
  [[nodiscard]] std::size_t memory_bytes() const;
  [[nodiscard]] std::uint64_t last_number() const noexcept;
  /// The events after `number`, oldest first; until the next change. Those that were brief have no text: it is in the
  /// store.
  [[nodiscard]] std::span<const Event> events_after(std::uint64_t number) const noexcept;
  /// The room as it stands, for a client that comes: everything a page shows, with the number of the last event.
  /// {room, number, server_time_us, state, spec, title, players: their names in the game, rated, listed, clock: null or
  /// {move_ms, grace_ms} or {base_ms, increment_ms, grace_ms}, seats: null or {who, rating: null or {before, after}}
  /// each, start, position, grid, to_move, clock_from_us, moves: [{seat, text, time_us} …], last_move: its event or
  /// null, offers: [{what, seat} …], running: whether a clock runs, result: the event `ended` or null, left, rematch:
  /// null or the room, chat: the last 50 events}. `viewer` is who comes: nobody is told what others may not know
  /// (sees()).
  [[nodiscard]] std::string snapshot_text(ServerTime now, PersonId viewer = 0) const;
  /// The same, read again.
  [[nodiscard]] Json snapshot(ServerTime now, PersonId viewer = 0) const;
  /// False if the event is kept from this person for now: what watchers say from those who play, until the end.
  [[nodiscard]] bool sees(PersonId viewer, std::string_view event_text) const;
  /// The game as a record with the names of the players ("engine:level=7" for ours). Requires has_begun().
  [[nodiscard]] play::GameRecord record(ServerTime now) const;

 private:
  class Impl;
  explicit Room(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace paika::server
