#include "server/hub.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/check.hpp"
#include "base/random.hpp"
#include "server/engine_turn.hpp"

namespace paika::server {

namespace {

constexpr ServerTime idle_room_time = std::chrono::minutes(2);  // a room that nobody needs stays so long in memory
constexpr ServerTime between_kept_times = std::chrono::milliseconds(250);  // how much a crash can give back to a clock
constexpr int read_anew_code = 1012;                                       // "service restart": clients come again

Refused no_room(const RoomId& id) {
  return {"no_room", fmt::format("there is no room {}", Json(id).dump()), Json::object()};
}

Refused storage_failed() {
  return {"storage", "the server could not save this; nothing has changed, try again later", Json::object()};
}

std::shared_ptr<const std::string> message(const RoomId& room, std::string_view key, std::string_view json) {
  return std::make_shared<const std::string>(fmt::format(R"({{"room":"{}","{}":{}}})", room, key, json));
}

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

double first_score(Verdict verdict) {
  if (verdict == Verdict::draw) return 0.5;
  return verdict == Verdict::first_wins ? 1 : 0;
}

}  // namespace

struct Hub::Watcher {
  std::shared_ptr<Subscriber> subscriber;
  PersonId person = 0;
  std::uint64_t sent = 0;  // the number of the last event it has
};

/// A room with what the hub knows of it.
struct Hub::RoomEntry {
  std::unique_ptr<Room> room;
  RoomRow row;
  bool stored = false;          // the store has its row
  bool dropped = false;         // the store failed: this is no longer the truth
  std::uint64_t committed = 0;  // events up to this number are on the disk
  std::vector<std::pair<std::uint64_t, std::function<void(bool)>>> waiting;  // for that number to be committed
  std::vector<Watcher> watchers;
  std::map<const Subscriber*, std::uint64_t>
      coming;  // those who will watch once all is committed, by the number of their wish
  std::uint64_t wishes = 0;
  std::optional<std::multimap<ServerTime, RoomEntryPtr>::iterator> scheduled;  // its place among the deadlines
  ServerTime used{0};  // when somebody last wanted something of it
  // The engine.
  std::uint64_t question = 0;          // counts what it was asked
  std::optional<std::uint64_t> asked;  // it thinks about the position that this event led to
  std::shared_ptr<std::stop_source> stop;
  bool rating = false;      // the ratings are being counted
  bool no_rematch = false;  // it was agreed on and cannot be
};

Hub::Hub(HubDeps deps) : deps_(std::move(deps)) {}

Hub::~Hub() {
  for (const auto& [id, entry] : rooms_) {
    if (entry->stop) entry->stop->request_stop();
  }
}

void Hub::load() {
  for (const RoomId& id : deps_.reader.unfinished_rooms()) {
    if (find(id) == nullptr) deps_.log.write(LogLevel::error, "room_unreadable", {{"room", id}});
  }
}

// ---- Rooms in memory ----

Hub::RoomEntryPtr Hub::find(const RoomId& id) {
  const auto found = rooms_.find(id);
  if (found != rooms_.end()) {
    found->second->used = deps_.now();
    return found->second;
  }
  const auto row = deps_.reader.room(id);
  if (!row) return nullptr;
  auto room = Room::restore(id, deps_.reader.events(id), row->persons);
  if (!room) {
    deps_.log.write(LogLevel::error, "room_damaged", {{"room", id}, {"what", room.error().message}});
    return nullptr;
  }
  RoomEntryPtr entry = enter(std::move(*room));
  entry->row = *row;
  entry->stored = true;
  entry->committed = entry->room->last_number();
  look_after(entry);
  return entry;
}

Hub::RoomEntryPtr Hub::enter(std::unique_ptr<Room> room) {
  auto entry = std::make_shared<RoomEntry>();
  entry->room = std::move(room);
  entry->used = deps_.now();
  rooms_[entry->room->id()] = entry;
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
  for (const Watcher& watcher : std::exchange(entry->watchers, {}))
    watcher.subscriber->close(read_anew_code, "read anew");
}

void Hub::evict_idle() {
  const ServerTime now = deps_.now();
  std::erase_if(rooms_, [&](const auto& item) {
    const RoomEntry& entry = *item.second;
    return entry.watchers.empty() && entry.waiting.empty() && entry.room->state() != RoomState::running &&
           !entry.rating && entry.committed == entry.room->last_number() && now - entry.used > idle_room_time;
  });
}

void Hub::give_up_games(PersonId person) {
  constexpr std::size_t page = 100;
  std::vector<RoomEntryPtr> played;
  std::optional<RoomPlace> after;
  for (bool more = true; more;) {
    const auto rows = deps_.reader.rooms_of(person, after, page);
    for (const RoomRow& row : rows) {
      const RoomEntryPtr entry = row.state == RoomState::ended ? nullptr : find(row.id);
      if (entry && entry->room->state() != RoomState::ended && entry->room->seat_of(person)) played.push_back(entry);
    }
    more = rows.size() == page;
    if (more) after = RoomPlace{rows.back().changed, rows.back().id};
  }
  for (const RoomEntryPtr& entry : played) {
    const Identity who = *entry->room->seat(*entry->room->seat_of(person));
    const bool running = entry->room->state() == RoomState::running;
    const Command way = running ? Command(command::Resign{}) : Command(command::Abort{});
    commit(entry, entry->room->apply(who, way, deps_.now()).events, {});
  }
}

void Hub::forget(PersonId person) {
  std::vector<RoomEntryPtr> concerned;
  for (const auto& [id, entry] : rooms_) {
    const auto& persons = entry->row.persons;
    const bool watches = std::any_of(entry->watchers.begin(), entry->watchers.end(),
                                     [&](const Watcher& watcher) { return watcher.person == person; });
    if (watches || std::find(persons.begin(), persons.end(), person) != persons.end()) concerned.push_back(entry);
  }
  for (const RoomEntryPtr& entry : concerned) {
    release(entry);
    if (entry->room->state() == RoomState::running) static_cast<void>(find(entry->room->id()));
  }
}

// ---- Keeping what happened ----

namespace {

void bring_up_to_date(RoomRow& row, const Room& room) {
  row.id = room.id();
  row.spec = room.game().notation().spec();
  row.state = room.state();
  for (const Player player : {Player::first, Player::second}) {
    const std::size_t i = play::seat_of(player);
    const auto& who = room.seat(player);
    row.persons.at(i) = who ? who->person : 0;
    row.names.at(i) = who ? who->name : "";
  }
  row.rated = room.is_rated();
  row.listed = room.is_listed();
  row.turns = room.turns_played();
  row.verdict = name(room.result().verdict);
  row.reason = room.result().reason;
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
  if (entry->dropped || events.empty()) {
    on_commit(entry, std::move(done));
    return;
  }
  bring_up_to_date(entry->row, *entry->room);
  const auto shared = std::make_shared<const std::vector<Event>>(std::move(events));
  const bool stored = std::exchange(entry->stored, true);
  deps_.writer.submit(
      [row = entry->row, stored, shared, also = std::move(also)](Store& store) {
        write_room(store, row, stored, *shared);
        if (also) also(store);
      },
      [this, alive = std::weak_ptr(alive_), entry, shared, done = std::move(done)](const auto& failure) {
        if (alive.expired()) return;
        if (failure) drop(entry, *failure);
        if (!entry->dropped) committed(entry, *shared);
        if (done) done(!failure);
      });
  time_kept_ = std::max(time_kept_, shared->back().at);
  look_after(entry);
}

void Hub::committed(const RoomEntryPtr& entry, const std::vector<Event>& events) {
  entry->committed = events.back().number;
  for (const Event& event : events) {
    const auto text = message(entry->room->id(), "event", *event.text);
    for (Watcher& watcher : entry->watchers) {
      if (watcher.sent >= event.number) continue;
      watcher.sent = event.number;
      watcher.subscriber->send(text);
    }
  }
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

// ---- What people do ----

void Hub::open(const RoomPlan& plan, const Identity& opener, std::function<void(Result<RoomId>)> done) {
  const RoomId id = deps_.new_id();
  const ServerTime now = deps_.now();
  auto opened =
      Room::open(id, plan, opener, now, mix64(static_cast<std::uint64_t>(now.count()) + std::hash<RoomId>{}(id)));
  if (!opened) {
    done(tl::unexpected(opened.error()));
    return;
  }
  ++counts_.opened;
  const RoomEntryPtr entry = enter(std::move(opened->first));
  commit(entry, std::move(opened->second), [id, done = std::move(done)](bool stored) {
    if (stored) {
      done(id);
    } else {
      done(fail("the server could not save the room; try again later"));
    }
  });
}

void Hub::command(const RoomId& room, const Identity& who, const Command& command, Answer answer) {
  const RoomEntryPtr entry = find(room);
  if (entry == nullptr) {
    answer(tl::unexpected(no_room(room)));
    return;
  }
  Applied applied = entry->room->apply(who, command, deps_.now());
  if (applied.answer && !applied.answer->repeated && std::holds_alternative<command::Play>(command)) ++counts_.turns;
  const bool sat_down = applied.answer && std::holds_alternative<command::Join>(command);
  commit(entry, std::move(applied.events),
         [this, entry, sat_down, result = std::move(applied.answer), answer = std::move(answer)](bool stored) {
           if (stored && sat_down) send_presence(entry);
           if (stored) {
             answer(result);
           } else {
             answer(tl::unexpected(storage_failed()));
           }
         });
}

// ---- Watching ----

void Hub::watch(const RoomId& room, PersonId person, const std::shared_ptr<Subscriber>& subscriber,
                std::optional<std::uint64_t> since, std::function<void(std::optional<Refused>)> done) {
  const RoomEntryPtr entry = find(room);
  if (entry == nullptr) {
    done(no_room(room));
    return;
  }
  leave(room, subscriber.get());
  const std::uint64_t wish = ++entry->wishes;
  entry->coming[subscriber.get()] = wish;
  // What it is sent first is fixed now and sent when it is committed; what happens later goes to it as to all the
  // others.
  const std::uint64_t number = entry->room->last_number();
  std::vector<std::shared_ptr<const std::string>> texts;
  if (since && *since <= number) {
    for (const Event& event : entry->room->events_after(*since)) texts.push_back(message(room, "event", *event.text));
  } else {
    texts.push_back(message(room, "snapshot", dumped(entry->room->snapshot(deps_.now()))));
  }
  on_commit(entry, [this, entry, person, subscriber, number, wish, texts = std::move(texts),
                    done = std::move(done)](bool stored) {
    if (!stored) {
      done(storage_failed());
      return;
    }
    done(std::nullopt);
    const auto expected = entry->coming.find(subscriber.get());
    if (expected == entry->coming.end() || expected->second != wish) return;  // it has left, or has asked again
    entry->coming.erase(expected);
    for (const auto& text : texts) subscriber->send(text);
    entry->watchers.push_back({subscriber, person, number});
    send_presence(entry);
    subscriber->when_closed([this, alive = std::weak_ptr(alive_), id = entry->room->id(), key = subscriber.get()] {
      if (!alive.expired()) leave(id, key);
    });
  });
}

void Hub::leave(const RoomId& room, const Subscriber* subscriber) {
  const auto found = rooms_.find(room);
  if (found == rooms_.end()) return;
  const RoomEntryPtr entry = found->second;
  entry->coming.erase(subscriber);
  if (std::erase_if(entry->watchers, [&](const Watcher& watcher) { return watcher.subscriber.get() == subscriber; }) ==
      0)
    return;
  entry->used = deps_.now();
  send_presence(entry);
}

void Hub::send_presence(const RoomEntryPtr& entry) {
  const auto here = [&](Player player) {
    if (entry->room->engine_at(player)) return true;
    const auto& who = entry->room->seat(player);
    return who && std::any_of(entry->watchers.begin(), entry->watchers.end(), [&](const Watcher& watcher) {
             return watcher.person != 0 && watcher.person == who->person;
           });
  };
  const Json presence = {
      {"first", here(Player::first)}, {"second", here(Player::second)}, {"watchers", entry->watchers.size()}};
  const auto text = message(entry->room->id(), "presence", dumped(presence));
  for (const Watcher& watcher : entry->watchers) watcher.subscriber->send(text);
}

void Hub::snapshot(const RoomId& room, std::function<void(tl::expected<Json, Refused>)> done) {
  const RoomEntryPtr entry = find(room);
  if (entry == nullptr) {
    done(tl::unexpected(no_room(room)));
    return;
  }
  on_commit(entry, [done = std::move(done), json = entry->room->snapshot(deps_.now())](bool stored) {
    if (stored) {
      done(json);
    } else {
      done(tl::unexpected(storage_failed()));
    }
  });
}

void Hub::record(const RoomId& room, std::function<void(tl::expected<std::string, Refused>)> done) {
  const RoomEntryPtr entry = find(room);
  if (entry == nullptr || !entry->room->has_begun()) {
    done(tl::unexpected(
        entry == nullptr
            ? no_room(room)
            : Refused{"not_begun", "the game has not started: there is no record of it yet", Json::object()}));
    return;
  }
  on_commit(entry, [done = std::move(done), text = play::record_text(entry->room->record(deps_.now()))](bool stored) {
    if (stored) {
      done(text);
    } else {
      done(tl::unexpected(storage_failed()));
    }
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
  for (const RoomEntryPtr& entry : std::exchange(awaiting_engine_, {})) {
    if (!entry->dropped) ask_engine(entry);
  }
  commit_time();
  if (now - evicted_ > idle_room_time / 8) {
    evicted_ = now;
    evict_idle();
  }
}

/// While a clock runs, the time is committed often, so that a crash gives nobody more than a moment.
void Hub::commit_time() {
  const ServerTime now = deps_.now();
  if (deadlines_.empty() || now - time_kept_ < between_kept_times) return;
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
  if (entry->committed != entry->room->last_number()) return;
  if (entry->room->awaits_rating()) rate(entry);
  if (entry->room->rematch_agreed()) open_rematch(entry);
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
  const bool taken = deps_.engines.submit([question = std::move(question), answered, post = deps_.post, now = deps_.now,
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
  for (const auto& [id, entry] : rooms_) {
    counts.running += entry->room->state() == RoomState::running ? 1 : 0;
    counts.watchers += entry->watchers.size();
  }
  return counts;
}

}  // namespace paika::server
