// A room from the inside. What an event does to the room is done by one function enter_…(), whether the event happens
// now (room_commands.cpp decides) or is read from the store. Nobody else calls it: an event that happens goes through
// its write_…(), which enters it and then writes it.
//
// Some events follow from others: both seats taken, the game begins. They are written by follow_up(), which looks at
// nothing but the room as it stands; so a room that is restored from the events up to any one of them goes on as the
// one that wrote them.
#pragma once

#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/rooms/chat.hpp"
#include "server/rooms/room.hpp"
#include "server/rooms/room_config.hpp"

namespace paika::server {

/// A player's offers of one kind.
struct Offering {
  std::uint64_t pending = 0;     // the event that made the one that stands; 0: none does
  bool lapsed = false;           // a turn has ended it, which is still to be told
  std::optional<int> barred_at;  // it came to nothing when the player had played so many turns
};

/// A turn that was played under a name of the client's.
struct PlayedId {
  std::string id;
  std::uint64_t event = 0;
};

/// What the room knows of one seat.
struct RoomSeat {
  std::optional<Identity> who;
  std::optional<int> engine;  // its level
  std::uint64_t joined = 0;   // the event by which it was taken; 0: with the room itself
  int own_turns = 0;          // played, also if they were taken back
  int takebacks = 0;
  std::vector<PlayedId> ids;
  ConditionalLines conditional;       // what the player has left for the opponent's next moves
  std::optional<std::string> answer;  // of them, due now
  std::array<Offering, all_offers.size()> offers;

  [[nodiscard]] Offering& offer(OfferKind kind) { return offers[static_cast<std::size_t>(kind)]; }
  [[nodiscard]] const Offering& offer(OfferKind kind) const { return offers[static_cast<std::size_t>(kind)]; }
};

/// How many chats a snapshot shows.
inline constexpr std::size_t shown_chats = 50;
/// Later than any server will live (31 years); times beyond could not be told from rubbish.
inline constexpr ServerTime latest_time{1'000'000'000'000'000};

class Room::Impl {
 public:
  using Answer = tl::expected<Accepted, Refused>;

  explicit Impl(RoomId name) : id(std::move(name)) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() = default;

  // ---- Time: read by the game as often as it wants, set once in every call ----

  void set_time(ServerTime now) const;
  /// Ends the game if the time of the player to move is over.
  void look_at_clock();

  // ---- What events do (room_events.cpp) ----

  void enter_created(RoomConfig created);
  void enter_joined(Player seat, Identity who);
  void enter_begun(bool counts);
  /// Plays it if the rules and the clock allow.
  tl::expected<void, play::NotPlayed> enter_turn(std::string_view text, std::string turn_id);
  void enter_offered(OfferKind kind, Player seat);
  void enter_offer_gone(OfferKind kind, Player seat);  // declined or withdrawn; `seat` offered it
  void enter_taken_back(int turns, Player seat);
  /// The result is the game's own if that has begun.
  void enter_ended();
  void enter_chat(std::optional<Player> seat, PersonId person);
  void enter_rated(const std::array<std::pair<double, double>, 2>& before_after);
  void enter_rematch(RoomId room);

  /// Does a stored event; an error if it does not follow from the ones before.
  [[nodiscard]] Result<void> fold(const Event& event);

  // ---- Events that happen now (room_events.cpp); each is entered and written, and its number returned ----

  std::uint64_t write_created(RoomConfig created);
  std::uint64_t write_joined(Player seat, const Identity& who);
  std::uint64_t write_begun();
  /// Of the player to move; nothing happens if the rules or the clock forbid it.
  tl::expected<std::uint64_t, play::NotPlayed> write_turn(std::string_view text, const std::string& turn_id);
  std::uint64_t write_offered(OfferKind kind, Player seat);
  std::uint64_t write_declined(OfferKind kind, Player seat);
  std::uint64_t write_withdrawn(OfferKind kind, Player seat);
  std::uint64_t write_taken_back(Player seat);
  /// Ends the game by something that somebody does: `end` is one of LiveGame's functions for that.
  template <class End>
  std::uint64_t write_end_by(End&& end) {
    const Json left = left_json();
    end(*live);
    return write_ended(left);
  }
  std::uint64_t write_ended(const Json& left);
  std::uint64_t write_chat(const Identity& who, std::string_view key, std::string_view words);
  std::uint64_t write_rated(const std::array<std::pair<double, double>, 2>& before_after);
  std::uint64_t write_rematch(const RoomId& room);
  /// Writes what follows from the room as it stands.
  void follow_up();
  /// True if follow_up() would write something.
  [[nodiscard]] bool follows() const;

  // ---- Commands (room_commands.cpp) ----

  Answer run(const Identity& who, const command::Join& join);
  Answer run(const Identity& who, const command::Play& play);
  Answer run(const Identity& who, const command::Offer& offer);
  Answer run(const Identity& who, const command::Agree& agree);
  Answer run(const Identity& who, const command::Decline& decline);
  Answer run(const Identity& who, const command::Resign& resign);
  Answer run(const Identity& who, const command::Abort& abort);
  Answer run(const Identity& who, const command::Say& say);
  Answer run(const Identity& who, const command::Conditional& conditional);

  // ---- Looking (room.cpp) ----

  [[nodiscard]] RoomState state() const noexcept;
  /// Who is to move; LiveGame::to_move() makes a whole board to tell. Requires a game.
  [[nodiscard]] Player mover() const { return live->board_before(live->turns().size()).to_move; }
  /// True if a game is going on whose end is not decided.
  [[nodiscard]] bool in_play() const { return live && !live->over(); }
  [[nodiscard]] std::optional<Player> seat_of(PersonId person) const noexcept;
  [[nodiscard]] RoomSeat& seat_at(Player player) { return room_seats[paika::seat_of(player)]; }
  [[nodiscard]] const RoomSeat& seat_at(Player player) const { return room_seats[paika::seat_of(player)]; }
  [[nodiscard]] std::uint64_t next_number() const noexcept { return events.size() + 1; }
  [[nodiscard]] std::uint64_t last_number() const noexcept { return events.size(); }
  [[nodiscard]] bool is_correspondence() const noexcept;
  [[nodiscard]] bool awaits_rating() const noexcept;
  [[nodiscard]] bool rematch_agreed() const noexcept;
  /// How many turns a takeback that `seat` offers would take; 0 if the player has played none.
  [[nodiscard]] int turns_to_take(Player seat) const;
  /// What both have left at the time that is set.
  [[nodiscard]] Json left_json() const;
  /// When the clock of the side to move began to run, or will; null where none runs.
  [[nodiscard]] Json clock_from_json() const;
  /// The board with what its text tells of the game in progress, as it was when the turn began.
  [[nodiscard]] Board shown_board() const;
  /// An event as JSON again.
  [[nodiscard]] Json event_json(std::uint64_t number) const;
  [[nodiscard]] bool sees(PersonId viewer, std::string_view event_text) const;
  [[nodiscard]] std::string snapshot_text(PersonId viewer) const;
  [[nodiscard]] std::optional<EngineTask> engine_task() const;

  RoomId id;
  RoomConfig config;
  std::array<RoomSeat, 2> room_seats;
  std::vector<Event> events;
  std::unique_ptr<play::LiveGame> live;  // from the event "begun" on
  bool rated = false;
  play::GameResult result;
  std::uint64_t ended = 0;                 // the event, as the next two; 0: none yet
  std::uint64_t position = 0;              // that led to the board as it stands
  std::vector<std::uint64_t> turn_events;  // of the turns that stand
  /// The turns that stand as snapshots list them, with commas between them, and where each ends: a long list is not
  /// made anew for everybody who comes.
  std::string turns_text;
  std::vector<std::size_t> turns_ends;
  std::deque<std::uint64_t> chats;  // the last ones
  std::optional<std::array<std::pair<double, double>, 2>> ratings;
  std::optional<RoomId> rematch;
  std::array<PersonId, 2> persons{};  // whom stored events mean by those on the seats
  ChatLimit chat_limit;
  std::uint64_t conditional_version = 0;
  mutable ServerTime at{0};

 private:
  /// An event's beginning, and its end: it becomes the next one.
  [[nodiscard]] Json new_event(std::string_view kind) const;
  std::uint64_t push(const Json& event, PersonId by = 0);
  void add_position(Json& event) const;
  /// `event` with the last turn that stands.
  [[nodiscard]] Json with_turn(Json event, const std::string& turn_id) const;
  /// The player `seat` has moved: what the other one has left for that becomes due, or falls.
  void take_answer(Player seat);
  void drop_conditional();
  /// Plays what is due of conditional moves.
  void play_answers();
  /// True if the engine sits there and has an offer to answer.
  [[nodiscard]] bool owes_answer(Player engine) const;
  void answer_for_engine(Player engine);

  [[nodiscard]] tl::expected<Player, Refused> player_in_play(const Identity& who) const;
  [[nodiscard]] std::optional<Refused> refuse_offer(OfferKind kind, Player seat) const;
  /// True if the game has ended because this player's time was over.
  [[nodiscard]] bool lost_on_time(Player seat) const;
  [[nodiscard]] Refused refused_for_end(std::optional<Player> seat) const;
  Answer agree(OfferKind kind, Player seat);

  [[nodiscard]] Json seats_json() const;
  [[nodiscard]] Json offers_json() const;
  [[nodiscard]] Json last_turn_json() const;

  // What a kind of stored event does; each complains of what it cannot be.
  void fold_created(Fields& event);
  void fold_joined(Fields& event);
  void fold_begun(Fields& event);
  void fold_turn(Fields& event);
  void fold_offered(Fields& event);
  void fold_declined(Fields& event);
  void fold_withdrawn(Fields& event);
  void fold_offer_gone(Fields& event, Player offerer);
  void fold_taken_back(Fields& event);
  void fold_chat(Fields& event);
  void fold_ended(Fields& event);
  void fold_rated(Fields& event);
  void fold_rematch(Fields& event);
};

}  // namespace paika::server
