// LruMap: values by name, at most so many of them; the one that was not used for the longest time goes first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace paika::server {

/// To be used by one thread. References stay good until `max` other keys were used.
template <class Value>
class LruMap {
 public:
  explicit LruMap(std::size_t max) : max_(std::max<std::size_t>(1, max)) {}
  LruMap(const LruMap&) = delete;
  LruMap& operator=(const LruMap&) = delete;
  ~LruMap() = default;

  /// The value of a key, `fresh` if it is new; it counts as used.
  Value& use(std::string key, Value fresh) {
    if (Value* const found = find(key)) return *found;
    if (items_.size() >= max_) {
      by_key_.erase(items_.back().first);
      items_.pop_back();
    }
    items_.emplace_front(std::move(key), std::move(fresh));
    by_key_.emplace(items_.front().first, items_.begin());
    return items_.front().second;
  }
  /// The value of a key, which then counts as used; nullptr if there is none.
  [[nodiscard]] Value* find(std::string_view key) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return nullptr;
    items_.splice(items_.begin(), items_, found->second);
    return &items_.front().second;
  }
  [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }

 private:
  using Items = std::list<std::pair<std::string, Value>>;

  std::size_t max_;
  Items items_;                                                            // used last first
  std::unordered_map<std::string_view, typename Items::iterator> by_key_;  // the keys are those in the items
};

}  // namespace paika::server
