// The load program's connections to the server: requests that are waited for, and web sockets that are not.
//
// Plain POSIX sockets and as little work a message as can be: on a machine with two processors whatever the client
// does is taken from the server.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace paika::load {

/// Where the server is.
struct Address {
  std::string host;  // an IPv4 address
  std::uint16_t port = 0;
};
/// Reads "http://127.0.0.1:7420".
[[nodiscard]] Result<Address> read_address(std::string_view url);

/// A file descriptor that is closed at the end.
class Handle {
 public:
  explicit Handle(int number = -1) noexcept : number_(number) {}
  Handle(Handle&& other) noexcept;
  Handle& operator=(Handle&& other) noexcept;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle();
  [[nodiscard]] int number() const noexcept { return number_; }

 private:
  int number_;
};

/// A TCP connection, blocking, without Nagle's delay.
[[nodiscard]] Result<Handle> connect_to(const Address& address);

struct HttpAnswer {
  int status = 0;
  std::string body;
};

/// One connection for requests. begin() and finish() are apart, so that many connections can wait at once.
class HttpClient {
 public:
  [[nodiscard]] static Result<HttpClient> open(const Address& address);
  [[nodiscard]] Result<void> begin(std::string_view method, std::string_view path, std::string_view token,
                                   std::string_view body);
  [[nodiscard]] Result<HttpAnswer> finish();

 private:
  HttpClient(Handle handle, Address address) : handle_(std::move(handle)), address_(std::move(address)) {}
  Handle handle_;
  Address address_;
  std::string received_;
};

/// A web socket. Opening it waits; afterwards nothing does.
class WebSocket {
 public:
  [[nodiscard]] static Result<WebSocket> open(const Address& address, std::string_view token);

  [[nodiscard]] int number() const noexcept { return handle_.number(); }
  /// Sends a text; what the system does not take at once waits for flush().
  void send(std::string_view text);
  /// Sends what waits; false if something still does.
  bool flush();
  [[nodiscard]] bool waits() const noexcept { return !unsent_.empty(); }
  /// Reads what has come and calls `take` with every whole message; pings are answered. False when it has ended.
  [[nodiscard]] bool receive(const std::function<void(std::string_view)>& take);

 private:
  explicit WebSocket(Handle handle) : handle_(std::move(handle)) {}
  void send_frame(unsigned char opcode, std::string_view text);
  /// Takes one frame from `received_` after `begin`; its end, or npos if it is not there as a whole.
  [[nodiscard]] std::size_t take_frame(std::size_t begin, const std::function<void(std::string_view)>& take);

  Handle handle_;
  std::string received_;
  std::string unsent_;
  bool ended_ = false;
};

/// Lets this process open as many files as the machine allows; returns how many that are.
std::size_t raise_file_limit();

}  // namespace paika::load
