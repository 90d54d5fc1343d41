// Hub: all rooms that somebody plays or watches, between the clients, the store and the engine.
//
// It lives on the network thread. A command changes the room at once, which fixes its order; its events go to the
// writer, and only when they are committed are they answered and told to those who watch. If the store fails, the room
// is dropped and read anew from what was committed, so that memory never knows more than the disk.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/http/site.hpp"
#include "server/log.hpp"
#include "server/rooms/room.hpp"
#include "server/store/store.hpp"
#include "server/store/writer.hpp"
#include "server/work_queue.hpp"

namespace paika::server {

/// What a hub needs of the world around it. All of it outlives the hub.
struct HubDeps {
  Store& reader;  // for this thread
  Writer& writer;
  WorkQueue& engines;
  Log& log;
  std::function<ServerTime()> now;                  // from any thread
  std::function<void(std::function<void()>)> post;  // to the network thread, from any
  std::function<RoomId()> new_id;
  std::string tables;  // the folder of perfect play for the engine; empty: none
  int engine_hash_mb = 8;
};

struct HubCounts {
  std::size_t rooms = 0, running = 0, watchers = 0;  // now, in memory
  std::uint64_t turns = 0, engine_turns = 0, ended = 0, opened = 0, failures = 0;
};

class Hub {
 public:
  using Answer = std::function<void(const tl::expected<Accepted, Refused>&)>;

  explicit Hub(HubDeps deps);
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;
  ~Hub();

  /// Reads the rooms that have not ended, so that their clocks run and the engine goes on. A room that cannot be
  /// read is told to the log and left alone.
  void load();

  /// Opens a room; the answer comes when it is committed.
  void open(const RoomPlan& plan, const Identity& opener, std::function<void(Result<RoomId>)> done);
  /// Does what somebody asks in a room. Answers exactly once, after what happened is committed.
  void command(const RoomId& room, const Identity& who, const Command& command, Answer answer);

  /// Sends the room to a subscriber from now on: first what it missed since event `since`, or the whole room as it
  /// stands, then every event as it is committed. Refused: there is no such room.
  void watch(const RoomId& room, PersonId person, const std::shared_ptr<Subscriber>& subscriber,
             std::optional<std::uint64_t> since, std::function<void(std::optional<Refused>)> done);
  void leave(const RoomId& room, const Subscriber* subscriber);

  /// The room as it stands, once everything in it is committed.
  void snapshot(const RoomId& room, std::function<void(tl::expected<Json, Refused>)> done);
  /// The record's text of a game that has begun.
  void record(const RoomId& room, std::function<void(tl::expected<std::string, Refused>)> done);

  /// The server's time, as in events.
  [[nodiscard]] ServerTime time() const { return deps_.now(); }
  /// Looks at the clocks; to be called every few dozen milliseconds.
  void tick();
  /// A person is about to be erased: games that go on are given up, open rooms closed.
  void give_up_games(PersonId person);
  /// Everything of a person was erased from the store: rooms that know the name are read anew.
  void forget(PersonId person);
  [[nodiscard]] HubCounts counts() const;

 private:
  struct Watcher;
  struct RoomEntry;
  using RoomEntryPtr = std::shared_ptr<RoomEntry>;

  [[nodiscard]] RoomEntryPtr find(const RoomId& id);
  RoomEntryPtr enter(std::unique_ptr<Room> room);
  void commit(const RoomEntryPtr& entry, std::vector<Event> events, std::function<void(bool)> done,
              std::function<void(Store&)> also = {});
  void committed(const RoomEntryPtr& entry, const std::vector<Event>& events);
  void drop(const RoomEntryPtr& entry, std::string_view why);
  void release(const RoomEntryPtr& entry);
  void evict_idle();
  void on_commit(const RoomEntryPtr& entry, std::function<void(bool)> call);
  void look_after(const RoomEntryPtr& entry);
  void schedule(const RoomEntryPtr& entry);
  void ask_engine(const RoomEntryPtr& entry);
  void engine_answered(const RoomEntryPtr& entry, std::uint64_t question, const EngineTask& task,
                       const std::optional<std::string>& turn);
  void commit_time();
  void rate(const RoomEntryPtr& entry);
  void open_rematch(const RoomEntryPtr& entry);
  void send_presence(const RoomEntryPtr& entry);

  HubDeps deps_;
  std::unordered_map<RoomId, RoomEntryPtr> rooms_;
  std::multimap<ServerTime, RoomEntryPtr> deadlines_;
  std::vector<RoomEntryPtr> awaiting_engine_;  // the engine is to move there, and had no time for it yet
  ServerTime time_kept_{0};
  ServerTime evicted_{0};  // when rooms that nobody needs were last looked for
  HubCounts counts_;
  std::shared_ptr<char> alive_ = std::make_shared<char>();  // callbacks look whether we still live
};

}  // namespace paika::server
