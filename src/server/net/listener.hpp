// Listener: takes new connections, or turns them away, and starts serving them.
#pragma once

#include <boost/asio/basic_socket_acceptor.hpp>
#include <memory>
#include <string>

#include "server/net/context.hpp"

namespace paika::server::net {

class Listener {
 public:
  /// Binds the address of the settings; an error says why that cannot be done.
  [[nodiscard]] static Result<std::unique_ptr<Listener>> open(asio::io_context& io, const NetworkSettings& settings);

  [[nodiscard]] std::uint16_t port() const;
  /// Takes connections until close(). The context must outlive the loop.
  void start(Context& context);
  void close();

 private:
  using Acceptor = asio::basic_socket_acceptor<Tcp, Executor>;

  explicit Listener(const Executor& executor) : acceptor_(executor), pause_(executor) {}
  [[nodiscard]] ErrorCode bind(const Tcp::endpoint& endpoint);
  [[nodiscard]] Task<void> accept_all(Context& context);

  Acceptor acceptor_;
  Timer pause_;
};

}  // namespace paika::server::net
