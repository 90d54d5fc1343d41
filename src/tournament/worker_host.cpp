#include "tournament/worker_host.hpp"

#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <list>
#include <nlohmann/json.hpp>
#include <sodium.h>
#include <system_error>
#include <vector>

#include "base/base64.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "tournament/folder_pack.hpp"

namespace paika::tournament {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t max_lines = 512;
constexpr std::size_t part_bytes = std::size_t{1} << 20;

/// A connection's thread, and whether it is done.
struct Served {
  std::shared_ptr<std::atomic<bool>> over;
  std::jthread thread;
};

}  // namespace

std::string tournament_key(const TournamentPlan& plan) { return sha256_hex(plan_json(plan).dump()); }

/// One connection, after the greeting.
class WorkerHost::Line {
 public:
  Line(WorkerHost& host, Wire& wire, std::string name) : host_(host), wire_(wire), name_(std::move(name)) {}
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  ~Line() {
    if (job_) host_.coordinator_.give_back(job_->id);
  }

  /// Works until the worker goes or is told to; why, in words.
  std::string run(const std::stop_token& stop) {
    Clock::time_point heard = Clock::now();
    while (true) {
      if (stop.stop_requested() || (!job_ && host_.coordinator_.over())) return say_goodbye();
      if (idle_ && !job_) {
        if (const auto given = give_job(); !given) return given.error().message;
      }
      const auto message = wire_.receive(Clock::now() + poll_interval);
      if (!message) return message.error().message;
      if (*message) {
        heard = Clock::now();
        if (const auto handled = handle(**message); !handled) return handled.error().message;
      } else if (Clock::now() - heard > worker_silence) {
        return "it is silent";
      }
    }
  }

 private:
  std::string say_goodbye() {
    const bool over = host_.coordinator_.over();
    if (over) static_cast<void>(wire_.send({{"do", "end"}}, Clock::now() + send_timeout));
    return over ? "all is done" : "the tournament stops";
  }

  Result<void> give_job() {
    job_ = host_.coordinator_.try_take(name_);
    if (!job_) return {};
    idle_ = false;
    const GameJob job = make_job(host_.plan_, *job_);
    Json folders = Json::array();
    for (const JobPlayer& player : job.players) {
      folders.push_back(player.folder.empty() ? Json() : Json(host_.hashes_.at(player.folder)));
    }
    return wire_.send({{"do", "play"}, {"job", to_json(job)}, {"folders", folders}, {"key", host_.key_}},
                      Clock::now() + send_timeout);
  }

  Result<void> handle(const Json& message) {
    const std::string said = text_in(message, "say");
    if (said == "alive") return {};
    if (said == "ready") {
      idle_ = true;
      return {};
    }
    if (said == "need") return send_folder(text_in(message, "hash"));
    if (said == "result") return take_result(message);
    if (said == "failed") return fail("it cannot play: {}", in_quotes(text_in(message, "why"), 200));
    return fail("it says {}", in_quotes(said));
  }

  Result<void> send_folder(const std::string& hash) {
    const auto pack = host_.packs_.find(hash);
    if (pack == host_.packs_.end()) return fail("it asks for a folder that is not ours");
    const std::string_view bytes = pack->second;
    for (std::size_t at = 0; at < bytes.size(); at += part_bytes) {
      const bool last = at + part_bytes >= bytes.size();
      const auto sent = wire_.send(
          {{"do", "folder"}, {"hash", hash}, {"data", to_base64(bytes.substr(at, part_bytes))}, {"last", last}},
          Clock::now() + send_timeout);
      if (!sent) return sent;
    }
    return {};
  }

  Result<void> take_result(const Json& message) {
    // Perhaps of a tournament that was here before, or of a game that was given to another one since.
    if (text_in(message, "key") == host_.key_) {
      auto game = read_finished(message.value("game", Json()));
      if (!game) return tl::unexpected(game.error());
      game->worker = name_;
      for (std::size_t side = 0; side < 2; ++side) {
        game->sides[side].log = game->sides[side].log.empty() ? "" : log_name(game->id, game->players[side]);
      }
      if (host_.coordinator_.finish(*game)) write_logs(*game, message);
      if (job_ && job_->id == game->id) job_.reset();
    }
    return wire_.send({{"do", "thanks"}}, Clock::now() + send_timeout);
  }

  void write_logs(const FinishedGame& game, const Json& message) const {
    const auto logs = message.find("logs");
    if (logs == message.end() || !logs->is_array() || logs->size() != 2) return;
    std::error_code error;
    std::filesystem::create_directories(host_.settings_.logs, error);
    for (std::size_t side = 0; side < 2; ++side) {
      if (game.sides[side].log.empty() || !(*logs)[side].is_string()) continue;
      const auto bytes = from_base64((*logs)[side].get<std::string>());
      if (!bytes) continue;
      std::ofstream file(std::filesystem::path(host_.settings_.logs) / game.sides[side].log, std::ios::binary);
      file << plain_text(bytes->substr(0, max_log_bytes));
    }
  }

  WorkerHost& host_;
  Wire& wire_;
  std::string name_;
  std::optional<Fixture> job_;
  bool idle_ = false;
};

WorkerHost::WorkerHost(const TournamentPlan& plan, Coordinator& coordinator, HostSettings settings)
    : plan_(plan), coordinator_(coordinator), settings_(std::move(settings)), key_(tournament_key(plan)) {}

Result<std::unique_ptr<WorkerHost>> WorkerHost::start(const TournamentPlan& plan, Coordinator& coordinator,
                                                      HostSettings settings) {
  if (sodium_init() < 0) return fail("libsodium does not start");
  std::unique_ptr<WorkerHost> host(new WorkerHost(plan, coordinator, std::move(settings)));
  if (const auto packed = host->pack(); !packed) return tl::unexpected(packed.error());
  const auto address = read_address(host->settings_.listen);
  if (!address) return tl::unexpected(address.error());
  auto listener = protocols::Listener::open(address->first, address->second);
  if (!listener) return tl::unexpected(listener.error());
  host->listener_ = std::move(*listener);
  host->door_ = std::jthread([raw = host.get()](const std::stop_token& stop) { raw->accept_all(stop); });
  return host;
}

Result<void> WorkerHost::pack() {
  for (const PlannedPlayer& player : plan_.players) {
    const std::string& folder = player.folder_found;
    if (folder.empty() || hashes_.contains(folder)) continue;
    auto packed = pack_folder(folder);
    if (!packed) return tl::unexpected(packed.error());
    hashes_[folder] = sha256_hex(*packed);
    packs_[hashes_[folder]] = std::move(*packed);
  }
  return {};
}

void WorkerHost::accept_all(const std::stop_token& stop) {
  std::list<Served> served;
  while (!stop.stop_requested()) {
    auto guest = listener_->accept(stop);
    if (!guest) std::this_thread::sleep_for(poll_interval);
    std::erase_if(served, [](const Served& line) { return line.over->load(); });
    if (!guest || served.size() >= max_lines) continue;
    auto over = std::make_shared<std::atomic<bool>>(false);
    try {
      served.push_back(
          {over, std::jthread([this, socket = std::move(guest->first), over](const std::stop_token& end) mutable {
             serve(std::move(socket), end);
             over->store(true);
           })});
    } catch (const std::system_error& error) {
      settings_.say(fmt::format("no thread for a worker: {}", error.what()));
    }
  }
}

void WorkerHost::serve(protocols::Socket socket, const std::stop_token& stop) {
  Wire wire(std::move(socket));
  const auto peer = wire.greet_worker(settings_.secret, settings_.version, Clock::now() + greet_timeout);
  if (!peer) return settings_.say(fmt::format("a worker was refused: {}", peer.error().message));
  settings_.say(fmt::format("worker {} has joined", in_quotes(peer->name)));
  const std::string why = Line(*this, wire, peer->name).run(stop);
  settings_.say(fmt::format("worker {} has left: {}", in_quotes(peer->name), why));
}

}  // namespace paika::tournament
