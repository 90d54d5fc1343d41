// RequestReader: one request after the other out of a connection's bytes, within limits of size and time.
#pragma once

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "server/net/context.hpp"

namespace paika::server::net {

class RequestReader {
 public:
  using Message = beast::http::request<beast::http::string_body>;

  /// `address` is the peer's.
  RequestReader(Context& context, Stream& stream, std::string address);

  enum class Found : unsigned char {
    request,  // request() is complete, but for a body that next_piece() reads
    fault,    // what came is no request that we take: fault() tells the client; nothing can follow
    nothing   // the client has gone, or was too slow
  };
  [[nodiscard]] Task<Found> next();

  [[nodiscard]] Request& request() noexcept { return request_; }
  [[nodiscard]] const Response& fault() const noexcept { return fault_; }
  /// True if the body of the request is to be read by next_piece().
  [[nodiscard]] bool has_pieces() const noexcept { return streamed_.has_value(); }
  /// True if nothing of the request's body is left to be read.
  [[nodiscard]] bool is_whole() const { return !streamed_ || streamed_->is_done(); }
  /// The next piece of such a body; an empty one is the end. Nothing if it cannot be read: what to do then is as after
  /// next().
  [[nodiscard]] Task<tl::expected<std::string, Found>> next_piece();
  /// The request as Boost reads it, for the handshake of a web socket.
  [[nodiscard]] const Message& message() const noexcept { return message_; }
  [[nodiscard]] bool keep_alive() const noexcept { return keep_alive_; }
  [[nodiscard]] bool wants_socket() const noexcept { return wants_socket_; }
  /// False: a client of HTTP/1.0, which knows no chunks.
  [[nodiscard]] bool knows_chunks() const noexcept { return message_.version() >= 11; }
  /// True if more than the request has come already.
  [[nodiscard]] bool has_more() const noexcept { return buffer_.size() > 0; }
  /// True while not one byte of the next request has come.
  [[nodiscard]] bool is_idle() const noexcept { return idle_; }

 private:
  using Parser = beast::http::request_parser<beast::http::string_body>;
  using StreamParser = beast::http::request_parser<beast::http::buffer_body>;

  [[nodiscard]] Task<bool> first_bytes();
  [[nodiscard]] Task<ErrorCode> read_body(Parser& parser);
  /// Tells a client that asked first that it may send the body.
  [[nodiscard]] Task<ErrorCode> let_go_on(bool expects);
  /// The answer to a head that is not taken; fills in request_ otherwise.
  [[nodiscard]] std::optional<Response> read_head(const Parser& parser);
  void read_fields(const Message& message);
  void read_client();
  /// Counts an error of reading, and says what is to be done.
  [[nodiscard]] Found failed(const ErrorCode& error);
  [[nodiscard]] Found refuse(Response fault);

  Context& context_;
  Stream& stream_;
  std::string peer_;
  beast::flat_buffer buffer_;
  SteadyClock::time_point first_deadline_;
  bool is_first_ = true;
  bool idle_ = true;
  Request request_;
  Response fault_;
  Message message_;
  std::size_t max_body_ = 0;  // that this request may have, in bytes
  std::optional<StreamParser> streamed_;
  SteadyClock::time_point stream_deadline_;
  bool asked_first_ = false;  // the client of a streamed body waits to be told to go on
  bool keep_alive_ = false;
  bool wants_socket_ = false;
};

}  // namespace paika::server::net
