#include "protocols/fanorona_peer.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <utility>

namespace paika::protocols {

namespace {

/// How long a peer may take to read what we send; it is a few bytes.
constexpr std::chrono::seconds time_to_take(2);
constexpr std::chrono::seconds time_to_hang_up(1);

}  // namespace

void ClassPeer::take_bytes() {
  std::array<char, 1 << 14> bytes{};
  const ssize_t count = recv(socket_.number(), bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) {
    at_end_ = true;
    return;
  }
  bytes_heard_ += static_cast<std::size_t>(count);
  last_heard_ = Clock::now();
  framer_.add({bytes.data(), static_cast<std::size_t>(count)});
}

tl::expected<ClassMessage, ClassPeer::Trouble> ClassPeer::receive(Clock::time_point deadline,
                                                                  const std::stop_token& stop) {
  if (kept_) return std::move(*std::exchange(kept_, std::nullopt));
  for (;;) {
    const auto now = Clock::now();
    const bool silent = at_end_ || now >= last_heard_ + silence;
    if (auto message = framer_.next(silent)) {
      bytes_heard_ = 0;
      if (trace_) trace_(false, message_text(*message));
      return std::move(*message);
    }
    if (framer_.flooded() || bytes_heard_ > max_bytes) return tl::unexpected(Trouble::flood);
    if (at_end_) return tl::unexpected(Trouble::closed);
    if (stop.stop_requested()) return tl::unexpected(Trouble::stopped);
    // A move that came in time and only waits for its silence is not late.
    const bool pending = framer_.pending() && !silent;
    if (now >= deadline + (pending ? silence : std::chrono::milliseconds(0))) return tl::unexpected(Trouble::timeout);
    pollfd watched{socket_.number(), POLLIN, 0};
    if (poll(&watched, 1, poll_time(pending ? last_heard_ + silence : deadline)) > 0) take_bytes();
  }
}

bool ClassPeer::say(std::string_view message) {
  std::this_thread::sleep_until(last_said_ + pause);
  if (trace_) trace_(true, message);
  const std::string line = std::string(message) + "\n";
  std::string_view left = line;
  const auto deadline = Clock::now() + time_to_take;
  while (!left.empty()) {
    const ssize_t count = send(socket_.number(), left.data(), left.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) left.remove_prefix(static_cast<std::size_t>(count));
    if (count < 0 && errno != EAGAIN && errno != EINTR) return false;
    if (left.empty()) break;
    if (Clock::now() >= deadline) return false;
    pollfd watched{socket_.number(), POLLOUT, 0};
    poll(&watched, 1, poll_time(deadline));
  }
  last_said_ = Clock::now();
  return true;
}

bool ClassPeer::closed() {
  pollfd watched{socket_.number(), POLLIN, 0};
  if (!at_end_ && !framer_.pending() && bytes_heard_ <= max_bytes && poll(&watched, 1, 0) > 0) take_bytes();
  return at_end_ && !framer_.pending();
}

void ClassPeer::hang_up() {
  shutdown(socket_.number(), SHUT_WR);
  const auto deadline = Clock::now() + time_to_hang_up;
  std::array<char, 1 << 12> ignored{};
  while (!at_end_ && Clock::now() < deadline) {
    pollfd watched{socket_.number(), POLLIN, 0};
    if (poll(&watched, 1, poll_time(deadline)) <= 0) continue;
    const ssize_t count = recv(socket_.number(), ignored.data(), ignored.size(), MSG_DONTWAIT);
    at_end_ = count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR);
  }
}

std::string_view words_for(ClassPeer::Trouble trouble) noexcept {
  switch (trouble) {
    case ClassPeer::Trouble::timeout: return "it did not answer in time";
    case ClassPeer::Trouble::closed: return "it hung up";
    case ClassPeer::Trouble::flood: return "it sent far too much";
    case ClassPeer::Trouble::stopped: return "it was stopped";
  }
  return "";
}

}  // namespace paika::protocols
