#include "server/net/web_socket.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <string>
#include <utility>

namespace paika::server::net {

namespace {

namespace websocket = beast::websocket;

/// The server's name in the answer to the handshake, without the versions of our libraries.
void name_server(websocket::response_type& response) { response.set(beast::http::field::server, "paika"); }

}  // namespace

WebSocket::WebSocket(Context& context, Upgrade upgrade)
    : Connection(context, std::move(upgrade.share)),
      inner_(std::move(upgrade.stream)),
      message_(std::move(upgrade.message)),
      handler_(std::move(upgrade.handler)),
      outbox_(std::move(upgrade.outbox)),
      wake_(context.executor()),
      writing_over_(context.executor()) {
  outbox_->attach(wake_, *this);
}

void WebSocket::set_options() {
  const NetworkSettings& settings = context().settings();
  // Boost asks a silent client after half of the idle time.
  inner_.set_option(websocket::stream_base::timeout{settings.header_time, 2 * settings.ping_time, true});
  inner_.set_option(websocket::stream_base::decorator(name_server));
  inner_.read_message_max(settings.max_message_bytes);
  inner_.auto_fragment(false);
  inner_.text(true);
  beast::get_lowest_layer(inner_).expires_never();
}

Task<void> WebSocket::run(std::shared_ptr<WebSocket> self) {
  self->set_options();
  ErrorCode error;
  co_await self->inner_.async_accept(self->message_, into(error));
  self->message_ = RequestReader::Message();
  ++self->context().counts().sockets;
  if (!error) {
    if (self->context().is_stopping()) self->finish();
    asio::co_spawn(self->context().executor(), write_messages(self), asio::detached);
    co_await self->read_messages();
    self->reading_ = false;
    self->wake_.call();
    while (self->writing_) co_await self->writing_over_.wait();
  }
  --self->context().counts().sockets;
  if (self->outbox_->overflowed()) ++self->context().counts().cut_off;
  static_cast<void>(self->context().attempt("the end of a web socket", [&] { self->outbox_->finish(); }));
  static_cast<void>(self->context().attempt("the end of a web socket", [&] { self->handler_->closed(); }));
  self->handler_.reset();
}

// ---- Reading ----

Task<void> WebSocket::read_messages() {
  for (;;) {
    std::string text;
    auto buffer = asio::dynamic_buffer(text);
    ErrorCode error;
    co_await inner_.async_read(buffer, into(error));
    if (error) {
      count_error(error);
      co_return;
    }
    ++context().counts().messages_in;
    touch();
    if (!inner_.got_text()) {
      ++context().counts().malformed;
      refuse(1003, "this server takes texts only");
      co_return;
    }
    // Once it closes for our reasons, what the client still says is not heard.
    if (outbox_->closed()) continue;
    if (!deliver(std::move(text))) {
      refuse(1011, "the server failed");
      co_return;
    }
  }
}

bool WebSocket::deliver(std::string text) {
  return context().attempt("taking a message", [&] { handler_->received(std::move(text)); });
}

void WebSocket::count_error(const ErrorCode& error) {
  NetworkCounts& counts = context().counts();
  if (error == beast::error::timeout) {
    ++counts.too_slow;
  } else if (error == websocket::error::message_too_big || error == websocket::error::buffer_overflow) {
    ++counts.too_large;
  } else if (error == websocket::condition::protocol_violation) {
    ++counts.malformed;
  }
}

// ---- Writing ----

Task<void> WebSocket::write_messages(std::shared_ptr<WebSocket> self) {
  co_await self->write_all();
  self->writing_ = false;
  self->writing_over_.call();
}

Task<void> WebSocket::write_all() {
  ErrorCode error;
  while (!error && !outbox_->overflowed()) {
    if (!outbox_->empty()) {
      // A copy of the pointer: the text must live until it is written, whatever happens to the outbox meanwhile.
      const std::shared_ptr<const std::string> text = outbox_->text(0);
      writing_since_ = SteadyClock::now();
      co_await inner_.async_write(asio::buffer(*text), into(error));
      writing_since_.reset();
      if (error) break;
      ++context().counts().messages_out;
      if (!context().attempt("sending more", [&] { outbox_->taken(1); })) break;
    } else if (outbox_->closing()) {
      const auto& closing = *outbox_->closing();
      const websocket::close_reason reason(static_cast<websocket::close_code>(closing.code),
                                           {closing.reason.data(), closing.reason.size()});
      co_await inner_.async_close(reason, into(error));
      break;
    } else if (!reading_) {
      break;
    } else {
      co_await wake_.wait();
    }
  }
  // A half that has ended must not leave the other one waiting.
  if (reading_ || error) beast::get_lowest_layer(inner_).close();
}

void WebSocket::refuse(int code, std::string_view reason) {
  outbox_->drop_waiting(writing_since_ ? 1 : 0);
  outbox_->close(code, reason);
}

// ---- From outside ----

void WebSocket::finish() { outbox_->close(1001, "the server is stopping"); }

void WebSocket::cut() {
  beast::get_lowest_layer(inner_).close();
  wake_.call();
}

void WebSocket::check(SteadyClock::time_point now) {
  if (!writing_since_ || now - *writing_since_ < context().settings().write_time) return;
  ++context().counts().cut_off;
  writing_since_.reset();
  cut();
}

}  // namespace paika::server::net
