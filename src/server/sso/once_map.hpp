// OnceMap: what waits for somebody to come back, by a secret: kept for a while, at most so many, taken once.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace paika::server {

/// To be used by one thread. When it is full, the oldest goes.
template <class Value>
class OnceMap {
 public:
  using Time = std::chrono::steady_clock::time_point;

  OnceMap(std::size_t max, std::chrono::seconds age) : max_(std::max<std::size_t>(1, max)), age_(age) {}

  void put(const std::string& key, Value value, Time now) {
    drop_old(now);
    while (order_.size() >= max_) drop_first();
    if (items_.insert_or_assign(key, std::pair(std::move(value), now)).second) order_.emplace_back(key, now);
  }
  /// The value, which is gone then.
  [[nodiscard]] std::optional<Value> take(const std::string& key, Time now) {
    drop_old(now);
    const auto found = items_.find(key);
    if (found == items_.end()) return std::nullopt;
    std::optional<Value> value(std::move(found->second.first));
    items_.erase(found);
    return value;
  }
  /// The value, which stays; nullptr if there is none.
  [[nodiscard]] Value* find(const std::string& key, Time now) {
    drop_old(now);
    const auto found = items_.find(key);
    return found == items_.end() ? nullptr : &found->second.first;
  }
  [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }

 private:
  void drop_old(Time now) {
    while (!order_.empty() && now - order_.front().second > age_) drop_first();
  }
  void drop_first() {
    items_.erase(order_.front().first);
    order_.pop_front();
  }

  std::size_t max_;
  std::chrono::seconds age_;
  std::unordered_map<std::string, std::pair<Value, Time>> items_;
  std::deque<std::pair<std::string, Time>> order_;  // as they came; also those that were taken
};

}  // namespace paika::server
