#include "server/net/listener.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/address.hpp>
#include <fmt/format.h>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "server/http/address.hpp"
#include "server/net/http_connection.hpp"
#include "server/net/web_socket.hpp"

namespace paika::server::net {

namespace {

constexpr int backlog = 4096;
constexpr std::chrono::milliseconds pause_time{100};  // when the machine has no room for one more
// What the system holds for a client that takes nothing. Left to itself it would let each grow to megabytes.
constexpr int send_buffer = 256 * 1024;

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

void turn_away(Context& context, Socket socket) {
  ++context.counts().turned_away;
  ErrorCode error;
  socket.non_blocking(true, error);
  socket.write_some(asio::buffer(no_room), error);
}

void admit(Context& context, Socket socket) {
  ErrorCode error;
  const auto peer = socket.remote_endpoint(error);
  if (error) return;
  const std::string text = peer.address().to_string();
  std::string address = plain_address(text).value_or(text);
  const std::string client = client_of(address);
  // A proxy has the connections of all its clients; they are told apart by their requests.
  const bool is_client = !context.settings().behind_proxy;
  SharePtr share = is_client ? context.share(client) : nullptr;
  if ((is_client && !share) || !context.enter(client)) return turn_away(context, std::move(socket));
  auto place = std::make_unique<ConnectionSlot>(context);
  ++context.counts().accepted;
  socket.set_option(Tcp::no_delay(true), error);
  socket.set_option(asio::socket_base::send_buffer_size(send_buffer), error);
  Stream stream(Meter(context.counts()), std::move(socket));
  asio::co_spawn(context.executor(),
                 serve(context, std::move(stream), std::move(address), std::move(share), std::move(place)),
                 asio::detached);
}

tl::unexpected<Error> bind_failure(const ErrorCode& error, const NetworkSettings& settings) {
  if (error == asio::error::address_in_use)
    return fail("port {} of {} is taken: another program listens there; choose another port", settings.port,
                settings.address);
  if (error == asio::error::access_denied)
    return fail("port {} needs the rights of an administrator; ports from 1024 on do not", settings.port);
  return fail("cannot listen on {}, port {}: {}", settings.address, settings.port, error.message());
}

}  // namespace

Result<std::unique_ptr<Listener>> Listener::open(asio::io_context& io, const NetworkSettings& settings) {
  ErrorCode error;
  const std::string text = settings.address == "localhost" ? "127.0.0.1" : settings.address;
  const auto address = asio::ip::make_address(text, error);
  if (error)
    return fail("{} is not an address to listen on; give one such as 127.0.0.1, 0.0.0.0 or ::1",
                in_quotes(settings.address));
  std::unique_ptr<Listener> listener(new Listener(io.get_executor()));
  error = listener->bind(Tcp::endpoint(address, settings.port));
  if (error) return bind_failure(error, settings);
  return listener;
}

ErrorCode Listener::bind(const Tcp::endpoint& endpoint) {
  ErrorCode error;
  acceptor_.open(endpoint.protocol(), error);
  // Else the port of a server that was just stopped would be taken for a minute.
  if (!error) acceptor_.set_option(Acceptor::reuse_address(true), error);
  if (!error) acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(backlog, error);
  return error;
}

std::uint16_t Listener::port() const {
  ErrorCode error;
  return acceptor_.local_endpoint(error).port();
}

void Listener::start(Context& context) { asio::co_spawn(context.executor(), accept_all(context), asio::detached); }

void Listener::close() {
  ErrorCode error;
  acceptor_.close(error);
  pause_.cancel();
}

Task<void> Listener::accept_all(Context& context) {
  bool told = false;
  while (acceptor_.is_open()) {
    Socket socket(context.executor());
    ErrorCode error;
    co_await acceptor_.async_accept(socket, into(error));
    if (!acceptor_.is_open()) break;
    if (!error) {
      told = false;
      admit(context, std::move(socket));
      continue;
    }
    if (error == asio::error::connection_aborted) continue;
    // No descriptors or no memory: the next try would fail as fast, and those that are connected need the time.
    if (!std::exchange(told, true)) context.log(fmt::format("cannot take connections: {}", error.message()));
    pause_.expires_after(pause_time);
    co_await pause_.async_wait(into(error));
  }
}

}  // namespace paika::server::net
