#include "server/net/network.hpp"

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <ctime>
#include <sys/socket.h>
#include <utility>

#include "base/check.hpp"
#include "server/net/calls.hpp"
#include "server/net/listener.hpp"

namespace paika::server {

namespace {

/// The processor time of this thread: waiting for something to do takes none.
std::chrono::nanoseconds thread_time() {
  timespec time{};
  if (::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) return std::chrono::nanoseconds(0);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

bool is_ipv6_socket(int descriptor) {
  int family = AF_INET;
  socklen_t size = sizeof family;
  return ::getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &family, &size) == 0 && family == AF_INET6;
}

}  // namespace

class Network::Impl {
 public:
  explicit Impl(const NetworkSettings& settings) : io_(1), context_(io_, settings), calls_(context_) {}

  [[nodiscard]] Result<void> open() {
    auto socket = context_.settings().listening;
    if (!socket) {
      auto bound = ListeningSocket::open(context_.settings().address, context_.settings().port);
      if (!bound) return tl::unexpected(bound.error());
      socket = std::move(*bound);
    }
    auto listener = net::Listener::open(io_, *socket);
    if (!listener) return tl::unexpected(listener.error());
    listener_ = *std::move(listener);
    port_ = socket->port();
    return {};
  }

  void adopt(const std::shared_ptr<Descriptor>& descriptor, std::string address) {
    net::Socket socket(context_.executor());
    net::ErrorCode error;
    const bool is_ipv6 = is_ipv6_socket(descriptor->number());
    socket.assign(is_ipv6 ? net::Tcp::v6() : net::Tcp::v4(), descriptor->number(), error);
    if (error) return;
    static_cast<void>(descriptor->release());
    net::admit(context_, std::move(socket), std::move(address));
  }

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] const NetworkCounts& counts() { return context_.counts(); }
  [[nodiscard]] net::Calls& calls() noexcept { return calls_; }

  void run(Site& site) {
    PAIKA_CHECK(!ran_);
    ran_ = true;
    context_.set_site(site);
    listener_->start(context_);
    check_slow_ones();
    const auto work = boost::asio::make_work_guard(io_);  // run() ends by stop() alone
    // Everything foreign is called inside attempt(); what still comes out here is a lack of memory.
    while (!context_.attempt("the network", [this] { run_tasks(); })) continue;
    calls_.drop_all();
    // What was cancelled last ends now, so that nothing of a connection outlives this call.
    io_.restart();
    static_cast<void>(context_.attempt("the network", [this] { io_.poll(); }));
  }

  void stop(std::chrono::milliseconds patience) {
    listener_->close();
    calls_.after(patience, [this] { context_.cut_all(); });
    context_.stop();
  }

 private:
  /// Runs until it is stopped, and measures each task: while one runs, everybody waits.
  void run_tasks() {
    std::chrono::nanoseconds before = thread_time();
    while (io_.run_one() > 0) {
      const std::chrono::nanoseconds after = thread_time();
      auto& longest = context_.counts().max_task;
      longest = std::max(longest, after - before);
      before = after;
    }
  }

  void check_slow_ones() {
    using std::chrono::milliseconds;
    const auto period = std::clamp(context_.settings().write_time / 4, milliseconds(10), milliseconds(1'000));
    calls_.after(period, [this] {
      context_.check_all(net::SteadyClock::now());
      check_slow_ones();
    });
  }

  boost::asio::io_context io_;
  net::Context context_;
  net::Calls calls_;
  std::unique_ptr<net::Listener> listener_;
  std::uint16_t port_ = 0;
  bool ran_ = false;
};

Result<std::unique_ptr<Network>> Network::open(const NetworkSettings& settings) {
  auto impl = std::make_unique<Impl>(settings);
  if (auto opened = impl->open(); !opened) return tl::unexpected(opened.error());
  return std::unique_ptr<Network>(new Network(std::move(impl)));
}

Network::Network(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Network::~Network() = default;

std::uint16_t Network::port() const { return impl_->port(); }
const NetworkCounts& Network::counts() const { return impl_->counts(); }
void Network::run(Site& site) { impl_->run(site); }
void Network::post(std::function<void()> call) { impl_->calls().post(std::move(call)); }
void Network::adopt(Descriptor socket, std::string address) {
  const auto shared = std::make_shared<Descriptor>(std::move(socket));
  impl_->calls().post([impl = impl_.get(), shared, address = std::move(address)] { impl->adopt(shared, address); });
}
void Network::after(std::chrono::milliseconds time, std::function<void()> call) {
  impl_->calls().after(time, std::move(call));
}
void Network::stop(std::chrono::milliseconds patience) {
  impl_->calls().post([impl = impl_.get(), patience] { impl->stop(patience); });
}

}  // namespace paika::server
