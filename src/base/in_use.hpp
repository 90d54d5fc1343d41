// InUse: a guard for what serves one thread at a time, where callers cannot be trusted to keep to that.
#pragma once

#include <atomic>

namespace paika {

/// Marks something as in use for as long as it lives, if nobody uses it yet.
class InUse {
 public:
  explicit InUse(std::atomic<bool>& busy) noexcept : busy_(busy), mine_(!busy.exchange(true)) {}
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;
  ~InUse() {
    if (mine_) busy_ = false;
  }
  /// False if another thread uses it.
  [[nodiscard]] explicit operator bool() const noexcept { return mine_; }

 private:
  std::atomic<bool>& busy_;
  bool mine_;
};

}  // namespace paika
