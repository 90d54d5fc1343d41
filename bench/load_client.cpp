#include "load_client.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace paika::load {

namespace {

constexpr unsigned char text_frame = 1;
constexpr unsigned char close_frame = 8;
constexpr unsigned char ping_frame = 9;
constexpr unsigned char pong_frame = 10;

std::string system_error() { return std::strerror(errno); }  // NOLINT(concurrency-mt-unsafe): one thread

/// Sends all of it on a blocking socket.
Result<void> send_all(int socket, std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return fail("cannot send: {}", system_error());
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
  return {};
}

/// Reads more on a blocking socket.
Result<void> read_more(int socket, std::string& text) {
  std::array<char, 16384> buffer{};
  const ssize_t bytes = ::recv(socket, buffer.data(), buffer.size(), 0);
  if (bytes < 0) return fail("cannot receive: {}", system_error());
  if (bytes == 0) return fail("the server hung up");
  text.append(buffer.data(), static_cast<std::size_t>(bytes));
  return {};
}

/// Reads until the end of a head is there; where the body begins.
Result<std::size_t> read_head(int socket, std::string& text) {
  constexpr std::string_view end = "\r\n\r\n";
  for (;;) {
    if (const auto found = text.find(end); found != std::string::npos) return found + end.size();
    if (auto more = read_more(socket, text); !more) return tl::unexpected(more.error());
  }
}

/// The number in a header; 0 if it is not there.
std::size_t length_in(std::string_view head) {
  constexpr std::string_view name = "\r\nContent-Length: ";
  const auto found = head.find(name);
  std::size_t number = 0;
  if (found != std::string_view::npos) {
    const char* begin = head.data() + found + name.size();
    std::from_chars(begin, head.data() + head.size(), number);
  }
  return number;
}

int status_in(std::string_view head) {
  constexpr std::size_t place = 9;  // after "HTTP/1.1 "
  int status = 0;
  if (head.size() > place + 3) std::from_chars(head.data() + place, head.data() + place + 3, status);
  return status;
}

}  // namespace

Result<Address> read_address(std::string_view url) {
  constexpr std::string_view scheme = "http://";
  const auto wrong = [&] { return fail("\"{}\" is no address such as http://127.0.0.1:7420", url); };
  if (!url.starts_with(scheme)) return wrong();
  std::string_view rest = url.substr(scheme.size());
  rest = rest.substr(0, rest.find('/'));
  const auto colon = rest.rfind(':');
  if (colon == std::string_view::npos) return wrong();
  Address address{std::string(rest.substr(0, colon)), 0};
  const auto [end, error] = std::from_chars(rest.data() + colon + 1, rest.data() + rest.size(), address.port);
  if (error != std::errc() || end != rest.data() + rest.size() || address.port == 0) return wrong();
  return address;
}

// ---- Connections ----

Handle::Handle(Handle&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
Handle& Handle::operator=(Handle&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}
Handle::~Handle() {
  if (number_ >= 0) ::close(number_);
}

Result<Handle> connect_to(const Address& address) {
  Handle handle(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (handle.number() < 0) return fail("no more sockets: {}", system_error());
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(address.port);
  if (::inet_pton(AF_INET, address.host.c_str(), &where.sin_addr) != 1) {
    return fail("{} is no IPv4 address", address.host);
  }
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): that is how the system wants it
  if (::connect(handle.number(), reinterpret_cast<const sockaddr*>(&where), sizeof(where)) != 0) {
    return fail("cannot connect to {}:{}: {}", address.host, address.port, system_error());
  }
  const int on = 1;
  ::setsockopt(handle.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  return handle;
}

std::size_t raise_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<std::size_t>(limit.rlim_cur);
}

// ---- Requests ----

Result<HttpClient> HttpClient::open(const Address& address) {
  auto handle = connect_to(address);
  if (!handle) return tl::unexpected(handle.error());
  return HttpClient(std::move(*handle), address);
}

Result<void> HttpClient::begin(std::string_view method, std::string_view path, std::string_view token,
                               std::string_view body) {
  std::string text = fmt::format("{} {} HTTP/1.1\r\nHost: {}:{}\r\nContent-Length: {}\r\n", method, path, address_.host,
                                 address_.port, body.size());
  if (!token.empty()) text += fmt::format("Authorization: Bearer {}\r\n", token);
  text += "\r\n";
  text += body;
  return send_all(handle_.number(), text);
}

Result<HttpAnswer> HttpClient::finish() {
  const auto head = read_head(handle_.number(), received_);
  if (!head) return tl::unexpected(head.error());
  const std::string_view text = std::string_view(received_).substr(0, *head);
  HttpAnswer answer{status_in(text), {}};
  const std::size_t end = *head + length_in(text);
  while (received_.size() < end) {
    if (auto more = read_more(handle_.number(), received_); !more) return tl::unexpected(more.error());
  }
  answer.body = received_.substr(*head, end - *head);
  received_.erase(0, end);
  return answer;
}

// ---- Web sockets ----

Result<WebSocket> WebSocket::open(const Address& address, std::string_view token) {
  auto handle = connect_to(address);
  if (!handle) return tl::unexpected(handle.error());
  const std::string text = fmt::format(
      "GET /api/socket HTTP/1.1\r\nHost: {}:{}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Key: bG9hZCBwcm9ncmFtIDE2IA==\r\nSec-WebSocket-Version: 13\r\nAuthorization: Bearer {}\r\n\r\n",
      address.host, address.port, token);
  if (auto sent = send_all(handle->number(), text); !sent) return tl::unexpected(sent.error());
  WebSocket socket(std::move(*handle));
  const auto head = read_head(socket.number(), socket.received_);
  if (!head) return tl::unexpected(head.error());
  constexpr int switching = 101;
  if (status_in(socket.received_) != switching) {
    return fail("the server opened no web socket: {}", socket.received_.substr(0, socket.received_.find('\r')));
  }
  socket.received_.erase(0, *head);
  ::fcntl(socket.number(), F_SETFL, O_NONBLOCK);
  return socket;
}

void WebSocket::send(std::string_view text) { send_frame(text_frame, text); }

void WebSocket::send_frame(unsigned char opcode, std::string_view text) {
  constexpr unsigned char last = 0x80;
  constexpr unsigned char masked = 0x80;
  constexpr std::size_t short_text = 125;
  const auto byte = [&](std::size_t value) { unsent_ += static_cast<char>(static_cast<unsigned char>(value & 0xffU)); };
  byte(last | opcode);
  if (text.size() <= short_text) {
    byte(masked | text.size());
  } else {
    byte(masked | 126U);
    byte(text.size() >> 8U);
    byte(text.size());
  }
  unsent_.append(4, '\0');  // a mask of zeros changes nothing, and needs no work
  unsent_ += text;
  flush();
}

bool WebSocket::flush() {
  while (!unsent_.empty()) {
    const ssize_t sent = ::send(handle_.number(), unsent_.data(), unsent_.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    unsent_.erase(0, static_cast<std::size_t>(sent));
  }
  return true;
}

std::size_t WebSocket::take_frame(std::size_t begin, const std::function<void(std::string_view)>& take) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(received_[begin + i]); };
  const std::size_t there = received_.size() - begin;
  if (there < 2) return std::string::npos;
  std::size_t size = at(1) & 0x7fU;
  std::size_t head = 2;
  if (size >= 126) {
    const std::size_t bytes = size == 126 ? 2 : 8;
    head += bytes;
    if (there < head) return std::string::npos;
    size = 0;
    for (std::size_t i = 0; i < bytes; ++i) size = size << 8U | at(2 + i);
  }
  if (there < head + size) return std::string::npos;
  const std::string_view text = std::string_view(received_).substr(begin + head, size);
  const auto opcode = static_cast<unsigned char>(at(0) & 0x0fU);
  if (opcode == ping_frame) send_frame(pong_frame, text);
  if (opcode == close_frame) ended_ = true;
  if (opcode == text_frame) take(text);  // our server sends a message in one frame
  return begin + head + size;
}

bool WebSocket::receive(const std::function<void(std::string_view)>& take) {
  std::array<char, 65536> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the system
  for (;;) {
    const ssize_t bytes = ::recv(handle_.number(), buffer.data(), buffer.size(), 0);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return true;
    if (bytes <= 0) return false;
    received_.append(buffer.data(), static_cast<std::size_t>(bytes));
    std::size_t begin = 0;
    for (std::size_t end = 0; !ended_ && (end = take_frame(begin, take)) != std::string::npos;) begin = end;
    received_.erase(0, begin);
    if (ended_) return false;
    if (static_cast<std::size_t>(bytes) < buffer.size()) return true;
  }
}

}  // namespace paika::load
