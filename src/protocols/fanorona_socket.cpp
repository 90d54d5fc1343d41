#include "protocols/fanorona_socket.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/text.hpp"

namespace paika::protocols {

namespace {

constexpr std::chrono::milliseconds look_around(50);
constexpr int max_waiting = 16;

using Addresses = std::unique_ptr<addrinfo, void (*)(addrinfo*)>;

Result<Addresses> addresses_of(const std::string& host, int port, bool to_listen) {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_NUMERICSERV | (to_listen ? AI_PASSIVE : 0);
  addrinfo* found = nullptr;
  const int error = getaddrinfo(host == "*" ? nullptr : host.c_str(), fmt::to_string(port).c_str(), &wanted, &found);
  if (error != 0) return fail("there is no host {}: {}", in_quotes(host), gai_strerror(error));
  return Addresses(found, freeaddrinfo);
}

/// "127.0.0.1:7000", "[::1]:7000".
std::string address_text(const sockaddr* address, socklen_t length) {
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  if (getnameinfo(address, length, host.data(), host.size(), port.data(), port.size(),
                  NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
    return "an address without a name";
  }
  const std::string name = host.data();
  const bool version6 = name.find(':') != std::string::npos;
  return fmt::format("{}{}{}:{}", version6 ? "[" : "", name, version6 ? "]" : "", port.data());
}

/// sockaddr_storage is made to be looked at as a sockaddr; this is the one place that does.
sockaddr* plain(sockaddr_storage& address) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the interface of the system's sockets
  return reinterpret_cast<sockaddr*>(&address);
}

void send_at_once(const Socket& socket) {
  const int on = 1;
  setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/// Waits until a connection is made; 0 or the error's number.
int finish_connecting(const Socket& socket, SocketClock::time_point deadline, const std::stop_token& stop) {
  while (SocketClock::now() < deadline && !stop.stop_requested()) {
    pollfd watched{socket.number(), POLLOUT, 0};
    if (poll(&watched, 1, poll_time(deadline)) <= 0) continue;
    int error = 0;
    socklen_t length = sizeof error;
    getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &error, &length);
    return error;
  }
  return ETIMEDOUT;
}

/// The port that a socket was given.
int port_of(const Socket& socket) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  std::array<char, NI_MAXSERV> port{};
  if (getsockname(socket.number(), plain(address), &length) != 0) return 0;
  if (getnameinfo(plain(address), length, nullptr, 0, port.data(), port.size(), NI_NUMERICSERV) != 0) return 0;
  return static_cast<int>(parse_int(port.data()).value_or(0));
}

}  // namespace

Socket::~Socket() {
  if (number_ >= 0) close(number_);
}

int poll_time(SocketClock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - SocketClock::now());
  return static_cast<int>(std::clamp(left, std::chrono::milliseconds(0), look_around).count());
}

Result<Socket> connect_to(const std::string& host, int port, SocketClock::time_point deadline,
                          const std::stop_token& stop) {
  const auto addresses = addresses_of(host, port, false);
  if (!addresses) return tl::unexpected(addresses.error());
  int error = 0;
  for (const addrinfo* at = addresses->get(); at != nullptr; at = at->ai_next) {
    Socket socket(::socket(at->ai_family, at->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, at->ai_protocol));
    if (socket.number() < 0) {
      error = errno;
      continue;
    }
    error = connect(socket.number(), at->ai_addr, at->ai_addrlen) == 0 ? 0 : errno;
    if (error == EINPROGRESS) error = finish_connecting(socket, deadline, stop);
    if (error != 0) continue;
    send_at_once(socket);
    return socket;
  }
  return fail("cannot connect to {} port {}: {}", in_quotes(host), port, std::strerror(error));
}

Result<Listener> Listener::open(const std::string& host, int port) {
  Listener listener;
  listener.port_ = port;
  const auto addresses = addresses_of(host, port, true);
  if (!addresses) return tl::unexpected(addresses.error());
  int error = 0;
  for (const addrinfo* at = addresses->get(); at != nullptr; at = at->ai_next) {
    // The second address gets the port that the first was given.
    sockaddr_storage address{};
    std::memcpy(&address, at->ai_addr, at->ai_addrlen);
    const auto network_port = htons(static_cast<std::uint16_t>(listener.port_));
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the interface of the system's sockets
    if (at->ai_family == AF_INET) reinterpret_cast<sockaddr_in*>(&address)->sin_port = network_port;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the interface of the system's sockets
    if (at->ai_family == AF_INET6) reinterpret_cast<sockaddr_in6*>(&address)->sin6_port = network_port;
    Socket socket(::socket(at->ai_family, at->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, at->ai_protocol));
    const int on = 1;
    setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (at->ai_family == AF_INET6) setsockopt(socket.number(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    if (socket.number() < 0 || bind(socket.number(), plain(address), at->ai_addrlen) != 0 ||
        listen(socket.number(), max_waiting) != 0) {
      error = errno;
      continue;
    }
    listener.port_ = port_of(socket);
    socklen_t length = sizeof address;
    getsockname(socket.number(), plain(address), &length);
    listener.addresses_.push_back(address_text(plain(address), length));
    listener.sockets_.push_back(std::move(socket));
  }
  if (listener.sockets_.empty())
    return fail("cannot listen on {} port {}: {}", in_quotes(host), port, std::strerror(error));
  return listener;
}

std::string Listener::where() const { return listed(addresses_, "and"); }

Result<std::pair<Socket, std::string>> Listener::accept(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::vector<pollfd> watched;
    for (const Socket& socket : sockets_) watched.push_back({socket.number(), POLLIN, 0});
    if (poll(watched.data(), watched.size(), static_cast<int>(look_around.count())) <= 0) continue;
    for (const pollfd& ready : watched) {
      if (ready.revents == 0) continue;
      sockaddr_storage address{};
      socklen_t length = sizeof address;
      Socket socket(accept4(ready.fd, plain(address), &length, SOCK_NONBLOCK | SOCK_CLOEXEC));
      // One who has gone again already is nobody; anything else will not get better by itself.
      const bool gone = errno == EAGAIN || errno == ECONNABORTED || errno == EINTR;
      if (socket.number() < 0 && !gone) return fail("cannot take a connection: {}", std::strerror(errno));
      if (socket.number() < 0) continue;
      send_at_once(socket);
      return std::pair(std::move(socket), address_text(plain(address), length));
    }
  }
  return fail("stopped");
}

}  // namespace paika::protocols
