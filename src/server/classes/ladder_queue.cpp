#include "server/classes/ladder_queue.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/text.hpp"

namespace paika::server {

std::string_view name(LadderWork::Kind kind) noexcept {
  switch (kind) {
    case LadderWork::Kind::building: return "building";
    case LadderWork::Kind::checking: return "checking";
    case LadderWork::Kind::playing: return "playing";
  }
  return "";
}

std::string job_name(const LadderWork& work) {
  if (work.kind != LadderWork::Kind::playing) return fmt::format("bot {} {}", work.class_id, work.bots[0]);
  return fmt::format("game {} {} {}", work.class_id, work.bots[0], work.bots[1]);
}

std::optional<LadderWork> read_job_name(std::string_view name) {
  const auto parts = split(name, ' ');
  LadderWork work;
  if (parts.size() == 4 && parts[0] == "game") {
    work.kind = LadderWork::Kind::playing;
  } else if (parts.size() != 3 || parts[0] != "bot") {
    return std::nullopt;
  }
  work.class_id = parts[1];
  for (std::size_t i = 2; i < parts.size(); ++i) {
    const auto bot = parse_int(parts[i]);
    if (!bot) return std::nullopt;
    work.bots.at(i - 2) = *bot;
  }
  return work;
}

/// A bot that waits, or a class that may have a game to play.
struct LadderQueue::Candidate {
  ClassId class_id;
  BotId bot = 0;  // 0: a game
  FairShare::Path path;
};

namespace {

FairShare::Path path_of(PersonId teacher, const ClassId& class_id, PersonId student) {
  return {fmt::format("{}", teacher), class_id, student == 0 ? "games" : fmt::format("{}", student)};
}

}  // namespace

std::vector<LadderQueue::Candidate> LadderQueue::candidates(ClassStore& classes) const {
  std::vector<Candidate> list;
  std::set<std::pair<ClassId, PersonId>> served;  // students whose next bot is here already, or at work
  for (const LadderJob& job : running_) served.insert({job.in.id, job.student});
  for (const WaitingBot& bot : classes.waiting()) {
    if (!served.insert({bot.class_id, bot.person}).second) continue;
    list.push_back({bot.class_id, bot.id, path_of(bot.teacher, bot.class_id, bot.person)});
  }
  // After the bots: of equals the first goes first.
  for (const ClassRow& in : classes.alive()) list.push_back({in.id, 0, path_of(in.teacher, in.id, 0)});
  return list;
}

std::optional<LadderJob> LadderQueue::take(ClassStore& classes) {
  std::vector<Candidate> list = candidates(classes);
  std::vector<FairShare::Path> paths;
  for (const Candidate& candidate : list) paths.push_back(candidate.path);
  while (!list.empty()) {
    const auto chosen = static_cast<std::ptrdiff_t>(share_.next(paths));
    if (auto job = job_of(classes, list.at(static_cast<std::size_t>(chosen)))) {
      job->number = ++last_number_;
      share_.begin(job->path);
      running_.push_back(*job);
      return job;
    }
    list.erase(list.begin() + chosen);
    paths.erase(paths.begin() + chosen);
  }
  return std::nullopt;
}

std::optional<LadderJob> LadderQueue::job_of(ClassStore& classes, const Candidate& candidate) const {
  const auto in = classes.find(candidate.class_id);
  if (!in) return std::nullopt;
  std::optional<LadderJob> job;
  if (candidate.bot == 0) {
    job = game_in(classes, *in);
  } else if (auto bot = classes.bot(candidate.bot)) {
    job.emplace();
    job->work = {LadderWork::Kind::building, in->id, {bot->id, 0}};
    job->student = bot->person;
    job->bots[0] = std::move(*bot);
  }
  if (!job) return std::nullopt;
  job->in = *in;
  job->path = candidate.path;
  return job;
}

std::optional<LadderJob> LadderQueue::game_in(ClassStore& classes, const ClassRow& in) const {
  const auto last = classes.last_game(in.id);
  std::int64_t last_pair = last ? last->pair : 0;
  for (const LadderJob& job : running_) {
    if (job.in.id == in.id && job.pairing) last_pair = std::max(last_pair, job.pairing->pair);
  }
  auto free = classes.ladder(in.id);
  const std::set<BotId> busy = bots_at_work();
  std::erase_if(free, [&](const BotRow& bot) { return busy.contains(bot.id); });
  if (free.size() < 2) return std::nullopt;
  const auto pairing = next_pairing(free, classes.meetings(in.id), classes.half_pairs(in.id), last_pair, in.pairs);
  if (!pairing) return std::nullopt;
  const auto row = [&](BotId id) {
    return *std::find_if(free.begin(), free.end(), [&](const BotRow& bot) { return bot.id == id; });
  };
  LadderJob job;
  job.work = {LadderWork::Kind::playing, in.id, {pairing->first, pairing->second}};
  job.bots = {row(pairing->first), row(pairing->second)};
  job.pairing = pairing;
  return job;
}

void LadderQueue::finish(const LadderJob& job, double seconds) {
  share_.end(job.path, seconds);
  std::erase_if(running_, [&](const LadderJob& other) { return other.number == job.number; });
}

std::set<BotId> LadderQueue::bots_at_work() const {
  std::set<BotId> bots;
  for (const LadderJob& job : running_) bots.insert(job.work.bots.begin(), job.work.bots.end());
  bots.erase(0);
  return bots;
}

}  // namespace paika::server
