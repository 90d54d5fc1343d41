// The Reply that a site gets for a request, and what it leaves for the connection that waits for it.
#pragma once

#include <memory>
#include <optional>

#include "server/net/outbox.hpp"

namespace paika::server::net {

/// Between a Reply and its connection; either may end first.
struct Pending {
  Wake* wake = nullptr;  // of the connection; nullptr once nobody waits
  bool answered = false;
  std::size_t max_waiting_bytes = 0;
  Response response;               // the whole answer, or the head of the stream
  std::shared_ptr<Outbox> stream;  // nullptr: the response is the whole answer
};

class SocketReply final : public Reply {
 public:
  explicit SocketReply(std::shared_ptr<Pending> pending);
  SocketReply(const SocketReply&) = delete;
  SocketReply& operator=(const SocketReply&) = delete;
  ~SocketReply() override;

  void send(Response response) override;
  [[nodiscard]] std::shared_ptr<Subscriber> stream(Response head) override;

 private:
  void done(Response response);

  std::shared_ptr<Pending> pending_;
};

/// An answer of the network itself: an error with everything that our responses say.
[[nodiscard]] Response own_error(int status, std::string_view code, std::string_view message);

}  // namespace paika::server::net
