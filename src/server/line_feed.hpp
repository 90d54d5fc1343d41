// LineFeed: lines from a thread of a work queue to a client, through the network thread.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "server/http/site.hpp"

namespace paika::server {

/// emit() and end() are for the thread that makes the lines.
class LineFeed : public std::enable_shared_from_this<LineFeed> {
 public:
  explicit LineFeed(std::function<void(std::function<void()>)> post) : post_(std::move(post)) {}

  /// Begins the stream, on the network thread. When the client leaves, the lines are to stop, and `on_closed` is
  /// called.
  void open(Reply& reply, std::function<void()> on_closed) {
    subscriber_ = reply.stream({200, "application/x-ndjson", "", {}});
    subscriber_->when_closed([stop = stop_, on_closed = std::move(on_closed)]() mutable {
      stop.request_stop();
      on_closed();
    });
  }
  /// False if nobody listens any more.
  bool emit(std::string line) {
    post_([self = shared_from_this(), line = std::move(line)]() mutable { self->subscriber_->send(std::move(line)); });
    return !stop_.stop_requested();
  }
  void end() {
    post_([self = shared_from_this()] { self->subscriber_->close(1000, "done"); });
  }
  void stop() { stop_.request_stop(); }
  [[nodiscard]] std::stop_token stopped() const { return stop_.get_token(); }

 private:
  std::function<void(std::function<void()>)> post_;
  std::shared_ptr<Subscriber> subscriber_;  // on the network thread; open() is called there before what is posted
  std::stop_source stop_;
};

}  // namespace paika::server
