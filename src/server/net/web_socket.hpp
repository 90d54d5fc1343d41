// WebSocket: one connection after it has become a web socket. Texts only, within limits of size and time.
#pragma once

#include <boost/beast/websocket/stream.hpp>
#include <memory>
#include <optional>

#include "server/net/http_connection.hpp"

namespace paika::server::net {

class WebSocket final : public Connection {
 public:
  WebSocket(Context& context, Upgrade upgrade);

  /// Serves until it has ended; then the handler has heard of it.
  static Task<void> run(std::shared_ptr<WebSocket> self);

  void finish() override;
  void cut() override;
  void check(SteadyClock::time_point now) override;
  [[nodiscard]] bool is_busy() const override { return false; }

 private:
  // Without permessage-deflate: our texts are short, and its windows would cost each socket far more memory than all
  // the rest.
  using Inner = beast::websocket::stream<Stream, false>;

  void set_options();
  [[nodiscard]] Task<void> read_messages();
  static Task<void> write_messages(std::shared_ptr<WebSocket> self);
  [[nodiscard]] Task<void> write_all();
  void count_error(const ErrorCode& error);
  /// Gives a message to the handler; false if it failed.
  [[nodiscard]] bool deliver(std::string text);
  /// Closes at once for a fault of the client: what waits is not sent any more.
  void refuse(int code, std::string_view reason);

  Inner inner_;
  RequestReader::Message message_;  // of the handshake
  std::unique_ptr<SocketHandler> handler_;
  std::shared_ptr<Outbox> outbox_;
  Wake wake_;          // for who writes
  Wake writing_over_;  // for who waits for that
  std::optional<SteadyClock::time_point> writing_since_;
  bool reading_ = true;
  bool writing_ = true;
};

}  // namespace paika::server::net
