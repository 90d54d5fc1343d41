#include "sandbox/channel.hpp"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/text.hpp"

namespace paika::sandbox {

namespace {

constexpr char separator = '\0';
constexpr std::size_t max_order = std::size_t{1} << 20;
constexpr std::size_t order_numbers = 7;  // before the texts

/// The sandbox, numbers and texts of an order that process 1 has to know.
std::string order_text(const ConfineOrder& order) {
  const BotLimits& limits = order.confinement.limits;
  std::string text = fmt::format("{1}{0}{2}{0}{3}{0}{4}{0}{5}{0}{6}{0}{7}{0}{8}", separator,
                                 static_cast<int>(order.confinement.sandbox), limits.memory, limits.written,
                                 limits.processes, limits.open_files, limits.cpu_seconds, order.user, order.folder);
  for (const std::string& word : order.words) text += separator + word;
  return text;
}

std::optional<ConfineOrder> read_order_text(std::string_view text) {
  const auto parts = split(text, separator);
  if (parts.size() < order_numbers + 2) return std::nullopt;
  std::array<std::int64_t, order_numbers> numbers{};
  for (std::size_t i = 0; i < order_numbers; ++i) {
    const auto number = parse_int(parts[i]);
    if (!number || *number < 0) return std::nullopt;
    numbers.at(i) = *number;
  }
  ConfineOrder order;
  BotLimits& limits = order.confinement.limits;
  order.confinement.sandbox = static_cast<Sandbox>(numbers[0]);
  limits.memory = static_cast<std::uint64_t>(numbers[1]);
  limits.written = static_cast<std::uint64_t>(numbers[2]);
  limits.processes = static_cast<int>(numbers[3]);
  limits.open_files = static_cast<int>(numbers[4]);
  limits.cpu_seconds = static_cast<int>(numbers[5]);
  order.user = static_cast<uid_t>(numbers[6]);
  order.folder = std::string(parts[order_numbers]);
  for (std::size_t i = order_numbers + 1; i < parts.size(); ++i) order.words.emplace_back(parts[i]);
  return order;
}

template <class Call>
ssize_t repeated(const Call& call) {
  for (;;) {
    const ssize_t count = call();
    if (count >= 0 || errno != EINTR) return count;
  }
}

bool send_text(int channel, std::string_view text) {
  return repeated([&] { return send(channel, text.data(), text.size(), MSG_NOSIGNAL); }) ==
         static_cast<ssize_t>(text.size());
}

/// Room for what travels beside a message: two descriptors, and who sent them.
struct Ancillary {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int)) + CMSG_SPACE(sizeof(ucred))> bytes{};
};

}  // namespace

std::optional<std::array<int, 2>> open_channel() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return std::nullopt;
  constexpr int large = 1 << 20;  // orders can be long; what is not allowed is ignored
  static_cast<void>(setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &large, sizeof large));
  constexpr int yes = 1;
  if (setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) != 0) return std::nullopt;
  return ends;
}

bool send_order(int channel, const ConfineOrder& order) { return send_text(channel, order_text(order)); }

std::optional<ConfineOrder> receive_order(int channel) {
  std::string text(max_order, '\0');
  const ssize_t count = repeated([&] { return recv(channel, text.data(), text.size(), 0); });
  if (count <= 0) return std::nullopt;
  return read_order_text(std::string_view(text).substr(0, static_cast<std::size_t>(count)));
}

bool send_hello(int channel, int proc, int tmp) {
  char byte = 'h';
  iovec data{&byte, 1};
  const std::array files = {proc, tmp};
  Ancillary room;
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = room.bytes.data();
  message.msg_controllen = CMSG_SPACE(sizeof files);
  cmsghdr* part = CMSG_FIRSTHDR(&message);
  part->cmsg_level = SOL_SOCKET;
  part->cmsg_type = SCM_RIGHTS;
  part->cmsg_len = CMSG_LEN(sizeof files);
  std::memcpy(CMSG_DATA(part), files.data(), sizeof files);
  return repeated([&] { return sendmsg(channel, &message, MSG_NOSIGNAL); }) == 1;
}

std::optional<Hello> receive_hello(int channel) {
  char byte = 0;
  iovec data{&byte, 1};
  Ancillary room;
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = room.bytes.data();
  message.msg_controllen = room.bytes.size();
  if (repeated([&] { return recvmsg(channel, &message, MSG_CMSG_CLOEXEC); }) != 1 || byte != 'h') return std::nullopt;
  Hello hello;
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET) continue;
    if (part->cmsg_type == SCM_RIGHTS && part->cmsg_len == CMSG_LEN(2 * sizeof(int))) {
      std::array<int, 2> files{};
      std::memcpy(files.data(), CMSG_DATA(part), sizeof files);
      hello.proc = files[0];
      hello.tmp = files[1];
    }
    if (part->cmsg_type == SCM_CREDENTIALS) {
      ucred who{};
      std::memcpy(&who, CMSG_DATA(part), sizeof who);
      hello.process = who.pid;
    }
  }
  if (hello.process <= 0 || hello.proc < 0 || hello.tmp < 0) return std::nullopt;
  return hello;
}

bool send_word(int channel, ChannelWord word) {
  const char byte = static_cast<char>(word);
  return send_text(channel, {&byte, 1});
}

std::optional<ChannelWord> receive_word(int channel) {
  char byte = 0;
  if (repeated([&] { return recv(channel, &byte, 1, 0); }) != 1) return std::nullopt;
  return static_cast<ChannelWord>(byte);
}

}  // namespace paika::sandbox
