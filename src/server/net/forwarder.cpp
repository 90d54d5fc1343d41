#include "server/net/forwarder.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>
#include <future>
#include <list>
#include <random>
#include <thread>
#include <utility>

#include "server/http/address.hpp"
#include "server/net/listener.hpp"
#include "server/net/passage_head.hpp"
#include "server/net/types.hpp"

namespace paika::server {

namespace {

using net::Acceptor;
using net::ErrorCode;
using net::into;
using net::Socket;
using net::SteadyClock;
using net::Task;
using net::Tcp;
using net::Timer;

constexpr std::size_t buffer_bytes = std::size_t{8} * 1024;
constexpr std::chrono::milliseconds head_time{2'000};  // for the head of a passage, or a question
constexpr std::chrono::milliseconds goodbye_time{2'000};
constexpr std::chrono::milliseconds dial_time{2'000};
constexpr std::chrono::milliseconds min_dial_interval{100};  // while the leader does not answer; doubled each time
constexpr std::chrono::milliseconds max_dial_interval{1'000};
constexpr std::chrono::milliseconds pause_time{100};  // when the machine has no room for one more
constexpr std::chrono::milliseconds check_interval{1'000};

constexpr std::string_view no_leader =
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 2\r\nConnection: close\r\n"
    "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n\r\n"
    "{\"error\":{\"code\":\"no_leader\",\"message\":\"no server can be reached at the moment\","
    "\"retry_after_ms\":2000}}\n";

/// One client on its way to the leader, with all that can be cut.
struct Passage {
  explicit Passage(Socket taken)
      : client(std::move(taken)), leader(client.get_executor()), timer(client.get_executor()) {}

  std::string id;       // in the logs
  std::string address;  // of the client
  std::uint64_t bytes = 0;
  /// Everybody who waits for it goes on with an error.
  void cut() {
    ErrorCode error;
    client.close(error);
    leader.close(error);
    timer.cancel();
  }

  /// Who waits for the leader tries again.
  void go_on() {
    ErrorCode error;
    leader.close(error);
    timer.cancel();
  }

  Socket client;
  Socket leader;
  Timer timer;
  /// Since when something is waited for that must not take long: to the leader, to the client, of the client after the
  /// leader's end. The epoch: it is not.
  std::array<SteadyClock::time_point, 3> due_since{};
  int directions = 2;                                   // that have not ended
  std::list<std::shared_ptr<Passage>>::iterator place;  // among those that are passed on
};
using PassagePtr = std::shared_ptr<Passage>;

/// Cuts a passage when its time is over, unless its timer is set anew.
void limit(const PassagePtr& passage, std::chrono::milliseconds time) {
  passage->timer.expires_after(time);
  passage->timer.async_wait([passage](const ErrorCode& stopped) {
    if (!stopped) passage->cut();
  });
}

/// Says something and ends. What the client still sends is read, else the system would take back what was said.
Task<void> say(PassagePtr passage, std::string text) {
  limit(passage, goodbye_time);
  ErrorCode error;
  co_await net::asio::async_write(passage->client, net::asio::buffer(text), into(error));
  if (!error) passage->client.shutdown(Tcp::socket::shutdown_send, error);
  while (!error) co_await passage->client.async_read_some(net::asio::buffer(text), into(error));
  passage->cut();
}

/// Opens a socket whose buffers are bounded: what is passed on is to wait where it comes from.
void open_bounded(Socket& socket, const Tcp::endpoint& there, ErrorCode& error) {
  socket.open(there.protocol(), error);
  if (!error) socket.set_option(net::asio::socket_base::receive_buffer_size(net::max_buffer), error);
  if (!error) socket.set_option(net::asio::socket_base::send_buffer_size(net::max_buffer), error);
  if (!error) socket.set_option(Tcp::no_delay(true), error);
}

/// Nodes begin to count far from each other.
std::uint64_t random_id() {
  std::random_device random;
  return (std::uint64_t{random()} << 32U) | (std::uint64_t{random()} & 0xfff00000U);
}

Descriptor released(Socket& socket) {
  ErrorCode error;
  return Descriptor(socket.release(error));
}

}  // namespace

class Forwarder::Impl {
 public:
  explicit Impl(ForwarderSettings settings)
      : settings_(std::move(settings)),
        clients_(io_.get_executor()),
        nodes_(io_.get_executor()),
        check_(io_.get_executor()) {}

  ~Impl() {
    io_.stop();
    if (thread_.joinable()) thread_.join();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  [[nodiscard]] Result<void> open() {
    if (auto fine = net::listen(nodes_, *settings_.nodes); !fine) return fine;
    if (auto fine = net::listen(clients_, *settings_.clients); !fine) return fine;
    take_clients();
    net::asio::co_spawn(io_, accept_all(nodes_, [this](Socket socket) { greet_node(std::move(socket)); }),
                        net::asio::detached);
    check_now_and_then();
    thread_ = std::thread([this] { run(); });
    return {};
  }

  void set_route(ForwardingRoute route) {
    std::packaged_task<void()> change([this, &route] { change_route(std::move(route)); });
    net::asio::post(io_, [&change] { change(); });
    change.get_future().get();
  }

 private:
  void run() {
    const auto work = net::asio::make_work_guard(io_);
    while (!io_.stopped()) {
      try {
        io_.run();
      } catch (const std::exception& error) {
        settings_.log(fmt::format("passing on failed: {}", error.what()));
      }
    }
  }

  // ---- The route ----

  void change_route(ForwardingRoute route) {
    const auto* const before = std::get_if<AnotherLeads>(&route_);
    const auto* const now = std::get_if<AnotherLeads>(&route);
    if (before != nullptr && now != nullptr && *before == *now) return;
    for (const PassagePtr& passage : passing_) passage->cut();
    route_ = std::move(route);
    ++changes_;
    is_unreachable_ = false;
    if (std::holds_alternative<ThisLeads>(route_)) {
      net::stop_listening(clients_);
    } else {
      take_clients();
    }
    for (const PassagePtr& waiting : waiting_) waiting->go_on();
  }

  void take_clients() {
    if (!clients_.is_open()) {
      if (const auto fine = net::listen(clients_, *settings_.clients); !fine) {
        return settings_.log(fine.error().message);
      }
    }
    if (std::exchange(taking_clients_, true)) return;
    net::asio::co_spawn(io_, accept_clients(), net::asio::detached);
  }

  Task<void> accept_clients() {
    co_await accept_all(clients_, [this](Socket socket) { pass_on(std::move(socket)); });
    taking_clients_ = false;
    // Opened again before this was over.
    if (clients_.is_open()) take_clients();
  }

  template <class Take>
  Task<void> accept_all(Acceptor& acceptor, Take take) {
    bool is_reported = false;
    while (acceptor.is_open()) {
      Socket socket(io_.get_executor());
      ErrorCode error;
      co_await acceptor.async_accept(socket, into(error));
      if (!error) {
        socket.set_option(Tcp::no_delay(true), error);
        socket.set_option(net::asio::socket_base::send_buffer_size(net::max_buffer), error);
        is_reported = false;
        take(std::move(socket));
      } else if (error == net::asio::error::operation_aborted) {
        break;
      } else if (error != net::asio::error::connection_aborted) {
        if (!std::exchange(is_reported, true))
          settings_.log(fmt::format("cannot take connections: {}", error.message()));
        Timer pause(io_.get_executor(), pause_time);
        co_await pause.async_wait(into(error));
      }
    }
  }

  // ---- Clients of this node ----

  void pass_on(Socket socket) {
    ++counts_.taken;
    auto address = net::peer_of(socket);
    if (!address) return;
    if (waiting_.size() + passing_.size() >= settings_.max_connections) {
      ++counts_.turned_away;
      return net::turn_away(std::move(socket));
    }
    net::asio::co_spawn(io_, pass_on(std::make_shared<Passage>(std::move(socket)), std::move(*address)),
                        net::asio::detached);
  }

  Task<void> turn_away(PassagePtr passage) {
    ++counts_.turned_away;
    return say(std::move(passage), std::string(no_leader));
  }

  Task<void> pass_on(PassagePtr passage, std::string address) {
    const auto deadline = SteadyClock::now() + settings_.patience;
    const auto waiting = waiting_.insert(waiting_.end(), passage);
    auto interval = min_dial_interval;
    while (!co_await is_connected(passage, address)) {
      // It has been adopted, or its time is over.
      if (!passage->client.is_open() || SteadyClock::now() >= deadline) break;
      const auto wait = std::holds_alternative<NobodyLeads>(route_) ? settings_.patience : interval;
      interval = std::min(2 * interval, max_dial_interval);
      passage->timer.expires_at(std::min(SteadyClock::now() + wait, deadline));
      ErrorCode error;
      co_await passage->timer.async_wait(into(error));
    }
    waiting_.erase(waiting);
    if (!passage->client.is_open()) co_return;
    if (!passage->leader.is_open()) co_return co_await turn_away(std::move(passage));
    co_await splice(std::move(passage));
  }

  /// Connects a client with the leader; false also if this node leads, which has taken it then.
  Task<bool> is_connected(PassagePtr passage, std::string address) {
    if (const auto* const here = std::get_if<ThisLeads>(&route_)) here->adopt(released(passage->client), address);
    const auto* const leader = std::get_if<AnotherLeads>(&route_);
    if (leader == nullptr) co_return false;
    passage->id = fmt::format("{:016x}", next_id_++);
    passage->address = address;
    const std::string head = net::passage_head(leader->secret, {address, passage->id});
    const std::uint64_t change = changes_;
    ErrorCode error = co_await dial(passage, *leader);
    if (!error) co_await net::asio::async_write(passage->leader, net::asio::buffer(head), into(error));
    char taken = 0;  // who leads no more closes the connection instead
    if (!error) co_await net::asio::async_read(passage->leader, net::asio::buffer(&taken, 1), into(error));
    passage->timer.cancel();
    const bool is_there = !error && change == changes_ && passage->leader.is_open();
    if (!is_there) passage->leader.close(error);
    co_return is_there;
  }

  /// Connects with the leader. Its timer closes the connection if that and what follows take too long.
  Task<ErrorCode> dial(PassagePtr passage, const AnotherLeads& leader) {
    ErrorCode error;
    const Tcp::endpoint there(net::asio::ip::make_address(leader.address, error), leader.port);
    passage->timer.expires_after(dial_time);
    passage->timer.async_wait([passage](const ErrorCode& stopped) {
      ErrorCode ignored;
      if (!stopped) passage->leader.close(ignored);
    });
    if (!error) open_bounded(passage->leader, there, error);
    if (!error) co_await passage->leader.async_connect(there, into(error));
    co_return error;
  }

  /// Looks whether the leader can be reached, so that others learn it before their clients do.
  Task<void> probe(PassagePtr passage, AnotherLeads leader) {
    const std::uint64_t change = changes_;
    const ErrorCode error = co_await dial(passage, leader);
    passage->cut();
    if (change != changes_ || std::exchange(is_unreachable_, static_cast<bool>(error)) || !error) co_return;
    settings_.log(
        fmt::format("the leader at {}, port {}, cannot be reached: {}", leader.address, leader.port, error.message()));
  }

  Task<void> splice(PassagePtr passage) {
    ++counts_.passed;
    settings_.note({"passage", passage->id, passage->address});
    passage->place = passing_.insert(passing_.end(), passage);
    net::asio::co_spawn(io_, copy(passage, true), net::asio::detached);
    co_await copy(std::move(passage), false);
  }

  /// Copies one direction to its end. The end of one does not end the other: a client may have asked and wait for the
  /// answer, and must be able to read the last one.
  Task<void> copy(PassagePtr passage, bool to_leader) {
    Socket& from = to_leader ? passage->client : passage->leader;
    Socket& to = to_leader ? passage->leader : passage->client;
    SteadyClock::time_point& due_since = passage->due_since.at(to_leader ? 0 : 1);
    std::array<char, buffer_bytes> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): read into
    ErrorCode error;
    while (!error) {
      const std::size_t count = co_await from.async_read_some(net::asio::buffer(buffer), into(error));
      if (error) break;
      due_since = SteadyClock::now();
      co_await net::asio::async_write(to, net::asio::buffer(buffer.data(), count), into(error));
      due_since = {};
      counts_.bytes += count;
      passage->bytes += count;
    }
    if (error == net::asio::error::eof) {
      to.shutdown(Tcp::socket::shutdown_send, error);
      if (!to_leader) passage->due_since[2] = SteadyClock::now();
    } else {
      passage->cut();
    }
    if (--passage->directions > 0) co_return;
    passage->cut();
    settings_.note({"passage_over", passage->id, passage->address, passage->bytes});
    passing_.erase(passage->place);
  }

  void check_now_and_then() {
    check_.expires_after(check_interval);
    check_.async_wait([this](const ErrorCode&) {
      const auto oldest = SteadyClock::now() - settings_.write_time;
      for (const PassagePtr& passage : passing_) {
        const bool is_slow = std::ranges::any_of(
            passage->due_since, [&](auto since) { return since != SteadyClock::time_point() && since < oldest; });
        if (is_slow) passage->cut();
      }
      if (const auto* const leader = std::get_if<AnotherLeads>(&route_)) {
        net::asio::co_spawn(io_, probe(std::make_shared<Passage>(Socket(io_.get_executor())), *leader),
                            net::asio::detached);
      }
      if (!clients_.is_open() && !std::holds_alternative<ThisLeads>(route_)) take_clients();
      check_now_and_then();
    });
  }

  // ---- What comes from other nodes ----

  void greet_node(Socket socket) {
    if (greeting_ >= max_greetings) {
      ++counts_.refused;
      return;
    }
    net::asio::co_spawn(io_, read_head(std::make_shared<Passage>(std::move(socket))), net::asio::detached);
  }

  Task<void> read_head(PassagePtr passage) {
    ++greeting_;
    limit(passage, head_time);
    std::string head(net::passage_head_bytes, ' ');
    std::size_t size = 0;
    ErrorCode error;
    while (!error && size < head.size() && !is_question(std::string_view(head).substr(0, size))) {
      size += co_await passage->client.async_read_some(net::asio::buffer(head.data() + size, head.size() - size),
                                                       into(error));
    }
    passage->timer.cancel();
    --greeting_;
    if (error) co_return;
    const std::string_view said = std::string_view(head).substr(0, size);
    if (said.starts_with("GET ")) co_return co_await say(std::move(passage), answer(said));
    auto client = net::client_of_passage(said, settings_.secret);
    const auto* const here = std::get_if<ThisLeads>(&route_);
    if (!client || here == nullptr) co_return;
    passage->client.non_blocking(true, error);
    passage->client.write_some(net::asio::buffer("+", 1), error);
    if (error) co_return;
    settings_.note({"passage_taken", client->passage, client->address});
    here->adopt(released(passage->client), std::move(client->address));
  }

  [[nodiscard]] static bool is_question(std::string_view head) {
    return head.starts_with("GET ") && head.find('\n') != std::string_view::npos;
  }

  [[nodiscard]] std::string answer(std::string_view question) const {
    const std::string_view path = question.substr(4, question.find_first_of(" \r\n", 4) - 4);
    const bool leads = std::holds_alternative<ThisLeads>(route_);
    const bool follows = std::holds_alternative<AnotherLeads>(route_) && !is_unreachable_;
    std::string_view status = "200 OK";
    std::string text;
    if (path == "/healthz") {
      if (!leads && !follows) status = "503 Service Unavailable";
      text = leads             ? "leads\n"
             : follows         ? "follows\n"
             : is_unreachable_ ? "cannot reach the leader\n"
                               : "nobody leads\n";
    } else if (path == "/metrics") {
      text = fmt::format(
          "# TYPE paika_node_leads gauge\npaika_node_leads {}\n"
          "# TYPE paika_node_follows gauge\npaika_node_follows {}\n"
          "# TYPE paika_node_passages gauge\npaika_node_passages {}\n"
          "# TYPE paika_node_waiting_clients gauge\npaika_node_waiting_clients {}\n"
          "# TYPE paika_node_clients_total counter\npaika_node_clients_total {}\n"
          "# TYPE paika_node_passages_total counter\npaika_node_passages_total {}\n"
          "# TYPE paika_node_turned_away_total counter\npaika_node_turned_away_total {}\n"
          "# TYPE paika_node_refused_heads_total counter\npaika_node_refused_heads_total {}\n"
          "# TYPE paika_node_passed_bytes_total counter\npaika_node_passed_bytes_total {}\n",
          leads ? 1 : 0, follows ? 1 : 0, passing_.size(), waiting_.size(), counts_.taken, counts_.passed,
          counts_.turned_away, counts_.refused, counts_.bytes);
    } else {
      status = "404 Not Found";
      text = "a node answers GET /healthz and GET /metrics\n";
    }
    return fmt::format(
        "HTTP/1.1 {}\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: {}\r\n"
        "Connection: close\r\nCache-Control: no-store\r\n\r\n{}",
        status, text.size(), text);
  }

  struct Counts {
    std::uint64_t taken = 0, passed = 0, turned_away = 0, refused = 0, bytes = 0;
  };
  static constexpr int max_greetings = 2'000;  // all clients of a node may come at once

  ForwarderSettings settings_;
  net::asio::io_context io_{1};
  Acceptor clients_;
  Acceptor nodes_;
  Timer check_;
  ForwardingRoute route_ = NobodyLeads();
  std::uint64_t changes_ = 0;    // of the route
  bool is_unreachable_ = false;  // the leader, when it was last tried
  std::list<PassagePtr> waiting_;
  std::list<PassagePtr> passing_;
  Counts counts_;
  std::uint64_t next_id_ = random_id();  // of a passage
  int greeting_ = 0;
  bool taking_clients_ = false;
  std::thread thread_;
};

Result<std::unique_ptr<Forwarder>> Forwarder::open(ForwarderSettings settings) {
  auto impl = std::make_unique<Impl>(std::move(settings));
  if (auto opened = impl->open(); !opened) return tl::unexpected(opened.error());
  return std::unique_ptr<Forwarder>(new Forwarder(std::move(impl)));
}

Forwarder::Forwarder(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Forwarder::~Forwarder() = default;
void Forwarder::set_route(ForwardingRoute route) { impl_->set_route(std::move(route)); }

}  // namespace paika::server
