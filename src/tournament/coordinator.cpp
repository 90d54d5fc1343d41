#include "tournament/coordinator.hpp"

#include <algorithm>
#include <chrono>

#include "base/text.hpp"

namespace paika::tournament {

namespace {

std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// The fixture with this id; nothing if there is none.
const Fixture* find(const Schedule& schedule, const std::string& id) {
  for (const Pairing& pairing : schedule.pairings()) {
    for (const Fixture& game : pairing.games) {
      if (game.id == id) return &game;
    }
  }
  return nullptr;
}

/// True if the game is one of ours, played by those who should.
bool fits(const TournamentPlan& plan, const Schedule& schedule, const FinishedGame& game) {
  const Fixture* fixture = find(schedule, game.id);
  return fixture != nullptr && plan.games[fixture->spec] == game.spec &&
         plan.players[fixture->players[0]].name == game.players[0] &&
         plan.players[fixture->players[1]].name == game.players[1];
}

}  // namespace

Result<std::unique_ptr<Coordinator>> Coordinator::start(const TournamentPlan& plan, Journal& journal) {
  std::unique_ptr<Coordinator> coordinator(new Coordinator(plan, journal));
  Results results;
  for (const FinishedGame& game : journal.games()) results[game.id] = game.half_points();
  coordinator->schedule_.enter(results);
  for (const FinishedGame& game : journal.games()) {
    if (!fits(plan, coordinator->schedule_, game)) {
      return fail("the results have a game {} that this tournament has not", in_quotes(game.id));
    }
  }
  coordinator->games_ = journal.games();
  return coordinator;
}

std::optional<Fixture> Coordinator::take_locked(const std::string& worker) {
  if (!handing_out()) return std::nullopt;
  for (const Fixture* game : schedule_.open()) {
    if (running_.contains(game->id)) continue;
    Fixture taken = *game;
    running_[taken.id] = {taken, worker, now()};
    ++version_;
    return taken;
  }
  return std::nullopt;
}

std::optional<Fixture> Coordinator::try_take(const std::string& worker) {
  const std::scoped_lock lock(mutex_);
  return take_locked(worker);
}

std::optional<Fixture> Coordinator::take(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  std::optional<Fixture> taken;
  changed_.wait(lock, stop, [&] {
    taken = take_locked("");
    return taken.has_value() || !handing_out();
  });
  return taken;
}

void Coordinator::give_back(const std::string& id) {
  const std::scoped_lock lock(mutex_);
  if (running_.erase(id) > 0) ++version_;
  changed_.notify_all();
}

bool Coordinator::finish(const FinishedGame& game) {
  const std::scoped_lock lock(mutex_);
  const bool counts = !schedule_.results().contains(game.id) && fits(plan_, schedule_, game);
  if (counts && !error_) {
    if (const auto added = journal_.add(game); added) {
      games_.push_back(game);
      schedule_.enter(game.id, game.half_points());
    } else {
      error_ = added.error();
    }
  }
  running_.erase(game.id);
  ++version_;
  changed_.notify_all();
  return counts;
}

void Coordinator::drain() {
  const std::scoped_lock lock(mutex_);
  draining_ = true;
  ++version_;
  changed_.notify_all();
}

void Coordinator::give_up(Error error) {
  const std::scoped_lock lock(mutex_);
  if (!error_) error_ = std::move(error);
  changed_.notify_all();
}

bool Coordinator::over() const {
  const std::scoped_lock lock(mutex_);
  return over_locked();
}

void Coordinator::wait_until_over(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, stop, [this] { return over_locked(); });
}

bool Coordinator::complete() const {
  const std::scoped_lock lock(mutex_);
  return schedule_.complete();
}

std::optional<Error> Coordinator::error() const {
  const std::scoped_lock lock(mutex_);
  return error_;
}

std::uint64_t Coordinator::version() const {
  const std::scoped_lock lock(mutex_);
  return version_;
}

std::vector<FinishedGame> Coordinator::ended_since(std::size_t known) const {
  const std::scoped_lock lock(mutex_);
  if (known >= games_.size()) return {};
  return {games_.begin() + static_cast<std::ptrdiff_t>(known), games_.end()};
}

Snapshot Coordinator::snapshot() const {
  const std::scoped_lock lock(mutex_);
  Snapshot snapshot{schedule_, games_, {}, draining_};
  for (const auto& running : running_) snapshot.running.push_back(running.second);
  return snapshot;
}

}  // namespace paika::tournament
