// Outbox: what waits to be sent to one client, bounded; the Subscriber of both web sockets and streams.
//
// It holds texts that others hold too: nothing is copied. It outlives its connection as long as the site keeps it,
// and does nothing then. Nothing is called back from inside send() and close(), so that a site may call them while it
// walks through its lists.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "server/net/context.hpp"
#include "server/net/wake.hpp"

namespace paika::server::net {

class Outbox final : public Subscriber {
 public:
  struct Closing {
    int code = 1000;
    std::string reason;
  };

  explicit Outbox(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  // ---- The site's side ----

  using Subscriber::send;
  void send(std::shared_ptr<const std::string> text) override;
  void close(int code, std::string_view reason) override;
  [[nodiscard]] bool closed() const override { return closing_ || overflowed_ || finished_; }
  void when_closed(std::function<void()> call) override;
  [[nodiscard]] std::size_t waiting_bytes() const override { return bytes_; }
  void when_drained(std::function<void()> call) override;

  // ---- The connection's side ----

  /// From now on `wake` is called when there is something to do, and the connection is cut when too much waits.
  void attach(Wake& wake, Connection& connection);
  /// The connection has ended: detaches, drops what waits, tells who wants to know.
  void finish();

  [[nodiscard]] bool empty() const noexcept { return texts_.empty(); }
  /// The first `most` texts, which stay here until taken(); their bytes stay where they are.
  [[nodiscard]] std::size_t size() const noexcept { return texts_.size(); }
  [[nodiscard]] const std::shared_ptr<const std::string>& text(std::size_t index) const { return texts_[index]; }
  /// The first `count` texts were sent; if they were the last, whoever waits for that is called.
  void taken(std::size_t count);
  /// Drops all texts but those that are being sent (the first `sending`).
  void drop_waiting(std::size_t sending);
  [[nodiscard]] const std::optional<Closing>& closing() const noexcept { return closing_; }
  [[nodiscard]] bool overflowed() const noexcept { return overflowed_; }

 private:
  void wake() const;

  std::size_t max_bytes_;
  std::size_t bytes_ = 0;
  std::deque<std::shared_ptr<const std::string>> texts_;
  std::optional<Closing> closing_;
  bool overflowed_ = false;
  bool finished_ = false;
  Wake* wake_ = nullptr;
  Connection* connection_ = nullptr;
  std::vector<std::function<void()>> calls_;
  std::vector<std::function<void()>> drained_;
};

}  // namespace paika::server::net
