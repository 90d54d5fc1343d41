#include "server/seek_queue.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace paika::server {

namespace {

constexpr double first_window = 150;
constexpr double window_per_second = 25;
constexpr ServerTime anybody_after = std::chrono::seconds(30);

bool same_game(const RoomPlan& a, const RoomPlan& b) {
  const auto clock = [](const RoomPlan& plan) {
    return plan.clock ? std::pair(plan.clock->left, plan.clock->increment)
                      : std::pair(Milliseconds(0), Milliseconds(0));
  };
  return a.rated == b.rated && a.turn_time == b.turn_time && clock(a) == clock(b) &&
         a.game->notation().spec() == b.game->notation().spec();
}

/// How far the two are apart; nothing if they do not play each other now.
std::optional<double> distance(const Seek& a, const Seek& b, ServerTime now) {
  if (a.who.person == b.who.person || !same_game(a.plan, b.plan)) return std::nullopt;
  if (!a.rating || !b.rating) return first_window;  // nobody knows: behind those who are known to be near
  const double apart = std::abs(*a.rating - *b.rating);
  const auto window = rating_window(now - std::min(a.since, b.since));
  if (window && apart > *window) return std::nullopt;
  return apart;
}

}  // namespace

std::optional<double> rating_window(ServerTime waited) noexcept {
  if (waited >= anybody_after) return std::nullopt;
  return first_window + window_per_second * std::chrono::duration<double>(std::max(waited, ServerTime(0))).count();
}

bool SeekQueue::has_room(const Client& client) const {
  std::size_t others = 0;
  std::size_t of_address = 0;
  for (const Seek& seek : seeks_) {
    if (seek.who.person == client.person) continue;
    ++others;
    of_address += seek.client.address == client.address ? 1 : 0;
  }
  return others < caps_.total && of_address < caps_.per_address;
}

SeekId SeekQueue::add(Seek seek) {
  remove_person(seek.who.person);
  seek.id = ++last_id_;
  seeks_.push_back(std::move(seek));
  return last_id_;
}

bool SeekQueue::remove(SeekId id) {
  return std::erase_if(seeks_, [&](const Seek& seek) { return seek.id == id; }) > 0;
}

void SeekQueue::remove_person(PersonId person) {
  std::erase_if(seeks_, [&](const Seek& seek) { return seek.who.person == person; });
}

const Seek* SeekQueue::find(SeekId id) const {
  const auto found = std::find_if(seeks_.begin(), seeks_.end(), [&](const Seek& seek) { return seek.id == id; });
  return found == seeks_.end() ? nullptr : &*found;
}

std::optional<std::pair<Seek, Seek>> SeekQueue::next_pair(ServerTime now) {
  for (std::size_t i = 0; i < seeks_.size(); ++i) {
    std::size_t nearest = i;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t j = i + 1; j < seeks_.size(); ++j) {
      const auto apart = distance(seeks_[i], seeks_[j], now);
      if (!apart || *apart >= least) continue;
      least = *apart;
      nearest = j;
    }
    if (nearest == i) continue;
    std::pair<Seek, Seek> pair(std::move(seeks_[i]), std::move(seeks_[nearest]));
    seeks_.erase(seeks_.begin() + static_cast<std::ptrdiff_t>(nearest));
    seeks_.erase(seeks_.begin() + static_cast<std::ptrdiff_t>(i));
    return pair;
  }
  return std::nullopt;
}

}  // namespace paika::server
