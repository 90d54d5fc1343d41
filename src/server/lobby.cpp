#include "server/lobby.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/random.hpp"
#include "engine/registry.hpp"
#include "server/people.hpp"
#include "server/rooms/room_json.hpp"

namespace paika::server {

namespace {

constexpr ServerTime pairing_interval = std::chrono::milliseconds(500);
constexpr ServerTime sending_interval = std::chrono::seconds(1);
constexpr std::size_t max_shown = 100;  // of those who look, and of rooms

SearchLimits limits_of(const RoomPlan& plan) {
  SearchLimits limits;
  limits.move_time = plan.turn_time;
  limits.clock = plan.clock;
  return limits;
}

}  // namespace

Json open_rooms_json(Store& store) {
  Json list = Json::array();
  for (const RoomRow& row : store.listed_rooms(RoomState::open, max_shown)) {
    Json json = to_json(row);
    const auto game = open_game(row.spec);
    for (std::size_t i = 0; game && i < row.persons.size(); ++i) {
      const auto person = row.persons.at(i) == 0 ? std::nullopt : store.person(row.persons.at(i));
      if (!person || !person->member) continue;
      const double rating = store.rating(person->id, (*game)->info().name).value;
      json["seats"][i]["rating"] = {{"before", rating}, {"after", rating}};
    }
    list.push_back(std::move(json));
  }
  return list;
}

Lobby::Lobby(LobbyDeps deps) : deps_(deps) {}

// ---- Looking for an opponent ----

void Lobby::seek(const RoomPlan& plan, const Identity& who, const Client& client,
                 const std::shared_ptr<Subscriber>& subscriber, const SeekDone& done) {
  if (!queue_.has_room(client) || !deps_.hub.open_rooms().has_room(client, std::chrono::steady_clock::now())) {
    return done(tl::unexpected(Refused{"too_many_rooms",
                                       "you, or your address, look for too many games or have too many that have not "
                                       "ended: end some first",
                                       {{"retry_after_ms", 60'000}}}));
  }
  Seek seek{0, who, client, plan, std::nullopt, deps_.hub.time()};
  if (!who.member) return add(std::move(seek), subscriber, done);
  const auto taken = deps_.readers.run(
      client,
      [person = who.person, game = plan.game->info().name](Store& store) { return store.rating(person, game).value; },
      [this, alive = std::weak_ptr(alive_), seek, subscriber, done](const tl::expected<double, std::string>& rating) {
        if (alive.expired()) return;
        if (!rating) {
          deps_.log.write(LogLevel::error, "storage_failed", {{"what", rating.error()}});
          return done(tl::unexpected(storage_failed()));
        }
        Seek rated = seek;
        rated.rating = *rating;
        add(std::move(rated), subscriber, done);
      });
  if (!taken) done(tl::unexpected(not_taken(taken.error())));
}

void Lobby::add(Seek seek, const std::shared_ptr<Subscriber>& subscriber, const SeekDone& done) {
  if (subscriber->closed()) return;
  const SeekId id = queue_.add(std::move(seek));
  std::erase_if(seekers_, [&](const auto& item) { return queue_.find(item.first) == nullptr; });
  seekers_[id] = subscriber;
  changed_ = true;
  done(id);
  pair_all();
}

void Lobby::accept(SeekId id, const Identity& who, const Client& client, const PairDone& done) {
  const Seek* const found = queue_.find(id);
  if (found == nullptr) {
    return done(tl::unexpected(Refused{"gone", "This opponent does not wait any more.", Json::object()}));
  }
  if (found->who.person == who.person) {
    return done(tl::unexpected(Refused{"not_yours", "You cannot play against yourself.", Json::object()}));
  }
  if (found->plan.rated && !who.member) {
    return done(tl::unexpected(
        Refused{"members_only", "rated games are for members: create an account first", Json::object()}));
  }
  const Seek waiting = *found;
  const Seek own{0, who, client, waiting.plan, std::nullopt, deps_.hub.time()};
  queue_.remove(id);
  queue_.remove_person(who.person);
  open(waiting, own, done);
}

void Lobby::cancel(const Subscriber* subscriber) {
  std::erase_if(seekers_, [&](const auto& item) {
    if (item.second.get() != subscriber) return false;
    changed_ = queue_.remove(item.first) || changed_;
    return true;
  });
}

void Lobby::pair_all() {
  paired_ = deps_.hub.time();
  while (auto pair = queue_.next_pair(paired_)) open(pair->first, pair->second, {});
}

/// Chance decides who begins.
void Lobby::open(const Seek& one, const Seek& two, const PairDone& done) {
  changed_ = true;
  RoomPlan plan = one.plan;
  const auto by_chance = mix64(static_cast<std::uint64_t>(deps_.hub.time().count()) + one.id);
  const bool swapped = by_chance % 2 == 0;
  plan.seated = swapped ? std::array{two.who, one.who} : std::array{one.who, two.who};
  std::vector<std::shared_ptr<Subscriber>> told;
  for (const SeekId id : {one.id, two.id}) {
    if (const auto seeker = seekers_.extract(id)) told.push_back(seeker.mapped());
  }
  deps_.hub.open(plan, one.who, one.client,
                 [alive = std::weak_ptr(alive_), told, done](const tl::expected<RoomId, Refused>& room) {
                   if (alive.expired()) return;
                   const Json message =
                       room ? Json{{"paired", {{"room", *room}}}}
                            : Json{{"unpaired", {{"code", room.error().code}, {"message", room.error().message}}}};
                   for (const auto& subscriber : told) subscriber->send(message.dump());
                   if (done) done(room);
                 });
}

// ---- Watching ----

void Lobby::watch(const std::shared_ptr<Subscriber>& subscriber) {
  leave(subscriber.get());
  if (watchers_.empty()) rooms_due_ = true;  // nobody was told for a while, and nothing was read
  watchers_.push_back(subscriber);
  subscriber->send(message());
}

void Lobby::leave(const Subscriber* subscriber) {
  std::erase_if(watchers_, [&](const auto& one) { return one.get() == subscriber; });
}

Json Lobby::seeks_json() const {
  Json list = Json::array();
  for (const Seek& seek : queue_.all()) {
    if (list.size() == max_shown) break;
    list.push_back({{"seek", seek.id},
                    {"name", seek.who.name},
                    {"member", seek.who.member},
                    {"rating", seek.rating ? Json(*seek.rating) : Json(nullptr)},
                    {"spec", seek.plan.game->notation().spec()},
                    {"clock", clock_json(limits_of(seek.plan), seek.plan.grace)},
                    {"rated", seek.plan.rated}});
  }
  return list;
}

std::shared_ptr<const std::string> Lobby::message() const {
  return std::make_shared<const std::string>(
      fmt::format(R"({{"lobby":{{"seeks":{},"rooms":{}}}}})", json_text(seeks_json()), rooms_));
}

void Lobby::tick() {
  const ServerTime now = deps_.hub.time();
  if (now - paired_ >= pairing_interval) pair_all();
  if (watchers_.empty() || now - sent_ < sending_interval) return;
  if (rooms_due_ && !reading_) return read_rooms();
  if (std::exchange(changed_, false)) send_all();
}

/// One reading for all who watch.
void Lobby::read_rooms() {
  reading_ = deps_.readers.run([](Store& store) { return json_text(open_rooms_json(store)); },
                               [this, alive = std::weak_ptr(alive_)](tl::expected<std::string, std::string> rooms) {
                                 if (alive.expired()) return;
                                 reading_ = false;
                                 if (!rooms) return;
                                 if (std::exchange(rooms_, std::move(*rooms)) != rooms_ || changed_) send_all();
                               });
  rooms_due_ = !reading_;
}

void Lobby::send_all() {
  changed_ = false;
  sent_ = deps_.hub.time();
  const auto text = message();
  for (const auto& watcher : watchers_) watcher->send(text);
}

}  // namespace paika::server
