// Store: everything the server keeps, in one SQLite file or one PostgreSQL database. One connection; to be used by one
// thread.
//
// The layout has a version; open() brings an older store up to date step by step and refuses a newer one. Every
// statement is prepared, nothing is pasted into SQL, and each is written once for both engines (decision 16). Functions
// that can fail by the machine's fault (a full disk, a damaged file, a lost connection) throw StoreError; what a person
// did wrong is a Result.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "database/connection.hpp"
#include "play/glicko.hpp"
#include "server/rooms/event.hpp"

namespace paika::server {

using paika::StoreError;

/// What is stored of one room is not what was written there; the message names the room and what is wrong.
struct DamagedRoom : StoreError {
  using StoreError::StoreError;
};

/// Milliseconds since 1970 in UTC: dates for people, never used for clocks.
using WallTime = std::int64_t;
/// The time of day, by a clock that does not follow jumps (server/store/wall_clock.hpp). From any thread.
[[nodiscard]] WallTime wall_now();
/// So many browsers may be logged in as the same person at a time.
inline constexpr std::int64_t max_sessions = 50;

struct Person {
  PersonId id = 0;
  std::string name;
  bool member = false;  // else a guest
  WallTime since = 0;
  // What operators have decided (paika admin).
  bool approved = false;  // may open classes where that needs approval
  bool muted = false;     // does not write in chats
  bool banned = false;    // has no sessions and tokens, and gets none
};

/// A room in lists.
struct RoomRow {
  RoomId id;
  std::string spec;
  RoomState state = RoomState::open;
  std::array<PersonId, 2> persons{};  // 0: nobody yet, the engine, or somebody who was erased
  std::array<std::string, 2> names;   // as they were when the game was played
  bool rated = false;
  bool listed = false;
  bool damaged = false;  // what is stored of it could not be read when it was last tried
  int turns = 0;
  std::string verdict;  // "ongoing" until it has ended
  std::string reason;
  std::array<std::optional<std::pair<double, double>>, 2> ratings;  // before and after
  WallTime created = 0;
  WallTime changed = 0;
  std::string clock = "null";  // as in the event "created", JSON
  std::string to_move;         // "first" or "second" while the game goes on
  ServerTime due{0};           // when the time of the side to move is over; 0: never
};

/// What a room's first events come to, in a form that is quick to read (server/rooms/room_snapshot.hpp). The events
/// remain the truth: a room without a snapshot is read from them.
struct SnapshotRow {
  std::uint64_t number = 0;  // of the last event that it covers; 0: there is no snapshot
  std::string text;
};

/// A room's place in a list by time: two may have changed in the same millisecond.
struct RoomPlace {
  WallTime changed = 0;
  RoomId id;
};

/// A secret for programs, without the secret.
struct TokenRow {
  std::int64_t id = 0;
  std::string label;
  WallTime created = 0;
  WallTime used = 0;  // 0: never
};

/// How well a person solves the puzzles of a game.
struct PuzzleRating {
  std::string game;
  play::Rating rating;
  int puzzles = 0;  // that were tried
  int solved = 0;   // at the first try
};

struct RatingRow {
  std::string game;  // "othello"
  play::Rating rating;
  int games = 0;
};

class Store {
 public:
  using Mode = Access;

  /// Opens the store of a file's path or of a PostgreSQL URL, or makes it (database/open.hpp): `owner` alone may write,
  /// and there is one at a time; a `reader` needs a store that exists. An error says what is wrong: also that nothing
  /// can be written to it.
  [[nodiscard]] static Result<std::unique_ptr<Store>> open(const std::string& where, Mode mode,
                                                           const OwnerTerms& terms = {});
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  ~Store();

  // ---- Transactions ----

  /// Runs `work` as one: all of it happens, or nothing if it throws. May be nested.
  template <class Work>
  void atomically(Work&& work) {
    begin_part();
    try {
      work();
    } catch (...) {
      undo_part();
      throw;
    }
    end_part();
  }

  /// The same as a part of what goes on already, which fails with it: that costs no savepoint.
  template <class Work>
  void in_transaction(Work&& work) {
    if (is_in_part()) return work();
    atomically(std::forward<Work>(work));
  }

  // ---- Whether it lasts ----

  /// Why what is written now does not last: the file was deleted or replaced, is read-only, or its disk is full. Also
  /// writes a little, so that the commit fails if nothing can be written at all. Nothing if all is well.
  [[nodiscard]] std::optional<std::string> storage_fault();

  /// The number of this owner of the database (Connection::epoch()); events keep it.
  [[nodiscard]] std::int64_t epoch() const noexcept;
  /// The owner says who it is, and that it is there (Connection::say_owner()).
  void say_owner(const std::string& owner);
  /// True if this owner cannot go on (Connection::is_deposed()).
  [[nodiscard]] bool is_deposed() const noexcept;

  // ---- The server's clock ----

  /// The latest time that was kept; zero in a new file. Never goes back.
  [[nodiscard]] ServerTime server_time();
  /// In a transaction it is written once, at its end.
  void save_server_time(ServerTime now);

  // ---- Rooms ----

  /// A person in the row who was erased meanwhile is kept as "deleted"; so it is with the next two.
  void add_room(const RoomRow& row);
  /// Everything of the row but id, spec, created, rated, listed and damaged. Ratings in it mean that they were told in
  /// the room; those that rate() has kept stay if the row has none. A StoreError if there is no such room.
  void change_room(const RoomRow& row);
  [[nodiscard]] std::optional<RoomRow> room(const RoomId& id);
  /// Adds events; they must go on where the stored ones end (a gap or a repetition is a StoreError).
  void add_events(const RoomId& room, std::span<const Event> events);
  /// The events after number `after`, oldest first: all of them, or as many as have about `max_bytes` of text (one at
  /// least). Each is compared with its checksum: throws DamagedRoom if one is missing or not as it was written.
  [[nodiscard]] std::vector<Event> events(const RoomId& room, std::uint64_t after = 0,
                                          std::size_t max_bytes = std::numeric_limits<std::size_t>::max());
  /// Notes in the room's row whether it can be read.
  void set_damaged(const RoomId& room, bool damaged);
  /// The room's snapshot; none if there is none, or if it is not as it was written.
  [[nodiscard]] SnapshotRow snapshot(const RoomId& room);
  /// Keeps a snapshot in the place of a shorter one. Nothing happens if the room is gone, or if somebody was erased
  /// since erasures() was `erasures_before`: the snapshot may still know the name.
  void save_snapshot(const RoomId& room, const SnapshotRow& snapshot, std::int64_t erasures_before);
  /// How many people were erased so far.
  [[nodiscard]] std::int64_t erasures();
  /// The rooms that have not ended, and the rated ones that ended with a result whose ratings were not told yet:
  /// change_room() had none, even if rate() has counted them.
  [[nodiscard]] std::vector<RoomId> unfinished_rooms();
  /// A person's rooms that have not ended.
  [[nodiscard]] std::vector<RoomId> unfinished_rooms_of(PersonId person);
  /// A person's games with other people that go on: those that wait for this person first, the most urgent ahead.
  [[nodiscard]] std::vector<RoomRow> running_games_of(PersonId person, std::size_t most);
  /// The conditional moves of a seat, as JSON; empty: there are none.
  [[nodiscard]] std::string conditional_moves(const RoomId& room, std::string_view seat);
  void save_conditional_moves(const RoomId& room, std::string_view seat, std::string_view lines);
  /// Listed rooms in a state, newest first.
  [[nodiscard]] std::vector<RoomRow> listed_rooms(RoomState state, std::size_t most);
  /// A person's rooms, the last changed first, after the place in that order that `after` has; empty: from the first
  /// on.
  [[nodiscard]] std::vector<RoomRow> rooms_of(PersonId person, const std::optional<RoomPlace>& after, std::size_t most);
  /// Rooms that have ended, in the order of their last change, after a place in that order and not changed since
  /// `before`.
  [[nodiscard]] std::vector<RoomRow> ended_rooms(const RoomPlace& after, WallTime before, std::size_t most);
  /// Deletes open rooms that nobody joined and that have not changed since `before`; returns their ids.
  std::vector<RoomId> drop_open_rooms(WallTime before);

  // ---- People ----

  /// A new guest with a free name such as "guest-x7k2p".
  [[nodiscard]] Person add_guest(WallTime now);
  /// Makes a guest a member, who keeps his games. An error if the name is taken (in any case) or not allowed. An empty
  /// hash is that of a member without a password (server/store/identities.hpp).
  [[nodiscard]] Result<Person> make_member(PersonId guest, std::string_view name, std::string_view password_hash);
  [[nodiscard]] std::optional<Person> person(PersonId id);
  /// By name, in any case.
  [[nodiscard]] std::optional<Person> person_named(std::string_view name);
  /// Nothing for a guest; empty for a member without a password.
  [[nodiscard]] std::optional<std::string> password_hash(PersonId id);
  /// Of a member; a StoreError if there is none.
  void set_password_hash(PersonId id, std::string_view hash);
  /// Takes a person out of the store: account, sessions, tokens, ratings, chat. Games stay for others, with the name
  /// "deleted" in the place of this one, in rows and in the texts of events, and with the person 0. Nothing happens
  /// if there is no such person.
  void erase_person(PersonId id);
  /// Deletes sessions that have ended, and guests without any game: those without session and token, and those who are
  /// a day old and have used no token for a day. Returns how many guests. Looks at a thousand of each in a call and
  /// goes on from there in the next one. A new guest's session is therefore to be added in one job with the guest.
  int drop_idle_guests(WallTime now);

  // ---- Sessions and tokens; only hashes of secrets are kept (server/store/secrets.hpp) ----

  /// Of more than max_sessions of a person, those that end first are ended.
  void add_session(PersonId person, std::string_view secret_hash, WallTime now, WallTime until);
  /// Whose session it is, if it has not ended.
  [[nodiscard]] std::optional<PersonId> session_person(std::string_view secret_hash, WallTime now);
  /// When it began; nothing if there is none.
  [[nodiscard]] std::optional<WallTime> session_created(std::string_view secret_hash);
  void end_session(std::string_view secret_hash);
  /// Ends all sessions of a person but one.
  void end_sessions(PersonId person, std::string_view but_hash);
  TokenRow add_token(PersonId person, std::string_view label, std::string_view secret_hash, WallTime now);
  [[nodiscard]] std::optional<PersonId> token_person(std::string_view secret_hash);
  /// Notes when it was used last; once an hour is often enough.
  void token_used(std::string_view secret_hash, WallTime now);
  [[nodiscard]] std::vector<TokenRow> tokens(PersonId person);
  /// Ends all tokens of a person but one.
  void end_tokens(PersonId person, std::string_view but_hash);
  /// False if the person has no such token.
  bool drop_token(PersonId person, std::int64_t token);

  // ---- Ratings ----

  [[nodiscard]] play::Rating rating(PersonId person, std::string_view game);
  [[nodiscard]] std::vector<RatingRow> ratings(PersonId person);
  /// The best of a game whose ratings are sure enough (deviation below 110), best first.
  [[nodiscard]] std::vector<std::pair<Person, RatingRow>> best_rated(std::string_view game, std::size_t most);
  /// Counts a game for both ratings and keeps before and after in its row, once: what a room has done before is
  /// given again. `score` is the first player's: 1, 0.5 or 0. Each game is a rating period of its own; deviations do
  /// not sink below 45, so that ratings go on moving. A person who was erased meanwhile counts as a new one.
  std::array<std::pair<double, double>, 2> rate(const RoomId& room, std::string_view game,
                                                const std::array<PersonId, 2>& persons, double score);

  // ---- Puzzles ----

  [[nodiscard]] PuzzleRating puzzle_rating(PersonId person, std::string_view game);
  [[nodiscard]] std::vector<PuzzleRating> puzzle_ratings(PersonId person);
  /// The puzzles of a game that a person has tried, by their names.
  [[nodiscard]] std::set<std::string> puzzles_tried(PersonId person, std::string_view game);
  /// Counts the first try at a puzzle as a game against its rating; false, and nothing happens, if it is not the first,
  /// or the person was erased meanwhile.
  bool rate_puzzle(PersonId person, std::string_view game, std::string_view puzzle, const play::Rating& difficulty,
                   bool solved);

 private:
  friend class ClassStore;  // server/store/classes.hpp and the like: other parts of the same file
  friend class OperatorStore;
  friend class IdentityStore;
  friend class LtiStore;
  friend class AssignmentStore;  // server/store/assignments.hpp
  friend class ExhibitionStore;  // server/store/exhibitions.hpp
  friend class StudyStore;       // server/store/studies.hpp
  class Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  [[nodiscard]] bool is_in_part() const noexcept;
  void begin_part();
  void end_part();
  void undo_part();
  std::unique_ptr<Impl> impl_;
};

/// The path that the files beside a store begin with, such as the admin socket's, by whatever name the store is opened:
/// that of SQLite's file when links are followed; for PostgreSQL one in the user's data folder. An error if there can
/// be no such store.
[[nodiscard]] Result<std::string> files_beside(const std::string& where);

/// The layout's version that this program writes.
inline constexpr int store_version = 17;

/// Nothing if a person may be called so, else why not: 2 to 20 letters, digits, '-' and '_', beginning with a letter,
/// not "guest-…", "deleted", "paika", "engine", "admin".
[[nodiscard]] std::optional<Error> name_fault(std::string_view name);

}  // namespace paika::server
