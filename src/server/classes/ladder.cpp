#include "server/classes/ladder.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

#include "base/random.hpp"
#include "base/utf8.hpp"
#include "engine/registry.hpp"
#include "play/openings.hpp"

namespace paika::server {

namespace {

constexpr std::chrono::seconds look_again(10);
constexpr std::chrono::seconds look_after(2);           // bots that wait
constexpr std::chrono::seconds patience_of_bot(15);     // until a game makes room
constexpr std::chrono::seconds least_time_of_game(10);  // that others wait for it is no fault of a short one
constexpr int opening_plies = 4;
constexpr int max_advantage = 300;  // of an opening, in hundredths of a piece
constexpr int max_game = 500;
constexpr std::size_t max_transcript = std::size_t{1} << 16;
constexpr std::string_view withdrawn_report = "The push was broken off before the bot was checked; push again.";

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

LadderGameRow row_of(const LadderJob& job, const LadderPlay& played) {
  const LadderPairing& pairing = *job.pairing;
  play::GameRecord record = played.report.record;
  LadderGameRow row;
  row.class_id = job.in.id;
  row.bots = {pairing.first, pairing.second};
  row.pair = pairing.pair;
  row.leg = pairing.leg;
  row.verdict = name(record.result.verdict);
  row.reason = record.result.reason;
  if (played.report.failure) {
    row.failure = name(*played.report.failure);
    row.evidence = tail_of(plain_text(record.result.remark), max_log_bytes);
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

Ladder::Ladder(LadderSettings settings, LadderDeps deps) : settings_(std::move(settings)), deps_(std::move(deps)) {
  for (int i = 0; i < settings_.workers; ++i) {
    threads_.emplace_back([this](const std::stop_token& stop) { run(stop); });
  }
  threads_.emplace_back([this](const std::stop_token& stop) { watch(stop); });
}

void Ladder::close() {
  for (std::jthread& thread : threads_) thread.request_stop();
  threads_.clear();
}

void Ladder::poke() {
  {
    const std::scoped_lock lock(mutex_);
    ++changes_;
  }
  changed_.notify_all();
}

void BotTranscript::add(std::string_view text) {
  {
    const std::scoped_lock lock(mutex_);
    if (added_ > max_transcript) return;
    added_ += text.size();
    text_ += text;
    if (added_ > max_transcript) text_ += "[…]\n";
  }
  changed_();
}

std::string BotTranscript::take() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(text_, {});
}

std::shared_ptr<BotTranscript> Ladder::follow(BotId bot, std::function<void()> changed) {
  auto transcript = std::make_shared<BotTranscript>(std::move(changed));
  const std::scoped_lock lock(mutex_);
  std::erase_if(followed_, [](const auto& item) { return item.second.expired(); });
  followed_[bot] = transcript;
  return transcript;
}

void Ladder::say(BotId bot, std::string_view text) {
  std::shared_ptr<BotTranscript> transcript;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = followed_.find(bot);
    if (found != followed_.end()) transcript = found->second.lock();
  }
  if (transcript) transcript->add(text);
}

void Ladder::withdraw(BotId bot) {
  {
    const std::scoped_lock lock(mutex_);
    withdrawn_.insert(bot);
  }
  // One that is at work is refused when that ends.
  deps_.writer.submit(
      [bot](Store& store) {
        ClassStore classes(store);
        const auto row = classes.bot(bot);
        if (row && row->state == BotState::waiting) classes.set_bot_state(bot, BotState::refused, withdrawn_report);
      },
      [this](const auto&) { poke(); });
}

bool Ladder::was_withdrawn(BotId bot) {
  const std::scoped_lock lock(mutex_);
  return withdrawn_.erase(bot) > 0;
}

Result<sandbox::Sandbox> Ladder::sandbox() const {
  auto found = sandbox::find_sandbox();
  if (!found && settings_.unsafe) return sandbox::Sandbox::none;
  if (!found || settings_.unsafe || settings_.weak) return found;
  const std::string trouble = sandbox::accounting_trouble();
  if (trouble.empty()) return found;
  return fail("the sandbox is weak here, since {}; with --weak-sandbox the server takes bots nevertheless", trouble);
}

std::vector<LadderWork> Ladder::work() const {
  const std::scoped_lock lock(mutex_);
  return work_;
}

LadderCounts Ladder::counts() const {
  const std::scoped_lock lock(mutex_);
  return counts_;
}

std::uint64_t Ladder::changes() const {
  const std::scoped_lock lock(mutex_);
  return changes_;
}

void Ladder::wait(const std::stop_token& stop, std::uint64_t seen) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, stop, look_again, [&] { return changes_ != seen; });
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
  if (const std::string trouble = sandbox::accounting_trouble(); !trouble.empty()) {
    deps_.log_event("weak_sandbox", {{"what", trouble}, {"ladders", settings_.weak || settings_.unsafe}});
  }
  std::unique_ptr<Store> reader;
  while (!stop.stop_requested()) {
    const std::uint64_t seen = changes();
    bool busy = false;
    try {
      if (reader == nullptr) {
        auto opened = Store::open(settings_.database, Store::Mode::reader);
        if (!opened) throw StoreError(opened.error().message);
        reader = std::move(*opened);
      }
      busy = step(*reader, stop);
    } catch (const std::exception& error) {
      const std::scoped_lock lock(mutex_);
      ++counts_.failures;
      deps_.log_event("ladder_failed", {{"what", error.what()}});
    }
    if (!busy && !stop.stop_requested()) wait(stop, seen);
  }
}

void Ladder::watch(const std::stop_token& stop) {
  std::unique_ptr<Store> reader;
  std::map<BotId, std::chrono::steady_clock::time_point> seen;
  while (!stop.stop_requested()) {
    bool playing = false;
    {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, stop, look_after, [] { return false; });
      playing = !games_.empty() && work_.size() >= static_cast<std::size_t>(settings_.workers);
    }
    if (!playing) continue;
    try {
      if (reader == nullptr) {
        if (auto opened = Store::open(settings_.database, Store::Mode::reader)) reader = std::move(*opened);
      }
      if (reader == nullptr) continue;
      ClassStore classes(*reader);
      if (somebody_waits(classes, seen)) put_off_game();
    } catch (const std::exception& error) {
      deps_.log_event("ladder_failed", {{"what", error.what()}});
    }
  }
}

bool Ladder::somebody_waits(ClassStore& classes, std::map<BotId, std::chrono::steady_clock::time_point>& seen) {
  const auto now = std::chrono::steady_clock::now();
  const auto waiting = classes.waiting();
  // Whose bot is being examined waits for that, not for a game.
  std::set<std::pair<ClassId, PersonId>> served;
  std::set<BotId> at_work;
  for (const LadderWork& one : work()) {
    if (one.kind != LadderWork::Kind::playing) at_work.insert(one.bots[0]);
  }
  for (const WaitingBot& bot : waiting) {
    if (at_work.contains(bot.id)) served.insert({bot.class_id, bot.person});
  }
  std::map<BotId, std::chrono::steady_clock::time_point> still;
  bool long_enough = false;
  for (const WaitingBot& bot : waiting) {
    if (!served.insert({bot.class_id, bot.person}).second) continue;
    const auto since = seen.contains(bot.id) ? seen.at(bot.id) : now;
    long_enough = long_enough || now - since >= patience_of_bot;
    still[bot.id] = since;
  }
  seen = long_enough ? decltype(still)() : std::move(still);
  return long_enough;
}

void Ladder::put_off_game() {
  const std::scoped_lock lock(mutex_);
  const auto last = std::max_element(games_.begin(), games_.end(),
                                     [](const auto& a, const auto& b) { return a.second.began < b.second.began; });
  if (last == games_.end()) return;
  if (std::chrono::steady_clock::now() - last->second.began < least_time_of_game) return;
  last->second.stop.request_stop();
  ++counts_.put_off;
}

bool Ladder::step(Store& reader, const std::stop_token& stop) {
  const auto job = take(reader, stop);
  if (!job) return false;
  const auto begin = std::chrono::steady_clock::now();
  const auto end = [&] {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    change_queue([&](LadderQueue& queue) { queue.finish(*job, seconds); });
  };
  bool done = false;
  try {
    ClassStore classes(reader);
    done = job->pairing ? play(*job, stop) : examine(classes, *job, stop);
  } catch (...) {
    end();
    throw;
  }
  end();
  if (done) poke();  // who waited for this student, or for these bots, may go on
  return done;
}

bool Ladder::has_workshop(ClassStore& classes) {
  if (workshop_ != nullptr) return true;
  if (classes.waiting().empty() && classes.all_accepted().empty()) return false;
  const auto found = sandbox();
  if (found) {
    workshop_ = std::make_unique<Workshop>(settings_.folder, *found, settings_.readable);
  } else if (!std::exchange(reported_no_sandbox_, true)) {
    deps_.log_event("no_sandbox", {{"what", found.error().message}});
  }
  return workshop_ != nullptr;
}

std::optional<LadderJob> Ladder::take(Store& reader, const std::stop_token& stop) {
  const std::scoped_lock one_at_a_time(choosing_);
  ClassStore classes(reader);
  restarted_ = restarted_ || commit([](Store& store) { ClassStore(store).restart_bots(); }, stop);
  if (!restarted_ || stop.stop_requested() || !has_workshop(classes)) return std::nullopt;
  auto job = queue_.take(classes);
  {
    const std::scoped_lock lock(mutex_);
    work_ = queue_.at_work();
  }
  std::set<BotId> needed = queue_.bots_at_work();
  const auto accepted = classes.all_accepted();
  needed.insert(accepted.begin(), accepted.end());
  workshop_->keep_only(needed);
  return job;
}

void Ladder::change_queue(const std::function<void(LadderQueue&)>& change) {
  const std::scoped_lock one_at_a_time(choosing_);
  change(queue_);
  const std::scoped_lock lock(mutex_);
  work_ = queue_.at_work();
}

bool Ladder::examine(ClassStore& classes, const LadderJob& job, const std::stop_token& stop) {
  const BotRow& bot = job.bots[0];
  const auto becomes = [&](BotState state, const std::string& report) {
    return commit([id = bot.id, state, report](Store& store) { ClassStore(store).set_bot_state(id, state, report); },
                  stop);
  };
  if (was_withdrawn(bot.id)) return becomes(BotState::refused, std::string(withdrawn_report));
  if (!becomes(BotState::building, "")) return false;
  const auto listener = [&](std::string_view text) { say(bot.id, text); };
  BotVerdict verdict = workshop_->examine(
      job.in, bot, classes.bot_files(bot.id),
      [&] {
        change_queue([&](LadderQueue& queue) { queue.checking(job); });
        static_cast<void>(becomes(BotState::checking, ""));
        listener("checking\n");
      },
      listener, stop);
  if (verdict.stopped) return false;
  if (was_withdrawn(bot.id)) verdict = {false, false, std::string(withdrawn_report)};
  if (!becomes(verdict.accepted ? BotState::accepted : BotState::refused, verdict.report)) return false;
  deps_.log_event("bot_examined", {{"bot", bot.id}, {"class", bot.class_id}, {"accepted", verdict.accepted}});
  const std::scoped_lock lock(mutex_);
  ++(verdict.accepted ? counts_.accepted : counts_.refused);
  return true;
}

bool Ladder::play(const LadderJob& job, const std::stop_token& stop) {
  for (const BotRow& bot : job.bots) {
    if (workshop_->has(bot)) continue;
    // The folder is gone: it is built anew from what was handed in.
    return commit([id = bot.id](Store& store) { ClassStore(store).set_bot_state(id, BotState::waiting, ""); }, stop);
  }
  const auto game = open_game(job.in.spec);
  if (!game) throw StoreError(fmt::format("the class {} has no game: {}", job.in.id, game.error().message));
  const LadderPairing& pairing = *job.pairing;
  play::GamePlan plan;
  plan.game = *game;
  plan.number = static_cast<std::uint64_t>(pairing.pair * 2 + pairing.leg - 2);
  plan.max_turns = max_game;
  plan.opening =
      play::Openings(*game, "", opening_plies, seed_of(job.in.id, pairing.pair), play::balanced(*game, max_advantage))
          .next();
  std::stop_source put_off;
  const std::stop_callback with_us(stop, [&] { put_off.request_stop(); });
  const auto note = [&](bool begins) {
    const std::scoped_lock lock(mutex_);
    if (begins) {
      games_[job.number] = {std::chrono::steady_clock::now(), put_off};
    } else {
      games_.erase(job.number);
    }
  };
  note(true);
  const auto played = workshop_->play(job.in, job.bots, plan, put_off.get_token());
  note(false);
  if (!played) throw StoreError(played.error().message);
  if (stop.stop_requested()) return false;
  if (played->report.stopped || put_off.stop_requested()) return true;  // it is played again
  const double score = first_score(played->report.record.result.verdict);
  const bool committed = commit(
      [row = row_of(job, *played), score](Store& store) { static_cast<void>(ClassStore(store).add_game(row, score)); },
      stop);
  if (!committed) return false;
  const std::scoped_lock lock(mutex_);
  ++counts_.games;
  return true;
}

}  // namespace paika::server
