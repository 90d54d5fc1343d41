// Verification: does every position of a table have the value that its successors give it?
//
// Why that proves the table: let every position's value be the best of its turns, where a turn is
// worth what before() makes of the position it leads to, and a finished game what the rules say.
// By induction on the distance, a label "won in d" or "lost in d" is then true and no true one is
// missing: a position truly won in d has a turn to one truly lost in d-1, which is so labelled, so
// its label is a win in d or less; and a label "won in d" rests on a label "lost in d-1", and so on
// down to finished games, so it is true. What is left is drawn. Nothing of the solver is used here
// but the numbering of positions: no counters, no levels, no turns taken back.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "solve/solvable.hpp"
#include "solve/space.hpp"
#include "solve/value.hpp"
#include "solve/workers.hpp"

namespace paika {

/// True if a table may hold `here` where the turns give `right`: without its distance, if it has none.
[[nodiscard]] constexpr bool follows(Value here, Value right) noexcept {
  return here.has_distance() ? here == right : here == without_distance(right);
}

/// What the turns of a place say that it is worth. `value(place)` gives the table's values.
template <Solvable S, class Values>
[[nodiscard]] Value value_by_turns(const S& space, TierIndex place, Values&& value) {
  const auto p = space.position(place);
  if (!p) return Value::none();
  const auto& rules = space.rules();
  const auto finished = [&rules](const Outcome& outcome, const typename S::RulesType::Position& q) {
    if (outcome.verdict == Verdict::draw) return Value::draw();
    return outcome.winner() == rules.to_move(q) ? Value::win(0) : Value::loss(0);
  };
  if (const Outcome outcome = rules.outcome(*p); outcome.over()) return finished(outcome, *p);
  std::optional<Value> best;
  rules.for_each_turn(*p, [&](const typename S::RulesType::Move& m) {
    const auto next = rules.play(*p, m);
    const Outcome outcome = rules.outcome(next);
    const Value worth = before(outcome.over() ? finished(outcome, next) : value(*space.place(next)));
    if (!best || better(worth, *best)) best = worth;
    return true;
  });
  return best.value_or(Value::none());  // no turn although the game goes on: never right
}

/// Checks some places, the first wrong one is the answer. `fetch(places)` gives the table's values of many at once:
/// they may be far away.
template <Solvable S, class Fetch>
[[nodiscard]] std::optional<WrongValue> check_places(const S& space, std::span<const TierIndex> places, Fetch&& fetch) {
  // Once to see which values are asked for, once to use them.
  std::vector<TierIndex> asked(places.begin(), places.end());
  for (const TierIndex place : places) {
    static_cast<void>(value_by_turns(space, place, [&](TierIndex next) {
      asked.push_back(next);
      return Value::draw();
    }));
  }
  const std::vector<Value> values = fetch(std::span<const TierIndex>(asked));
  std::size_t next = places.size();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Value right = value_by_turns(space, places[i], [&](TierIndex /*place*/) { return values[next++]; });
    if (!follows(values[i], right)) return WrongValue{places[i], values[i], right};
  }
  return std::nullopt;
}

/// The places that the best turns of these places lead to, each once; none where the game ends with them. `fetch` as
/// above.
template <Solvable S, class Fetch>
[[nodiscard]] std::vector<TierIndex> best_next_places(const S& space, std::span<const TierIndex> places,
                                                      Fetch&& fetch) {
  std::vector<TierIndex> asked;
  for (const TierIndex place : places) {
    static_cast<void>(value_by_turns(space, place, [&](TierIndex next) {
      asked.push_back(next);
      return Value::draw();
    }));
  }
  const std::vector<Value> values = fetch(std::span<const TierIndex>(asked));
  std::vector<TierIndex> found;
  std::size_t next = 0;
  for (const TierIndex place : places) {
    const std::size_t first = next;
    const Value best = value_by_turns(space, place, [&](TierIndex /*place*/) { return values[next++]; });
    for (std::size_t i = first; i < next; ++i) {
      if (before(values[i]) == best) found.push_back(asked[i]);
    }
  }
  const auto earlier = [](TierIndex a, TierIndex b) { return std::pair(a.tier, a.index) < std::pair(b.tier, b.index); };
  std::sort(found.begin(), found.end(), earlier);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

/// Checks one tier. `value(place, worker)` gives the table's values; `on_progress(places)` is called with how many more
/// places were checked, from any thread. Nothing is found if the check was stopped before.
template <Solvable S, class Values, class OnProgress>
[[nodiscard]] std::optional<WrongValue> verify_tier(const S& space, std::uint32_t tier, int threads, Values&& value,
                                                    OnProgress&& on_progress, const std::stop_token& stop) {
  constexpr std::uint64_t block = 4096;
  std::mutex found_mutex;
  std::optional<WrongValue> found;
  std::atomic<bool> any{false};
  const std::uint64_t size = space.size(tier);
  share_out(threads, (size + block - 1) / block, [&](std::uint64_t b, int worker) {
    if (any.load(std::memory_order_relaxed) || stop.stop_requested()) return;
    const std::uint64_t end = std::min(size, (b + 1) * block);
    for (std::uint64_t index = b * block; index < end; ++index) {
      const TierIndex place{tier, index};
      const Value here = value(place, worker);
      const Value right = value_by_turns(space, place, [&](TierIndex next) { return value(next, worker); });
      if (follows(here, right)) continue;
      const std::lock_guard lock(found_mutex);
      if (!found || index < found->place.index) found = WrongValue{place, here, right};
      any.store(true, std::memory_order_relaxed);
      return;
    }
    on_progress(end - b * block);
  });
  return found;
}

}  // namespace paika
