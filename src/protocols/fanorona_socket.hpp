// Bare TCP with deadlines, IPv4 and IPv6: for the class protocol, and for tournaments on several machines.
#pragma once

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace paika::protocols {

/// A socket's number, closed with the object.
class Socket {
 public:
  explicit Socket(int number = -1) : number_(number) {}
  Socket(Socket&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket();

  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

using SocketClock = std::chrono::steady_clock;

/// How long poll may wait for `deadline`, but no longer than it takes to notice that we were told to stop.
[[nodiscard]] int poll_time(SocketClock::time_point deadline);

/// A connection to the first of the host's addresses that answers. It does not block, and sends at once.
[[nodiscard]] Result<Socket> connect_to(const std::string& host, int port, SocketClock::time_point deadline,
                                        const std::stop_token& stop);

/// Waits for connections on all addresses of a name.
class Listener {
 public:
  /// `host` is a name or an address, "*" for all there are; port 0 is any free one.
  [[nodiscard]] static Result<Listener> open(const std::string& host, int port);

  [[nodiscard]] int port() const { return port_; }
  /// "127.0.0.1:7000 and [::1]:7000".
  [[nodiscard]] std::string where() const;
  /// The next connection and where it comes from; waits until there is one. The error says that we were told to stop,
  /// or what the system refuses.
  [[nodiscard]] Result<std::pair<Socket, std::string>> accept(const std::stop_token& stop);

 private:
  Listener() = default;

  std::vector<Socket> sockets_;
  std::vector<std::string> addresses_;
  int port_ = 0;
};

}  // namespace paika::protocols
