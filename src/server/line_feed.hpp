// LineFeed: lines from a thread of a work queue to a client, through the network thread.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "server/http/site.hpp"

namespace paika::server {

/// emit() and end() are for the thread that makes the lines; the stream is opened with the first of them, so that an
/// error before it is an ordinary response.
class LineFeed : public std::enable_shared_from_this<LineFeed> {
 public:
  LineFeed(std::function<void(std::function<void()>)> post, std::shared_ptr<Reply> reply)
      : post_(std::move(post)), reply_(std::move(reply)) {}

  /// False if nobody listens any more.
  bool emit(std::string line) {
    post_([self = shared_from_this(), line = std::move(line)]() mutable {
      self->open();
      self->subscriber_->send(std::move(line));
    });
    return !stop_.stop_requested();
  }
  /// Ends the stream; with a response if there was no line.
  void end(std::optional<Response> instead) {
    post_([self = shared_from_this(), instead = std::move(instead)]() mutable {
      if (self->subscriber_ == nullptr && instead) {
        self->reply_->send(std::move(*instead));
        return;
      }
      self->open();
      self->subscriber_->close(1000, "done");
    });
  }
  void stop() { stop_.request_stop(); }
  [[nodiscard]] std::stop_token stopped() const { return stop_.get_token(); }

 private:
  void open() {
    if (subscriber_ != nullptr) return;
    subscriber_ = reply_->stream({200, "application/x-ndjson", "", {}});
    subscriber_->when_closed([stop = stop_]() mutable { stop.request_stop(); });
  }

  std::function<void(std::function<void()>)> post_;
  std::shared_ptr<Reply> reply_;
  std::shared_ptr<Subscriber> subscriber_;  // on the network thread
  std::stop_source stop_;
};

}  // namespace paika::server
