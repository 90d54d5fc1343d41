// Wire: messages between a coordinator and its workers: lines of JSON over TCP, each with a proof that its sender knows
// the secret and that it is new.
//
// Both sides prove that they know the secret before anything else is believed (HMAC-SHA-256 over random numbers of
// both). From then on each line carries an HMAC under a key of this connection, over direction, number and text.
// Messages can be read on the way, but not forged, repeated or dropped unnoticed. No message is longer than it may be,
// no call waits longer than it is told.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.hpp"
#include "play/line_buffer.hpp"
#include "protocols/fanorona_socket.hpp"
#include "tournament/plan.hpp"

namespace paika::tournament {

using WireTime = std::chrono::steady_clock::time_point;

/// How long either side waits for a handshake and for a message to be sent, and how often it looks at what else goes
/// on.
inline constexpr auto greet_timeout = std::chrono::seconds(5);
inline constexpr auto send_timeout = std::chrono::seconds(10);
inline constexpr auto poll_interval = std::chrono::milliseconds(50);

/// A text in a message; empty if there is none.
[[nodiscard]] std::string text_in(const Json& message, const char* key);

/// A TCP connection that closes itself.
class Wire {
 public:
  static constexpr std::size_t max_before = 4096;  // until both sides are known
  static constexpr std::size_t max_after = std::size_t{8} << 20;

  explicit Wire(protocols::Socket socket) : socket_(std::move(socket)) {}

  /// What the other side said of itself.
  struct Peer {
    std::string name;
  };

  /// The handshake of a coordinator with a worker, and the other way round. `version` must be the same on both sides.
  [[nodiscard]] Result<Peer> greet_worker(std::string_view secret, std::string_view version, WireTime deadline);
  [[nodiscard]] Result<void> greet_coordinator(std::string_view secret, std::string_view version,
                                               std::string_view own_name, WireTime deadline);

  /// The handshake failed in a way that a new try cannot change: secret or version.
  [[nodiscard]] bool refused() const { return refused_; }

  [[nodiscard]] Result<void> send(const Json& message, WireTime deadline);
  /// The next message; nothing if none came until then. The error: the connection is lost, or the message is not good.
  [[nodiscard]] Result<std::optional<Json>> receive(WireTime deadline);

 private:
  using Key = std::array<unsigned char, 32>;

  [[nodiscard]] Result<void> send_plain(const Json& message, WireTime deadline);
  [[nodiscard]] Result<Json> receive_plain(WireTime deadline);
  [[nodiscard]] Result<std::optional<std::string>> receive_line(WireTime deadline);
  [[nodiscard]] Result<void> write_all(std::string_view bytes, WireTime deadline);
  void settle(const Key& secret, const std::string& nonces, bool coordinator);

  protocols::Socket socket_;
  play::LineBuffer lines_{max_after};
  std::size_t heard_ = 0;  // bytes before the handshake was done
  bool settled_ = false;
  bool refused_ = false;
  Key key_{};
  char own_direction_ = 'w';
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
};

/// A secret from a file that nobody but its owner can read: at least 16 bytes without blanks at its ends.
[[nodiscard]] Result<std::string> read_secret(const std::string& path);

/// "HOST:PORT" as its parts; an IPv6 address stands in brackets, and no host at all becomes "*".
[[nodiscard]] Result<std::pair<std::string, int>> read_address(std::string_view text);

/// A text as hexadecimal digits of its SHA-256.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);

}  // namespace paika::tournament
