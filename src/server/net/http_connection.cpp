#include "server/net/http_connection.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/beast/core/buffers_suffix.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <variant>

#include "server/http/address.hpp"
#include "server/http/wire.hpp"

namespace paika::server::net {

namespace {

// After the last response: how long and how much is read and forgotten, so that no reset overtakes the response.
constexpr std::chrono::milliseconds end_time{1'000};
constexpr std::size_t end_bytes = std::size_t{4} << 20U;
// Lines that go out at once; the system takes 64 buffers, each line needs two.
constexpr std::size_t batch_lines = 24;

/// Counts a response as unsent as long as it lives; makes it a 503 first if too much is unsent already.
class Unsent {
 public:
  Unsent(Context& context, Response& response) : counts_(context.counts()) {
    constexpr std::size_t large = std::size_t{64} * 1024;
    if (response.body.size() >= large &&
        counts_.unsent_bytes + response.body.size() > context.settings().max_unsent_bytes) {
      ++counts_.cut_off;
      response = own_error(503, "busy", "too many clients do not read what they asked for; try again in a moment");
    }
    bytes_ = response.body.size();
    counts_.unsent_bytes += bytes_;
  }
  Unsent(const Unsent&) = delete;
  Unsent& operator=(const Unsent&) = delete;
  ~Unsent() { counts_.unsent_bytes -= bytes_; }

 private:
  NetworkCounts& counts_;
  std::size_t bytes_ = 0;
};

/// Why a request for a web socket is refused before the site sees it.
std::optional<Response> handshake_fault(const RequestReader& reader) {
  const auto& message = reader.message();
  if (message[beast::http::field::sec_websocket_version] != "13") {
    Response response = own_error(426, "bad_version", "this server speaks version 13 of web sockets");
    response.headers.emplace_back("Sec-WebSocket-Version", "13");
    return response;
  }
  const auto key = message[beast::http::field::sec_websocket_key];
  if (key.size() != 24 || message.count(beast::http::field::sec_websocket_key) > 1)
    return own_error(400, "bad_request", "Sec-WebSocket-Key is missing or not 16 bytes in base64");
  if (reader.has_more()) return own_error(400, "bad_request", "the client did not wait for the web socket to open");
  return std::nullopt;
}

}  // namespace

void RequestBody::next(Ready ready) {
  if (wake_ == nullptr) return ready(std::nullopt);
  ready_ = std::move(ready);
  wake_->call();
}

void RequestBody::give(std::optional<std::string> piece) {
  const Ready ready = std::exchange(ready_, nullptr);
  ready(std::move(piece));
}

void RequestBody::close() {
  wake_ = nullptr;
  if (wanted()) give(std::nullopt);
}

HttpConnection::HttpConnection(Context& context, Stream stream, std::string address, SharePtr share)
    : Connection(context, std::move(share)),
      stream_(std::move(stream)),
      reader_(context, stream_, std::move(address)),
      wake_(context.executor()) {}

Task<std::unique_ptr<Upgrade>> HttpConnection::run() {
  bool more = true;
  while (more) {
    const auto found = co_await reader_.next();
    if (cut_ || found == RequestReader::Found::nothing) co_return nullptr;
    is_head_ = false;
    if (found == RequestReader::Found::fault) {
      const bool sent = co_await send(reader_.fault(), false);
      if (!sent) co_return nullptr;
      break;
    }
    ++context().counts().requests;
    is_head_ = reader_.request().method == "HEAD";
    SharePtr share = request_share();
    if (!share) {
      ++context().counts().turned_away;
      Response refused = own_error(503, "too_many_connections", "your address has too many connections");
      refused.headers.emplace_back("Retry-After", "5");
      if (!co_await send(refused, false)) co_return nullptr;
      break;
    }
    touch();
    answering_ = true;
    if (reader_.wants_socket()) {
      auto upgrade = co_await open_socket(std::move(share));
      if (upgrade) co_return upgrade;
      break;
    }
    more = co_await answer();
    answering_ = false;
    if (context().is_stopping()) more = false;
  }
  co_await end();
  co_return nullptr;
}

void HttpConnection::finish() {
  if (outbox_) outbox_->close(1001, "the server is stopping");
  if (reader_.is_idle()) cut();
}

void HttpConnection::cut() {
  cut_ = true;
  stream_.close();
  wake_.call();
}

// ---- One request ----

std::shared_ptr<Pending> HttpConnection::ask_site() {
  auto pending = std::make_shared<Pending>();
  pending->wake = &wake_;
  pending->max_waiting_bytes = context().settings().max_waiting_bytes;
  const bool done = context().attempt("answering a request", [&] {
    context().site().answer(std::move(reader_.request()), std::make_shared<SocketReply>(pending));
  });
  broken_ = !done;
  return pending;
}

SharePtr HttpConnection::request_share() {
  return share() ? share() : context().share(client_of(reader_.request().address));
}

Task<bool> HttpConnection::answer() {
  const auto body = reader_.has_pieces() ? std::make_shared<RequestBody>(wake_) : nullptr;
  reader_.request().rest = body;
  const std::shared_ptr<Pending> pending = ask_site();
  const bool heard = co_await wait_for_answer(*pending, body);
  pending->wake = nullptr;
  if (!heard) co_return false;
  if (pending->stream) {
    outbox_ = std::move(pending->stream);
    stream_head_ = std::move(pending->response);
    co_await send_lines(*outbox_);
    finish_outbox(*std::exchange(outbox_, nullptr));
    co_return false;
  }
  if (cut_) co_return false;
  const bool ends_by_itself = pending->response.rest == nullptr || reader_.knows_chunks();
  const bool keep_alive =
      reader_.keep_alive() && reader_.is_whole() && ends_by_itself && !broken_ && !context().is_stopping();
  const Unsent unsent(context(), pending->response);
  const bool sent = co_await send(pending->response, keep_alive);
  if (!sent) cut_ = true;
  co_return sent&& keep_alive;
}

Task<bool> HttpConnection::wait_for_answer(Pending& pending, const std::shared_ptr<RequestBody>& body) {
  const auto close = [&] {
    if (body) static_cast<void>(context().attempt("the end of a body", [&] { body->close(); }));
  };
  while (!pending.answered && !cut_) {
    if (!body || !body->wanted()) {
      co_await wake_.wait();
      continue;
    }
    auto piece = co_await reader_.next_piece();
    if (piece && context().attempt("taking a body", [&] { body->give(std::move(*piece)); })) continue;
    close();
    pending.wake = nullptr;
    const bool faulty = !piece && piece.error() == RequestReader::Found::fault && !cut_;
    const bool is_answered = faulty && co_await send(reader_.fault(), false);
    if (!is_answered) cut_ = true;
    co_return false;
  }
  close();
  co_return true;
}

Task<bool> HttpConnection::send(const Response& response, bool keep_alive) {
  const bool chunked = reader_.knows_chunks();
  const bool is_long = response.rest != nullptr;
  const Framing long_framing = chunked ? Framing::chunked : Framing::until_end;
  const std::string head =
      response_head(response, is_long ? long_framing : Framing::length, keep_alive, context().date());
  const bool with_body = !is_head_ && has_body(response.status);
  Buffers buffers;
  buffers.push_back(asio::buffer(head));
  if (with_body && !is_long) buffers.push_back(asio::buffer(response.body));
  const bool sent = co_await write(std::move(buffers));
  if (!sent || !with_body || !is_long) co_return sent;
  if (!response.body.empty()) {
    const bool begun = co_await send_piece(response.body, chunked);
    if (!begun) co_return false;
  }
  co_return co_await send_rest(*response.rest, chunked);
}

Task<bool> HttpConnection::send_rest(BodySource& rest, bool chunked) {
  for (;;) {
    const std::optional<std::string> piece = co_await next_piece(rest);
    if (!piece) co_return false;
    if (piece->empty()) break;
    const bool sent = co_await send_piece(*piece, chunked);
    if (!sent) co_return false;
  }
  if (!chunked) co_return true;
  co_return co_await send_piece("", true);  // the last chunk is empty
}

Task<std::optional<std::string>> HttpConnection::next_piece(BodySource& rest) {
  struct Made {
    bool done = false;
    std::optional<std::string> piece;
  };
  const auto made = std::make_shared<Made>();
  const bool asked = context().attempt("making a body", [&] {
    rest.next([made, weak = weak_from_this()](std::optional<std::string> piece) {
      *made = {true, std::move(piece)};
      if (const auto self = weak.lock()) self->wake_.call();
    });
  });
  while (asked && !made->done && !cut_) co_await wake_.wait();
  co_return asked && !cut_ ? std::move(made->piece) : std::nullopt;
}

Task<bool> HttpConnection::send_piece(std::string_view piece, bool chunked) {
  static constexpr std::string_view chunk_end = "\r\n";
  const std::string size = fmt::format("{:x}\r\n", piece.size());
  Buffers buffers;
  if (chunked) buffers.push_back(asio::buffer(size));
  buffers.push_back(asio::buffer(piece));
  if (chunked) buffers.push_back(asio::buffer(chunk_end));
  co_return co_await write(std::move(buffers));
}

Task<bool> HttpConnection::write(Buffers buffers) {
  beast::buffers_suffix<Buffers> rest(buffers);
  std::size_t left = asio::buffer_size(buffers);
  while (left > 0) {
    // The deadline is that of something, not of everything: a slow line is no fault.
    stream_.expires_after(context().settings().write_time);
    ErrorCode error;
    const std::size_t bytes = co_await stream_.async_write_some(rest, into(error));
    if (error == beast::error::timeout) ++context().counts().cut_off;
    if (error) co_return false;
    rest.consume(bytes);
    left -= bytes;
  }
  co_return true;
}

// ---- Streams ----

Task<void> HttpConnection::send_lines(Outbox& outbox) {
  const bool chunked = reader_.knows_chunks();
  outbox.attach(wake_, *this);
  ++context().counts().streams;
  const std::string head =
      response_head(stream_head_, chunked ? Framing::chunked : Framing::until_end, false, context().date());
  Buffers buffers;
  buffers.push_back(asio::buffer(head));
  bool going = co_await write(std::move(buffers));
  if (is_head_ || !has_body(stream_head_.status)) going = false;
  if (going) {
    watched_ = true;
    asio::co_spawn(context().executor(), watch(shared_from_this()), asio::detached);
  }
  if (context().is_stopping()) outbox.close(1001, "the server is stopping");
  while (going && !cut_ && !peer_gone_ && !outbox.overflowed()) {
    if (!outbox.empty()) {
      going = co_await send_batch(outbox, chunked);
    } else if (outbox.closing()) {
      if (chunked) {
        static constexpr std::string_view last_chunk = "0\r\n\r\n";
        Buffers last;
        last.push_back(asio::buffer(last_chunk));
        going = co_await write(std::move(last));
      }
      break;
    } else {
      const bool called = co_await wake_.wait_for(context().settings().ping_time);
      // An empty line: it says nothing to the client, but fails if there is none any more.
      if (!called) going = co_await send_line_end(chunked);
    }
  }
  if (outbox.overflowed()) ++context().counts().cut_off;
  if (!going && !is_head_) cut_ = true;
  --context().counts().streams;
}

Task<bool> HttpConnection::send_batch(Outbox& outbox, bool chunked) {
  static constexpr std::string_view line_end = "\n";
  static constexpr std::string_view chunk_end = "\r\n";
  const std::size_t lines = std::min(outbox.size(), batch_lines);
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < lines; ++i) bytes += outbox.text(i)->size() + 1;
  const std::string size = fmt::format("{:x}\r\n", bytes);
  Buffers buffers;
  if (chunked) buffers.push_back(asio::buffer(size));
  for (std::size_t i = 0; i < lines; ++i) {
    buffers.push_back(asio::buffer(*outbox.text(i)));
    buffers.push_back(asio::buffer(line_end));
  }
  if (chunked) buffers.push_back(asio::buffer(chunk_end));
  const bool sent = co_await write(std::move(buffers));
  if (!sent) co_return false;
  context().counts().messages_out += lines;
  co_return context().attempt("sending more", [&] { outbox.taken(lines); });
}

Task<bool> HttpConnection::send_line_end(bool chunked) {
  static constexpr std::string_view in_chunk = "1\r\n\n\r\n";
  static constexpr std::string_view bare = "\n";
  Buffers buffers;
  buffers.push_back(chunked ? asio::buffer(in_chunk) : asio::buffer(bare));
  co_return co_await write(std::move(buffers));
}

Task<void> HttpConnection::watch(std::shared_ptr<HttpConnection> self) {
  std::array<char, 512> forgotten{};
  ErrorCode error;
  while (!error) {
    self->stream_.expires_never();
    co_await self->stream_.async_read_some(asio::buffer(forgotten), into(error));
  }
  self->peer_gone_ = true;
  self->wake_.call();
}

// ---- The end ----

void HttpConnection::finish_outbox(Outbox& outbox) const {
  static_cast<void>(context().attempt("the end of a stream", [&] { outbox.finish(); }));
}

Task<void> HttpConnection::end() {
  if (cut_) co_return;
  ErrorCode error;
  stream_.socket().shutdown(Socket::shutdown_send, error);
  if (watched_) {
    const auto until = SteadyClock::now() + end_time;
    while (!peer_gone_ && !cut_ && SteadyClock::now() < until) {
      static_cast<void>(co_await wake_.wait_for(end_time));
    }
    stream_.close();
    co_return;
  }
  std::array<char, 4096> forgotten{};
  stream_.expires_after(end_time);
  for (std::size_t bytes = 0; !error && bytes < end_bytes;) {
    bytes += co_await stream_.async_read_some(asio::buffer(forgotten), into(error));
  }
}

// ---- Web sockets ----

Task<std::unique_ptr<Upgrade>> HttpConnection::open_socket(SharePtr share) {
  std::variant<std::unique_ptr<SocketHandler>, Response> decision;
  auto outbox = std::make_shared<Outbox>(context().settings().max_waiting_bytes);
  if (auto fault = handshake_fault(reader_)) {
    ++context().counts().malformed;
    decision = *std::move(fault);
  } else if (!context().attempt("opening a web socket",
                                [&] { decision = context().site().open_socket(reader_.request(), outbox); })) {
    decision = own_error(500, "internal", "the server failed to open the web socket");
  }
  if (auto* const handler = std::get_if<std::unique_ptr<SocketHandler>>(&decision); handler != nullptr && *handler) {
    co_return std::make_unique<Upgrade>(
        Upgrade{std::move(stream_), reader_.message(), std::move(*handler), outbox, std::move(share)});
  }
  finish_outbox(*outbox);
  const auto* const refusal = std::get_if<Response>(&decision);
  const Response response = refusal != nullptr ? *refusal : own_error(500, "internal", "nobody took the web socket");
  const bool sent = co_await send(response, false);
  if (!sent) cut_ = true;
  co_return nullptr;
}

}  // namespace paika::server::net
