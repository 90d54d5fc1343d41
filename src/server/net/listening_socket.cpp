#include "server/net/listening_socket.hpp"

#include <boost/asio/ip/address.hpp>
#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <utility>

#include "base/text.hpp"
#include "server/net/types.hpp"

namespace paika::server {

namespace {

using net::Acceptor;
using net::ErrorCode;
using net::Tcp;

constexpr int backlog = 4096;

ErrorCode bind_to(Acceptor& acceptor, const Tcp::endpoint& endpoint) {
  ErrorCode error;
  acceptor.open(endpoint.protocol(), error);
  // Else the port of a server that was just stopped would be taken for a minute.
  if (!error) acceptor.set_option(Acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(backlog, error);
  return error;
}

tl::unexpected<Error> bind_failure(const ErrorCode& error, const std::string& address, std::uint16_t port) {
  if (error == net::asio::error::address_in_use)
    return fail("port {} of {} is taken: another program listens there; choose another port", port, address);
  if (error == net::asio::error::access_denied)
    return fail("port {} needs the rights of an administrator; ports from 1024 on do not", port);
  return fail("cannot listen on {}, port {}: {}", address, port, error.message());
}

}  // namespace

Result<std::shared_ptr<const ListeningSocket>> ListeningSocket::open(const std::string& address, std::uint16_t port) {
  ErrorCode error;
  const auto ip = net::asio::ip::make_address(address == "localhost" ? "127.0.0.1" : address, error);
  if (error)
    return fail("{} is not an address to listen on; give one such as 127.0.0.1, 0.0.0.0 or ::1", in_quotes(address));
  net::asio::io_context io;
  Acceptor acceptor(io.get_executor());
  error = bind_to(acceptor, Tcp::endpoint(ip, port));
  if (error) return bind_failure(error, address, port);
  const std::uint16_t bound = acceptor.local_endpoint(error).port();
  return std::shared_ptr<const ListeningSocket>(new ListeningSocket(Descriptor(acceptor.release()), bound, ip.is_v6()));
}

Result<Descriptor> ListeningSocket::share() const {
  const int number = ::fcntl(descriptor_.number(), F_DUPFD_CLOEXEC, 0);
  if (number < 0) return fail("cannot listen on port {}: {}", port_, std::generic_category().message(errno));
  return Descriptor(number);
}

}  // namespace paika::server
