#include "server/node.hpp"

#include <condition_variable>
#include <fmt/format.h>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>

#include "base/text.hpp"
#include "database/owner_watch.hpp"
#include "database/postgresql.hpp"
#include "server/http/address.hpp"
#include "server/http/web_files.hpp"
#include "server/net/forwarder.hpp"
#include "server/store/secrets.hpp"

namespace paika::server {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds look_interval{200};       // of those who wait
constexpr milliseconds check_interval{500};      // of the leader
constexpr milliseconds max_silence{3'000};       // of a leader; then it ends, or is deposed
constexpr milliseconds max_start_time{10'000};   // of one that has the database and does nothing with it
constexpr milliseconds retry_interval{1'000};    // after this node could not lead
constexpr milliseconds client_patience{6'000};   // while nobody leads
constexpr milliseconds first_look_time{10'000};  // in which a leader that has just begun says who it is
constexpr milliseconds database_limit{2'400};    // for an answer to the one who watches: with an interval, max_silence

constexpr int max_failures = 3;  // of one that starts; the first ones may be the fault of others who start

/// What a leader says of itself: "10.0.0.2 7421 SECRET".
std::string owner_text(const std::string& address, std::uint16_t port, const std::string& secret) {
  return fmt::format("{} {} {}", address, port, secret);
}

std::optional<AnotherLeads> read_owner(const std::string& text) {
  const std::size_t first = text.find(' ');
  const std::size_t second = text.find(' ', first + 1);
  if (first == std::string::npos || second == std::string::npos) return std::nullopt;
  const auto port = parse_int(std::string_view(text).substr(first + 1, second - first - 1));
  if (!port || *port < 1 || *port > 65535) return std::nullopt;
  return AnotherLeads{text.substr(0, first), static_cast<std::uint16_t>(*port), text.substr(second + 1)};
}

}  // namespace

class Node::Impl {
 public:
  Impl(NodeSettings settings, const std::string& secret, std::uint16_t node_port, std::unique_ptr<Forwarder> forwarder)
      : settings_(std::move(settings)),
        node_port_(node_port),
        self_(owner_text(settings_.address, node_port, secret)),
        log_(settings_.server.log_level, settings_.server.log),
        forwarder_(std::move(forwarder)) {
    settings_.server.owner = self_;
  }

  /// Leads at once, or finds who does.
  [[nodiscard]] Result<void> begin() {
    const auto deadline = std::chrono::steady_clock::now() + first_look_time;
    int failures = 0;
    try {
      while (true) {
        const Ownership found = watch().look();
        if (!found.is_owned) {
          log_.write(LogLevel::info, "tries_to_lead");
          auto opened = Server::open(settings_.server);
          if (opened) {
            server_ = std::move(*opened);
            return {};
          }
          // Another one may have been quicker.
          if (!watch().look().is_owned && ++failures == max_failures) return tl::unexpected(opened.error());
        } else if (!found.owner.empty()) {
          return {};
        } else if (std::chrono::steady_clock::now() > deadline) {
          return fail("{} is in use by a server that is no node: it runs without --node",
                      in_quotes(*shown_postgresql_url(settings_.server.database), 200));
        }
        std::this_thread::sleep_for(look_interval);
      }
    } catch (const StoreError& error) {
      return fail("{}", error.what());
    }
  }

  [[nodiscard]] Result<void> run() {
    log_.write(LogLevel::info, "node_started", {{"address", settings_.address}, {"port", node_port_}});
    std::thread watching([this] { watch_until_stopped(); });
    while (wait_to_lead()) {
      if (!server_) open_server();
      if (server_) lead();
    }
    watching.join();
    log_.write(LogLevel::info, "node_stopped");
    return {};
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    stop_leading();
    changed_.notify_all();
  }

  [[nodiscard]] std::uint16_t port() const { return settings_.server.network.listening->port(); }
  [[nodiscard]] std::uint16_t node_port() const { return node_port_; }

 private:
  // ---- On the thread of run() ----

  /// False if this node is to stop.
  [[nodiscard]] bool wait_to_lead() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stopping_ || server_ || is_free_; });
    is_free_ = false;
    return !stopping_;
  }

  void open_server() {
    log_.write(LogLevel::info, "tries_to_lead");
    auto opened = Server::open(settings_.server);
    if (opened) server_ = std::move(*opened);
    if (!opened) log_.write(LogLevel::warning, "cannot_lead", {{"what", opened.error().message}});
    std::unique_lock lock(mutex_);
    is_free_ = false;  // as it was before
    if (!opened) changed_.wait_for(lock, retry_interval, [this] { return stopping_; });
  }

  void lead() {
    {
      const std::lock_guard lock(mutex_);
      leading_ = server_.get();
      epoch_ = server_->epoch();
      if (stopping_) stop_leading();
      changed_.notify_all();
    }
    try {
      static_cast<void>(server_->run([this] { serve_clients(); }));  // what went wrong is in the log
    } catch (const std::exception& error) {
      log_.write(LogLevel::error, "cannot_lead", {{"what", error.what()}});
    }
    {
      const std::lock_guard lock(mutex_);
      forwarder_->set_route(NobodyLeads());
      leading_ = nullptr;
      is_ending_ = false;
      is_free_ = false;
      changed_.notify_all();
    }
    server_.reset();
    log_.write(LogLevel::info, "leads_no_more", {{"epoch", epoch_}});
  }

  /// Once all rooms are there.
  void serve_clients() {
    const std::lock_guard lock(mutex_);
    if (is_ending_) return;
    forwarder_->set_route(ThisLeads{[server = server_.get()](Descriptor socket, std::string address) {
      server->adopt(std::move(socket), std::move(address));
    }});
    const std::chrono::duration<double, std::milli> clock_runs = server_->clock_age();
    log_.write(LogLevel::info, "leads", {{"epoch", epoch_}, {"clock_runs_ms", clock_runs.count()}});
  }

  // ---- On any thread, under the mutex, which the forwarder's thread never takes ----

  /// From now on clients wait for the next leader; those who are here already are served to the end.
  void stop_leading() {
    if (leading_ == nullptr || std::exchange(is_ending_, true)) return;
    forwarder_->set_route(NobodyLeads());
    leading_->stop();
  }

  // ---- On the thread that watches ----

  void watch_until_stopped() {
    std::unique_lock lock(mutex_);
    while (!stopping_ || leading_ != nullptr) {
      Server* const leading = leading_;
      const auto epoch = leading != nullptr && !is_ending_ ? std::optional(epoch_) : std::nullopt;
      if (!epoch || epoch_ != seen_epoch_) seen_ = std::chrono::steady_clock::now();
      seen_epoch_ = epoch.value_or(0);
      lock.unlock();
      look_once(epoch);
      lock.lock();
      changed_.wait_for(lock, epoch ? check_interval : look_interval,
                        [&] { return leading_ != leading || (stopping_ && leading == nullptr); });
    }
  }

  /// `epoch`: in which this node leads. That the database cannot be reached is said once; who follows stays with its
  /// leader, which may still be reached, but who leads ends soon: others may lead by then.
  void look_once(std::optional<std::int64_t> epoch) {
    try {
      if (epoch) {
        go_on_leading(*epoch);
      } else {
        follow();
      }
      seen_ = std::chrono::steady_clock::now();
      if (std::exchange(reported_away_, false)) log_.write(LogLevel::info, "database_back");
    } catch (const std::exception& error) {
      watch_.reset();
      if (!std::exchange(reported_away_, true)) log_.write(LogLevel::warning, "no_database", {{"what", error.what()}});
      if (epoch && std::chrono::steady_clock::now() - seen_ >= database_limit) {
        lead_no_more(*epoch, "the database cannot be reached");
      }
    }
  }

  /// A leader sees itself as the others see it.
  void go_on_leading(std::int64_t epoch) {
    const Ownership found = watch().look();
    if (found.epoch != epoch) return lead_no_more(epoch, "another server has the database");
    if (found.owner != self_ || found.silence <= max_silence) return;  // it has not begun to say that it is there
    lead_no_more(epoch, "nothing was written for too long");
  }

  void lead_no_more(std::int64_t epoch, std::string_view why) {
    log_.write(LogLevel::error, "steps_down", {{"epoch", epoch}, {"what", why}});
    const std::lock_guard lock(mutex_);
    if (epoch_ == epoch) stop_leading();
  }

  void follow() {
    const Ownership found = watch().look();
    if (!found.is_owned) {
      const std::lock_guard lock(mutex_);
      is_free_ = true;
      return changed_.notify_all();
    }
    // Seen twice: after a pause of this machine the leader may be about to say it.
    const auto patience = found.owner == starting_owner ? max_start_time : max_silence;
    silent_looks_ = found.silence > patience ? silent_looks_ + 1 : 0;
    if (silent_looks_ > 1 && watch().depose(found.epoch, patience)) {
      log_.write(LogLevel::warning, "leader_deposed", {{"epoch", found.epoch}, {"silent_ms", found.silence.count()}});
    }
    const auto leader = read_owner(found.owner);
    if (!leader || found.owner == self_) return;
    if (found.epoch != followed_) {
      followed_ = found.epoch;
      log_.write(LogLevel::info, "follows",
                 {{"leader", fmt::format("{} {}", leader->address, leader->port)}, {"epoch", found.epoch}});
    }
    // Meanwhile this node may have begun to lead.
    const std::lock_guard lock(mutex_);
    if (leading_ == nullptr || is_ending_) forwarder_->set_route(*leader);
  }

  [[nodiscard]] OwnerWatch& watch() {
    if (!watch_) watch_.emplace(settings_.server.database, database_limit);
    return *watch_;
  }

  NodeSettings settings_;
  std::uint16_t node_port_;
  std::string self_;
  Log log_;
  std::unique_ptr<Forwarder> forwarder_;
  std::unique_ptr<Server> server_;   // of the thread of run()
  std::optional<OwnerWatch> watch_;  // of begin(), then of the thread that watches
  std::int64_t followed_ = 0;        // the epoch of the leader that is followed
  int silent_looks_ = 0;             // in a row, at which it was silent
  bool reported_away_ = false;
  std::int64_t seen_epoch_ = 0;                 // in which this node led when it last looked
  std::chrono::steady_clock::time_point seen_;  // when the database was last there
  std::mutex mutex_;                            // for what follows
  std::condition_variable changed_;
  Server* leading_ = nullptr;
  bool is_ending_ = false;  // it does, and serves nobody new any more
  std::int64_t epoch_ = 0;
  bool is_free_ = false;  // nobody owned the database just now
  bool stopping_ = false;
};

Result<std::unique_ptr<Node>> Node::open(NodeSettings settings) {
  if (!is_postgresql_url(settings.server.database)) {
    return fail("several servers share a PostgreSQL database: --node needs --db postgresql://USER@HOST/DATABASE");
  }
  const auto address = plain_address(settings.address);
  if (!address || *address == "0.0.0.0" || *address == "::") {
    return fail("--node takes the address and port where the other nodes reach this one, such as 10.0.0.2:7421, not {}",
                in_quotes(settings.address));
  }
  // Who follows needs these only when it leads: what is wrong with them is said now.
  if (const auto web = WebFiles::read(settings.server.web); !web) return tl::unexpected(web.error());
  if (!start_secrets()) return fail("this machine has no good random numbers: sessions would not be safe");
  auto clients = ListeningSocket::open(settings.server.network.address, settings.server.network.port);
  if (!clients) return tl::unexpected(clients.error());
  auto nodes = ListeningSocket::open(*address, settings.port);
  if (!nodes) return tl::unexpected(nodes.error());
  settings.address = *address;
  settings.server.network.listening = *clients;
  const std::string secret = random_secret();
  const auto warn = warnings_as("node", settings.server.log_level, settings.server.log);
  const auto note = [log =
                         std::make_shared<Log>(settings.server.log_level, settings.server.log)](const PassageNote& of) {
    Json fields = {{"passage", of.passage}, {"client", of.client}};
    if (of.bytes > 0) fields["bytes"] = of.bytes;
    log->write(LogLevel::debug, of.event, fields);
  };
  auto forwarder =
      Forwarder::open({*clients, *nodes, secret, settings.server.network.max_connections, client_patience, warn, note});
  if (!forwarder) return tl::unexpected(forwarder.error());
  auto impl = std::make_unique<Impl>(std::move(settings), secret, (*nodes)->port(), std::move(*forwarder));
  if (auto begun = impl->begin(); !begun) return tl::unexpected(begun.error());
  return std::unique_ptr<Node>(new Node(std::move(impl)));
}

Node::Node(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Node::~Node() = default;
std::uint16_t Node::port() const { return impl_->port(); }
std::uint16_t Node::node_port() const { return impl_->node_port(); }
Result<void> Node::run() { return impl_->run(); }
void Node::stop() { impl_->stop(); }

}  // namespace paika::server
