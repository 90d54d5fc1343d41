#include "server/hub.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/check.hpp"
#include "base/random.hpp"
#include "server/engine_turn.hpp"
#include "server/hub_entry.hpp"
#include "server/rooms/room_json.hpp"
#include "server/rooms/room_snapshot.hpp"

namespace paika::server {

namespace {

constexpr ServerTime idle_room_time = std::chrono::minutes(2);  // a room that nobody needs stays so long in memory
constexpr ServerTime between_kept_times = std::chrono::milliseconds(250);  // how much a crash can give back to a clock
constexpr ServerTime far_deadline = std::chrono::minutes(30);  // a clock that runs longer needs no room in memory
constexpr ServerTime wake_ahead = std::chrono::minutes(1);     // before a clock runs out its room is read again
constexpr ServerTime between_far_times = std::chrono::seconds(30);
constexpr int read_anew_code = 1012;  // "service restart": clients come again

double first_score(Verdict verdict) {
  if (verdict == Verdict::draw) return 0.5;
  return verdict == Verdict::first_wins ? 1 : 0;
}

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

}  // namespace

Hub::Hub(HubDeps deps) : deps_(std::move(deps)) {}

Hub::~Hub() {
  for (const auto& [id, entry] : rooms_) {
    if (entry->stop) entry->stop->request_stop();
  }
}

void Hub::load() {
  for (const RoomId& id : deps_.reader.unfinished_rooms()) {
    try {
      std::string fault;
      auto read = read_room(deps_.reader, id, fault);
      if (!read) {
        note_damage(id, true, fault);
      } else if (sleeps(*read->room, deps_.now())) {
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

void Hub::with_room(const RoomId& id, UseRoom use) {
  const auto found = rooms_.find(id);
  if (found != rooms_.end()) {
    const RoomEntryPtr entry = found->second;
    entry->used = deps_.now();
    use(entry);
    return;
  }
  Loading& loading = loading_[id];
  loading.waiting.push_back(std::move(use));
  if (loading.waiting.size() == 1) read(id);
}

void Hub::read(const RoomId& id) {
  struct Found {
    tl::expected<StoredRoom, Refused> room;
    std::string fault;
  };
  const bool taken = deps_.readers.run(
      [id](Store& store) {
        std::string fault;
        auto room = read_room(store, id, fault);
        return Found{std::move(room), std::move(fault)};
      },
      [this, alive = std::weak_ptr(alive_), id](tl::expected<Found, std::string> found) {
        if (alive.expired()) return;
        if (found) return was_read(id, std::move(found->room), found->fault);
        deps_.log.write(LogLevel::error, "storage_failed", {{"room", id}, {"what", found.error()}});
        was_read(id, tl::unexpected(storage_failed()), "");
      });
  if (!taken) was_read(id, tl::unexpected(too_busy()), "");
}

void Hub::was_read(const RoomId& id, tl::expected<StoredRoom, Refused> read, const std::string& fault) {
  auto& loading = loading_[id];
  if (std::exchange(loading.again, false)) return this->read(id);
  const auto waiting = std::exchange(loading.waiting, {});
  loading_.erase(id);
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
  for (const UseRoom& use : waiting) use(entry);
}

void Hub::note_damage(const RoomId& id, bool damaged, const std::string& fault) {
  if (damaged && !damaged_.insert(id).second) return;  // it is known, however often somebody asks for it
  if (!damaged) damaged_.erase(id);
  if (damaged) deps_.log.write(LogLevel::error, "room_damaged", {{"room", id}, {"what", fault}});
  deps_.writer.submit([id, damaged](Store& store) { store.set_damaged(id, damaged); }, {});
}

Hub::RoomEntryPtr Hub::enter(std::unique_ptr<Room> room) {
  auto entry = std::make_shared<RoomEntry>();
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
  const auto found = rooms_.find(entry->room->id());
  if (found != rooms_.end() && found->second == entry) rooms_.erase(found);
  for (const auto& [number, call] : std::exchange(entry->waiting, {})) call(false);
  for (const auto& watcher : std::exchange(entry->watchers, {}))
    watcher->subscriber->close(read_anew_code, "read anew");
}

void Hub::evict_idle() {
  const ServerTime now = deps_.now();
  std::erase_if(rooms_, [&](const auto& item) {
    RoomEntry& entry = *item.second;
    const bool idle = now - entry.used > idle_room_time && entry.watchers.empty() && entry.waiting.empty() &&
                      !entry.rating && entry.committed == entry.room->last_number() && !entry.room->engine_task(now);
    if (!idle || !entry.scheduled) return idle;
    if (!sleeps(*entry.room, now)) return false;
    put_to_sleep(*entry.room);
    deadlines_.erase(*std::exchange(entry.scheduled, std::nullopt));
    return true;
  });
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
    with_room(id, [](const auto&) {});
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
          with_room(id, [this, person, progress, done](const auto& entry) {
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
                                     [&](const auto& watcher) { return watcher->person == person; });
    if (watches || std::find(persons.begin(), persons.end(), person) != persons.end()) concerned.push_back(entry);
  }
  for (auto& [id, loading] : loading_) loading.again = true;  // what is being read may still have the name
  for (const RoomEntryPtr& entry : concerned) {
    release(entry);
    if (entry->room->state() == RoomState::running) with_room(entry->room->id(), [](const auto&) {});
  }
}

void Hub::forget_room(const RoomId& room) {
  const auto found = rooms_.find(room);
  if (found != rooms_.end()) release(RoomEntryPtr(found->second));
}

// ---- Keeping what happened ----

namespace {

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

}  // namespace

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

void Hub::open(const RoomPlan& plan, const Identity& opener, std::function<void(tl::expected<RoomId, Refused>)> done,
               std::function<void(Store&, const RoomId&)> also) {
  const RoomId id = deps_.new_id();
  const ServerTime now = deps_.now();
  auto opened =
      Room::open(id, plan, opener, now, mix64(static_cast<std::uint64_t>(now.count()) + std::hash<RoomId>{}(id)));
  if (!opened) return done(tl::unexpected(Refused{"bad_request", opened.error().message, Json::object()}));
  ++counts_.opened;
  const RoomEntryPtr entry = enter(std::move(opened->first));
  std::function<void(Store&)> more;
  if (also) more = [id, also = std::move(also)](Store& store) { also(store, id); };
  commit(
      entry, std::move(opened->second),
      [id, done = std::move(done)](bool stored) {
        if (stored) {
          done(id);
        } else {
          done(tl::unexpected(storage_failed()));
        }
      },
      std::move(more));
}

void Hub::command(const RoomId& room, const Identity& who, const Command& command, Answer answer) {
  with_room(room, [this, who, command, answer = std::move(answer)](const auto& found) {
    if (!found) return answer(tl::unexpected(found.error()));
    const RoomEntryPtr& entry = *found;
    Applied applied = entry->room->apply(who, command, deps_.now());
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
    if (!entry->dropped) ask_engine(entry);
  }
  send_due_presence();
  commit_time();
  if (now - evicted_ > idle_room_time / 8) {
    evicted_ = now;
    evict_idle();
  }
}

/// While a clock runs, the time is committed often, so that a crash gives nobody more than a moment.
void Hub::commit_time() {
  const ServerTime now = deps_.now();
  if (deadlines_.empty() && sleeping_.empty()) return;
  if (now - time_kept_ < (deadlines_.empty() ? between_far_times : between_kept_times)) return;
  time_kept_ = now;
  deps_.writer.submit([now](Store& store) { store.save_server_time(now); },
                      [this, alive = std::weak_ptr(alive_)](const auto& failure) {
                        if (!alive.expired() && failure) {
                          deps_.log.write(LogLevel::error, "time_not_committed", {{"what", *failure}});
                        }
                      });
}

// ---- What follows from an event ----

void Hub::look_after(const RoomEntryPtr& entry) {
  if (entry->dropped) return;
  schedule(entry);
  ask_engine(entry);
  note_rated_position(*entry->room);
  if (entry->committed != entry->room->last_number()) return;
  if (entry->room->awaits_rating()) rate(entry);
  if (entry->room->rematch_agreed()) open_rematch(entry);
}

void Hub::note_rated_position(const Room& room) {
  if (deps_.rated_positions == nullptr || !room.is_rated()) return;
  if (room.state() != RoomState::running) return deps_.rated_positions->clear(room.id());
  RatedGame game{.spec = room.game().notation().spec()};
  for (const Player player : {Player::first, Player::second}) {
    if (const auto& seated = room.seat(player)) game.players[paika::seat_of(player)] = seated->person;
  }
  if (room.turns_played() >= min_rated_moves) game.key = RatedPositions::key_of(*room.session_copy());
  deps_.rated_positions->set(room.id(), std::move(game));
}

void Hub::ask_engine(const RoomEntryPtr& entry) {
  const auto task = entry->room->engine_task(deps_.now());
  if (task && entry->asked == task->position) return;
  if (entry->stop) entry->stop->request_stop();
  entry->asked.reset();
  ++entry->question;  // an answer to the question before comes too late
  if (!task) return;
  entry->asked = task->position;
  entry->stop = std::make_shared<std::stop_source>();
  EngineQuestion question{std::shared_ptr<Session>(entry->room->session_copy()),
                          *task,
                          deps_.now(),
                          deps_.tables,
                          deps_.engine_hash_mb,
                          std::hash<RoomId>{}(entry->room->id()),
                          entry->stop};
  auto answered = [this, alive = std::weak_ptr(alive_), entry, number = entry->question,
                   task = *task](const std::optional<std::string>& turn) {
    if (!alive.expired()) engine_answered(entry, number, task, turn);
  };
  // Those who opened rooms take turns; of a room from before the last start the players are known, not the address.
  Client client = open_rooms_.opener(entry->room->id());
  if (client.address.empty()) client.person = std::max(entry->row.persons[0], entry->row.persons[1]);
  const auto taken =
      deps_.engines.submit(client, [question = std::move(question), answered, post = deps_.post, now = deps_.now,
                                    &work = deps_.engines](const std::stop_token& closing) {
        const auto turn = engine_turn(question, now, work.waiting(), closing);
        post([answered, turn] { answered(turn); });
      });
  if (taken) return;
  entry->asked.reset();
  awaiting_engine_.push_back(entry);
}

void Hub::engine_answered(const RoomEntryPtr& entry, std::uint64_t question, const EngineTask& task,
                          const std::optional<std::string>& turn) {
  if (entry->dropped || entry->question != question) return;
  entry->asked.reset();
  if (!turn) {
    deps_.log.write(LogLevel::error, "engine_failed", {{"room", entry->room->id()}});
    awaiting_engine_.push_back(entry);
    return;
  }
  ++counts_.engine_turns;
  commit(entry, entry->room->engine_played(task, *turn, deps_.now()), {});
}

void Hub::rate(const RoomEntryPtr& entry) {
  if (std::exchange(entry->rating, true)) return;
  using BeforeAfter = std::array<std::pair<double, double>, 2>;
  const auto result = std::make_shared<BeforeAfter>();
  const std::string game = entry->room->game().info().name;
  const double score = first_score(entry->room->result().verdict);
  deps_.writer.submit([result, game, score, id = entry->room->id(),
                       persons = entry->row.persons](Store& store) { *result = store.rate(id, game, persons, score); },
                      [this, alive = std::weak_ptr(alive_), entry, result](const auto& failure) {
                        if (alive.expired() || entry->dropped) return;
                        entry->rating = false;
                        if (failure) {
                          drop(entry, *failure);
                          return;
                        }
                        for (std::size_t i = 0; i < result->size(); ++i) entry->row.ratings.at(i) = result->at(i);
                        commit(entry, {entry->room->rated(*result, deps_.now())}, {});
                      });
}

void Hub::open_rematch(const RoomEntryPtr& entry) {
  if (entry->no_rematch) return;
  const RoomId id = deps_.new_id();
  const ServerTime now = deps_.now();
  const auto& first_seat = entry->room->seat(Player::first);
  const Identity opener =
      first_seat && first_seat->person != 0 ? *first_seat : entry->room->seat(Player::second).value_or(Identity{});
  auto opened = Room::open(id, entry->room->rematch_plan(), opener, now, 0);
  if (!opened) {  // somebody has been erased meanwhile
    entry->no_rematch = true;
    deps_.log.write(LogLevel::info, "no_rematch", {{"room", entry->room->id()}, {"what", opened.error().message}});
    return;
  }
  ++counts_.opened;
  const RoomEntryPtr next = enter(std::move(opened->first));
  bring_up_to_date(next->row, *next->room);
  next->stored = true;
  const auto first = std::make_shared<const std::vector<Event>>(std::move(opened->second));
  // Both or none: a rematch that is told of exists.
  commit(
      entry, {entry->room->rematch_opened(id, now)},
      [this, next, first](bool stored) {
        if (!stored) {
          drop(next, "its first game's room was not kept");
          return;
        }
        committed(next, *first);
        look_after(next);
      },
      [row = next->row, first](Store& store) { write_room(store, row, false, *first); });
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
