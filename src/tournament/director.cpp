#include "tournament/director.hpp"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "tournament/folder_pack.hpp"
#include "tournament/order.hpp"
#include "tournament/worker.hpp"

namespace paika::tournament {

namespace {

using Clock = std::chrono::steady_clock;

/// How often the queue is looked at.
constexpr auto interval = std::chrono::milliseconds(50);
/// Openings that must be balanced take a moment each: so many games are in the queue, and so long are new ones made
/// before results are looked at again.
constexpr std::int64_t max_waiting = 256;
constexpr auto offering_time = std::chrono::milliseconds(200);

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

Director::Director(const TournamentPlan& plan, Journal& journal, JobQueue queue, DirectorSettings settings)
    : plan_(plan),
      journal_(journal),
      queue_(std::move(queue)),
      settings_(std::move(settings)),
      topic_(sha256_hex(plan_json(plan).dump() + settings_.identity)),
      schedule_(plan) {}

Result<std::unique_ptr<Director>> Director::start(const TournamentPlan& plan, Journal& journal, JobQueue queue,
                                                  DirectorSettings settings) {
  std::unique_ptr<Director> director(new Director(plan, journal, std::move(queue), std::move(settings)));
  if (auto taken = director->take_up_journal(); !taken) return tl::unexpected(taken.error());
  try {
    if (auto sent = director->send_folders(); !sent) return tl::unexpected(sent.error());
  } catch (const StoreError& failure) {
    return fail("{}", failure.what());
  }
  return director;
}

Result<void> Director::take_up_journal() {
  Results results;
  for (const FinishedGame& game : journal_.games()) results[game.id] = game.half_points();
  schedule_.enter(results);
  for (const FinishedGame& game : journal_.games()) {
    if (!fits(plan_, schedule_, game)) {
      return fail("the results have a game {} that this tournament has not", in_quotes(game.id));
    }
  }
  games_ = journal_.games();
  return {};
}

Result<void> Director::send_folders() {
  for (const PlannedPlayer& player : plan_.players) {
    const std::string& folder = player.folder_found;
    if (!settings_.sends_folders || folder.empty() || hashes_.contains(folder)) continue;
    auto packed = pack_folder(folder);
    if (!packed) return tl::unexpected(packed.error());
    hashes_[folder] = sha256_hex(*packed);
    queue_.add_file(topic_, hashes_[folder], *packed);
  }
  return {};
}

void Director::run(const std::stop_token& stop) {
  try {
    work(stop);
  } catch (const StoreError& failure) {
    give_up({failure.what()});
  }
}

void Director::work(const std::stop_token& stop) {
  while (true) {
    offer();
    // In this order: a game that ends meanwhile is seen as running or as done.
    look_at_running();
    if (collect()) continue;
    std::unique_lock lock(mutex_);
    if (is_over() || stop.stop_requested()) break;
    changed_.wait_for(lock, stop, interval, [] { return false; });
  }
  complete() ? queue_.close(topic_) : queue_.withdraw(topic_);
}

bool Director::is_over() const { return running_.empty() && (draining_ || error_ || schedule_.complete()); }

/// Enters the results that have come; false if there were none.
bool Director::collect() {
  const auto done = queue_.done(topic_);
  for (const DoneJob& job : done) {
    enter(job);
    queue_.remove(topic_, job.name);
    offered_.erase(job.name);
  }
  return !done.empty();
}

void Director::enter(const DoneJob& job) {
  const auto played = read_result(job.result);
  const std::scoped_lock lock(mutex_);
  // What makes no sense is played again, and what was entered before a crash is not entered twice.
  if (!played || error_ || schedule_.results().contains(played->game.id) || !fits(plan_, schedule_, played->game))
    return;
  FinishedGame game = played->game;
  game.worker = job.worker;
  if (const auto added = journal_.add(game); !added) {
    error_ = added.error();
    return;
  }
  write_logs(*played, settings_.logs);
  games_.push_back(game);
  schedule_.enter(game.id, game.half_points());
  ++version_;
}

/// Puts games that are due into the queue.
void Director::offer() {
  std::vector<Fixture> due;
  {
    const std::scoped_lock lock(mutex_);
    if (draining_ || error_) return queue_.withdraw(topic_);
    for (const Fixture* game : schedule_.open()) {
      if (!offered_.contains(game->id)) due.push_back(*game);
    }
  }
  std::int64_t room = due.empty() ? 0 : max_waiting - queue_.count_waiting(topic_);
  const auto deadline = Clock::now() + offering_time;
  for (const Fixture& game : due) {
    if (room-- <= 0 || Clock::now() > deadline) return;
    queue_.add({topic_, game.id, std::string(game_kind), settings_.version, order_for(game), {}});
    offered_.insert(game.id);
  }
}

std::string Director::order_for(const Fixture& fixture) const {
  const GameJob job = make_job(plan_, fixture);
  GameOrder order{job, {}};
  for (std::size_t side = 0; side < 2; ++side) {
    const auto hash = hashes_.find(job.players[side].folder);
    if (hash != hashes_.end()) order.hashes[side] = hash->second;
  }
  return order_text(order);
}

void Director::look_at_running() {
  const auto jobs = queue_.running(topic_);
  const std::scoped_lock lock(mutex_);
  std::vector<Running> running;
  for (const RunningJob& job : jobs) {
    const Fixture* const fixture = find(schedule_, job.name);
    if (fixture != nullptr) running.push_back({*fixture, job.worker, job.since_ms / 1000});
  }
  const auto same = [](const Running& a, const Running& b) {
    return a.fixture.id == b.fixture.id && a.worker == b.worker;
  };
  if (!std::equal(running.begin(), running.end(), running_.begin(), running_.end(), same)) ++version_;
  running_ = std::move(running);
}

void Director::drain() {
  const std::scoped_lock lock(mutex_);
  draining_ = true;
  ++version_;
  changed_.notify_all();
}

void Director::give_up(Error error) {
  const std::scoped_lock lock(mutex_);
  if (!error_) error_ = std::move(error);
  changed_.notify_all();
}

bool Director::complete() const {
  const std::scoped_lock lock(mutex_);
  return schedule_.complete();
}

std::optional<Error> Director::error() const {
  const std::scoped_lock lock(mutex_);
  return error_;
}

std::uint64_t Director::version() const {
  const std::scoped_lock lock(mutex_);
  return version_;
}

std::vector<FinishedGame> Director::ended_since(std::size_t known) const {
  const std::scoped_lock lock(mutex_);
  if (known >= games_.size()) return {};
  return {games_.begin() + static_cast<std::ptrdiff_t>(known), games_.end()};
}

Snapshot Director::snapshot() const {
  const std::scoped_lock lock(mutex_);
  return {schedule_, games_, running_, draining_};
}

}  // namespace paika::tournament
