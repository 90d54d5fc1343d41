// For tests of the network: a server on its own thread with a site made of functions, and clients on plain sockets
// that send any bytes at any time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "server/net/network.hpp"

namespace paika_tests {

using namespace std::chrono_literals;
namespace server = paika::server;

// ---- The server ----

/// Its functions are called on the network thread; the defaults answer "METHOD path" and echo on web sockets.
class TestSite final : public server::Site {
 public:
  struct Socket {
    std::function<void(const std::string&)> received;
    std::function<void()> closed;
  };
  std::function<void(server::Request, std::shared_ptr<server::Reply>)> on_request;
  std::function<Socket(const server::Request&, std::shared_ptr<server::Subscriber>)> on_socket;
  std::function<std::optional<server::Response>(const server::Request&)> on_refusal;  // of a web socket

  void answer(server::Request request, std::shared_ptr<server::Reply> reply) override;
  [[nodiscard]] std::variant<std::unique_ptr<server::SocketHandler>, server::Response> open_socket(
      const server::Request& request, std::shared_ptr<server::Subscriber> subscriber) override;

  /// How many handlers of web sockets live.
  static int handlers();
};

[[nodiscard]] server::Response plain(std::string body);

/// Runs a network on a thread until it is destroyed.
class Server {
 public:
  explicit Server(TestSite& site, server::NetworkSettings settings = {});
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  [[nodiscard]] std::uint16_t port() const { return network_->port(); }
  [[nodiscard]] server::Network& network() { return *network_; }
  [[nodiscard]] server::NetworkCounts counts();
  /// Runs a function on the network thread and waits for it.
  void there(std::function<void()> call);
  /// Waits until a condition on the counts is true; false after a while.
  [[nodiscard]] bool wait(const std::function<bool(const server::NetworkCounts&)>& condition,
                          std::chrono::milliseconds longest = 20s);
  /// Stops and waits until run() has returned.
  void stop(std::chrono::milliseconds patience);

 private:
  std::unique_ptr<server::Network> network_;
  std::thread thread_;
};

// ---- Clients ----

struct Answer {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

class Client {
 public:
  Client() = default;
  /// `receive_buffer` above 0 makes the system hold little for a client that does not read; `from` is the client's own
  /// address ("127.0.0.2").
  explicit Client(std::uint16_t port, int receive_buffer = 0, const char* from = nullptr);
  Client(Client&& other) noexcept;
  Client& operator=(Client&& other) noexcept;
  ~Client();

  [[nodiscard]] bool connected() const { return descriptor_ >= 0; }
  /// Sends all bytes; false if the other side has closed.
  bool send(std::string_view bytes);
  /// What comes until there are `bytes` of it, the end or the time.
  [[nodiscard]] std::string read(std::size_t bytes, std::chrono::milliseconds longest = 20s);
  /// Everything until the other side closes; nothing if it does not in time.
  [[nodiscard]] std::optional<std::string> read_to_end(std::chrono::milliseconds longest = 20s);
  /// A whole response, of a HEAD without a body; status 0 if none came.
  [[nodiscard]] Answer response(bool is_head = false);
  /// Up to and with an end; what came if it does not.
  [[nodiscard]] std::string read_until(std::string_view end, std::chrono::milliseconds longest = 20s);
  /// Sends a GET and reads the response.
  [[nodiscard]] Answer get(std::string_view path);
  void close();
  void close_sending();
  /// Closes with a reset.
  void reset();

 private:
  /// One more piece into the buffer; false at the end, an error or after the time.
  [[nodiscard]] bool more(std::chrono::steady_clock::time_point until);

  int descriptor_ = -1;
  bool ended_ = false;
  std::string buffer_;
};

/// "GET path HTTP/1.1" with a Host and these headers ("Name: value\r\n").
[[nodiscard]] std::string request(std::string_view method, std::string_view path, std::string_view headers = "",
                                  std::string_view body = "");

// ---- Web sockets, by hand ----

struct Frame {
  int opcode = -1;  // -1: the connection ended
  bool last = true;
  std::string payload;
  /// Of a frame that closes; 0 if it says none.
  [[nodiscard]] int code() const;
};

[[nodiscard]] std::string frame_bytes(int opcode, std::string_view payload, bool last = true, bool masked = true);
[[nodiscard]] std::string close_payload(int code, std::string_view reason = "");

class WebClient {
 public:
  WebClient(std::uint16_t port, std::string_view path = "/socket", std::string_view headers = "",
            int receive_buffer = 0, const char* from = nullptr);
  [[nodiscard]] int status() const { return answer_.status; }
  [[nodiscard]] const Answer& answer() const { return answer_; }
  bool say(std::string_view text) { return client_.send(frame_bytes(1, text)); }
  bool send(std::string_view bytes) { return client_.send(bytes); }
  [[nodiscard]] Frame read(std::chrono::milliseconds longest = 20s);
  /// The next frame that is no ping.
  [[nodiscard]] Frame hear(std::chrono::milliseconds longest = 20s);
  [[nodiscard]] Client& client() { return client_; }

 private:
  Client client_;
  Answer answer_;
};

}  // namespace paika_tests
