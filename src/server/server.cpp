#include "server/server.hpp"

#include <future>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "database/postgresql.hpp"
#include "server/admin/admin.hpp"
#include "server/admin/admin_socket.hpp"
#include "server/analysis_jobs.hpp"
#include "server/api/positions.hpp"
#include "server/api/table_files.hpp"
#include "server/classes/assignments_api.hpp"
#include "server/classes/boards_api.hpp"
#include "server/classes/bot_files.hpp"
#include "server/classes/classes_api.hpp"
#include "server/classes/exhibitions_api.hpp"
#include "server/classes/git_api.hpp"
#include "server/classes/ladder.hpp"
#include "server/classes/tournaments.hpp"
#include "server/clock.hpp"
#include "server/dispatcher.hpp"
#include "server/explorer_api.hpp"
#include "server/gate.hpp"
#include "server/git/repositories.hpp"
#include "server/http/address.hpp"
#include "server/http/answers.hpp"
#include "server/hub.hpp"
#include "server/metrics.hpp"
#include "server/people.hpp"
#include "server/puzzles_api.hpp"
#include "server/rooms_api.hpp"
#include "server/sso/grade_sender.hpp"
#include "server/sso/lti.hpp"
#include "server/sso/sign_on.hpp"
#include "server/store/operators.hpp"
#include "server/store/secrets.hpp"
#include "server/store/store.hpp"
#include "server/store/thread_reader.hpp"
#include "server/store/wall_clock.hpp"
#include "server/store/writer.hpp"
#include "server/studies/studies_api.hpp"
#include "server/tracer.hpp"

namespace paika::server {

namespace {

constexpr std::chrono::milliseconds tick_time{25};
constexpr std::chrono::milliseconds stop_patience{3000};
constexpr std::chrono::minutes cleaning_time{1};
constexpr std::chrono::seconds sweeping_time{5};
constexpr WallTime open_room_time = std::chrono::milliseconds(std::chrono::hours(24)).count();
constexpr int ladder_niceness = 10;
constexpr std::size_t room_id_length = 12;
constexpr std::chrono::seconds admin_patience(30);
constexpr std::chrono::milliseconds beat_interval{500};
/// How long the writer waits for PostgreSQL: where others wait to be next, no longer than they do.
constexpr std::chrono::milliseconds max_database_wait{10'000};
constexpr std::chrono::milliseconds max_database_wait_of_node{3'000};

/// The queue of jobs: beside a file, and in the same database if that is PostgreSQL.
std::string job_queue_of(const std::string& database, const std::string& files) {
  return is_postgresql_url(database) ? database : files + ".queue";
}

}  // namespace

/// The parts, in the order in which they need each other.
class Server::Impl {
 public:
  Impl(ServerSettings given, std::unique_ptr<Network> network, std::unique_ptr<Store> owner,
       std::unique_ptr<Store> reader, WebFiles files, std::unique_ptr<ToolKeys> tool_keys,
       std::shared_ptr<Explorer> explorer)
      : settings_(std::move(given)),
        log_(settings_.log_level, settings_.log),
        network_(std::move(network)),
        epoch_(owner->epoch()),
        clock_(owner->server_time()),
        reader_(std::move(reader)),
        explorer_(std::move(explorer)),
        limiter_(settings_.rate_factor),
        queues_(settings_.workers, settings_.rate_factor, settings_.remote_analyses),
        readers_(queues_.rooms, settings_.database, poster()),
        exports_(queues_.exports, settings_.database, poster()),
        writer_(std::move(owner), poster()),
        hub_({*reader_, writer_, queues_.engines, readers_, log_, [this] { return clock_.now(); }, poster(),
              [] { return random_name(room_id_length); }, settings_.tables, default_engine_hash_mb, &rated_positions_,
              [this] { lobby_.rooms_changed(); },
              is_postgresql_url(settings_.database) ? tick_time : default_time_interval}),
        lobby_({hub_, readers_, log_}),
        ladder_(ladder_settings(), {writer_, event_logger(LogLevel::info)}),
        repositories_(settings_.files + ".git"),
        sign_on_(settings_.sso, sign_on_deps(), std::move(tool_keys)),
        grades_(sign_on_.config(), sign_on_.tool_keys(), sign_on_.send(),
                {settings_.database, writer_, event_logger(LogLevel::warning)}),
        boards_(std::make_shared<ClassBoards>(BoardsDeps{writer_, store_reader(), event_logger(LogLevel::error)})),
        dispatcher_({hub_, lobby_, boards_, *reader_, writer_, queues_, limiter_, exports_, log_, settings_.database,
                     poster(), [this] { return metrics(); }, analyses_elsewhere()},
                    Guard(guard_settings()), std::move(files), all_routes()),
        gate_(dispatcher_, writer_, log_) {
    hub_.open_rooms().set_caps(scaled(room_caps, settings_.rate_factor));
    lobby_.queue().set_caps(scaled(seek_caps, settings_.rate_factor));
    gate_.set_banned(OperatorStore(*reader_).banned_addresses());
  }

  ~Impl() { end(); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  [[nodiscard]] Result<void> run(const std::function<void()>& on_loaded) {
    // Nobody hears of what was written yet.
    hub_.load([this] { beat(); });
    is_loaded_ = true;
    on_loaded();
    log_.write(LogLevel::info, "started",
               {{"address", settings_.network.address}, {"port", network_->port()}, {"games", hub_.counts().running}});
    tick();
    network_->run(tracer_);
    end();
    log_.write(LogLevel::info, "stopped");
    if (!writer_.is_deposed()) return {};
    return fail("the database has another owner, or has lost what was committed: start this server again");
  }

  /// Makes the socket on which operators are heard.
  [[nodiscard]] Result<void> open_admin(const std::string& path) {
    auto opened =
        AdminSocket::open(path, [this](const std::string& line, unsigned uid) { return administer(line, uid); });
    if (!opened) return tl::unexpected(opened.error());
    admin_ = std::move(*opened);
    return {};
  }

  void stop() { network_->stop(stop_patience); }
  void adopt(Descriptor socket, std::string address) { network_->adopt(std::move(socket), std::move(address)); }
  [[nodiscard]] std::uint16_t port() const { return network_->port(); }
  [[nodiscard]] std::int64_t epoch() const { return epoch_; }
  [[nodiscard]] std::chrono::steady_clock::duration clock_age() const { return clock_.age(); }

 private:
  /// Everybody who uses the others on a thread of its own has ended after this.
  void end() {
    admin_.reset();
    grades_.close();
    ladder_.close();
    queues_.close();
    writer_.finish();
  }

  /// A line of an operator, on the thread of the admin socket: what it changes is decided on the network thread.
  [[nodiscard]] std::string administer(const std::string& line, unsigned uid) {
    const auto request = read_admin_request(line);
    if (!request) return Json{{"error", request.error().message}, {"bad_input", true}}.dump();
    const auto promise = std::make_shared<std::promise<Json>>();
    auto answer = promise->get_future();
    network_->post([this, promise, request = *request, by = machine_user(uid)] {
      administer(request, by, [promise](const Json& body) { promise->set_value(body); });
    });
    if (answer.wait_for(admin_patience) != std::future_status::ready) {
      return Json{{"error", "the server is too busy, or about to end"}}.dump();
    }
    return answer.get().dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  void administer(const AdminRequest& request, const std::string& by, const std::function<void(const Json&)>& done) {
    log_.write(LogLevel::info, "operator", {{"by", by}, {"action", request.action}, {"reason", request.reason}});
    const auto person = reader_->person_named(request.subject);
    const bool leaves = request.action == "ban" || request.action == "delete-person";
    if (!person || !leaves) return submit_administration(request, by, done);
    hub_.give_up_games(person->id, [this, request, by, done](bool given_up) {
      if (!given_up) return done({{"error", "the storage failed; nothing was changed"}});
      submit_administration(request, by, done);
    });
  }

  void submit_administration(const AdminRequest& request, const std::string& by,
                             const std::function<void(const Json&)>& done) {
    const auto answer = std::make_shared<AdminAnswer>();
    writer_.submit(
        [answer, request, by](Store& store) { *answer = server::administer(store, request, by, wall_now()); },
        [this, answer, request, done](const std::optional<std::string>& failure) {
          if (failure) return done({{"error", *failure}});
          if (answer->changed) follow(request, answer->person);
          if (request.action == "statistics") answer->body["server"] = live_counts();
          done(answer->body);
        });
  }

  /// What was changed in the store is changed in memory too.
  void follow(const AdminRequest& request, PersonId person) {
    if (request.action == "delete-person") hub_.forget(person);
    if (request.action == "delete-room") hub_.forget_room(request.subject);
    if (request.action.ends_with("-address")) gate_.set_banned(OperatorStore(*reader_).banned_addresses());
    ladder_.poke();
  }

  [[nodiscard]] Json live_counts() {
    const NetworkCounts network = network_->counts();
    const HubCounts hub = hub_.counts();
    const LadderCounts ladder = ladder_.counts();
    return {{"uptime_s", std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count()},
            {"resident_bytes", resident_bytes()},
            {"connections", network.connections},
            {"sockets", network.sockets},
            {"rooms_in_memory", hub.rooms},
            {"games_running", hub.running},
            {"watchers", hub.watchers},
            {"moves", hub.turns + hub.engine_turns},
            {"ladder_jobs", ladder_.work().size()},
            {"ladder_games", ladder.games}};
  }

  [[nodiscard]] Writer::Post poster() {
    return [network = network_.get()](std::function<void()> call) { network->post(carrying_trace(std::move(call))); };
  }

  [[nodiscard]] std::function<void(std::string_view, const Json&)> event_logger(LogLevel level) {
    return [this, level](std::string_view event, const Json& fields) { log_.write(level, event, fields); };
  }

  [[nodiscard]] std::function<StreamHandler::Work(const Call&)> analyses_elsewhere() const {
    if (settings_.remote_analyses == 0) return {};
    return [queue = job_queue_of(settings_.database, settings_.files), version = settings_.version](const Call& call) {
      return remote_analysis(queue, version, call);
    };
  }

  [[nodiscard]] LadderSettings ladder_settings() const {
    return {settings_.database,
            job_queue_of(settings_.database, settings_.files),
            is_postgresql_url(settings_.database),
            settings_.files + ".bots",
            settings_.version,
            settings_.unsafe_bots,
            settings_.weak_sandbox,
            settings_.ladder_workers,
            ladder_niceness,
            settings_.bot_readable};
  }

  [[nodiscard]] GuardSettings guard_settings() const {
    return {settings_.origins, is_loopback(settings_.network.address)};
  }

  [[nodiscard]] PeopleDeps people_deps() {
    return {
        *reader_,
        writer_,
        queues_.passwords,
        limiter_,
        hub_,
        log_,
        poster(),
        [this](std::chrono::milliseconds time, std::function<void()> call) { network_->after(time, std::move(call)); },
        [this](PersonId person) { dispatcher_.close_ended_sockets(person); },
        settings_.rate_factor};
  }

  [[nodiscard]] GitDeps git_deps() {
    const auto queue = [this](const Client& client, bool push, WorkQueue::Work work) -> std::optional<Response> {
      const auto taken = (push ? queues_.pushes : queues_.clones).submit(client, std::move(work));
      return taken ? std::nullopt : std::optional(full_response(taken.error()));
    };
    return {repositories_, ladder_, writer_, settings_.database, poster(), queue, event_logger(LogLevel::info)};
  }

  [[nodiscard]] SignOnDeps sign_on_deps() {
    return {*reader_,
            writer_,
            poster(),
            [this](const Client& client, std::function<void(const std::stop_token&)> work) -> std::optional<Response> {
              const auto taken = queues_.outside.submit(client, std::move(work));
              if (taken) return std::nullopt;
              return full_response(taken.error());
            },
            event_logger(LogLevel::warning),
            [this](PersonId person) { dispatcher_.close_ended_sockets(person); },
            [this] { ladder_.poke(); },
            settings_.database};
  }

  [[nodiscard]] ReadStore store_reader() {
    return [this](const Client& client, std::function<void(Store&)> read,
                  std::function<void(bool)> done) -> std::optional<Response> {
      const auto taken = readers_.run(
          client,
          [read = std::move(read)](Store& store) {
            read(store);
            return true;
          },
          [done = std::move(done)](const tl::expected<bool, std::string>& found) { done(found.has_value()); });
      return taken ? std::nullopt : std::optional(full_response(taken.error()));
    };
  }

  [[nodiscard]] QueueWork work_queuer() {
    return [this](const Client& client, std::function<void()> work) -> std::optional<Response> {
      const auto taken = queues_.positions.submit(client, [work = std::move(work)](const std::stop_token&) { work(); });
      return taken ? std::nullopt : std::optional(full_response(taken.error()));
    };
  }

  [[nodiscard]] AssignmentsDeps assignments_deps() {
    return {writer_,
            poster(),
            work_queuer(),
            store_reader(),
            [this](const RoomPlan& plan, const Identity& opener, const Client& client,
                   std::function<void(Store&, const RoomId&)> also,
                   const std::function<void(const tl::expected<RoomId, Refused>&)>& done) {
              open_counted_room(hub_, plan, opener, client, done, std::move(also));
            },
            event_logger(LogLevel::error),
            settings_.tables};
  }

  [[nodiscard]] ExhibitionsDeps exhibitions_deps() {
    return {writer_,
            [this](const RoomPlan& plan, const Identity& opener, std::function<void(Store&, const RoomId&)> also,
                   std::function<void(bool)> done) {
              hub_.open(
                  plan, opener, Client{}, [done = std::move(done)](const auto& room) { done(room.has_value()); },
                  std::move(also));
            },
            event_logger(LogLevel::error)};
  }

  [[nodiscard]] RatedSpecs rated_specs() {
    return [&rated = rated_positions_](const Call& call) {
      return call.person ? rated.played_by(call.person->id) : std::vector<std::string>();
    };
  }

  [[nodiscard]] std::vector<Route> all_routes() {
    PositionApi api;
    api.tables = settings_.tables;
    api.in_rated_play = [&rated = rated_positions_](const Session& session) {
      return rated.contains(RatedPositions::key_of(session));
    };
    std::vector<Route> routes = position_routes(api);
    for (auto& more :
         {git_routes(git_deps()), room_routes(hub_, lobby_, limiter_), people_routes(people_deps()),
          class_routes(
              {writer_, ladder_, poster(), work_queuer(), event_logger(LogLevel::error), settings_.approved_teachers}),
          assignment_routes(assignments_deps()), boards_->routes(), exhibition_routes(exhibitions_deps()),
          tournament_routes(settings_.tournaments), sign_on_routes(sign_on_),
          lti_routes(sign_on_, [this] { grades_.poke(); }), explorer_routes(explorer_, api.in_rated_play),
          puzzle_routes({writer_, event_logger(LogLevel::error)}), table_file_routes(settings_.tables, rated_specs()),
          study_routes({writer_, poster(), work_queuer(), event_logger(LogLevel::error)})}) {
      routes.insert(routes.end(), more.begin(), more.end());
    }
    routes.push_back({"GET", "/api/routes", Rate::reading, Need::nobody, QuickHandler([this](const Call&) {
                        return json_response({{"routes", dispatcher_.route_names()}});
                      })});
    return routes;
  }

  /// Says that this server is there, through this thread and the writer: if either hangs, it is not.
  void beat() {
    const auto now = std::chrono::steady_clock::now();
    if (settings_.owner.empty() || is_beating_ || now - beaten_ < beat_interval) return;
    beaten_ = now;
    is_beating_ = is_loaded_;
    writer_.submit([owner = settings_.owner](Store& store) { store.say_owner(owner); },
                   [this](const auto&) { is_beating_ = false; });
  }

  void stop_if_deposed() {
    if (!writer_.is_deposed() || std::exchange(reported_deposed_, true)) return;
    log_.write(LogLevel::error, "deposed", {{"epoch", epoch_}});
    stop();
  }

  /// Looks at the clocks again and again, and once a minute after what nobody needs any more.
  void tick() {
    beat();
    stop_if_deposed();
    hub_.tick();
    lobby_.tick();
    if (const auto now = std::chrono::steady_clock::now(); now - cleaned_ > cleaning_time) {
      cleaned_ = now;
      clean();
    }
    if (const auto now = std::chrono::steady_clock::now(); now - swept_ > sweeping_time) {
      swept_ = now;
      sweep();
    }
    network_->after(tick_time, [this] { tick(); });
  }

  /// Removes repositories whose class or owner is gone.
  void sweep() {
    const bool taken = queues_.clones.submit([this](const std::stop_token&) {
      Store* const store = thread_reader(settings_.database);
      if (store == nullptr) return;
      try {
        ClassStore classes(*store);
        repositories_.sweep(classes);
      } catch (const std::exception& error) {
        log_.write(LogLevel::warning, "not_swept", {{"what", error.what()}});
      }
    });
    if (!taken) log_.write(LogLevel::warning, "not_swept", {{"what", "too many requests of git"}});
  }

  /// Deletes what is too old, by a clock that has gone evenly for an hour.
  void clean() {
    const WallTime now = wall_now();
    if (!wall_is_settled()) return;
    const auto dropped = std::make_shared<std::vector<RoomId>>();
    writer_.submit(
        [now, dropped](Store& store) {
          *dropped = store.drop_open_rooms(now - open_room_time);
          static_cast<void>(store.drop_idle_guests(now));
        },
        [this, dropped](const auto& failure) {
          if (failure) return log_.write(LogLevel::warning, "not_cleaned", {{"what", *failure}});
          for (const RoomId& room : *dropped) hub_.open_rooms().drop(room);
          if (!dropped->empty()) lobby_.rooms_changed();
        });
    keep_explorer_in_step();
  }

  /// Games that have ended since the last time go into the explorer; where many wait, as many as take a moment.
  void keep_explorer_in_step() {
    const bool taken = exports_.run([explorer = explorer_](Store& store) { return explorer->catch_up(store); },
                                    [this](const tl::expected<bool, std::string>& done) {
                                      if (!done) log_.write(LogLevel::warning, "explorer", {{"what", done.error()}});
                                    });
    if (!taken) log_.write(LogLevel::warning, "explorer", {{"what", "too much else is read"}});
  }

  [[nodiscard]] std::string metrics() {
    OtherCounts other;
    other.writes_waiting = writer_.waiting();
    other.commits = writer_.commits();
    const auto counts = [](const WorkQueue& queue) { return QueueCounts{queue.running(), queue.waiting()}; };
    other.queues = {{"engines", "moves of the engine", counts(queues_.engines)},
                    {"analyses", "analyses", counts(queues_.analyses)},
                    {"passwords", "passwords", counts(queues_.passwords)},
                    {"positions", "questions about positions", counts(queues_.positions)},
                    {"reads", "slow reads", counts(queues_.reads)},
                    {"rooms", "rooms to be read", counts(queues_.rooms)},
                    {"exports", "pieces of long answers", counts(queues_.exports)},
                    {"clones", "requests of git that read", counts(queues_.clones)},
                    {"pushes", "pushes", counts(queues_.pushes)}};
    other.ladder = ladder_.counts();
    other.jobs = ladder_.queue_stats();
    other.requests = tracer_.times();
    other.uptime_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    return metrics_text(network_->counts(), hub_.counts(), other);
  }

  ServerSettings settings_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point cleaned_ = started_;
  std::chrono::steady_clock::time_point swept_;
  std::chrono::steady_clock::time_point beaten_;
  bool is_loaded_ = false;
  bool is_beating_ = false;  // and has not heard whether it was written
  bool reported_deposed_ = false;
  Log log_;
  std::unique_ptr<Network> network_;  // outlives everyone who posts to it
  std::int64_t epoch_;
  ServerClock clock_;
  std::unique_ptr<Store> reader_;
  std::shared_ptr<Explorer> explorer_;
  Limiter limiter_;
  WorkQueues queues_;
  BackgroundReader readers_;
  BackgroundReader exports_;
  Writer writer_;
  RatedPositions rated_positions_;
  Hub hub_;
  Lobby lobby_;
  Ladder ladder_;
  Repositories repositories_;
  SignOn sign_on_;
  GradeSender grades_;
  std::shared_ptr<ClassBoards> boards_;
  Dispatcher dispatcher_;
  Gate gate_;
  Tracer tracer_{gate_, log_, {settings_.network.behind_proxy, settings_.slow}};  // traces of requests outlive it
  std::unique_ptr<AdminSocket> admin_;                                            // last: it uses all the others
};

Result<std::unique_ptr<Server>> Server::open(ServerSettings settings) {
  if (!start_secrets()) return fail("this machine has no good random numbers: sessions would not be safe");
  auto files = WebFiles::read(settings.web);
  if (!files) return tl::unexpected(files.error());
  const bool is_node = !settings.owner.empty();
  auto owner = Store::open(settings.database, Store::Mode::owner,
                           {is_node, is_node ? max_database_wait_of_node : max_database_wait});
  if (!owner) return tl::unexpected(owner.error());
  auto reader = Store::open(settings.database, Store::Mode::reader);
  if (!reader) return tl::unexpected(reader.error());
  auto files_path = files_beside(settings.database);
  if (!files_path) return tl::unexpected(files_path.error());
  settings.files = std::move(*files_path);
  auto explorer = Explorer::open(settings.files + ".explorer", settings.games);
  if (!explorer) return tl::unexpected(explorer.error());
  settings.network.log = warnings_as("network", settings.log_level, settings.log);
  settings.network.upload_ending = "/bots";
  settings.network.max_upload_bytes = max_upload_bytes;
  settings.network.stream_prefix = git_prefix;
  auto network = Network::open(settings.network);
  if (!network) return tl::unexpected(network.error());
  const std::string admin = admin_socket_path(settings.files);
  std::unique_ptr<ToolKeys> tool_keys;
  if (!settings.sso.platforms.empty()) {
    auto keys = ToolKeys::open(settings.files + ".lti-keys", wall_now());
    if (!keys) return tl::unexpected(keys.error());
    tool_keys = std::make_unique<ToolKeys>(std::move(*keys));
  }
  try {
    auto impl = std::make_unique<Impl>(std::move(settings), std::move(*network), std::move(*owner), std::move(*reader),
                                       std::move(*files), std::move(tool_keys), std::move(*explorer));
    if (auto opened = impl->open_admin(admin); !opened) return tl::unexpected(opened.error());
    return std::unique_ptr<Server>(new Server(std::move(impl)));
  } catch (const StoreError& error) {
    return fail("{}", error.what());
  }
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;
std::uint16_t Server::port() const { return impl_->port(); }
std::int64_t Server::epoch() const { return impl_->epoch(); }
std::chrono::steady_clock::duration Server::clock_age() const { return impl_->clock_age(); }
void Server::adopt(Descriptor socket, std::string address) { impl_->adopt(std::move(socket), std::move(address)); }
Result<void> Server::run(const std::function<void()>& on_loaded) { return impl_->run(on_loaded); }
void Server::stop() { impl_->stop(); }

}  // namespace paika::server
