// Hub: all rooms that somebody plays or watches, between the clients, the store and the engine.
//
// It lives on the network thread. A command changes the room at once, which fixes its order; its events go to the
// writer, and only when they are committed are they answered and told to those who watch. If the store fails, the room
// is dropped and read anew from what was committed, so that memory never knows more than the disk.
//
// Only rooms in which something is due stay in memory: a clock runs, the engine is to move, somebody watches or has
// just been there, as far as there is room for the last. All others are read again when somebody wants them, on other
// threads; who wants the same room meanwhile from the same address waits for the same reading.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "server/background_reader.hpp"
#include "server/http/site.hpp"
#include "server/log.hpp"
#include "server/open_rooms.hpp"
#include "server/rated_positions.hpp"
#include "server/room_reader.hpp"
#include "server/rooms/room.hpp"
#include "server/store/store.hpp"
#include "server/store/writer.hpp"
#include "server/work_queue.hpp"

namespace paika::server {

inline constexpr int default_engine_hash_mb = 8;
inline constexpr std::chrono::milliseconds default_time_interval{250};
inline constexpr std::size_t default_max_idle_bytes = std::size_t{256} << 20U;

/// Why something was not read.
[[nodiscard]] Refused not_taken(WorkQueue::Full full);

/// What a hub needs of the world around it. All of it outlives the hub.
struct HubDeps {
  Store& reader;  // for this thread, before it serves anybody
  Writer& writer;
  WorkQueue& engines;
  BackgroundReader& readers;
  Log& log;
  std::function<ServerTime()> now;                  // from any thread
  std::function<void(std::function<void()>)> post;  // to the network thread, from any
  std::function<RoomId()> new_id;
  std::string tables;  // the folder of perfect play for the engine; empty: none
  int engine_hash_mb = default_engine_hash_mb;
  RatedPositions* rated_positions = nullptr;  // is kept up to date, if there is one
  std::function<void()> on_listed;            // a listed room was opened, has begun or has ended
  /// While a clock runs the time is committed so often: a crash gives the side to move so much.
  std::chrono::milliseconds time_interval = default_time_interval;
  /// How much of rooms that nobody needs now may stay in memory: beyond that, those that were used last stay.
  std::size_t max_idle_bytes = default_max_idle_bytes;
};

struct HubCounts {
  std::size_t rooms = 0, running = 0, watchers = 0, loading = 0;  // now, in memory
  std::uint64_t turns = 0, engine_turns = 0, ended = 0, opened = 0, failures = 0;
};

class Hub {
 public:
  using Answer = std::function<void(const tl::expected<Accepted, Refused>&)>;
  using TextDone = std::function<void(const tl::expected<std::string, Refused>&)>;

  explicit Hub(HubDeps deps);
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;
  ~Hub();

  /// Reads the rooms that have not ended, so that their clocks run and the engine goes on; those in which nothing is
  /// due are not kept. A room that cannot be read is told to the log and marked as damaged. `on_progress` is called
  /// before each room.
  void load(const std::function<void()>& on_progress = [] {});

  /// Opens a room and counts it for the client, however many that has; the answer comes when it is committed, together
  /// with what `also` writes about it. Refused: a bad plan (bad_request), or the storage.
  void open(const RoomPlan& plan, const Identity& opener, const Client& client,
            std::function<void(tl::expected<RoomId, Refused>)> done,
            std::function<void(Store&, const RoomId&)> also = {});
  /// Does what somebody asks in a room. Answers exactly once, after what happened is committed. The client pays for
  /// what follows: the engine's answer to a move, and a rematch, which is refused (too_many_rooms) to whom may open no
  /// more rooms.
  void command(const RoomId& room, const Client& client, const Identity& who, const Command& command, Answer answer);

  /// Sends the room to a subscriber from now on: first what it missed since event `since`, or the whole room as it
  /// stands, then every event as it is committed. However much that is, only so much of it waits at a time: the rest
  /// follows as the client takes it. Refused: there is no such room, or it is damaged.
  void watch(const RoomId& room, const Client& client, const std::shared_ptr<Subscriber>& subscriber,
             std::optional<std::uint64_t> since, std::function<void(std::optional<Refused>)> done);
  void leave(const RoomId& room, const Subscriber* subscriber);

  /// Nothing if there is such a room and it can be read; then it is in memory.
  void look_up(const RoomId& room, const Client& client, std::function<void(std::optional<Refused>)> done);
  /// The room as it stands, as JSON, once everything in it is committed.
  void snapshot(const RoomId& room, const Client& client, TextDone done);
  /// The conditional moves of a player there, as JSON: {"lines": […]}. Refused: the client's person does not play
  /// there.
  void conditional(const RoomId& room, const Client& client, TextDone done);
  /// The record's text of a game that has begun.
  void record(const RoomId& room, const Client& client, TextDone done);

  /// The server's time, as in events.
  [[nodiscard]] ServerTime time() const { return deps_.now(); }
  /// Looks at the clocks; to be called every few dozen milliseconds.
  void tick();
  /// A person is about to be erased: games that go on are given up, open rooms closed. `done` is called when all of
  /// that has been handed to the writer; false: the games cannot be read now, and not all were given up.
  void give_up_games(PersonId person, const std::function<void(bool)>& done);
  /// Everything of a person was erased from the store: rooms that know the name are read anew.
  void forget(PersonId person);
  /// A room was deleted from the store: whoever watches it is sent away.
  void forget_room(const RoomId& room);
  [[nodiscard]] HubCounts counts() const;
  /// Who has opened which rooms.
  [[nodiscard]] OpenRooms& open_rooms() noexcept { return open_rooms_; }

 private:
  struct Watcher;
  struct RoomEntry;
  using RoomEntryPtr = std::shared_ptr<RoomEntry>;
  using UseRoom = std::function<void(const tl::expected<RoomEntryPtr, Refused>&)>;
  /// True once somebody's reading of a room is done, so that the others of it need not be.
  using Reading = std::shared_ptr<std::atomic<bool>>;
  /// A room that is being read, once for each address that wants it: none waits until it is another's turn.
  struct Loading {
    Reading reading = std::make_shared<std::atomic<bool>>(false);
    std::set<std::string> addresses;
    std::vector<std::pair<Client, UseRoom>> waiting;
    bool again = false;  // it has changed meanwhile
  };

  // ---- Rooms in memory (hub.cpp) ----

  /// Calls `use` with the room: at once if it is in memory, else when it was read for the client.
  void with_room(const RoomId& id, const Client& client, UseRoom use);
  [[nodiscard]] tl::expected<void, WorkQueue::Full> read(const RoomId& id, const Client& client,
                                                         const Reading& reading);
  void was_read(const RoomId& id, const Reading& reading, tl::expected<StoredRoom, Refused> read,
                const std::string& fault);
  /// Notes in the log and in the room's row that it is damaged, or that it is not any more.
  void note_damage(const RoomId& id, bool damaged, const std::string& fault);
  RoomEntryPtr enter(std::unique_ptr<Room> room);
  RoomEntryPtr enter(StoredRoom stored);
  void drop(const RoomEntryPtr& entry, std::string_view why);
  void release(const RoomEntryPtr& entry);
  void evict_idle();
  /// True if nothing is lost when the room is read again for whoever wants it next.
  [[nodiscard]] static bool may_leave(const RoomEntry& entry, ServerTime now);
  void put_to_sleep(const Room& room);
  void wake_sleeping();
  void give_up(const RoomEntryPtr& entry, PersonId person);

  // ---- Committing (hub.cpp) ----

  void commit(const RoomEntryPtr& entry, std::vector<Event> events, std::function<void(bool)> done,
              std::function<void(Store&)> also = {});
  void committed(const RoomEntryPtr& entry, const std::vector<Event>& events);
  void on_commit(const RoomEntryPtr& entry, std::function<void(bool)> call);
  /// Makes a new snapshot for the store if the last one covers too little.
  void refresh_snapshot(const RoomEntryPtr& entry);
  void look_after(const RoomEntryPtr& entry);
  void note_rated_position(const Room& room);
  /// What the store has to do so that it has the room's conditional moves; nothing if it has them.
  [[nodiscard]] std::function<void(Store&)> conditional_change(RoomEntry& entry);
  void schedule(const RoomEntryPtr& entry);
  void ask_engine(const RoomEntryPtr& entry);
  /// Asks the engine again a little later.
  void await_engine(const RoomEntryPtr& entry);
  void engine_answered(const RoomEntryPtr& entry, std::uint64_t question, const EngineTask& task,
                       const std::optional<std::string>& turn);
  void commit_time();
  void rate(const RoomEntryPtr& entry);
  /// Counts a rematch for whoever has agreed to it, before it is opened.
  void reserve_rematch(const RoomEntryPtr& entry, const Client& client);
  void open_rematch(const RoomEntryPtr& entry);

  // ---- Watching (hub_watch.cpp) ----

  void watch_entry(const RoomEntryPtr& entry, Watcher watcher, std::uint64_t wish, std::optional<std::uint64_t> since,
                   const std::function<void(std::optional<Refused>)>& done);
  void add_watcher(const RoomEntryPtr& entry, const std::shared_ptr<Watcher>& watcher);
  void send_events(const RoomEntryPtr& entry, const std::vector<Event>& events);
  static void send_event(const RoomEntry& entry, Watcher& watcher, const Event& event);
  /// Sends a watcher what it lacks, as far as there is room for it; goes on when the client has taken that.
  void catch_up(const RoomEntryPtr& entry, const std::shared_ptr<Watcher>& watcher);
  void read_page(const RoomEntryPtr& entry, const std::shared_ptr<Watcher>& watcher);
  void read_due_pages();
  void send_page(const RoomEntryPtr& entry, const std::shared_ptr<Watcher>& watcher, const std::vector<Event>& events);
  /// Tells those who watch who is here, now or a little later together with the next changes.
  void presence_changed(const RoomEntryPtr& entry);
  void send_presence(const RoomEntryPtr& entry);
  void send_due_presence();
  void send_committed(const RoomEntryPtr& entry, std::string text, const TextDone& done);

  HubDeps deps_;
  std::unordered_map<RoomId, RoomEntryPtr> rooms_;
  std::multimap<ServerTime, RoomEntryPtr> deadlines_;
  /// Rooms out of memory whose clocks run for a long time yet, by when they are read again.
  std::set<std::pair<ServerTime, RoomId>> sleeping_;
  std::unordered_map<RoomId, Loading> loading_;
  std::unordered_set<RoomId> damaged_;  // those that were told to the log
  /// Those who will watch a room once it is read and committed, by the number of their wish.
  std::map<std::pair<RoomId, const Subscriber*>, std::uint64_t> wishes_;
  std::uint64_t wish_count_ = 0;
  std::vector<RoomEntryPtr> presence_due_;
  std::vector<std::pair<RoomEntryPtr, std::shared_ptr<Watcher>>> pages_due_;  // there was no place in the queue for
  std::vector<RoomEntryPtr> awaiting_engine_;  // the engine is to move there, and had no time for it yet
  ServerTime time_kept_{0};
  bool time_under_way_ = false;
  ServerTime evicted_{0};          // when rooms that nobody needs were last looked for
  std::size_t entered_bytes_ = 0;  // of rooms that have come into memory since
  HubCounts counts_;
  OpenRooms open_rooms_;
  std::shared_ptr<char> alive_ = std::make_shared<char>();  // callbacks look whether we still live
};

}  // namespace paika::server
