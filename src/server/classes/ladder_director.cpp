#include "server/classes/ladder_director.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/random.hpp"
#include "base/utf8.hpp"
#include "engine/registry.hpp"
#include "play/openings.hpp"
#include "play/record.hpp"
#include "server/classes/workshop.hpp"
#include "tournament/folder_pack.hpp"
#include "tournament/order.hpp"
#include "tournament/worker.hpp"

namespace paika::server {

namespace {

constexpr std::string_view lead_topic = "ladder director";
constexpr std::string_view lead_kind = "direct";
constexpr std::chrono::seconds look_again(3);        // at what other servers have stored
constexpr std::chrono::seconds look_after(2);        // bots that wait
constexpr std::chrono::seconds patience_of_bot(15);  // until a game makes room
constexpr std::chrono::seconds min_game_time(10);    // that others wait for it is no fault of a short one
constexpr std::chrono::minutes between_tidying(1);
constexpr std::chrono::seconds between_counting(2);
constexpr int opening_plies = 4;
constexpr int max_advantage = 300;  // of an opening, in hundredths of a piece
constexpr int max_game = 500;
/// All moves of a bot in a game together.
constexpr Milliseconds time_to_play = std::chrono::minutes(10);

/// So many jobs may wait for a worker while so many are done: who is ready finds one, and the order is decided late.
std::size_t max_waiting(std::size_t running) { return 2 + running / 4; }

/// The same for both games of a pair, and different for different classes.
std::uint64_t seed_of(const ClassId& id, std::int64_t pair) {
  std::uint64_t seed = static_cast<std::uint64_t>(pair);
  for (const char c : id) seed = mix64(seed * 257 + static_cast<unsigned char>(c));
  return seed;
}

double first_score(Verdict verdict) {
  return verdict == Verdict::draw ? 0.5 : verdict == Verdict::first_wins ? 1.0 : 0.0;
}

/// Where the hash of what was built of a bot is in the queue.
std::string pack_name(BotId bot) { return fmt::format("pack of {}", bot); }

tournament::JobPlayer player_of(const BotRow& bot) {
  const auto protocol = protocols::read_protocol(bot.protocol).value_or(protocols::BotProtocol::ugi);
  return {fmt::format("bot-{}", bot.id), (bot.house() ? "engine:" : "bot:") + bot.run, protocol, "", {}};
}

/// Takes a moment: the opening is by chance and balanced.
Result<tournament::GameJob> game_of(const LadderJob& job) {
  const auto game = open_game(job.in.spec);
  if (!game) return tl::unexpected(game.error());
  tournament::GameJob order;
  order.id = fmt::format("{}.{}.{}", job.in.id, job.pairing->pair, job.pairing->leg);
  order.spec = (*game)->notation().spec();
  order.opening = play::Openings(*game, "", opening_plies, seed_of(job.in.id, job.pairing->pair),
                                 play::balanced(*game, max_advantage))
                      .next();
  order.number = static_cast<std::uint64_t>(job.pairing->pair * 2 + job.pairing->leg - 2);
  order.max_turns = max_game;
  order.max_total = time_to_play;
  order.settings = fmt::format("time={}ms", job.in.turn_ms);
  order.policy = bot_policy(job.in.memory_mb);
  for (std::size_t side = 0; side < 2; ++side) order.players[side] = player_of(job.bots[side]);
  return order;
}

/// The record of a game if it is the one that was due, begun as it should, and can have ended as it says.
std::optional<play::GameRecord> record_of(const tournament::GameJob& due, const tournament::FinishedGame& game) {
  if (game.id != due.id || game.spec != due.spec) return std::nullopt;
  for (std::size_t side = 0; side < 2; ++side) {
    if (game.players[side] != due.players[side].name) return std::nullopt;
  }
  auto records = play::parse_records(game.record);
  if (!records || records->size() != 1) return std::nullopt;
  play::GameRecord& record = records->front();
  const auto is_given = [](const play::RecordedTurn& turn, const std::string& given) { return turn.text == given; };
  if (record.start != due.start || record.turns.size() < due.opening.size() ||
      !std::equal(due.opening.begin(), due.opening.end(), record.turns.begin(),
                  [&](const std::string& given, const play::RecordedTurn& turn) { return is_given(turn, given); })) {
    return std::nullopt;
  }
  const std::string& reason = record.result.reason;
  if (game.reason != reason || (!game.failure.empty() && game.failure != reason)) return std::nullopt;
  if (reason == play::too_long_reason && record.turns.size() < static_cast<std::size_t>(due.max_turns)) {
    return std::nullopt;
  }
  if (reason == play::resigned_reason || reason == play::agreed_reason) return std::nullopt;
  return std::move(record);
}

LadderGameRow row_of(const LadderJob& job, const tournament::PlayedGame& played, play::GameRecord record) {
  LadderGameRow row;
  row.class_id = job.in.id;
  row.bots = {job.pairing->first, job.pairing->second};
  row.pair = job.pairing->pair;
  row.leg = job.pairing->leg;
  row.verdict = name(record.result.verdict);
  row.reason = record.result.reason;
  row.failure = played.game.failure;
  row.evidence = tail_of(plain_text(played.game.evidence), max_log_bytes);
  row.turns = static_cast<int>(record.turns.size());
  // Who played and what is said of them is kept beside it, where it can be erased.
  record.players = {};
  record.notes.clear();
  record.result.remark.clear();
  row.record = play::record_text(record);
  for (std::size_t side = 0; side < 2; ++side) row.logs[side] = tail_of(plain_text(played.logs[side]), max_log_bytes);
  row.ended = wall_now();
  return row;
}

bool is_decided(BotState state) {
  return state == BotState::accepted || state == BotState::refused || state == BotState::replaced;
}

}  // namespace

LadderDirector::LadderDirector(JobQueue queue, std::unique_ptr<Store> reader, LadderDirectorDeps deps, bool is_alone)
    : queue_(std::move(queue)), reader_(std::move(reader)), classes_(*reader_), deps_(std::move(deps)) {
  if (is_alone) queue_.clear(lead_topic);
}

// ---- Who directs ----

bool LadderDirector::lead() {
  if (lead_ && queue_.renew(*lead_)) return true;
  // That of one who is gone may be of another version.
  queue_.withdraw(lead_topic);
  queue_.add({std::string(lead_topic), "lead", std::string(lead_kind), deps_.version, "", ""});
  lead_ = queue_.take({"", deps_.version, {std::string(lead_kind)}, std::string(lead_topic)});
  offered_.clear();
  due_ = {};
  if (!lead_) return false;
  // What another one has offered is decided anew.
  queue_.clear(topic);
  if (deps_.commit([](Store& store) { ClassStore(store).restart_bots(); })) return true;
  resign();
  return false;
}

void LadderDirector::resign() {
  if (lead_) queue_.give_back(*lead_);
  lead_.reset();
}

// ---- One step ----

void LadderDirector::step(bool changed) {
  const auto now = Clock::now();
  watch_running();
  collect();
  if (changed || now - looked_ > look_again) {
    looked_ = now;
    is_due_ = true;
    end_lost();
    drop_decided();
    take_back();
  }
  make_room();
  if (is_due_) offer();
  if (changed || now - tidied_ > between_tidying) tidy_files();
  has_jobs_ = has_jobs_ || is_busy();
  count_jobs();
}

/// For the metrics.
void LadderDirector::count_jobs() {
  if (Clock::now() - counted_ < between_counting) return;
  counted_ = Clock::now();
  queue_stats_ = {queue_.depths(), queue_.counts()};
  // The job to direct is not one for workers.
  const auto is_lead = [](const auto& of) { return of.kind == lead_kind; };
  std::erase_if(queue_stats_.depths, is_lead);
  std::erase_if(queue_stats_.counts, is_lead);
}

void LadderDirector::look() {
  work_.clear();
  for (const RunningJob& job : queue_.running(topic)) {
    auto work = read_job_name(job.name);
    if (!work) continue;
    if (job.phase == checking_phase) work->kind = LadderWork::Kind::checking;
    if (work->kind != LadderWork::Kind::playing) deps_.on_progress(work->bots[0], job.progress);
    work_.push_back(std::move(*work));
  }
  has_jobs_ = has_jobs_ || !work_.empty() || queue_.count_waiting(topic) > 0;
  count_jobs();
}

void LadderDirector::watch_running() {
  work_.clear();
  for (const RunningJob& job : queue_.running(topic)) {
    const auto found = offered_.find(job.name);
    if (found == offered_.end()) continue;
    Offered& offered = found->second;
    if (!offered.taken) is_due_ = true;
    if (!offered.job.pairing) note_bot(offered, job);
    if (!offered.taken) offered.taken = Clock::now();
    LadderWork work = offered.job.work;
    if (offered.checked) work.kind = LadderWork::Kind::checking;
    work_.push_back(std::move(work));
  }
}

void LadderDirector::note_bot(Offered& offered, const RunningJob& job) {
  const BotId bot = offered.job.work.bots[0];
  if (!offered.taken && set_state(bot, BotState::building, "") == Entry::failed) return;
  if (!offered.checked && job.phase == checking_phase) {
    offered.checked = set_state(bot, BotState::checking, "") != Entry::failed;
  }
  deps_.on_progress(bot, job.progress);
}

LadderDirector::Entry LadderDirector::set_state(BotId bot, BotState state, const std::string& report) {
  const auto is_open = std::make_shared<bool>(false);  // the writer may still have it when we have given up
  const bool committed = deps_.commit([bot, state, report, is_open](Store& store) {
    ClassStore classes(store);
    const auto row = classes.bot(bot);
    *is_open = row && !is_decided(row->state);
    if (*is_open) classes.set_bot_state(bot, state, report);
  });
  if (!committed) return Entry::failed;
  return *is_open ? Entry::entered : Entry::outdated;
}

// ---- What comes back ----

void LadderDirector::collect() {
  for (const DoneJob& done : queue_.done(topic)) {
    const auto found = offered_.find(done.name);
    if (found == offered_.end()) {
      queue_.remove(topic, done.name);
      continue;
    }
    const Offered& offered = found->second;
    const bool is_game = offered.job.pairing.has_value();
    const Entry entry = is_game ? enter_game(offered, done) : enter_verdict(offered, done);
    if (entry == Entry::failed) return;  // the storage: it is there the next time
    if (entry == Entry::rejected) {
      ++counts_.failures;
      queue_.reject(is_game ? tournament::game_kind : bot_kind);
      deps_.log("ladder_result_rejected", {{"job", done.name}, {"worker", done.worker}});
    }
    queue_.remove(topic, done.name);
    end(done.name, done.took);
  }
}

LadderDirector::Entry LadderDirector::enter_game(const Offered& offered, const DoneJob& done) {
  const auto played = tournament::read_result(done.result);
  auto record = played ? record_of(offered.game, played->game) : std::nullopt;
  if (!record) return Entry::rejected;
  const double score = first_score(record->result.verdict);
  const bool committed = deps_.commit([row = row_of(offered.job, *played, std::move(*record)), score](Store& store) {
    static_cast<void>(ClassStore(store).add_game(row, score));
  });
  if (!committed) return Entry::failed;
  ++counts_.games;
  return Entry::entered;
}

LadderDirector::Entry LadderDirector::enter_verdict(const Offered& offered, const DoneJob& done) {
  const BotId bot = offered.job.work.bots[0];
  const auto verdict = read_verdict(done.result);
  if (!verdict) return Entry::rejected;
  if (verdict->accepted) {
    const auto pack = queue_.file(topic, verdict->pack);
    if (!pack || tournament::sha256_hex(*pack) != verdict->pack || !tournament::check_pack(*pack)) {
      return Entry::rejected;
    }
    queue_.set_file(topic, pack_name(bot), verdict->pack);
    packs_[bot] = verdict->pack;
  }
  deps_.on_progress(bot, done.progress);
  const Entry entry = set_state(bot, verdict->accepted ? BotState::accepted : BotState::refused, verdict->report);
  if (entry != Entry::entered) return entry;
  deps_.log("bot_examined",
            {{"bot", bot}, {"class", offered.job.in.id}, {"accepted", verdict->accepted}, {"worker", done.worker}});
  ++(verdict->accepted ? counts_.accepted : counts_.refused);
  return Entry::entered;
}

void LadderDirector::end(const std::string& name, std::chrono::milliseconds took) {
  const auto found = offered_.find(name);
  due_.finish(found->second.job, std::chrono::duration<double>(took).count());
  offered_.erase(found);
  is_due_ = true;
}

// ---- What is in the queue ----

/// Jobs that the queue does not have any more: it was lost, or it removed them and the answer did not arrive.
void LadderDirector::end_lost() {
  const std::set<std::string> there = queue_.names(topic);
  std::vector<std::string> lost;
  for (const auto& [name, offered] : offered_) {
    if (!there.contains(name)) lost.push_back(name);
  }
  for (const std::string& name : lost) end(name, {});
}

/// Bots that were withdrawn or deleted need not be built any more.
void LadderDirector::drop_decided() {
  std::vector<std::string> dropped;
  for (const auto& [name, offered] : offered_) {
    if (offered.job.pairing) continue;
    const auto row = classes_.bot(offered.job.work.bots[0]);
    if (!row || is_decided(row->state)) dropped.push_back(name);
  }
  for (const std::string& name : dropped) {
    queue_.remove(topic, name);
    end(name, {});
  }
}

/// What nobody has taken yet is put in order again.
void LadderDirector::take_back() {
  std::vector<std::string> taken_back;
  for (const auto& [name, offered] : offered_) {
    if (!offered.taken && queue_.take_back(topic, name)) taken_back.push_back(name);
  }
  for (const std::string& name : taken_back) end(name, {});
}

/// Breaks off the game that began last, if it has lasted for a while and a bot has waited for long.
void LadderDirector::make_room() {
  const auto now = Clock::now();
  if (now - made_room_ < look_after) return;
  made_room_ = now;
  const Offered* last = nullptr;
  std::string name;
  bool all_are_busy = false;
  for (const auto& [job, offered] : offered_) {
    if (!offered.taken) {
      all_are_busy = true;
    } else if (offered.job.pairing && (last == nullptr || *offered.taken > *last->taken)) {
      last = &offered;
      name = job;
    }
  }
  if (!all_are_busy || last == nullptr || !somebody_waits() || now - *last->taken < min_game_time) return;
  queue_.remove(topic, name);
  end(name, std::chrono::duration_cast<std::chrono::milliseconds>(now - *last->taken));
  waiting_since_.clear();
  ++counts_.put_off;
  take_back();
}

bool LadderDirector::somebody_waits() {
  const auto now = Clock::now();
  const auto waiting = classes_.waiting();
  // Whose bot is being examined waits for that, not for a game.
  std::set<std::pair<ClassId, PersonId>> served;
  std::set<BotId> at_work;
  for (const LadderWork& one : work_) {
    if (one.kind != LadderWork::Kind::playing) at_work.insert(one.bots[0]);
  }
  for (const WaitingBot& bot : waiting) {
    if (at_work.contains(bot.id)) served.insert({bot.class_id, bot.person});
  }
  std::map<BotId, Clock::time_point> still;
  bool long_enough = false;
  for (const WaitingBot& bot : waiting) {
    if (!served.insert({bot.class_id, bot.person}).second) continue;
    const auto since = waiting_since_.contains(bot.id) ? waiting_since_.at(bot.id) : now;
    long_enough = long_enough || now - since >= patience_of_bot;
    still[bot.id] = since;
  }
  waiting_since_ = std::move(still);
  return long_enough;
}

void LadderDirector::offer() {
  std::size_t waiting = 0;
  for (const auto& [name, offered] : offered_) waiting += offered.taken ? 0 : 1;
  while (waiting < max_waiting(offered_.size() - waiting)) {
    const auto job = due_.take(classes_);
    if (!job) {
      is_due_ = false;
      return;
    }
    bool is_offered = false;
    try {
      is_offered = job->pairing ? offer_game(*job) : offer_bot(*job);
    } catch (...) {
      due_.finish(*job, 0);  // else its bots would stay busy
      throw;
    }
    if (is_offered) {
      ++waiting;
    } else {
      due_.finish(*job, 0);
    }
  }
}

bool LadderDirector::offer_bot(const LadderJob& job) {
  const BotRow& bot = job.bots[0];
  const std::string files = classes_.bot_files(bot.id);
  const BotOrder order{
      job.in.spec, job.in.turn_ms, job.in.memory_mb, bot.protocol, bot.build, bot.run, tournament::sha256_hex(files)};
  queue_.add_file(topic, order.files, files);
  const std::string name = job_name(job.work);
  put(name, bot_kind, order_text(order), classes_.request_of(bot.id), {job, {}, std::nullopt});
  return true;
}

bool LadderDirector::offer_game(const LadderJob& job) {
  tournament::GameOrder order;
  bool is_ready = true;
  for (std::size_t side = 0; side < 2; ++side) {
    const auto pack = job.bots[side].house() ? std::optional<std::string>("") : pack_of(job.bots[side]);
    is_ready = is_ready && pack;
    order.hashes[side] = pack.value_or("");
  }
  if (!is_ready) return false;
  auto game = game_of(job);
  if (!game) throw StoreError(fmt::format("the class {} has no game: {}", job.in.id, game.error().message));
  order.job = *game;
  const std::string name = job_name(job.work);
  put(name, tournament::game_kind, tournament::order_text(order), "", {job, std::move(*game), std::nullopt});
  return true;
}

std::optional<std::string> LadderDirector::pack_of(const BotRow& bot) {
  std::string& hash = packs_[bot.id];
  if (hash.empty()) hash = queue_.file(topic, pack_name(bot.id)).value_or("");
  if (!hash.empty() && queue_.has_file(topic, hash)) return hash;
  hash.clear();
  // It is built anew from what was handed in.
  const bool committed = deps_.commit([id = bot.id](Store& store) {
    ClassStore classes(store);
    const auto row = classes.bot(id);
    if (row && row->state == BotState::accepted) classes.set_bot_state(id, BotState::waiting, "");
  });
  // Its game would be due again at once.
  if (!committed) throw StoreError(fmt::format("bot {} cannot be built anew: the storage failed", bot.id));
  return std::nullopt;
}

void LadderDirector::put(const std::string& name, std::string_view kind, std::string order, const std::string& request,
                         Offered offered) {
  queue_.add({std::string(topic), name, std::string(kind), deps_.version, std::move(order), request});
  offered_.emplace(name, std::move(offered));
}

/// What nobody needs any more goes out of the queue.
void LadderDirector::tidy_files() {
  tidied_ = Clock::now();
  std::set<std::string> needed;
  std::map<BotId, std::string> packs;
  std::set<BotId> bots = due_.bots_at_work();
  const auto accepted = classes_.all_accepted();
  bots.insert(accepted.begin(), accepted.end());
  for (const BotId bot : bots) {
    needed.insert(pack_name(bot));
    const auto known = packs_.find(bot);
    std::string hash = known != packs_.end() ? known->second : queue_.file(topic, pack_name(bot)).value_or("");
    needed.insert(hash);
    if (!hash.empty()) packs[bot] = std::move(hash);
  }
  for (const auto& [name, offered] : offered_) {
    if (!offered.job.pairing) needed.insert(tournament::sha256_hex(classes_.bot_files(offered.job.work.bots[0])));
  }
  packs_ = std::move(packs);
  queue_.keep_files(topic, needed);
}

}  // namespace paika::server
