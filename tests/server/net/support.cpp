#include "support.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

#include "base/text.hpp"
#include "tests/support/must.hpp"

namespace paika_tests {

// ---- The server ----

namespace {

int living_handlers = 0;

class Handler final : public server::SocketHandler {
 public:
  explicit Handler(TestSite::Socket calls) : calls_(std::move(calls)) { ++living_handlers; }
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;
  ~Handler() override { --living_handlers; }
  void received(std::string text) override {
    if (calls_.received) calls_.received(text);
  }
  void closed() override {
    if (calls_.closed) calls_.closed();
  }

 private:
  TestSite::Socket calls_;
};

}  // namespace

int TestSite::handlers() { return living_handlers; }

server::Response plain(std::string body) {
  server::Response response;
  response.type = "text/plain";
  response.body = std::move(body);
  return response;
}

void TestSite::answer(server::Request request, std::shared_ptr<server::Reply> reply) {
  if (on_request) return on_request(std::move(request), std::move(reply));
  reply->send(plain(request.method + " " + request.path));
}

std::variant<std::unique_ptr<server::SocketHandler>, server::Response> TestSite::open_socket(
    const server::Request& request, std::shared_ptr<server::Subscriber> subscriber) {
  if (on_refusal) {
    if (auto refusal = on_refusal(request)) return *std::move(refusal);
  }
  if (on_socket) return std::make_unique<Handler>(on_socket(request, std::move(subscriber)));
  Socket echo;
  echo.received = [subscriber](const std::string& text) { subscriber->send(text); };
  return std::make_unique<Handler>(std::move(echo));
}

Server::Server(TestSite& site, server::NetworkSettings settings)
    : network_(must(server::Network::open(settings), "the network")), thread_([this, &site] { network_->run(site); }) {}

Server::~Server() { stop(0ms); }

server::NetworkCounts Server::counts() {
  server::NetworkCounts counts;
  there([&] { counts = network_->counts(); });
  return counts;
}

void Server::there(std::function<void()> call) {
  std::promise<void> done;
  network_->post([&] {
    call();
    done.set_value();
  });
  if (done.get_future().wait_for(60s) != std::future_status::ready) throw std::runtime_error("the network hangs");
}

bool Server::wait(const std::function<bool(const server::NetworkCounts&)>& condition,
                  std::chrono::milliseconds longest) {
  const auto until = std::chrono::steady_clock::now() + longest;
  while (!condition(counts())) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(5ms);
  }
  return true;
}

void Server::stop(std::chrono::milliseconds patience) {
  if (!thread_.joinable()) return;
  network_->stop(patience);
  thread_.join();
}

// ---- Clients ----

Client::Client(std::uint16_t port, int receive_buffer, const char* from) {
  descriptor_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor_ < 0) return;
  if (receive_buffer > 0) ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  if (from != nullptr) {
    ::inet_pton(AF_INET, from, &address.sin_addr);
    if (::bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      close();
      return;
    }
  }
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) close();
}

Client::Client(Client&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), ended_(other.ended_), buffer_(std::move(other.buffer_)) {}

Client& Client::operator=(Client&& other) noexcept {
  close();
  descriptor_ = std::exchange(other.descriptor_, -1);
  ended_ = other.ended_;
  buffer_ = std::move(other.buffer_);
  return *this;
}

Client::~Client() { close(); }

void Client::close() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void Client::close_sending() { ::shutdown(descriptor_, SHUT_WR); }

void Client::reset() {
  const linger now{1, 0};
  ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  close();
}

bool Client::send(std::string_view bytes) {
  while (!bytes.empty()) {
    if (descriptor_ < 0) return false;
    pollfd ready{descriptor_, POLLOUT, 0};
    if (::poll(&ready, 1, 20'000) <= 0) return false;
    const auto sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool Client::more(std::chrono::steady_clock::time_point until) {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
  pollfd ready{descriptor_, POLLIN, 0};
  if (descriptor_ < 0) ended_ = true;
  if (ended_ || left < 0 || ::poll(&ready, 1, static_cast<int>(left)) <= 0) return false;
  std::string piece(65536, '\0');
  const auto got = ::recv(descriptor_, piece.data(), piece.size(), 0);
  if (got <= 0) {
    ended_ = true;
    return false;
  }
  buffer_.append(piece, 0, static_cast<std::size_t>(got));
  return true;
}

std::string Client::read(std::size_t bytes, std::chrono::milliseconds longest) {
  const auto until = std::chrono::steady_clock::now() + longest;
  while (buffer_.size() < bytes && more(until)) continue;
  std::string text = buffer_.substr(0, bytes);
  buffer_.erase(0, bytes);
  return text;
}

std::optional<std::string> Client::read_to_end(std::chrono::milliseconds longest) {
  const auto until = std::chrono::steady_clock::now() + longest;
  while (more(until)) continue;
  if (!ended_) return std::nullopt;
  return std::exchange(buffer_, {});
}

std::string Client::read_until(std::string_view end, std::chrono::milliseconds longest) {
  const auto until = std::chrono::steady_clock::now() + longest;
  while (buffer_.find(end) == std::string::npos && more(until)) continue;
  const auto at = buffer_.find(end);
  return read(at == std::string::npos ? buffer_.size() : at + end.size(), 0ms);
}

Answer Client::response(bool is_head) {
  Answer answer;
  const std::string head = read_until("\r\n\r\n");
  if (!head.starts_with("HTTP/1.1 ") || !head.ends_with("\r\n\r\n")) return answer;
  answer.status = std::stoi(head.substr(9, 3));
  for (const std::string_view line : paika::split(head, '\n')) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    answer.headers[paika::lowered(line.substr(0, colon))] = std::string(paika::trimmed(line.substr(colon + 1)));
  }
  if (is_head) return answer;
  if (answer.headers.contains("content-length")) {
    answer.body = read(std::stoul(answer.headers["content-length"]));
  } else if (answer.headers.contains("transfer-encoding")) {
    for (;;) {
      const std::string size = read_until("\r\n");
      const std::size_t bytes = size.empty() ? 0 : std::stoul(size, nullptr, 16);
      answer.body += read(bytes);
      static_cast<void>(read(2));
      if (bytes == 0) break;
    }
  }
  return answer;
}

Answer Client::get(std::string_view path) {
  send(request("GET", path));
  return response();
}

std::string request(std::string_view method, std::string_view path, std::string_view headers, std::string_view body) {
  std::string text = std::string(method) + " " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n";
  text += headers;
  if (!body.empty()) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  return text + "\r\n" + std::string(body);
}

// ---- Web sockets, by hand ----

int Frame::code() const {
  if (payload.size() < 2) return 0;
  return static_cast<unsigned char>(payload[0]) << 8 | static_cast<unsigned char>(payload[1]);
}

std::string frame_bytes(int opcode, std::string_view payload, bool last, bool masked) {
  std::string bytes;
  bytes += static_cast<char>((last ? 0x80 : 0) | opcode);
  const int mask_bit = masked ? 0x80 : 0;
  const std::size_t size = payload.size();
  if (size < 126) {
    bytes += static_cast<char>(mask_bit | static_cast<int>(size));
  } else {
    const int length_bytes = size < 65536 ? 2 : 8;
    bytes += static_cast<char>(mask_bit | (length_bytes == 2 ? 126 : 127));
    for (int i = length_bytes - 1; i >= 0; --i) bytes += static_cast<char>(size >> (8 * i) & 0xff);
  }
  if (!masked) return bytes + std::string(payload);
  static constexpr std::string_view mask = "\x12\x34\x56\x78";
  bytes += mask;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(payload[i] ^ mask[i % 4]);
  return bytes;
}

std::string close_payload(int code, std::string_view reason) {
  std::string payload;
  payload += static_cast<char>(code >> 8);
  payload += static_cast<char>(code & 0xff);
  return payload + std::string(reason);
}

WebClient::WebClient(std::uint16_t port, std::string_view path, std::string_view headers, int receive_buffer,
                     const char* from)
    : client_(port, receive_buffer, from) {
  client_.send(request("GET", path,
                       "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                       "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
                           std::string(headers)));
  answer_ = client_.response();
}

Frame WebClient::read(std::chrono::milliseconds longest) {
  Frame frame;
  const std::string head = client_.read(2, longest);
  if (head.size() < 2) return frame;
  frame.last = (head[0] & 0x80) != 0;
  std::size_t size = static_cast<unsigned char>(head[1]);
  if (size >= 126) {
    const std::string length = client_.read(size == 126 ? 2 : 8);
    size = 0;
    for (const char c : length) size = size << 8 | static_cast<unsigned char>(c);
  }
  frame.payload = client_.read(size);
  frame.opcode = frame.payload.size() == size ? head[0] & 0x0f : -1;
  return frame;
}

Frame WebClient::hear(std::chrono::milliseconds longest) {
  for (;;) {
    Frame frame = read(longest);
    if (frame.opcode != 9) return frame;
  }
}

}  // namespace paika_tests
