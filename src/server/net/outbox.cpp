#include "server/net/outbox.hpp"

#include <algorithm>
#include <utility>

namespace paika::server::net {

namespace {

// A text that waits costs this much besides its bytes, so that a flood of empty ones is bounded too.
constexpr std::size_t overhead = 32;

constexpr std::size_t max_reason = 120;  // bytes; a frame that closes has room for 123

/// A reason as it fits into the frame, not cut within a character.
std::string shortened(std::string_view reason) {
  std::size_t length = std::min(reason.size(), max_reason);
  while (length < reason.size() && length > 0 && (static_cast<unsigned char>(reason[length]) & 0xc0U) == 0x80U)
    --length;
  return std::string(reason.substr(0, length));
}

}  // namespace

void Outbox::send(std::shared_ptr<const std::string> text) {
  if (closed() || !text) return;
  bytes_ += text->size() + overhead;
  if (bytes_ > max_bytes_) {
    overflowed_ = true;
    if (connection_ != nullptr) connection_->cut();
    wake();
    return;
  }
  texts_.push_back(std::move(text));
  wake();
}

void Outbox::close(int code, std::string_view reason) {
  if (closed()) return;
  closing_ = Closing{code, shortened(reason)};
  wake();
}

void Outbox::when_closed(std::function<void()> call) {
  if (finished_) {
    call();
  } else {
    calls_.push_back(std::move(call));
  }
}

void Outbox::when_drained(std::function<void()> call) {
  if (closed()) return;
  if (texts_.empty()) {
    call();
  } else {
    drained_.push_back(std::move(call));
  }
}

void Outbox::attach(Wake& wake, Connection& connection) {
  wake_ = &wake;
  connection_ = &connection;
}

void Outbox::finish() {
  if (finished_) return;
  finished_ = true;
  wake_ = nullptr;
  connection_ = nullptr;
  texts_ = {};
  bytes_ = 0;
  drained_.clear();
  const auto calls = std::exchange(calls_, {});
  for (const auto& call : calls) call();
}

void Outbox::taken(std::size_t count) {
  for (; count > 0; --count) {
    bytes_ -= texts_.front()->size() + overhead;
    texts_.pop_front();
  }
  if (!texts_.empty() || drained_.empty()) return;
  const auto calls = std::exchange(drained_, {});
  for (const auto& call : calls) call();
}

void Outbox::drop_waiting(std::size_t sending) {
  while (texts_.size() > sending) {
    bytes_ -= texts_.back()->size() + overhead;
    texts_.pop_back();
  }
}

void Outbox::wake() const {
  if (wake_ != nullptr) wake_->call();
}

}  // namespace paika::server::net
