// DistanceCheck: whether a side can win within so many plies, by a search that leaves nothing out.
//
// The search proper looks at some turns less deeply than at others. A win that it finds is proven, as every reply
// of the loser was searched, but a shorter one may have escaped it. This search knows only won and not won, asks no
// evaluation and prunes nothing, so what it does not find does not exist.
#pragma once

#include <cstdint>
#include <optional>

#include "base/function_ref.hpp"
#include "base/random.hpp"
#include "search/candidates.hpp"
#include "search/transposition_table.hpp"

namespace paika {

template <SearchTraits K>
class DistanceCheck {
 public:
  using Position = typename K::RulesType::Position;
  using Move = typename K::RulesType::Move;

  /// What the check works with. `tick` is called once per position and returns true to give up; `drawn` says of a
  /// position whether reaching it draws the game; `table_key` is the key under which it may be remembered.
  struct Tools {
    Candidates<K>& candidates;
    TranspositionTable* table;  // null: nothing is remembered
    const Ordering* ordering;   // null: turns are tried as they come
    FunctionRef<bool()> tick;
    FunctionRef<bool(const Position&)> drawn;
    FunctionRef<std::uint64_t(const Position&)> table_key;
  };

  DistanceCheck(const K& traits, const Tools& tools) : rules_(traits.rules()), tools_(tools) {}

  /// Whether the side to move can force a win within `plies`; worthless once gave_up(). `ply` is where `p` lies below
  /// the root.
  [[nodiscard]] bool wins(const Position& p, int plies, int ply) { return decided<true>(p, plies, ply); }
  /// Whether the side to move must lose within `plies`; likewise.
  [[nodiscard]] bool loses(const Position& p, int plies, int ply) { return decided<false>(p, plies, ply); }
  /// Whether it was told to stop, or came to a position with more turns than it can look at.
  [[nodiscard]] bool gave_up() const { return gave_up_; }

 private:
  static constexpr std::uint64_t wins_salt = mix64(0x77696e73);
  static constexpr std::uint64_t loses_salt = mix64(0x6c6f7365);

  /// Whether the side to move wins (if `Wins`) or loses within `plies`: it wins if one turn makes the other side
  /// lose, and loses if every turn lets the other side win.
  template <bool Wins>
  bool decided(const Position& p, int plies, int ply) {
    if (const Outcome outcome = rules_.outcome(p); outcome.over()) {
      return outcome.verdict != Verdict::draw && outcome.won_by(rules_.to_move(p)) == Wins;
    }
    if (plies <= 0 || tools_.drawn(p)) return false;
    gave_up_ = gave_up_ || tools_.tick();
    if (gave_up_) return false;
    const std::uint64_t key = tools_.table_key(p) ^ (Wins ? wins_salt : loses_salt);
    const auto known = tools_.table != nullptr ? tools_.table->find(key) : std::optional<TtEntry>{};
    if (known && known->bound == Bound::lower && known->depth <= plies) return true;
    if (known && known->bound == Bound::upper && known->depth >= plies) return false;

    typename Candidates<K>::Frame frame(tools_.candidates);
    const std::uint16_t table_move = known ? known->move : std::uint16_t{0};
    tools_.candidates.list(frame, p, {table_move, static_cast<std::size_t>(ply), no_history_index, tools_.ordering},
                           false);
    gave_up_ = !frame.complete();
    bool result = !Wins;
    std::uint16_t number = 0;
    for (std::size_t i = 0; i < frame.size() && !gave_up_; ++i) {
      const Candidate<Move> c = frame.pick(i);
      if (decided<!Wins>(rules_.play(p, c.move), plies - 1, ply + 1) != Wins) continue;
      result = Wins;
      number = c.number;
      break;
    }
    if (gave_up_) return false;
    if (tools_.table != nullptr) tools_.table->store(key, {0, plies, result ? Bound::lower : Bound::upper, number});
    return result;
  }

  const typename K::RulesType& rules_;
  Tools tools_;
  bool gave_up_ = false;
};

}  // namespace paika
