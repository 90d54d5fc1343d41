#include "server/server.hpp"

#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "server/api/positions.hpp"
#include "server/classes/bot_files.hpp"
#include "server/classes/classes_api.hpp"
#include "server/classes/ladder.hpp"
#include "server/classes/tournaments.hpp"
#include "server/clock.hpp"
#include "server/dispatcher.hpp"
#include "server/http/address.hpp"
#include "server/http/answers.hpp"
#include "server/hub.hpp"
#include "server/metrics.hpp"
#include "server/people.hpp"
#include "server/rooms_api.hpp"
#include "server/store/secrets.hpp"
#include "server/store/store.hpp"
#include "server/store/writer.hpp"

namespace paika::server {

namespace {

constexpr std::chrono::milliseconds tick_time{25};
constexpr std::chrono::milliseconds stop_patience{3000};
constexpr WallTime cleaning_time = std::chrono::milliseconds(std::chrono::hours(1)).count();
constexpr WallTime open_room_time = std::chrono::milliseconds(std::chrono::hours(24)).count();
constexpr int work_threads = 2;
constexpr std::size_t max_queued_work = 1000;
constexpr std::size_t engine_queue = 500;
constexpr int reading_threads = 2;
constexpr std::size_t reading_queue = 1000;
constexpr std::size_t export_queue = 1000;
constexpr int engine_niceness = 10;
constexpr std::size_t room_id_length = 12;

}  // namespace

/// The parts, in the order in which they need each other.
class Server::Impl {
 public:
  Impl(ServerSettings given, std::unique_ptr<Network> network, std::unique_ptr<Store> owner,
       std::unique_ptr<Store> reader, WebFiles files)
      : settings_(std::move(given)),
        log_(settings_.log_level, settings_.log),
        network_(std::move(network)),
        clock_(owner->server_time()),
        reader_(std::move(reader)),
        work_(work_threads, max_queued_work, 0),
        engines_(settings_.workers, engine_queue, engine_niceness),
        reading_(reading_threads, reading_queue, 0),
        readers_(reading_, settings_.database, poster()),
        exporting_(1, export_queue, 0),
        exports_(exporting_, settings_.database, poster()),
        writer_(std::move(owner), poster()),
        hub_({*reader_, writer_, engines_, readers_, log_, [this] { return clock_.now(); }, poster(),
              [] { return random_name(room_id_length); }, settings_.tables}),
        ladder_({settings_.database, settings_.database + ".bots", settings_.unsafe_bots, engine_niceness},
                {writer_, event_logger(LogLevel::info)}),
        dispatcher_({hub_, *reader_, writer_, work_, engines_, exports_, log_, settings_.database, poster(),
                     [this] { return metrics(); }},
                    Guard(guard_settings()), settings_.rate_factor, std::move(files), all_routes()) {}

  ~Impl() { end(); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void run() {
    hub_.load();
    log_.write(LogLevel::info, "started",
               {{"address", settings_.network.address}, {"port", network_->port()}, {"games", hub_.counts().running}});
    tick();
    network_->run(dispatcher_);
    end();
    log_.write(LogLevel::info, "stopped");
  }

  void stop() { network_->stop(stop_patience); }
  [[nodiscard]] std::uint16_t port() const { return network_->port(); }

 private:
  /// Everybody who uses the others on a thread of its own has ended after this.
  void end() {
    ladder_.close();
    engines_.close();
    work_.close();
    reading_.close();
    exporting_.close();
    writer_.finish();
  }

  [[nodiscard]] Writer::Post poster() {
    return [network = network_.get()](std::function<void()> call) { network->post(std::move(call)); };
  }

  [[nodiscard]] std::function<void(std::string_view, const Json&)> event_logger(LogLevel level) {
    return [this, level](std::string_view event, const Json& fields) { log_.write(level, event, fields); };
  }

  [[nodiscard]] GuardSettings guard_settings() const {
    return {settings_.origins, is_loopback(settings_.network.address)};
  }

  [[nodiscard]] std::vector<Route> all_routes() {
    PositionApi api;
    api.tables = settings_.tables;
    std::vector<Route> routes = position_routes(api);
    const auto queue_work = [this](std::function<void()> work) {
      return work_.submit([work = std::move(work)](const std::stop_token&) { work(); });
    };
    for (auto& more : {room_routes(hub_), people_routes({*reader_, writer_, work_, hub_, log_, poster()}),
                       class_routes({writer_, ladder_, poster(), queue_work, event_logger(LogLevel::error)}),
                       tournament_routes(settings_.tournaments)}) {
      routes.insert(routes.end(), more.begin(), more.end());
    }
    routes.push_back({"GET", "/api/routes", Rate::reading, Need::nobody, QuickHandler([this](const Call&) {
                        return json_response({{"routes", dispatcher_.route_names()}});
                      })});
    return routes;
  }

  /// Looks at the clocks again and again, and once an hour after what nobody needs any more.
  void tick() {
    hub_.tick();
    if (const WallTime now = wall_now(); now - cleaned_ > cleaning_time) {
      cleaned_ = now;
      writer_.submit(
          [now](Store& store) {
            static_cast<void>(store.drop_open_rooms(now - open_room_time));
            static_cast<void>(store.drop_idle_guests(now));
          },
          [this](const auto& failure) {
            if (failure) log_.write(LogLevel::warning, "not_cleaned", {{"what", *failure}});
          });
    }
    network_->after(tick_time, [this] { tick(); });
  }

  [[nodiscard]] std::string metrics() {
    OtherCounts other;
    other.writes_waiting = writer_.waiting();
    other.commits = writer_.commits();
    other.engines_running = engines_.running();
    other.engines_waiting = engines_.waiting();
    other.work_waiting = work_.waiting();
    other.ladder = ladder_.counts();
    other.uptime_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    return metrics_text(network_->counts(), hub_.counts(), other);
  }

  ServerSettings settings_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  WallTime cleaned_ = 0;
  Log log_;
  std::unique_ptr<Network> network_;  // outlives everyone who posts to it
  ServerClock clock_;
  std::unique_ptr<Store> reader_;
  WorkQueue work_;
  WorkQueue engines_;
  WorkQueue reading_;  // rooms and missed events for the hub
  BackgroundReader readers_;
  WorkQueue exporting_;
  BackgroundReader exports_;
  Writer writer_;
  Hub hub_;
  Ladder ladder_;
  Dispatcher dispatcher_;
};

Result<std::unique_ptr<Server>> Server::open(ServerSettings settings) {
  if (!start_secrets()) return fail("this machine has no good random numbers: sessions would not be safe");
  auto files = WebFiles::read(settings.web);
  if (!files) return tl::unexpected(files.error());
  auto owner = Store::open(settings.database, Store::Mode::owner);
  if (!owner) return tl::unexpected(owner.error());
  auto reader = Store::open(settings.database, Store::Mode::reader);
  if (!reader) return tl::unexpected(reader.error());
  settings.network.upload_ending = "/bots";
  settings.network.max_upload_bytes = max_upload_bytes;
  auto network = Network::open(settings.network);
  if (!network) return tl::unexpected(network.error());
  try {
    return std::unique_ptr<Server>(new Server(std::make_unique<Impl>(
        std::move(settings), std::move(*network), std::move(*owner), std::move(*reader), std::move(*files))));
  } catch (const StoreError& error) {
    return fail("{}", error.what());
  }
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;
std::uint16_t Server::port() const { return impl_->port(); }
void Server::run() { impl_->run(); }
void Server::stop() { impl_->stop(); }

}  // namespace paika::server
