// The two steps of retrograde analysis at one place: the first look forward, and the messages backwards.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "solve/first_look.hpp"
#include "solve/part.hpp"
#include "solve/solvable.hpp"

namespace paika {

/// Calls leave(m) for each turn that leaves the tier and returns how many others there are.
template <Solvable S, class Leave>
[[nodiscard]] std::uint64_t sort_turns(const S& space, const typename S::RulesType::Position& p, Leave&& leave) {
  std::uint64_t others = 0;
  if constexpr (ListsLeaving<S>) {
    others = space.rules().count_turns(p);
    space.for_each_leaving(p, [&](const typename S::RulesType::Move& m) {
      leave(m);
      --others;
      return true;
    });
  } else {
    space.rules().for_each_turn(p, [&](const typename S::RulesType::Move& m) {
      space.stays(p, m) ? static_cast<void>(++others) : leave(m);
      return true;
    });
  }
  return others;
}

/// Looks at all turns of a place: those that leave the tier are valued, the others counted.
template <Solvable S, class Lower>
[[nodiscard]] FirstLook first_look(const S& space, TierIndex place, Lower&& lower) {
  const auto p = space.position(place);
  if (!p) return {.value = Value::none()};
  std::optional<Value> best;
  const std::uint64_t staying = sort_turns(space, *p, [&](const typename S::RulesType::Move& m) {
    const Value value = before(value_below(space, space.rules().play(*p, m), lower));
    if (!best || better(value, *best)) best = value;
  });
  return first_look_of(space, *p, best, staying);
}

/// Passes messages to places of a part a little later than it is given, so that their memory has time to
/// arrive: most of the time of retrograde analysis is waiting for it.
template <bool Shared>
class Messenger {
 public:
  Messenger(Part& part, int level) : part_(part), level_(level) {}
  Messenger(const Messenger&) = delete;
  Messenger& operator=(const Messenger&) = delete;
  ~Messenger() { deliver(); }

  void send(Message message) {
    part_.prefetch(message);
    messages_[count_++] = message;
    if (count_ == messages_.size()) deliver();
  }

 private:
  void deliver() noexcept {
    for (std::size_t i = 0; i < count_; ++i) part_.template apply<Shared>(messages_[i], level_);
    count_ = 0;
  }

  Part& part_;
  int level_;
  std::size_t count_ = 0;
  std::array<Message, 64> messages_{};
};

}  // namespace paika
