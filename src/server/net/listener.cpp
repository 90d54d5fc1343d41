#include "server/net/listener.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <fmt/format.h>
#include <string_view>
#include <utility>

#include "server/http/address.hpp"
#include "server/net/http_connection.hpp"
#include "server/net/web_socket.hpp"

namespace paika::server::net {

namespace {

constexpr std::chrono::milliseconds pause_time{100};  // when the machine has no room for one more

constexpr std::string_view no_room =
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 5\r\nConnection: close\r\n"
    "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n\r\n"
    "{\"error\":{\"code\":\"too_many_connections\",\"message\":\"there are too many connections\","
    "\"retry_after_ms\":5000}}\n";

/// A place among the connections, given back when it is destroyed.
class ConnectionSlot {
 public:
  explicit ConnectionSlot(Context& context) : context_(context) {}
  ConnectionSlot(const ConnectionSlot&) = delete;
  ConnectionSlot& operator=(const ConnectionSlot&) = delete;
  ~ConnectionSlot() { context_.leave(); }

 private:
  Context& context_;
};

/// One connection from its beginning to its end.
Task<void> serve(Context& context, Stream stream, std::string address, SharePtr share,
                 std::unique_ptr<ConnectionSlot> place) {
  auto http = std::make_shared<HttpConnection>(context, std::move(stream), std::move(address), std::move(share));
  std::unique_ptr<Upgrade> upgrade = co_await http->run();
  http.reset();
  if (upgrade) {
    // The socket takes what it needs; nothing of HTTP stays in memory.
    auto socket = std::make_shared<WebSocket>(context, std::move(*upgrade));
    upgrade.reset();
    co_await WebSocket::run(std::move(socket));
  }
  place.reset();
}

}  // namespace

void turn_away(Socket socket) {
  ErrorCode error;
  socket.non_blocking(true, error);
  socket.write_some(asio::buffer(no_room), error);
}

void admit(Context& context, Socket socket, std::string address) {
  const std::string client = client_of(address);
  // A proxy has the connections of all its clients; they are told apart by their requests.
  const bool is_client = !context.settings().behind_proxy;
  SharePtr share = is_client ? context.share(client) : nullptr;
  if ((is_client && !share) || !context.enter(client)) {
    ++context.counts().turned_away;
    return turn_away(std::move(socket));
  }
  auto place = std::make_unique<ConnectionSlot>(context);
  ++context.counts().accepted;
  ErrorCode error;
  socket.set_option(Tcp::no_delay(true), error);
  socket.set_option(asio::socket_base::send_buffer_size(max_buffer), error);
  Stream stream(Meter(context.counts()), std::move(socket));
  asio::co_spawn(context.executor(),
                 serve(context, std::move(stream), std::move(address), std::move(share), std::move(place)),
                 asio::detached);
}

std::optional<std::string> peer_of(const Socket& socket) {
  ErrorCode error;
  const auto peer = socket.remote_endpoint(error);
  if (error) return std::nullopt;
  const std::string text = peer.address().to_string();
  return plain_address(text).value_or(text);
}

Result<void> listen(Acceptor& acceptor, const ListeningSocket& socket) {
  auto descriptor = socket.share();
  if (!descriptor) return tl::unexpected(descriptor.error());
  ErrorCode error;
  acceptor.assign(socket.is_ipv6() ? Tcp::v6() : Tcp::v4(), descriptor->number(), error);
  if (error) return fail("cannot listen on port {}: {}", socket.port(), error.message());
  static_cast<void>(descriptor->release());
  return {};
}

void stop_listening(Acceptor& acceptor) {
  // Not close(): the system would go on telling of a socket that others listen on too.
  ErrorCode error;
  if (acceptor.is_open()) const Descriptor closed(acceptor.release(error));
}

Result<std::unique_ptr<Listener>> Listener::open(asio::io_context& io, const ListeningSocket& socket) {
  std::unique_ptr<Listener> listener(new Listener(io.get_executor()));
  if (auto listening = listen(listener->acceptor_, socket); !listening) return tl::unexpected(listening.error());
  return listener;
}

void Listener::start(Context& context) { asio::co_spawn(context.executor(), accept_all(context), asio::detached); }

void Listener::close() {
  stop_listening(acceptor_);
  pause_.cancel();
}

Task<void> Listener::accept_all(Context& context) {
  bool is_reported = false;
  while (acceptor_.is_open()) {
    Socket socket(context.executor());
    ErrorCode error;
    co_await acceptor_.async_accept(socket, into(error));
    if (!acceptor_.is_open()) break;
    if (!error) {
      is_reported = false;
      if (auto address = peer_of(socket)) admit(context, std::move(socket), std::move(*address));
      continue;
    }
    if (error == asio::error::connection_aborted) continue;
    // No descriptors or no memory: the next try would fail as fast, and those that are connected need the time.
    if (!std::exchange(is_reported, true)) context.log(fmt::format("cannot take connections: {}", error.message()));
    pause_.expires_after(pause_time);
    co_await pause_.async_wait(into(error));
  }
}

}  // namespace paika::server::net
