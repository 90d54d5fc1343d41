// The two steps of retrograde analysis at one place: the first look forward, and the messages backwards.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

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

/// Looks at all turns of places: those that leave the tier are valued, the others counted. The values below are read a
/// little later than it is known which, so that their memory has time to arrive; at most `MaxAsked` wait, and the rest
/// is read at once, so that no memory is allocated. `below` has ask(place), a hint, and value(place).
template <Solvable S, class Below, std::size_t MaxAsked = 1024>
class FirstLooks {
 public:
  FirstLooks(const S& space, std::uint32_t tier, const Below& below) : space_(space), tier_(tier), below_(below) {}

  /// Calls use(index, look) for the places from `first` to before `end`.
  template <class Use>
  void operator()(std::uint64_t first, std::uint64_t end, Use&& use) {
    for (std::uint64_t i = first; i < end; i += places_.size()) {
      const std::size_t count = std::min<std::uint64_t>(places_.size(), end - i);
      asked_count_ = 0;
      for (std::size_t k = 0; k < count; ++k) places_[k] = begin(i + k);
      std::size_t next = 0;
      for (std::size_t k = 0; k < count; ++k) use(i + k, finish(places_[k], next));
    }
  }

 private:
  using Position = typename S::RulesType::Position;
  struct Place {
    std::optional<Position> position;
    std::optional<Value> best{};  // of the turns that end the game; then of all that leave the tier
    std::uint64_t staying = 0;    // turns
    std::size_t asked = 0;        // the turns after which a value below is asked for
  };

  [[nodiscard]] Place begin(std::uint64_t index) {
    Place place{space_.position(TierIndex{tier_, index})};
    if (!place.position) return place;
    const std::size_t before_it = asked_count_;
    place.staying = sort_turns(space_, *place.position, [&](const typename S::RulesType::Move& m) {
      const Position next = space_.rules().play(*place.position, m);
      const auto found = space_.place(next);
      if (!found) {
        consider(place, value_at_end(space_, next));
      } else if (asked_count_ == MaxAsked) {
        consider(place, below_.value(*found));
      } else {
        below_.ask(*found);
        asked_[asked_count_++] = *found;
      }
    });
    place.asked = asked_count_ - before_it;
    return place;
  }

  [[nodiscard]] FirstLook finish(Place& place, std::size_t& next) const {
    if (!place.position) return {.value = Value::none()};
    for (std::size_t left = place.asked; left != 0; --left) consider(place, below_.value(asked_[next++]));
    return first_look_of(space_, *place.position, place.best, place.staying);
  }

  static void consider(Place& place, Value after) {
    const Value value = before(after);
    if (!place.best || better(value, *place.best)) place.best = value;
  }

  const S& space_;
  std::uint32_t tier_;
  Below below_;
  std::array<Place, 32> places_;
  std::size_t asked_count_ = 0;
  std::array<TierIndex, MaxAsked> asked_;  // in the order of places and turns
};

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
    part_.template apply<Shared>(std::span(messages_).first(count_), level_);
    count_ = 0;
  }

  Part& part_;
  int level_;
  std::size_t count_ = 0;
  std::array<Message, 64> messages_{};
};

}  // namespace paika
