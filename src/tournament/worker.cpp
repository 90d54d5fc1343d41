#include "tournament/worker.hpp"

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sodium.h>
#include <thread>

#include "base/base64.hpp"
#include "base/text.hpp"
#include "tournament/folder_pack.hpp"
#include "tournament/job.hpp"
#include "tournament/wire.hpp"
#include "tournament/worker_host.hpp"

namespace paika::tournament {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr auto before_next_try = std::chrono::milliseconds(500);

std::string log_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes(max_log_bytes, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return bytes;
}

/// True for the hexadecimal digits of a hash: it becomes a folder's name.
bool good_hash(std::string_view hash) {
  constexpr std::size_t digits = 64;
  return hash.size() == digits && hash.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// A game that is played by a thread of its own, while its connection is looked after.
struct Playing {
  explicit Playing(const std::stop_token& stop) : on_stop(stop, [this] { halt.request_stop(); }) {}
  Playing(const Playing&) = delete;
  Playing& operator=(const Playing&) = delete;
  ~Playing() { halt.request_stop(); }

  std::stop_source halt;
  std::stop_callback<std::function<void()>> on_stop;
  std::string key;  // of the tournament
  std::atomic<bool> done = false;
  Result<std::optional<FinishedGame>> game = std::optional<FinishedGame>{};
  std::string logs;
  std::jthread thread;
};

class Slot {
 public:
  Slot(const WorkerSettings& settings, const std::stop_token& stop) : settings_(settings), stop_(stop) {}

  Result<void> run() {
    bool told = false;
    while (!stop_.stop_requested()) {
      auto socket = connect();
      if (socket) {
        told = false;
        Wire wire(std::move(*socket));
        const auto greeted =
            wire.greet_coordinator(settings_.secret, settings_.version, settings_.name, Clock::now() + greet_timeout);
        if (!greeted && wire.refused()) return tl::unexpected(greeted.error());
        const auto end = greeted ? talk(wire) : Result<bool>(tl::unexpected(greeted.error()));
        if (end && *end) return {};
        if (!end) settings_.say(fmt::format("{}; trying again", end.error().message));
      } else if (!told) {
        told = true;
        settings_.say(fmt::format("{}; trying again", socket.error().message));
      }
      pause();
    }
    return {};
  }

 private:
  [[nodiscard]] Result<protocols::Socket> connect() const {
    const auto address = read_address(settings_.address);
    if (!address) return tl::unexpected(address.error());
    return protocols::connect_to(address->first, address->second, Clock::now() + greet_timeout, stop_);
  }

  void pause() {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any never;
    never.wait_for(lock, stop_, before_next_try, [] { return false; });
  }

  /// Talks until the connection is lost (an error), or until all is done (true) or we are stopped (false).
  Result<bool> talk(Wire& wire) {
    Clock::time_point heartbeat = Clock::now();
    bool ready = false;
    sent_ = false;
    while (!stop_.stop_requested()) {
      if (playing_ && playing_->done) {
        if (const auto sent = send_result(wire); !sent) return tl::unexpected(sent.error());
      }
      if (!playing_ && !ready) {
        if (const auto sent = wire.send({{"say", "ready"}}, Clock::now() + send_timeout); !sent)
          return tl::unexpected(sent.error());
        ready = true;
      }
      if (Clock::now() - heartbeat > worker_heartbeat) {
        heartbeat = Clock::now();
        if (const auto sent = wire.send({{"say", "alive"}}, Clock::now() + send_timeout); !sent)
          return tl::unexpected(sent.error());
      }
      const auto message = wire.receive(Clock::now() + poll_interval);
      if (!message) return tl::unexpected(message.error());
      if (!*message) continue;
      const std::string order = text_in(**message, "do");
      if (order == "end") return true;
      if (order == "thanks") playing_.reset();
      if (order != "play") continue;
      ready = false;
      if (const auto begun = begin(wire, **message); !begun) {
        static_cast<void>(wire.send({{"say", "failed"}, {"why", begun.error().message}}, Clock::now() + send_timeout));
        return tl::unexpected(begun.error());
      }
    }
    return false;
  }

  /// The result stays until the coordinator thanks for it.
  Result<void> send_result(Wire& wire) {
    if (sent_) return {};
    if (!playing_->game || !*playing_->game) {
      const std::string why = playing_->game ? "it was stopped" : playing_->game.error().message;
      playing_.reset();
      static_cast<void>(wire.send({{"say", "failed"}, {"why", why}}, Clock::now() + send_timeout));
      return fail("a game could not be played: {}", why);
    }
    const FinishedGame& game = **playing_->game;
    Json logs = Json::array();
    for (const SideReport& side : game.sides) {
      logs.push_back(side.log.empty() ? Json() : Json(to_base64(log_text(fs::path(playing_->logs) / side.log))));
    }
    sent_ = true;
    return wire.send({{"say", "result"}, {"key", playing_->key}, {"game", to_json(game)}, {"logs", logs}},
                     Clock::now() + send_timeout);
  }

  Result<void> begin(Wire& wire, const Json& message) {
    auto job = read_job(message.value("job", Json()));
    if (!job) return tl::unexpected(job.error());
    job->policy.confinement.sandbox = settings_.sandbox;
    const Json folders = message.value("folders", Json::array());
    for (std::size_t side = 0; side < 2; ++side) {
      job->players[side].readable = settings_.readable;
      if (!folders.is_array() || side >= folders.size() || !folders[side].is_string()) continue;
      const auto folder = folder_for(wire, folders[side].get<std::string>());
      if (!folder) return tl::unexpected(folder.error());
      job->players[side].folder = *folder;
    }
    playing_ = std::make_unique<Playing>(stop_);
    sent_ = false;
    playing_->key = text_in(message, "key");
    playing_->logs = settings_.folder + "/logs";
    playing_->thread = std::jthread([playing = playing_.get(), job = *job] {
      playing->game = play_job(job, playing->logs, playing->halt.get_token());
      playing->done = true;
    });
    return {};
  }

  /// The folder of a program, asked for if it is not here.
  Result<std::string> folder_for(Wire& wire, const std::string& hash) {
    static std::mutex unpacking;  // of all slots
    if (!good_hash(hash)) return fail("the coordinator names a folder {}", in_quotes(hash));
    std::string folder = settings_.folder + "/" + hash;
    {
      const std::scoped_lock lock(unpacking);
      if (fs::exists(folder)) return folder;
    }
    if (const auto sent = wire.send({{"say", "need"}, {"hash", hash}}, Clock::now() + send_timeout); !sent)
      return tl::unexpected(sent.error());
    std::string pack;
    for (bool last = false; !last;) {
      const auto message = wire.receive(Clock::now() + send_timeout);
      if (!message) return tl::unexpected(message.error());
      if (!*message || text_in(**message, "do") != "folder" || text_in(**message, "hash") != hash)
        return fail("a folder did not arrive");
      const auto bytes = from_base64(text_in(**message, "data"));
      if (!bytes || pack.size() + bytes->size() > max_pack_bytes + (std::size_t{1} << 20))
        return fail("a folder is too large or damaged");
      pack += *bytes;
      const auto end = (*message)->find("last");
      last = end != (*message)->end() && end->is_boolean() && end->get<bool>();
    }
    if (sha256_hex(pack) != hash) return fail("a folder is not what its hash says");
    const std::scoped_lock lock(unpacking);
    if (fs::exists(folder)) return folder;
    if (const auto unpacked = unpack_folder(pack, folder); !unpacked) return tl::unexpected(unpacked.error());
    return folder;
  }

  const WorkerSettings& settings_;
  std::stop_token stop_;
  std::unique_ptr<Playing> playing_;
  bool sent_ = false;  // the result, on this connection
};

}  // namespace

Result<void> work_for(const WorkerSettings& settings, const std::stop_token& stop) {
  if (sodium_init() < 0) return fail("libsodium does not start");
  return Slot(settings, stop).run();
}

}  // namespace paika::tournament
