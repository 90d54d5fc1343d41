// ClassPeer: the other end of a connection that speaks the class protocol (docs/rules/fanorona.md, section 6).
//
// What it sends is heard message by message, however it is cut (protocols/class_protocol.hpp). What it is sent is one
// line a message, with a short pause between two, for peers that take what arrives together for one message. No call
// waits longer than it is told.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "protocols/class_protocol.hpp"
#include "protocols/fanorona_socket.hpp"

namespace paika::protocols {

class ClassPeer {
 public:
  using Clock = SocketClock;

  enum class Trouble : unsigned char { timeout, closed, flood, stopped };

  /// After so long a silence a message that could go on has ended.
  static constexpr std::chrono::milliseconds silence{100};
  /// Between two messages of ours.
  static constexpr std::chrono::milliseconds pause{15};
  /// More than this without a message is a flood, be it padding.
  static constexpr std::size_t max_bytes = std::size_t{1} << 20;

  /// Is told each message: whether we sent it, and its text.
  using Trace = std::function<void(bool sent, std::string_view message)>;

  explicit ClassPeer(Socket socket, Trace trace = {}) : socket_(std::move(socket)), trace_(std::move(trace)) {}

  [[nodiscard]] tl::expected<ClassMessage, Trouble> receive(Clock::time_point deadline, const std::stop_token& stop);
  /// The next receive() gives this message again.
  void put_back(ClassMessage message) { kept_ = std::move(message); }
  /// What it sent of a message that is not complete, for people.
  [[nodiscard]] std::string_view unfinished() const { return framer_.rest(); }

  /// Sends a line. False if it does not take it: it will be found to have hung up when it is to be heard.
  bool say(std::string_view message);
  /// True if it has hung up and all it said was heard.
  [[nodiscard]] bool closed();
  /// Says that nothing more will come, and waits a moment for the other to hang up, lest it lose what was said last.
  void hang_up();

 private:
  /// Takes what has arrived.
  void take_bytes();

  Socket socket_;
  Trace trace_;
  ClassFramer framer_;
  std::optional<ClassMessage> kept_;
  bool at_end_ = false;
  std::size_t bytes_heard_ = 0;  // since the last message
  Clock::time_point last_heard_;
  Clock::time_point last_said_;
};

/// A sentence's end for a trouble: "it hung up", "it did not answer in time".
[[nodiscard]] std::string_view words_for(ClassPeer::Trouble trouble) noexcept;

}  // namespace paika::protocols
