#include "server/hub.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/check.hpp"
#include "base/random.hpp"
#include "server/hub_entry.hpp"
#include "server/rooms/room_json.hpp"
#include "server/rooms/room_snapshot.hpp"

namespace paika::server {

namespace {

constexpr ServerTime idle_room_time = std::chrono::minutes(2);  // a room that nobody needs stays so long in memory
constexpr ServerTime far_deadline = std::chrono::minutes(30);   // a clock that runs longer needs no room in memory
constexpr ServerTime wake_again = std::chrono::seconds(1);      // when it could not be read
constexpr ServerTime wake_ahead = std::chrono::minutes(1);      // before a clock runs out its room is read again
constexpr ServerTime between_far_times = std::chrono::seconds(30);
constexpr int read_anew_code = 1012;  // "service restart": clients come again

/// True if something happens in the room by itself: then it must be in memory.
bool is_due(const Room& room, ServerTime now) {
  return room.next_deadline() || room.engine_task(now) || room.awaits_rating() || room.rematch_agreed();
}

/// True if nothing happens in the room for a long time but that a clock runs.
bool sleeps(const Room& room, ServerTime now) {
  const auto deadline = room.next_deadline();
  return deadline && *deadline - now > far_deadline && !room.engine_task(now) && !room.awaits_rating() &&
         !room.rematch_agreed();
}

/// A room of before the last start counts for the person who has opened it, where that is one alone.
void count_again(OpenRooms& rooms, const RoomRow& row) {
  const auto [first, second] = row.persons;
  if ((first == 0) == (second == 0)) return;
  const std::chrono::milliseconds age(std::max<WallTime>(0, wall_now() - row.created));
  if (age < OpenRooms::max_age) rooms.add(row.id, {"", first + second}, std::chrono::steady_clock::now() - age);
}

}  // namespace

Hub::Hub(HubDeps deps) : deps_(std::move(deps)) {}

Hub::~Hub() {
  for (const auto& [id, entry] : rooms_) {
    if (entry->stop) entry->stop->request_stop();
  }
}

void Hub::load(const std::function<void()>& on_progress) {
  for (const RoomId& id : deps_.reader.unfinished_rooms()) {
    on_progress();
    try {
      std::string fault;
      auto read = read_room(deps_.reader, id, fault);
      if (!read) {
        note_damage(id, true, fault);
        continue;
      }
      count_again(open_rooms_, read->row);
      if (sleeps(*read->room, deps_.now())) {
        put_to_sleep(*read->room);
      } else if (is_due(*read->room, deps_.now())) {
        look_after(enter(std::move(*read)));
      }
    } catch (const StoreError& error) {
      deps_.log.write(LogLevel::error, "room_unreadable", {{"room", id}, {"what", error.what()}});
    }
  }
}

// ---- Rooms in memory ----

Refused not_taken(WorkQueue::Full full) {
  if (full == WorkQueue::Full::queue) return too_busy();
  return {"too_often",
          "you, or your address, have too much waiting already: try again when it is done",
          {{"retry_after_ms", 2000}}};
}

void Hub::with_room(const RoomId& id, const Client& client, UseRoom use) {
  const auto found = rooms_.find(id);
  if (found != rooms_.end()) {
    const RoomEntryPtr entry = found->second;
    entry->used = deps_.now();
    use(entry);
    return;
  }
  Loading& loading = loading_[id];
  if (!loading.addresses.contains(client.address)) {
    if (const auto taken = read(id, client, loading.reading); !taken) {
      if (loading.waiting.empty()) loading_.erase(id);
      return use(tl::unexpected(not_taken(taken.error())));
    }
    loading.addresses.insert(client.address);
  }
  loading.waiting.emplace_back(client, std::move(use));
}

tl::expected<void, WorkQueue::Full> Hub::read(const RoomId& id, const Client& client, const Reading& reading) {
  struct Found {
    tl::expected<StoredRoom, Refused> room;
    std::string fault;
  };
  return deps_.readers.run(
      client,
      [id, reading](Store& store) {
        std::optional<Found> found;
        if (*reading) return found;
        std::string fault;
        auto room = read_room(store, id, fault);
        found = Found{std::move(room), std::move(fault)};
        *reading = true;
        return found;
      },
      [this, alive = std::weak_ptr(alive_), id, reading](tl::expected<std::optional<Found>, std::string> found) {
        if (alive.expired() || (found && !*found)) return;
        if (found) return was_read(id, reading, std::move((*found)->room), (*found)->fault);
        deps_.log.write(LogLevel::error, "storage_failed", {{"room", id}, {"what", found.error()}});
        was_read(id, reading, tl::unexpected(storage_failed()), "");
      });
}

void Hub::was_read(const RoomId& id, const Reading& reading, tl::expected<StoredRoom, Refused> read,
                   const std::string& fault) {
  const auto found = loading_.find(id);
  if (found == loading_.end() || found->second.reading != reading) return;  // another address's was done before
  const Loading loading = std::move(found->second);
  loading_.erase(found);
  if (loading.again) {
    for (const auto& [client, use] : loading.waiting) with_room(id, client, use);
    return;
  }
  tl::expected<RoomEntryPtr, Refused> entry;
  if (read) {
    const bool damaged = read->row.damaged;
    entry = enter(std::move(*read));
    if (damaged) note_damage(id, false, "");
    look_after(*entry);
    refresh_snapshot(*entry);
  } else {
    if (!fault.empty()) note_damage(id, true, fault);
    entry = tl::unexpected(read.error());
  }
  for (const auto& [client, use] : loading.waiting) use(entry);
}

void Hub::note_damage(const RoomId& id, bool damaged, const std::string& fault) {
  if (damaged && !damaged_.insert(id).second) return;  // it is known, however often somebody asks for it
  if (!damaged) damaged_.erase(id);
  if (damaged) deps_.log.write(LogLevel::error, "room_damaged", {{"room", id}, {"what", fault}});
  deps_.writer.submit([id, damaged](Store& store) { store.set_damaged(id, damaged); }, {});
}

Hub::RoomEntryPtr Hub::enter(std::unique_ptr<Room> room) {
  auto entry = std::make_shared<RoomEntry>();
  entered_bytes_ += room->memory_bytes();
  entry->room = std::move(room);
  entry->used = deps_.now();
  rooms_[entry->room->id()] = entry;
  return entry;
}

Hub::RoomEntryPtr Hub::enter(StoredRoom stored) {
  RoomEntryPtr entry = enter(std::move(stored.room));
  entry->row = std::move(stored.row);
  entry->stored = true;
  entry->committed = entry->room->last_number();
  entry->snapshot_number = stored.snapshot_number;
  return entry;
}

void Hub::drop(const RoomEntryPtr& entry, std::string_view why) {
  if (entry->dropped) return;
  ++counts_.failures;
  deps_.log.write(LogLevel::error, "storage_failed", {{"room", entry->room->id()}, {"what", why}});
  release(entry);
}

void Hub::release(const RoomEntryPtr& entry) {
  entry->dropped = true;
  if (entry->stop) entry->stop->request_stop();
  schedule(entry);
  if (!entry->rematch.empty()) open_rooms_.drop(std::exchange(entry->rematch, {}));
  const auto found = rooms_.find(entry->room->id());
  if (found != rooms_.end() && found->second == entry) rooms_.erase(found);
  for (const auto& [number, call] : std::exchange(entry->waiting, {})) call(false);
  for (const auto& watcher : std::exchange(entry->watchers, {}))
    watcher->subscriber->close(read_anew_code, "read anew");
}

void Hub::evict_idle() {
  const ServerTime now = deps_.now();
  evicted_ = now;
  entered_bytes_ = 0;
  std::vector<RoomEntryPtr> idle;
  for (const auto& [id, entry] : rooms_) {
    if (may_leave(*entry, now)) idle.push_back(entry);
  }
  std::sort(idle.begin(), idle.end(), [](const auto& a, const auto& b) { return a->used > b->used; });
  std::size_t bytes = 0;
  for (const RoomEntryPtr& entry : idle) {
    bytes += entry->room->memory_bytes();
    if (now - entry->used <= idle_room_time && bytes <= deps_.max_idle_bytes) continue;
    if (entry->scheduled) {
      put_to_sleep(*entry->room);
      deadlines_.erase(*std::exchange(entry->scheduled, std::nullopt));
    }
    rooms_.erase(entry->room->id());
  }
}

bool Hub::may_leave(const RoomEntry& entry, ServerTime now) {
  return entry.watchers.empty() && entry.waiting.empty() && !entry.rating &&
         entry.committed == entry.room->last_number() && !entry.room->engine_task(now) &&
         (!entry.scheduled || sleeps(*entry.room, now));
}

void Hub::put_to_sleep(const Room& room) {
  note_rated_position(room);
  sleeping_.emplace(*room.next_deadline() - wake_ahead, room.id());
}

/// A room that was read or has moved on meanwhile is looked at once too often, which does no harm.
void Hub::wake_sleeping() {
  const ServerTime now = deps_.now();
  while (!sleeping_.empty() && sleeping_.begin()->first <= now) {
    const RoomId id = sleeping_.begin()->second;
    sleeping_.erase(sleeping_.begin());
    with_room(id, {}, [this, id](const auto& entry) {
      // Its clock falls only when it is in memory: what could not be read now is tried again.
      if (entry || entry.error().code == "damaged" || entry.error().code == "no_room") return;
      sleeping_.emplace(deps_.now() + wake_again, id);
    });
  }
}

void Hub::give_up_games(PersonId person, const std::function<void(bool)>& done) {
  const bool taken = deps_.readers.run(
      [person](Store& store) { return store.unfinished_rooms_of(person); },
      [this, alive = std::weak_ptr(alive_), person, done](tl::expected<std::vector<RoomId>, std::string> rooms) {
        if (alive.expired()) return;
        if (!rooms) return done(false);
        for (const auto& [id, entry] : rooms_) {  // of which the store may not know yet
          if (entry->room->seat_of(person)) rooms->push_back(id);
        }
        if (rooms->empty()) return done(true);
        struct Progress {
          std::size_t left = 0;
          bool all = true;
        };
        const auto progress = std::make_shared<Progress>(Progress{rooms->size()});
        for (const RoomId& id : *rooms) {
          with_room(id, {}, [this, person, progress, done](const auto& entry) {
            if (entry) give_up(*entry, person);
            if (!entry && entry.error().code != "damaged") progress->all = false;
            if (--progress->left == 0) done(progress->all);
          });
        }
      });
  if (!taken) done(false);
}

void Hub::give_up(const RoomEntryPtr& entry, PersonId person) {
  const auto seat = entry->room->seat_of(person);
  if (!seat || entry->room->state() == RoomState::ended) return;
  const Identity who = *entry->room->seat(*seat);
  const bool running = entry->room->state() == RoomState::running;
  const Command way = running ? Command(command::Resign{}) : Command(command::Abort{});
  commit(entry, entry->room->apply(who, way, deps_.now()).events, {});
}

void Hub::forget(PersonId person) {
  std::vector<RoomEntryPtr> concerned;
  for (const auto& [id, entry] : rooms_) {
    const auto& persons = entry->row.persons;
    const bool watches = std::any_of(entry->watchers.begin(), entry->watchers.end(),
                                     [&](const auto& watcher) { return watcher->client.person == person; });
    if (watches || std::find(persons.begin(), persons.end(), person) != persons.end()) concerned.push_back(entry);
  }
  for (auto& [id, loading] : loading_) loading.again = true;  // what is being read may still have the name
  for (const RoomEntryPtr& entry : concerned) {
    release(entry);
    if (entry->room->state() == RoomState::running) with_room(entry->room->id(), {}, [](const auto&) {});
  }
}

void Hub::forget_room(const RoomId& room) {
  const auto found = rooms_.find(room);
  if (found != rooms_.end()) release(RoomEntryPtr(found->second));
}

// ---- Keeping what happened ----

void bring_up_to_date(RoomRow& row, const Room& room) {
  row.id = room.id();
  row.spec = room.game().notation().spec();
  row.state = room.state();
  for (const Player player : {Player::first, Player::second}) {
    const std::size_t i = seat_of(player);
    const auto& who = room.seat(player);
    row.persons.at(i) = who ? who->person : 0;
    row.names.at(i) = who ? who->name : "";
  }
  row.rated = room.is_rated();
  row.listed = room.is_listed();
  row.turns = room.turns_played();
  row.verdict = name(room.result().verdict);
  row.reason = room.result().reason;
  row.clock = room.clock().dump();
  row.to_move = room.to_move() ? seat_word(*room.to_move()) : "";
  row.due = row.to_move.empty() ? ServerTime(0) : room.next_deadline().value_or(ServerTime(0));
  row.changed = wall_now();
  if (row.created == 0) row.created = row.changed;
}

void write_room(Store& store, const RoomRow& row, bool stored, const std::vector<Event>& events) {
  if (stored) {
    store.change_room(row);
  } else {
    store.add_room(row);
  }
  store.add_events(row.id, events);
  store.save_server_time(events.back().at);
}

void Hub::commit(const RoomEntryPtr& entry, std::vector<Event> events, std::function<void(bool)> done,
                 std::function<void(Store&)> also) {
  auto conditional = conditional_change(*entry);
  if (entry->dropped || events.empty()) {
    if (!conditional) return on_commit(entry, std::move(done));
    deps_.writer.submit(std::move(conditional),
                        [this, alive = std::weak_ptr(alive_), entry, done = std::move(done)](const auto& failure) {
                          if (alive.expired()) return;
                          if (failure) drop(entry, *failure);
                          if (done) done(!failure);
                        });
    return;
  }
  const bool listed_change = entry->room->is_listed() && (!entry->stored || entry->row.state != entry->room->state());
  bring_up_to_date(entry->row, *entry->room);
  if (entry->row.state == RoomState::ended) open_rooms_.drop(entry->row.id);
  const auto shared = std::make_shared<const std::vector<Event>>(std::move(events));
  const bool stored = std::exchange(entry->stored, true);
  deps_.writer.submit(
      [row = entry->row, stored, shared, also = std::move(also), conditional = std::move(conditional)](Store& store) {
        write_room(store, row, stored, *shared);
        if (conditional) conditional(store);
        if (also) also(store);
      },
      [this, alive = std::weak_ptr(alive_), entry, shared, listed_change, done = std::move(done)](const auto& failure) {
        if (alive.expired()) return;
        if (failure) drop(entry, *failure);
        if (!entry->dropped) committed(entry, *shared);
        if (!failure && listed_change && deps_.on_listed) deps_.on_listed();
        if (done) done(!failure);
      });
  time_kept_ = std::max(time_kept_, shared->back().at);
  look_after(entry);
}

std::function<void(Store&)> Hub::conditional_change(RoomEntry& entry) {
  const Room& room = *entry.room;
  if (entry.dropped || entry.conditional_version == room.conditional_version()) return {};
  entry.conditional_version = room.conditional_version();
  std::array<std::string, 2> lines;
  for (const Player player : {Player::first, Player::second}) {
    const ConditionalLines& own = room.conditional(player);
    if (!own.empty()) lines.at(seat_of(player)) = conditional_text(own);
  }
  return [id = room.id(), lines = std::move(lines)](Store& store) {
    for (const Player player : {Player::first, Player::second}) {
      store.save_conditional_moves(id, seat_word(player), lines.at(seat_of(player)));
    }
  };
}

void Hub::committed(const RoomEntryPtr& entry, const std::vector<Event>& events) {
  entry->committed = events.back().number;
  send_events(entry, events);
  refresh_snapshot(entry);
  std::vector<std::pair<std::uint64_t, std::function<void(bool)>>> calls;
  for (auto& item : std::exchange(entry->waiting, {})) {
    (item.first <= entry->committed ? calls : entry->waiting).push_back(std::move(item));
  }
  for (const auto& [number, call] : calls) call(true);
  if (entry->room->awaits_rating()) rate(entry);
  if (entry->room->rematch_agreed()) open_rematch(entry);
}

void Hub::on_commit(const RoomEntryPtr& entry, std::function<void(bool)> call) {
  if (!call) return;
  if (entry->dropped || entry->committed == entry->room->last_number()) {
    call(!entry->dropped);
    return;
  }
  entry->waiting.emplace_back(entry->room->last_number(), std::move(call));
}

void Hub::refresh_snapshot(const RoomEntryPtr& entry) {
  if (entry->snapshot_under_way || entry->committed - entry->snapshot_number < snapshot_interval) return;
  entry->snapshot_under_way = deps_.readers.run(
      [id = entry->room->id()](Store& store) { return make_snapshot(store, id); },
      [this, alive = std::weak_ptr(alive_), entry](tl::expected<NewSnapshot, std::string> made) {
        if (alive.expired()) return;
        entry->snapshot_under_way = false;
        const RoomId& id = entry->room->id();
        entry->snapshot_number = made ? made->row.number : entry->committed;  // what failed is tried again much later
        if (!made) return deps_.log.write(LogLevel::error, "no_snapshot", {{"room", id}, {"what", made.error()}});
        const auto shared = std::make_shared<const NewSnapshot>(std::move(*made));
        deps_.writer.submit([id, shared](Store& store) { store.save_snapshot(id, shared->row, shared->erasures); }, {});
      });
}

// ---- What people do ----

void Hub::open(const RoomPlan& plan, const Identity& opener, const Client& client,
               std::function<void(tl::expected<RoomId, Refused>)> done,
               std::function<void(Store&, const RoomId&)> also) {
  const RoomId id = deps_.new_id();
  const ServerTime now = deps_.now();
  auto opened =
      Room::open(id, plan, opener, now, mix64(static_cast<std::uint64_t>(now.count()) + std::hash<RoomId>{}(id)));
  if (!opened) return done(tl::unexpected(Refused{"bad_request", opened.error().message, Json::object()}));
  ++counts_.opened;
  // Counted before it is committed: else many could be opened at the same moment.
  open_rooms_.add(id, client, std::chrono::steady_clock::now());
  const RoomEntryPtr entry = enter(std::move(opened->first));
  entry->player = client;
  std::function<void(Store&)> more;
  if (also) more = [id, also = std::move(also)](Store& store) { also(store, id); };
  commit(
      entry, std::move(opened->second),
      [this, id, done = std::move(done)](bool stored) {
        if (stored) return done(id);
        open_rooms_.drop(id);
        done(tl::unexpected(storage_failed()));
      },
      std::move(more));
}

void Hub::command(const RoomId& room, const Client& client, const Identity& who, const Command& command,
                  Answer answer) {
  with_room(room, client, [this, client, who, command, answer = std::move(answer)](const auto& found) {
    if (!found) return answer(tl::unexpected(found.error()));
    const RoomEntryPtr& entry = *found;
    if (entry->room->seat_of(who.person)) {
      entry->player = client;
      open_rooms_.locate(entry->room->id(), client);
    }
    if (asks_for_rematch(command) && !open_rooms_.has_room(client, std::chrono::steady_clock::now())) {
      return answer(tl::unexpected(too_many_rooms()));
    }
    Applied applied = entry->room->apply(who, command, deps_.now());
    reserve_rematch(entry, client);
    if (applied.answer && !applied.answer->repeated && std::holds_alternative<command::Play>(command)) ++counts_.turns;
    const bool sat_down = applied.answer && std::holds_alternative<command::Join>(command);
    commit(entry, std::move(applied.events),
           [this, entry, sat_down, result = std::move(applied.answer), answer](bool stored) {
             if (stored && sat_down) presence_changed(entry);
             if (stored) {
               answer(result);
             } else {
               answer(tl::unexpected(storage_failed()));
             }
           });
  });
}

// ---- Time ----

void Hub::schedule(const RoomEntryPtr& entry) {
  if (entry->scheduled) deadlines_.erase(*std::exchange(entry->scheduled, std::nullopt));
  if (entry->dropped) return;
  if (const auto deadline = entry->room->next_deadline()) entry->scheduled = deadlines_.emplace(*deadline, entry);
}

void Hub::tick() {
  const ServerTime now = deps_.now();
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    const RoomEntryPtr entry = deadlines_.begin()->second;
    commit(entry, entry->room->tick(now), {});
    schedule(entry);
    PAIKA_CHECK(deadlines_.empty() || deadlines_.begin()->second != entry || deadlines_.begin()->first > now);
  }
  wake_sleeping();
  for (const RoomEntryPtr& entry : std::exchange(awaiting_engine_, {})) {
    entry->awaits_engine = false;
    if (!entry->dropped) ask_engine(entry);
  }
  send_due_presence();
  read_due_pages();
  commit_time();
  if (now - evicted_ > idle_room_time / 8 || entered_bytes_ > deps_.max_idle_bytes / 4) evict_idle();
}

/// While a clock runs, the time is committed often, so that a crash gives nobody more than a moment.
void Hub::commit_time() {
  const ServerTime now = deps_.now();
  if (time_under_way_ || (deadlines_.empty() && sleeping_.empty())) return;
  if (now - time_kept_ < (deadlines_.empty() ? between_far_times : ServerTime(deps_.time_interval))) return;
  time_kept_ = now;
  time_under_way_ = true;
  deps_.writer.submit([now](Store& store) { store.save_server_time(now); },
                      [this, alive = std::weak_ptr(alive_)](const auto& failure) {
                        if (alive.expired()) return;
                        time_under_way_ = false;
                        if (failure) {
                          deps_.log.write(LogLevel::error, "time_not_committed", {{"what", *failure}});
                        }
                      });
}

HubCounts Hub::counts() const {
  HubCounts counts = counts_;
  counts.rooms = rooms_.size();
  counts.loading = loading_.size();
  for (const auto& [id, entry] : rooms_) {
    counts.running += entry->room->state() == RoomState::running ? 1 : 0;
    counts.watchers += entry->watchers.size();
  }
  return counts;
}

}  // namespace paika::server
