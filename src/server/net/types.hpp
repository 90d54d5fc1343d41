// The types of Boost that this folder uses, under short names. Nobody outside the folder includes this.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <chrono>
#include <limits>

#include "server/net/network.hpp"

namespace paika::server::net {

namespace asio = boost::asio;
namespace beast = boost::beast;

using ErrorCode = boost::system::error_code;
using SteadyClock = std::chrono::steady_clock;
using Executor = asio::io_context::executor_type;
using Tcp = asio::ip::tcp;
using Socket = asio::basic_stream_socket<Tcp, Executor>;
using Acceptor = asio::basic_socket_acceptor<Tcp, Executor>;
using Timer = asio::basic_waitable_timer<SteadyClock, asio::wait_traits<SteadyClock>, Executor>;

template <class T>
using Task = asio::awaitable<T, Executor>;

/// For `co_await operation(…, into(error))`: the operation's error instead of an exception.
[[nodiscard]] inline auto into(ErrorCode& error) {
  return asio::redirect_error(asio::use_awaitable_t<Executor>(), error);
}

/// Counts the bytes of a stream; to Boost it is a policy that limits no rate.
class Meter {
 public:
  explicit Meter(NetworkCounts& counts) noexcept : counts_(&counts) {}

 private:
  friend class beast::rate_policy_access;
  static constexpr std::size_t all_ = std::numeric_limits<std::size_t>::max();
  [[nodiscard]] static std::size_t available_read_bytes() noexcept { return all_; }
  [[nodiscard]] static std::size_t available_write_bytes() noexcept { return all_; }
  void transfer_read_bytes(std::size_t bytes) noexcept { counts_->bytes_in += bytes; }
  void transfer_write_bytes(std::size_t bytes) noexcept { counts_->bytes_out += bytes; }
  static void on_timer() noexcept {}

  NetworkCounts* counts_;
};

/// A connection's socket with deadlines.
using Stream = beast::basic_stream<Tcp, Executor, Meter>;

}  // namespace paika::server::net
