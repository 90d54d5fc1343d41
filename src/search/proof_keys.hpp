// Two small sets of keys that a proof search asks at every turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace paika {

/// The keys of the turns of one position, to find those that lead to the same place. Emptying it costs
/// nothing.
class SiblingKeys {
 public:
  SiblingKeys() : slots_(64) {}

  void clear() noexcept {
    ++round_;
    count_ = 0;
  }
  /// False if the key is in already.
  bool insert(std::uint64_t key) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    Slot& slot = place(key);
    if (slot.round == round_) return false;
    slot = {key, round_};
    ++count_;
    return true;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint64_t round = 0;
  };

  [[nodiscard]] Slot& place(std::uint64_t key) noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = static_cast<std::size_t>(key) & mask;
    while (slots_[i].round == round_ && slots_[i].key != key) i = (i + 1) & mask;
    return slots_[i];
  }
  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.round == round_) place(slot.key) = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two
  std::uint64_t round_ = 1;
  std::size_t count_ = 0;
};

/// The keys on the path from the root, with their depths. Only the last one can be taken away.
class PathKeys {
 public:
  /// The depth of a key; -1 if it is not on the path.
  [[nodiscard]] int find(std::uint64_t key) const noexcept { return slots_[place(key)].second; }
  /// Requires a key that is not on the path.
  void push(std::uint64_t key) {
    if (2 * (path_.size() + 1) > slots_.size()) grow();
    slots_[place(key)] = {key, static_cast<int>(path_.size())};
    path_.push_back(key);
  }
  /// The last key came last into its run of slots too, so nothing behind it is lost.
  void pop() noexcept {
    slots_[place(path_.back())].second = -1;
    path_.pop_back();
  }
  void clear() noexcept {
    while (!path_.empty()) pop();
  }

 private:
  using Slot = std::pair<std::uint64_t, int>;

  [[nodiscard]] std::size_t place(std::uint64_t key) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = static_cast<std::size_t>(key) & mask;
    while (slots_[i].second >= 0 && slots_[i].first != key) i = (i + 1) & mask;
    return i;
  }
  void grow() {
    slots_ = std::vector<Slot>(2 * slots_.size(), Slot(0, -1));
    for (std::size_t depth = 0; depth < path_.size(); ++depth) {
      slots_[place(path_[depth])] = {path_[depth], static_cast<int>(depth)};
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(64, Slot(0, -1));  // a power of two
  std::vector<std::uint64_t> path_;
};

}  // namespace paika
