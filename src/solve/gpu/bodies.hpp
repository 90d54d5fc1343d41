// What a GPU does for one place, as ordinary functions of its index: the first look, taking turns back, checking.
//
// A machine (solve/gpu/host_machine.hpp, cuda_machine.cuh) runs a body for all places that it wants:
//   begin(index, owner)              what the pieces of work of this place have in common;
//   generate(stage, owner, emit)     for each stage: deals out pieces with emit(item);
//   process(owner, item, emit)       one piece, by any thread, in any order; it may deal out more;
//   finish(index, owner)             when all pieces of the place are done.
// So the pieces, of which one place has many and another none, are spread evenly over the threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/check.hpp"
#include "base/device.hpp"
#include "solve/first_look.hpp"
#include "solve/gpu/atomics.hpp"
#include "solve/gpu/space.hpp"
#include "solve/gpu/tier_states.hpp"
#include "solve/gpu/tier_values.hpp"

namespace paika::gpu {

/// The first look: turns that leave the tier are valued, the others counted.
template <GpuSpace S>
struct Look {
  using Space = S;
  using Item = typename S::Begun;
  struct Owner {
    typename S::Position p;
    std::uint32_t best = 0;  // the preference of the best turn so far; 0: none
    std::uint32_t staying = 0;
  };
  static constexpr int stages = 1;

  const S* space;
  AllValues lower;
  TierStates states;
  std::uint32_t tier;

  [[nodiscard]] PAIKA_HD bool skips(std::uint64_t /*block*/) const { return false; }
  [[nodiscard]] PAIKA_HD bool wants(std::uint64_t /*index*/) const { return true; }
  PAIKA_HD void begin(std::uint64_t index, Owner& owner) const {
    owner.p = space->bare_position({tier, index});
    owner.best = 0;
  }
  template <class Emit>
  PAIKA_HD void generate(int /*stage*/, Owner& owner, Emit&& emit) const {
    owner.staying = space->begin_leaving(owner.p, emit);
  }
  template <class Emit>
  PAIKA_HD void process(Owner& owner, const Item& turn, Emit&& emit) const {
    space->lengthen(owner.p, turn, emit);
    const Value next = value_below(*space, space->after(owner.p, turn), lower);
    atomic_max(owner.best, preference(before(next)));
  }
  PAIKA_HD void finish(std::uint64_t index, Owner& owner) const {
    std::optional<Value> best;
    if (owner.best != 0) best = preferred(owner.best);
    states.set(index, first_look_of(*space, owner.p, best, owner.staying));
  }
};

/// One level: every place known at it updates the places from which turns lead to it.
template <GpuSpace S>
struct Expand {
  using Space = S;
  using Item = typename S::Undone;
  struct Owner {
    typename S::Position p;
    bool lost = false;
  };
  static constexpr int stages = S::undo_stages;

  const S* space;
  TierStates states;
  std::uint32_t tier;
  int level;

  [[nodiscard]] PAIKA_HD bool skips(std::uint64_t block) const { return !states.may_hold(block, level); }
  [[nodiscard]] PAIKA_HD bool wants(std::uint64_t index) const { return states.is_known(index, level); }
  PAIKA_HD void begin(std::uint64_t index, Owner& owner) const {
    owner.p = space->bare_position({tier, index});
    owner.lost = states.is_lost(index);
  }
  template <class Emit>
  PAIKA_HD void generate(int stage, Owner& owner, Emit&& emit) const {
    space->for_each_undone(owner.p, stage, emit);
  }
  template <class Emit>
  PAIKA_HD void process(Owner& owner, const Item& undone, Emit&& /*emit*/) const {
    space->for_each_source(tier, owner.p, undone, [&](std::uint64_t index) { states.apply(index, owner.lost, level); });
  }
  PAIKA_HD void finish(std::uint64_t /*index*/, Owner& /*owner*/) const {}
};

/// What a check found.
struct Wrong {
  std::uint64_t count = 0;
  std::uint64_t first = ~std::uint64_t{0};  // the lowest wrong index
};

/// Checks that the value of every place of a finished tier is what its turns give. It uses rules, numbering and the
/// values, nothing of the two bodies above.
template <GpuSpace S>
struct Verify {
  using Space = S;
  using Item = typename S::Begun;
  struct Owner {
    typename S::Position p;
    std::uint32_t best = 0;
    bool over = false;
  };
  static constexpr int stages = 1;

  const S* space;
  AllValues values;
  std::uint32_t tier;
  Wrong* wrong;

  [[nodiscard]] PAIKA_HD bool skips(std::uint64_t /*block*/) const { return false; }
  [[nodiscard]] PAIKA_HD bool wants(std::uint64_t /*index*/) const { return true; }
  PAIKA_HD void begin(std::uint64_t index, Owner& owner) const {
    owner.p = space->bare_position({tier, index});
    const Outcome outcome = space->rules().outcome(owner.p);
    owner.over = outcome.over();
    owner.best = owner.over ? preference(at_the_end(outcome, owner.p)) : 0;
  }
  template <class Emit>
  PAIKA_HD void generate(int /*stage*/, Owner& owner, Emit&& emit) const {
    if (!owner.over) space->begin_turns(owner.p, emit);
  }
  template <class Emit>
  PAIKA_HD void process(Owner& owner, const Item& turn, Emit&& emit) const {
    space->lengthen(owner.p, turn, emit);
    const auto next = space->after(owner.p, turn);
    Value value;
    if (const auto place = space->place(next)) {
      value = values(*place);
    } else {
      const Outcome outcome = space->rules().outcome(next);
      PAIKA_CHECK(outcome.over());
      value = at_the_end(outcome, next);
    }
    atomic_max(owner.best, preference(before(value)));
  }
  PAIKA_HD void finish(std::uint64_t index, Owner& owner) const {
    const Value here = values({tier, index});
    if (owner.best != 0 && here == preferred(owner.best)) return;
    atomic_add(wrong->count, 1);
    atomic_min(wrong->first, index);
  }

 private:
  [[nodiscard]] PAIKA_HD Value at_the_end(const Outcome& outcome, const typename S::Position& p) const {
    if (outcome.verdict == Verdict::draw) return Value::draw();
    return outcome.winner() == space->rules().to_move(p) ? Value::win(0) : Value::loss(0);
  }
};

// Passes over a finished tier, four places at a time.

/// The code of a place, for counting.
struct CodeAt {
  TierStates states;
  [[nodiscard]] PAIKA_HD std::uint16_t operator()(std::uint64_t index) const { return states.result(index).code(); }
};
/// Packs the places 4 * i to 4 * i + 3 into bytes, by the number of each code.
struct PackSmall {
  TierStates states;
  const std::uint8_t* number_of;
  std::uint8_t* to;
  std::uint64_t places;
  PAIKA_HD void operator()(std::uint64_t i) const {
    const std::uint64_t end = std::min(places, 4 * i + 4);
    std::uint32_t four = 0;
    for (std::uint64_t at = 4 * i; at < end; ++at) {
      four |= std::uint32_t{number_of[states.result(at).code()]} << (8 * (at - 4 * i));
    }
    reinterpret_cast<std::uint32_t*>(to)[i] = four;
  }
};
struct PackLarge {
  TierStates states;
  std::uint16_t* to;
  PAIKA_HD void operator()(std::uint64_t index) const { to[index] = states.result(index).code(); }
};
struct ChecksumAt {
  TierValues values;
  [[nodiscard]] PAIKA_HD std::uint64_t operator()(std::uint64_t index) const {
    return checksum_term(index, values.code(index));
  }
};
/// The codes of places that are asked for.
struct FetchCodes {
  AllValues values;
  const TierIndex* places;
  std::uint16_t* codes;
  PAIKA_HD void operator()(std::uint64_t i) const { codes[i] = values(places[i]).code(); }
};

}  // namespace paika::gpu
