#include "server/net/reply.hpp"

#include <utility>

#include "base/check.hpp"
#include "server/http/answers.hpp"
#include "server/http/guard.hpp"

namespace paika::server::net {

SocketReply::SocketReply(std::shared_ptr<Pending> pending) : pending_(std::move(pending)) {}

SocketReply::~SocketReply() {
  if (!pending_->answered)
    done(own_error(500, "internal", "the server failed to answer; the fault is its own, not that of the request"));
}

void SocketReply::send(Response response) {
  PAIKA_CHECK(!pending_->answered);
  done(std::move(response));
}

std::shared_ptr<Subscriber> SocketReply::stream(Response head) {
  PAIKA_CHECK(!pending_->answered);
  auto outbox = std::make_shared<Outbox>(pending_->max_waiting_bytes);
  if (pending_->wake == nullptr) {
    outbox->finish();
  } else {
    pending_->stream = outbox;
  }
  done(std::move(head));
  return outbox;
}

void SocketReply::done(Response response) {
  pending_->answered = true;
  if (pending_->wake == nullptr) return;
  pending_->response = std::move(response);
  pending_->wake->call();
}

Response own_error(int status, std::string_view code, std::string_view message) {
  Response response = error_response(status, code, message);
  add_security_headers(Request{}, response);
  return response;
}

}  // namespace paika::server::net
