// Listener: takes new connections, or turns them away, and starts serving them.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "server/net/context.hpp"
#include "server/net/listening_socket.hpp"

namespace paika::server::net {

/// Serves a new connection of a client, or turns it away.
void admit(Context& context, Socket socket, std::string address);

/// What the system holds for a client that takes nothing. Left to itself it would let each grow to megabytes.
inline constexpr int max_buffer = 256 * 1024;

/// Says that there are too many connections, if that can be said at once, and ends this one.
void turn_away(Socket socket);

/// The address of the other side; nothing if it has gone already.
[[nodiscard]] std::optional<std::string> peer_of(const Socket& socket);

/// Begins to take connections from a socket, which others may do too.
[[nodiscard]] Result<void> listen(Acceptor& acceptor, const ListeningSocket& socket);
/// Who waits for a connection goes on with an error; what arrives from now on is for others.
void stop_listening(Acceptor& acceptor);

class Listener {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Listener>> open(asio::io_context& io, const ListeningSocket& socket);

  /// Takes connections until close(). The context must outlive the loop.
  void start(Context& context);
  void close();

 private:
  explicit Listener(const Executor& executor) : acceptor_(executor), pause_(executor) {}
  [[nodiscard]] Task<void> accept_all(Context& context);

  Acceptor acceptor_;
  Timer pause_;
};

}  // namespace paika::server::net
