// Those who watch rooms: what they are sent, at which pace, and who is here.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "server/http/answers.hpp"
#include "server/hub_entry.hpp"

namespace paika::server {

namespace {

/// A client that has missed events has at most about so much of them waiting for it.
constexpr std::size_t max_page_bytes = std::size_t{256} * 1024;
/// Who is here is told at most so often: a crowd that comes and goes would otherwise cost its square in messages.
constexpr ServerTime presence_interval = std::chrono::milliseconds(500);

}  // namespace

std::shared_ptr<const std::string> room_message(const RoomId& room, std::string_view key, std::string_view json) {
  return std::make_shared<const std::string>(fmt::format(R"({{"room":"{}","{}":{}}})", room, key, json));
}

namespace {

/// What stands in the place of an event that somebody may not see: numbers have no gaps.
std::shared_ptr<const std::string> hidden_message(const RoomId& room, const Event& event) {
  return room_message(room, "event",
                      fmt::format(R"({{"number":{},"at_us":{},"event":"hidden"}})", event.number, event.at.count()));
}

}  // namespace

// ---- Coming and leaving ----

void Hub::watch(const RoomId& room, const Client& client, const std::shared_ptr<Subscriber>& subscriber,
                std::optional<std::uint64_t> since, std::function<void(std::optional<Refused>)> done) {
  leave(room, subscriber.get());
  const std::uint64_t wish = ++wish_count_;
  wishes_[{room, subscriber.get()}] = wish;
  with_room(room, client, [this, room, client, subscriber, since, wish, done = std::move(done)](const auto& entry) {
    if (!entry) {
      wishes_.erase({room, subscriber.get()});
      done(entry.error());
      return;
    }
    watch_entry(*entry, {subscriber, client}, wish, since, done);
  });
}

void Hub::watch_entry(const RoomEntryPtr& entry, Watcher watcher, std::uint64_t wish,
                      std::optional<std::uint64_t> since, const std::function<void(std::optional<Refused>)>& done) {
  // A room is sent as it stands now, once that is committed; what happens later goes to it as to all the others.
  std::shared_ptr<const std::string> whole;
  watcher.sent = entry->room->last_number();
  if (since && *since <= watcher.sent) {
    watcher.sent = *since;
  } else {
    whole = room_message(entry->room->id(), "snapshot", entry->room->snapshot_text(deps_.now(), watcher.client.person));
  }
  on_commit(entry, [this, entry, watcher = std::move(watcher), wish, whole, done](bool stored) {
    const auto wished = wishes_.find({entry->room->id(), watcher.subscriber.get()});
    const bool wanted = wished != wishes_.end() && wished->second == wish;  // else it has left, or has asked again
    if (wanted) wishes_.erase(wished);
    done(stored ? std::nullopt : std::optional(storage_failed()));
    if (!stored || !wanted || watcher.subscriber->closed()) return;
    if (whole) watcher.subscriber->send(whole);
    add_watcher(entry, std::make_shared<Watcher>(watcher));
  });
}

void Hub::add_watcher(const RoomEntryPtr& entry, const std::shared_ptr<Watcher>& watcher) {
  entry->watchers.push_back(watcher);
  catch_up(entry, watcher);
  presence_changed(entry);
  // If it is not told at once, the newcomer hears for now what the others know.
  if (entry->presence_due && entry->presence_message) watcher->subscriber->send(entry->presence_message);
}

void Hub::leave(const RoomId& room, const Subscriber* subscriber) {
  wishes_.erase({room, subscriber});
  const auto found = rooms_.find(room);
  if (found == rooms_.end()) return;
  const RoomEntryPtr entry = found->second;
  const auto gone = std::find_if(entry->watchers.begin(), entry->watchers.end(),
                                 [&](const auto& watcher) { return watcher->subscriber.get() == subscriber; });
  if (gone == entry->watchers.end()) return;
  (*gone)->left = true;
  entry->watchers.erase(gone);
  entry->used = deps_.now();
  presence_changed(entry);
}

// ---- Events ----

void Hub::send_events(const RoomEntryPtr& entry, const std::vector<Event>& events) {
  for (const Event& event : events) {
    const auto text = room_message(entry->room->id(), "event", *event.text);
    const auto hidden = hidden_message(entry->room->id(), event);
    for (const auto& watcher : entry->watchers) {
      const bool next = watcher->sent + 1 == event.number && !watcher->behind;
      if (!next || watcher->subscriber->waiting_bytes() >= max_page_bytes) continue;
      watcher->sent = event.number;
      watcher->subscriber->send(entry->room->sees(watcher->client.person, *event.text) ? text : hidden);
    }
  }
  std::vector<std::shared_ptr<Watcher>> behind;
  for (const auto& watcher : entry->watchers) {
    if (watcher->sent < entry->committed) behind.push_back(watcher);
  }
  for (const auto& watcher : behind) catch_up(entry, watcher);
}

void Hub::send_event(const RoomEntry& entry, Watcher& watcher, const Event& event) {
  const RoomId& room = entry.room->id();
  const bool seen = entry.room->sees(watcher.client.person, *event.text);
  watcher.sent = event.number;
  watcher.subscriber->send(seen ? room_message(room, "event", *event.text) : hidden_message(room, event));
}

void Hub::catch_up(const RoomEntryPtr& entry, const std::shared_ptr<Watcher>& watcher) {
  Subscriber& to = *watcher->subscriber;
  if (watcher->behind || watcher->left || entry->dropped || to.closed()) return;
  for (const Event& event : entry->room->events_after(watcher->sent)) {
    if (event.number > entry->committed) return;
    if (to.waiting_bytes() >= max_page_bytes) break;
    if (!event.text) return read_page(entry, watcher);
    send_event(*entry, *watcher, event);
  }
  if (watcher->sent >= entry->committed) return;
  watcher->behind = true;
  to.when_drained([this, alive = std::weak_ptr(alive_), entry, watcher] {
    if (alive.expired()) return;
    watcher->behind = false;
    catch_up(entry, watcher);
  });
}

void Hub::read_page(const RoomEntryPtr& entry, const std::shared_ptr<Watcher>& watcher) {
  struct Page {
    std::vector<Event> events;
    std::string fault;  // what is damaged
  };
  watcher->behind = true;
  const auto taken = deps_.readers.run(
      watcher->client,
      [room = entry->room->id(), after = watcher->sent](Store& store) {
        try {
          return Page{store.events(room, after, max_page_bytes), ""};
        } catch (const DamagedRoom& error) {
          return Page{{}, error.what()};
        }
      },
      [this, alive = std::weak_ptr(alive_), entry, watcher](const tl::expected<Page, std::string>& page) {
        if (alive.expired()) return;
        watcher->behind = false;
        if (page && page->fault.empty()) return send_page(entry, watcher, page->events);
        const RoomId& id = entry->room->id();
        if (page) note_damage(id, true, page->fault);
        const Refused refused = page ? damaged_room(id) : storage_failed();
        watcher->subscriber->send(room_message(id, "error", error_json(refused.code, refused.message)["error"].dump()));
        watcher->subscriber->close(1011, refused.code);
      });
  if (!taken) pages_due_.emplace_back(entry, watcher);
}

/// A client that is refused is not asked for again in this round, however many rooms it watches.
void Hub::read_due_pages() {
  std::set<std::pair<std::string, PersonId>> refused;
  for (auto& [entry, watcher] : std::exchange(pages_due_, {})) {
    if (watcher->left || entry->dropped || watcher->subscriber->closed()) continue;
    const std::pair client(watcher->client.address, watcher->client.person);
    if (refused.contains(client)) {
      pages_due_.emplace_back(std::move(entry), std::move(watcher));
      continue;
    }
    const std::size_t before = pages_due_.size();
    read_page(entry, watcher);
    if (pages_due_.size() > before) refused.insert(client);
  }
}

void Hub::send_page(const RoomEntryPtr& entry, const std::shared_ptr<Watcher>& watcher,
                    const std::vector<Event>& events) {
  for (const Event& event : events) {
    if (event.number != watcher->sent + 1 || event.number > entry->committed || watcher->left) break;
    send_event(*entry, *watcher, event);
  }
  catch_up(entry, watcher);
}

// ---- Who is here ----

void Hub::presence_changed(const RoomEntryPtr& entry) {
  if (entry->presence_due) return;
  if (!entry->presence_sent || deps_.now() - *entry->presence_sent >= presence_interval) return send_presence(entry);
  entry->presence_due = true;
  presence_due_.push_back(entry);
}

void Hub::send_due_presence() {
  const ServerTime now = deps_.now();
  for (const RoomEntryPtr& entry : std::exchange(presence_due_, {})) {
    if (entry->dropped) continue;
    if (now - *entry->presence_sent < presence_interval) {
      presence_due_.push_back(entry);
    } else {
      send_presence(entry);
    }
  }
}

void Hub::send_presence(const RoomEntryPtr& entry) {
  entry->presence_due = false;
  entry->presence_sent = deps_.now();
  const auto here = [&](Player player) {
    if (entry->room->engine_at(player)) return true;
    const auto& who = entry->room->seat(player);
    return who && std::any_of(entry->watchers.begin(), entry->watchers.end(), [&](const auto& watcher) {
             return watcher->client.person != 0 && watcher->client.person == who->person;
           });
  };
  const Json presence = {
      {"first", here(Player::first)}, {"second", here(Player::second)}, {"watchers", entry->watchers.size()}};
  entry->presence_message = room_message(entry->room->id(), "presence", presence.dump());
  for (const auto& watcher : entry->watchers) watcher->subscriber->send(entry->presence_message);
}

// ---- Looking ----

void Hub::look_up(const RoomId& room, const Client& client, std::function<void(std::optional<Refused>)> done) {
  with_room(room, client,
            [done = std::move(done)](const auto& entry) { done(entry ? std::nullopt : std::optional(entry.error())); });
}

void Hub::snapshot(const RoomId& room, const Client& client, TextDone done) {
  with_room(room, client, [this, viewer = client.person, done = std::move(done)](const auto& entry) {
    if (!entry) return done(tl::unexpected(entry.error()));
    send_committed(*entry, (*entry)->room->snapshot_text(deps_.now(), viewer), done);
  });
}

void Hub::conditional(const RoomId& room, const Client& client, TextDone done) {
  with_room(room, client, [this, person = client.person, done = std::move(done)](const auto& entry) {
    if (!entry) return done(tl::unexpected(entry.error()));
    const auto seat = (*entry)->room->seat_of(person);
    if (!seat) return done(tl::unexpected(Refused{"not_yours", "You do not play in this room.", Json::object()}));
    send_committed(*entry, R"({"lines":)" + conditional_text((*entry)->room->conditional(*seat)) + "}", done);
  });
}

void Hub::record(const RoomId& room, const Client& client, TextDone done) {
  with_room(room, client, [this, done = std::move(done)](const auto& entry) {
    if (!entry) return done(tl::unexpected(entry.error()));
    if (!(*entry)->room->has_begun()) {
      const Refused refused{"not_begun", "the game has not started: there is no record of it yet", Json::object()};
      return done(tl::unexpected(refused));
    }
    send_committed(*entry, play::record_text((*entry)->room->record(deps_.now())), done);
  });
}

void Hub::send_committed(const RoomEntryPtr& entry, std::string text, const TextDone& done) {
  on_commit(entry, [text = std::move(text), done](bool stored) {
    if (stored) {
      done(text);
    } else {
      done(tl::unexpected(storage_failed()));
    }
  });
}

}  // namespace paika::server
