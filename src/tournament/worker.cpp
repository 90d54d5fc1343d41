#include "tournament/worker.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "tournament/order.hpp"

namespace paika::tournament {

namespace {

namespace fs = std::filesystem;

/// A game with all that it needs on this machine.
struct ReadyGame {
  std::string number;  // of the job and of its taking
  GameJob job;
  std::array<std::shared_ptr<const std::string>, 2> folders;  // out of the cache, as long as it is played
};

/// A log as it is sent: what is too much is left out of its middle.
std::string log_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (bytes.size() <= max_log_bytes) return bytes;
  constexpr std::string_view gap = "\n[…]\n";
  constexpr std::size_t half = (max_log_bytes - gap.size()) / 2;
  return bytes.substr(0, half) + std::string(gap) + bytes.substr(bytes.size() - half);
}

Result<ReadyGame> make_ready(const GameWorkerSettings& settings, const TakenJob& taken, const JobFiles& files) {
  auto order = read_order(taken.order);
  if (!order) return tl::unexpected(order.error());
  ReadyGame ready{fmt::format("{}.{}", taken.id, taken.fence), std::move(order->job), {}};
  ready.job.policy.confinement.sandbox = settings.sandbox;
  for (std::size_t side = 0; side < 2; ++side) {
    JobPlayer& player = ready.job.players[side];
    if (settings.programs) {
      const auto known = settings.programs->find(player.name);
      if (known == settings.programs->end()) continue;
      player.folder = known->second.folder;
      player.readable = known->second.readable;
      continue;
    }
    player.readable = settings.readable;
    if (order->hashes[side].empty()) continue;
    auto folder = settings.cache->get(order->hashes[side], files);
    if (!folder) return tl::unexpected(folder.error());
    ready.folders[side] = *folder;
    player.folder = **folder;
  }
  return ready;
}

Result<std::optional<JobResult>> play(const GameWorkerSettings& settings, const ReadyGame& ready,
                                      const JobContext& context) {
  // Nobody else writes there, not even who plays the same game because we were thought to be dead.
  const std::string logs = settings.programs ? settings.logs : fmt::format("{}/{}", settings.logs, ready.number);
  const auto game = play_job(ready.job, logs, context.stop);
  if (!game) return tl::unexpected(game.error());
  const std::shared_ptr<void> removed(nullptr, [&](void*) {
    std::error_code error;
    if (!settings.programs) fs::remove_all(logs, error);
  });
  if (!*game) return std::optional<JobResult>();
  PlayedGame played{**game, {}};
  for (std::size_t side = 0; side < 2 && !settings.programs; ++side) {
    const std::string& name = played.game.sides[side].log;
    if (name.empty()) continue;
    played.logs[side] = log_text(fs::path(logs) / name);
  }
  return std::optional(JobResult{result_text(played)});
}

}  // namespace

paika::Json event_json(const std::string& worker, const JobEvent& event) {
  paika::Json fields = paika::Json::object();
  if (!worker.empty()) fields["worker"] = worker;
  if (event.job != nullptr) {
    fields["job"] = event.job->name;
    fields["kind"] = event.job->kind;
    fields["topic"] = event.job->topic;
    if (!event.job->request.empty()) fields["request"] = event.job->request;
    if (event.what != JobEvent::What::taken) fields["seconds"] = event.seconds;
  }
  if (!event.text.empty()) fields["what"] = event.text;
  return fields;
}

JobKind game_worker(GameWorkerSettings settings) {
  return [settings = std::make_shared<const GameWorkerSettings>(std::move(settings))](
             const TakenJob& taken, const JobFiles& files) -> Result<JobWork> {
    auto ready = make_ready(*settings, taken, files);
    if (!ready) return tl::unexpected(ready.error());
    return [settings, ready = std::move(*ready)](const JobContext& context) { return play(*settings, ready, context); };
  };
}

}  // namespace paika::tournament
