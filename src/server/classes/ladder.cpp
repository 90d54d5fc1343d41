#include "server/classes/ladder.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

#include "base/random.hpp"
#include "engine/registry.hpp"
#include "play/openings.hpp"
#include "server/classes/pairing.hpp"

namespace paika::server {

namespace {

constexpr std::chrono::seconds look_again(10);
constexpr int opening_plies = 4;
constexpr int max_advantage = 300;  // of an opening, in hundredths of a piece
constexpr int max_game = 500;

/// Everything else on the machine goes first; bots inherit it.
void be_nice(int niceness) {
  const auto thread = static_cast<id_t>(::syscall(SYS_gettid));
  static_cast<void>(::setpriority(PRIO_PROCESS, thread, niceness));
}

/// The same for both games of a pair, and different for different classes.
std::uint64_t seed_of(const ClassId& id, std::int64_t pair) {
  std::uint64_t seed = static_cast<std::uint64_t>(pair);
  for (const char c : id) seed = mix64(seed * 257 + static_cast<unsigned char>(c));
  return seed;
}

double first_score(Verdict verdict) {
  return verdict == Verdict::draw ? 0.5 : verdict == Verdict::first_wins ? 1.0 : 0.0;
}

LadderGameRow row_of(const ClassRow& in, const LadderPairing& pairing, const LadderPlay& played) {
  play::GameRecord record = played.report.record;
  LadderGameRow row;
  row.class_id = in.id;
  row.bots = {pairing.first, pairing.second};
  row.pair = pairing.pair;
  row.leg = pairing.leg;
  row.verdict = name(record.result.verdict);
  row.reason = record.result.reason;
  if (played.report.failure) {
    row.failure = name(*played.report.failure);
    row.evidence = tail_of(record.result.remark, max_log_bytes);
  }
  row.turns = static_cast<int>(record.turns.size());
  // Who played and what is said of them is kept beside it, where it can be erased.
  record.players = {};
  record.result.remark.clear();
  row.record = play::record_text(record);
  row.logs = played.logs;
  row.ended = wall_now();
  return row;
}

/// The state of one job that somebody waits for; the job may outlive who waits.
struct Waiting {
  std::mutex mutex;
  std::condition_variable_any changed;
  bool done = false;
  std::optional<std::string> failure;
};

}  // namespace

std::string_view name(LadderWork::Kind kind) noexcept {
  switch (kind) {
    case LadderWork::Kind::building: return "building";
    case LadderWork::Kind::checking: return "checking";
    case LadderWork::Kind::playing: return "playing";
  }
  return "";
}

Ladder::Ladder(LadderSettings settings, LadderDeps deps)
    : settings_(std::move(settings)),
      deps_(std::move(deps)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

void Ladder::close() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void Ladder::poke() {
  {
    const std::scoped_lock lock(mutex_);
    poked_ = true;
  }
  changed_.notify_all();
}

Result<sandbox::Sandbox> Ladder::sandbox() const {
  auto found = sandbox::find_sandbox();
  if (!found && settings_.unsafe) return sandbox::Sandbox::none;
  return found;
}

std::optional<LadderWork> Ladder::work() const {
  const std::scoped_lock lock(mutex_);
  return work_;
}

LadderCounts Ladder::counts() const {
  const std::scoped_lock lock(mutex_);
  return counts_;
}

void Ladder::set_work(std::optional<LadderWork> work) {
  const std::scoped_lock lock(mutex_);
  work_ = std::move(work);
}

void Ladder::wait(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, stop, look_again, [this] { return poked_; });
  poked_ = false;
}

bool Ladder::commit(Writer::Job job, const std::stop_token& stop) {
  const auto waiting = std::make_shared<Waiting>();
  deps_.writer.submit(std::move(job), [waiting](const std::optional<std::string>& failure) {
    const std::scoped_lock lock(waiting->mutex);
    waiting->done = true;
    waiting->failure = failure;
    waiting->changed.notify_all();
  });
  std::unique_lock lock(waiting->mutex);
  if (!waiting->changed.wait(lock, stop, [&] { return waiting->done; })) return false;
  if (waiting->failure) deps_.log_event("ladder_not_committed", {{"what", *waiting->failure}});
  return !waiting->failure;
}

void Ladder::run(const std::stop_token& stop) {
  be_nice(settings_.niceness);
  std::unique_ptr<Store> reader;
  bool restarted = false;
  while (!stop.stop_requested()) {
    bool busy = false;
    try {
      if (reader == nullptr) {
        auto opened = Store::open(settings_.database, Store::Mode::reader);
        if (!opened) throw StoreError(opened.error().message);
        reader = std::move(*opened);
      }
      restarted = restarted || commit([](Store& store) { ClassStore(store).restart_bots(); }, stop);
      busy = restarted && step(*reader, stop);
    } catch (const std::exception& error) {
      const std::scoped_lock lock(mutex_);
      ++counts_.failures;
      deps_.log_event("ladder_failed", {{"what", error.what()}});
    }
    set_work(std::nullopt);
    if (!busy && !stop.stop_requested()) wait(stop);
  }
}

bool Ladder::step(Store& reader, const std::stop_token& stop) {
  ClassStore classes(reader);
  const auto waiting = classes.next_waiting();
  const std::vector<ClassRow> alive = classes.alive();
  if (workshop_ == nullptr) {
    if (!waiting && classes.all_accepted().empty()) return false;
    const auto found = sandbox();
    if (!found) {
      if (!std::exchange(reported_no_sandbox_, true)) deps_.log_event("no_sandbox", {{"what", found.error().message}});
      return false;
    }
    workshop_ = std::make_unique<Workshop>(settings_.folder, *found);
  }
  workshop_->keep_only(classes.all_accepted());
  if (waiting) {
    examine(reader, *waiting, stop);
    return true;
  }
  // The classes take turns: those after the last one first.
  const auto after = std::upper_bound(alive.begin(), alive.end(), last_class_,
                                      [](const ClassId& id, const ClassRow& row) { return id < row.id; });
  std::vector<const ClassRow*> order;
  for (auto it = after; it != alive.end(); ++it) order.push_back(&*it);
  for (auto it = alive.begin(); it != after; ++it) order.push_back(&*it);
  return std::any_of(order.begin(), order.end(),
                     [&](const ClassRow* in) { return !stop.stop_requested() && play_in(classes, *in, stop); });
}

void Ladder::examine(Store& reader, const BotRow& bot, const std::stop_token& stop) {
  ClassStore classes(reader);
  const auto in = classes.find(bot.class_id);
  if (!in) return;
  const auto becomes = [&](BotState state, const std::string& report) {
    return commit([id = bot.id, state, report](Store& store) { ClassStore(store).set_bot_state(id, state, report); },
                  stop);
  };
  set_work(LadderWork{LadderWork::Kind::building, bot.class_id, {bot.id, 0}});
  if (!becomes(BotState::building, "")) return;
  const BotVerdict verdict = workshop_->examine(
      *in, bot, classes.bot_files(bot.id),
      [&] {
        set_work(LadderWork{LadderWork::Kind::checking, bot.class_id, {bot.id, 0}});
        static_cast<void>(becomes(BotState::checking, ""));
      },
      stop);
  if (verdict.stopped) return;
  if (!becomes(verdict.accepted ? BotState::accepted : BotState::refused, verdict.report)) return;
  deps_.log_event("bot_examined", {{"bot", bot.id}, {"class", bot.class_id}, {"accepted", verdict.accepted}});
  const std::scoped_lock lock(mutex_);
  ++(verdict.accepted ? counts_.accepted : counts_.refused);
}

bool Ladder::play_in(ClassStore& classes, const ClassRow& in, const std::stop_token& stop) {
  const auto ladder = classes.ladder(in.id);
  const auto pairing = next_pairing(ladder, classes.meetings(in.id), classes.last_game(in.id), in.pairs);
  if (!pairing) return false;
  const auto row = [&](BotId id) {
    return *std::find_if(ladder.begin(), ladder.end(), [&](const BotRow& bot) { return bot.id == id; });
  };
  const std::array<BotRow, 2> bots = {row(pairing->first), row(pairing->second)};
  for (const BotRow& bot : bots) {
    if (workshop_->has(bot.id)) continue;
    // The folder is gone: it is built anew from what was handed in.
    return commit([id = bot.id](Store& store) { ClassStore(store).set_bot_state(id, BotState::waiting, ""); }, stop);
  }
  const auto game = open_game(in.spec);
  if (!game) throw StoreError(fmt::format("the class {} has no game: {}", in.id, game.error().message));
  set_work(LadderWork{LadderWork::Kind::playing, in.id, {pairing->first, pairing->second}});
  last_class_ = in.id;
  play::GamePlan plan;
  plan.game = *game;
  plan.number = static_cast<std::uint64_t>(pairing->pair * 2 + pairing->leg - 2);
  plan.max_turns = max_game;
  plan.opening =
      play::Openings(*game, "", opening_plies, seed_of(in.id, pairing->pair), play::balanced(*game, max_advantage))
          .next();
  const auto played = workshop_->play(in, bots, plan, stop);
  if (!played) throw StoreError(played.error().message);
  if (played->report.stopped || stop.stop_requested()) return false;
  const LadderGameRow kept = row_of(in, *pairing, *played);
  const double score = first_score(played->report.record.result.verdict);
  if (!commit([kept, score](Store& store) { static_cast<void>(ClassStore(store).add_game(kept, score)); }, stop)) {
    return false;
  }
  const std::scoped_lock lock(mutex_);
  ++counts_.games;
  return true;
}

}  // namespace paika::server
