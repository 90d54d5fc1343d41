// Network: the sockets. HTTP/1.1 and web sockets on one address, for one Site, on one thread.
//
// It parses, bounds and times; it decides nothing. Whatever a client sends or does not send costs a bounded amount of
// memory and time, and never more than its own connection.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "server/http/site.hpp"
#include "server/net/listening_socket.hpp"

namespace paika::server {

struct NetworkSettings {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;                            // 0: any free one
  std::shared_ptr<const ListeningSocket> listening;  // bound already; else open() binds the address and port
  std::size_t max_connections = 20'000;
  std::size_t max_per_address = 5'000;  // behind a proxy: requests, streams and web sockets of a client at a time
  std::size_t max_header_bytes = std::size_t{16} * 1024;
  std::size_t max_body_bytes = std::size_t{256} * 1024;
  /// Of a POST whose path ends so: what people hand in is larger than what they say.
  std::string upload_ending;
  std::size_t max_upload_bytes = std::size_t{256} * 1024;
  /// Of a POST whose path begins so the body is not read at once: the site takes it piece by piece (Request::rest).
  std::string stream_prefix;
  std::size_t max_stream_bytes = std::size_t{64} << 20;
  std::chrono::milliseconds stream_time{300'000};            // for such a body; body_time for each piece of it
  std::size_t max_message_bytes = std::size_t{64} * 1024;    // of a web socket
  std::size_t max_waiting_bytes = std::size_t{1024} * 1024;  // that a client has not taken yet; beyond it is cut off
  /// Of responses that are being sent, all connections together; beyond it a large one (64 KB) becomes a 503, so that
  /// clients that ask and do not read cannot fill the memory. A class that loads the page over a slow line fits.
  std::size_t max_unsent_bytes = std::size_t{256} * 1024 * 1024;
  std::chrono::milliseconds header_time{10'000};  // for a whole head, however slowly it drips
  std::chrono::milliseconds body_time{20'000};
  std::chrono::milliseconds idle_time{60'000};   // between two requests of one connection
  std::chrono::milliseconds write_time{30'000};  // in which a client must take something
  std::chrono::milliseconds ping_time{25'000};   // a silent web socket is asked whether it is there, and cut off after
                                                 // twice that
  bool behind_proxy = false;                     // X-Forwarded-For (its last entry) and -Proto of the peer are true
  std::function<void(std::string_view)> log;     // hears of our own bugs and of the machine's limits; may be empty
};

/// Counters for the metrics; read them on the network thread.
struct NetworkCounts {
  std::size_t connections = 0, sockets = 0, streams = 0;  // open now
  std::uint64_t accepted = 0, turned_away = 0;            // connections
  std::uint64_t given_up = 0;                             // idle ones that were cut to make room for others
  std::uint64_t requests = 0, messages_in = 0, messages_out = 0, bytes_in = 0, bytes_out = 0;
  std::uint64_t too_slow = 0, too_large = 0, malformed = 0, cut_off = 0;
  std::size_t unsent_bytes = 0;          // of responses that are being sent now
  std::chrono::nanoseconds max_task{0};  // processor time of the longest task on the network thread
};

class Network {
 public:
  /// Binds the address; an error says why that cannot be done ("port 8080 is taken: …").
  [[nodiscard]] static Result<std::unique_ptr<Network>> open(const NetworkSettings& settings);
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;
  ~Network();

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] const NetworkCounts& counts() const;

  /// Serves the site until stop(); everything happens on this thread. Signals are the caller's affair. To be called
  /// once. When it returns no connection is left: all handlers have heard closed(), and the site may end before the
  /// network. Replies and subscribers that the site still holds do nothing from then on.
  void run(Site& site);
  /// Serves a connection that was taken elsewhere, of a client with this address; from any thread. Dropped where
  /// post() drops.
  void adopt(Descriptor socket, std::string address);
  /// Runs a function on the network thread, soon; from any thread. After run() has returned it is dropped. What it
  /// throws is logged.
  void post(std::function<void()> call);
  /// Runs a function on the network thread after a time; to be called there. Cannot be taken back.
  void after(std::chrono::milliseconds time, std::function<void()> call);
  /// Ends gracefully, from any thread: no new connections, requests under way are answered, web sockets are closed
  /// with 1001, then run() returns, at the latest after `patience`.
  void stop(std::chrono::milliseconds patience);

 private:
  class Impl;
  explicit Network(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace paika::server
