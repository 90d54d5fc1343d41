#include "server/net/request_reader.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <fmt/format.h>
#include <utility>

#include "base/text.hpp"
#include "server/http/address.hpp"
#include "server/http/target.hpp"
#include "server/net/reply.hpp"

namespace paika::server::net {

namespace {

namespace http = beast::http;

constexpr std::size_t first_read = 1024;   // bytes; most heads fit
constexpr std::size_t kept_buffer = 4096;  // bytes that a connection keeps between requests
constexpr std::size_t beyond_head = 8192;  // of the buffer: bytes of the body that may come along
constexpr std::size_t max_fields = 64;
constexpr std::size_t piece_of_body = std::size_t{64} * 1024;

std::string_view view(boost::core::string_view text) { return {text.data(), text.size()}; }

/// Headers that must not come twice: whoever reads the other one of them would see another request.
constexpr std::array<std::string_view, 4> single_fields = {"host", "origin", "authorization", "content-type"};

Response bad(std::string_view message) { return own_error(400, "bad_request", message); }

Response body_too_large(std::size_t most) {
  return own_error(413, "body_too_large", fmt::format("the request's body has more than {} bytes", most));
}

/// The answer to bytes that Boost's parser refuses.
Response parser_fault(const ErrorCode& error, const NetworkSettings& settings, std::size_t max_body) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow)
    return own_error(431, "head_too_large",
                     fmt::format("the request's head has more than {} bytes", settings.max_header_bytes));
  if (error == http::error::body_limit) return body_too_large(max_body);
  if (error == http::error::bad_version)
    return own_error(505, "bad_version", "this server speaks HTTP/1.1 and HTTP/1.0");
  return bad(fmt::format("this is not an HTTP request: {}", error.message()));
}

/// True if the error is one of the bytes, not of the connection.
bool is_parser_error(const ErrorCode& error) {
  return error.category() == http::make_error_code(http::error::bad_method).category() &&
         error != http::error::end_of_stream && error != http::error::partial_message;
}

/// The last item of a list such as "a, b".
std::string_view last_item(std::string_view list) {
  const auto comma = list.rfind(',');
  return trimmed(comma == std::string_view::npos ? list : list.substr(comma + 1));
}

/// What is wrong with the Expect and Transfer-Encoding of a head.
std::optional<Response> framing_fault(const RequestReader::Message& message) {
  const auto expect = lowered(view(message[http::field::expect]));
  if (!expect.empty() && expect != "100-continue")
    return own_error(417, "bad_expectation", "of Expect only 100-continue is known");
  if (message.count(http::field::transfer_encoding) == 0) return std::nullopt;
  if (message.version() < 11) return bad("HTTP/1.0 has no Transfer-Encoding");
  if (lowered(trimmed(view(message[http::field::transfer_encoding]))) != "chunked" ||
      message.count(http::field::transfer_encoding) > 1)
    return own_error(501, "bad_encoding", "of Transfer-Encoding only chunked is known");
  return std::nullopt;
}

bool is_streamed(const Request& request, const NetworkSettings& settings) {
  return !settings.stream_prefix.empty() && request.method == "POST" &&
         request.path.starts_with(settings.stream_prefix);
}

bool expects_go_on(const RequestReader::Message& message) {
  return message.count(http::field::expect) > 0 && message.version() >= 11;
}

std::size_t max_body(const Request& request, const NetworkSettings& settings) {
  if (is_streamed(request, settings)) return settings.max_stream_bytes;
  const bool is_upload =
      !settings.upload_ending.empty() && request.method == "POST" && request.path.ends_with(settings.upload_ending);
  return is_upload ? settings.max_upload_bytes : settings.max_body_bytes;
}

}  // namespace

RequestReader::RequestReader(Context& context, Stream& stream, std::string address)
    : context_(context),
      stream_(stream),
      peer_(std::move(address)),
      buffer_(context.settings().max_header_bytes + beyond_head),
      first_deadline_(SteadyClock::now() + context.settings().header_time) {}

Task<RequestReader::Found> RequestReader::next() {
  const NetworkSettings& settings = context_.settings();
  streamed_.reset();
  idle_ = buffer_.size() == 0;
  if (idle_) {
    const bool came = co_await first_bytes();
    if (!came) co_return Found::nothing;
  }
  if (is_first_) {
    stream_.expires_at(first_deadline_);
  } else {
    stream_.expires_after(settings.header_time);
  }
  is_first_ = false;
  Parser parser;
  parser.header_limit(static_cast<std::uint32_t>(settings.max_header_bytes));
  parser.body_limit(boost::none);  // until the head is read, which tells what it is
  ErrorCode error;
  co_await http::async_read_header(stream_, buffer_, parser, into(error));
  if (error) co_return failed(error);
  // Before the body: trailers that follow it must not be taken for headers.
  if (auto fault = read_head(parser)) co_return refuse(*std::move(fault));
  keep_alive_ = parser.keep_alive();
  max_body_ = max_body(request_, settings);
  if (parser.content_length().value_or(0) > max_body_) co_return refuse(body_too_large(max_body_));
  parser.body_limit(max_body_);
  if (is_streamed(request_, settings)) {
    message_.base() = parser.get().base();
    wants_socket_ = false;
    asked_first_ = expects_go_on(parser.get());
    stream_deadline_ = SteadyClock::now() + settings.stream_time;
    streamed_.emplace(std::move(parser));
    co_return Found::request;
  }
  if (!parser.is_done()) {
    error = co_await read_body(parser);
    if (error) co_return failed(error);
  }
  message_ = parser.release();
  request_.body = std::move(message_.body());
  wants_socket_ = beast::websocket::is_upgrade(message_);
  co_return Found::request;
}

Task<bool> RequestReader::first_bytes() {
  if (buffer_.capacity() > kept_buffer) buffer_.shrink_to_fit();
  if (is_first_) {
    stream_.expires_at(first_deadline_);
  } else {
    stream_.expires_after(context_.settings().idle_time);
  }
  ErrorCode error;
  const std::size_t bytes = co_await stream_.async_read_some(buffer_.prepare(first_read), into(error));
  if (error == beast::error::timeout && is_first_) ++context_.counts().too_slow;
  if (error) co_return false;
  buffer_.commit(bytes);
  idle_ = false;
  co_return true;
}

Task<ErrorCode> RequestReader::read_body(Parser& parser) {
  stream_.expires_after(context_.settings().body_time);
  ErrorCode error = co_await let_go_on(expects_go_on(parser.get()));
  if (error) co_return error;
  co_await http::async_read(stream_, buffer_, parser, into(error));
  co_return error;
}

Task<ErrorCode> RequestReader::let_go_on(bool expects) {
  static constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
  ErrorCode error;
  if (expects && buffer_.size() == 0) co_await asio::async_write(stream_, asio::buffer(go_on), into(error));
  co_return error;
}

Task<tl::expected<std::string, RequestReader::Found>> RequestReader::next_piece() {
  const auto until = [&] { return std::min(SteadyClock::now() + context_.settings().body_time, stream_deadline_); };
  StreamParser& parser = *streamed_;
  std::string piece(piece_of_body, '\0');
  std::size_t filled = 0;
  stream_.expires_at(until());
  ErrorCode error = co_await let_go_on(std::exchange(asked_first_, false));
  while (!error && !parser.is_done() && filled == 0) {
    auto& body = parser.get().body();
    body.data = piece.data();
    body.size = piece.size();
    stream_.expires_at(until());
    co_await http::async_read_some(stream_, buffer_, parser, into(error));
    if (error == http::error::need_buffer) error = {};
    filled = piece.size() - body.size;
  }
  if (error) co_return tl::unexpected(failed(error));
  piece.resize(filled);
  co_return piece;
}

std::optional<Response> RequestReader::read_head(const Parser& parser) {
  const Message& message = parser.get();
  const auto fields = static_cast<std::size_t>(std::distance(message.begin(), message.end()));
  if (fields > max_fields)
    return own_error(431, "head_too_large", fmt::format("the request has more than {} headers", max_fields));
  const std::string_view text = view(message.target());
  if (text.size() > max_target)
    return own_error(414, "target_too_long", fmt::format("the address has more than {} bytes", max_target));
  for (const std::string_view name : single_fields) {
    if (message.count({name.data(), name.size()}) > 1) return bad(fmt::format("the header {} came twice", name));
  }
  if (message.version() >= 11 && message.count(http::field::host) == 0) return bad("the header Host is missing");
  if (auto fault = framing_fault(message)) return fault;
  auto target = parse_target(text);
  if (!target) return bad(target.error().message);
  request_ = Request{};
  request_.method = view(message.method_string());
  request_.path = std::move(target->path);
  request_.query = std::move(target->query);
  read_fields(message);
  read_client();
  return std::nullopt;
}

void RequestReader::read_fields(const Message& message) {
  for (const auto& field : message) {
    request_.headers.insert_or_assign(lowered(view(field.name_string())), std::string(trimmed(view(field.value()))));
  }
}

void RequestReader::read_client() {
  request_.address = peer_;
  if (!context_.settings().behind_proxy) return;
  // Whoever stands before the proxy may write earlier entries; the last one is what the proxy itself saw.
  if (auto told = plain_address(last_item(request_.header("x-forwarded-for")))) request_.address = *std::move(told);
  request_.secure = lowered(last_item(request_.header("x-forwarded-proto"))) == "https";
}

RequestReader::Found RequestReader::failed(const ErrorCode& error) {
  NetworkCounts& counts = context_.counts();
  if (error == beast::error::timeout) {
    ++counts.too_slow;
    return Found::nothing;
  }
  return is_parser_error(error) ? refuse(parser_fault(error, context_.settings(), max_body_)) : Found::nothing;
}

RequestReader::Found RequestReader::refuse(Response fault) {
  NetworkCounts& counts = context_.counts();
  const bool large = fault.status == 413 || fault.status == 414 || fault.status == 431;
  ++(large ? counts.too_large : counts.malformed);
  fault_ = std::move(fault);
  return Found::fault;
}

}  // namespace paika::server::net
