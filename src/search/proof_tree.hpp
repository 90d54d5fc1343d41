// ProofTree: depth-first proof-number search (df-pn) for one attacker; proof.hpp tells how its answers
// are checked and why loops cannot spoil them.
//
// A position has two numbers, both from the point of view of the side to move: `phi`, about how many
// positions must still be settled until that side gets what it wants, and `delta`, the same for the other
// side. The attacker wants a win, the defender anything else. A side to move needs one good turn, so its
// phi is the smallest delta of the positions it can reach; the other side needs an answer to every turn, so
// delta grows with every turn. The search goes down to the turn that is cheapest, and stays below a position
// until its numbers pass two thresholds, which say that work elsewhere has become cheaper.
//
// delta is the largest phi among the turns plus one for each other turn that is not settled. The plain sum
// counts a position once for every way that leads to it, which in games full of transpositions makes easy
// positions look unprovable.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_set>
#include <vector>

#include "rules/concepts.hpp"
#include "search/proof_budget.hpp"
#include "search/proof_keys.hpp"
#include "search/proof_table.hpp"

namespace paika {

/// What is known of a position; `phi` 0: the side to move gets what it wants, `delta` 0: the other does.
struct ProofNumbers {
  /// `loop` of a refutation that rests on no repetition, and of one whose repetitions are forgotten.
  static constexpr int no_loop = std::numeric_limits<int>::max();
  static constexpr int some_loop = -1;

  std::uint32_t phi = 1;
  std::uint32_t delta = 1;
  std::uint32_t length = unknown_length;  // of a win: turns to the end
  /// Of a refutation: the smallest depth on the path of a position that it needs not to be repeated.
  int loop = no_loop;

  [[nodiscard]] bool settled() const noexcept { return phi == 0 || delta == 0; }
  [[nodiscard]] bool won(bool attackers_turn) const noexcept { return attackers_turn ? phi == 0 : delta == 0; }

  [[nodiscard]] static ProofNumbers win(bool attackers_turn, std::uint32_t length) noexcept {
    return {attackers_turn ? 0 : infinite_number, attackers_turn ? infinite_number : 0, length, no_loop};
  }
  [[nodiscard]] static ProofNumbers no_win(bool attackers_turn, int loop) noexcept {
    return {attackers_turn ? infinite_number : 0, attackers_turn ? 0 : infinite_number, unknown_length, loop};
  }
};

template <Rules R, class KeyOf, class Probe>
class ProofTree {
 public:
  using Position = typename R::Position;
  using Move = typename R::Move;

  ProofTree(const R& rules, const KeyOf& key_of, const Probe& probe, Player attacker, ProofTable& table,
            ProofBudget& budget, std::size_t path_bytes)
      : rules_(rules),
        key_of_(key_of),
        probe_(probe),
        attacker_(attacker),
        table_(table),
        budget_(budget),
        max_children_(path_bytes / sizeof(Child)) {}

  [[nodiscard]] const R& rules() const { return rules_; }
  [[nodiscard]] ProofTable& table() { return table_; }
  [[nodiscard]] ProofBudget& budget() { return budget_; }
  [[nodiscard]] std::uint64_t key(const Position& p) const { return key_of_(rules_, p); }
  [[nodiscard]] bool attackers_turn(const Position& p) const { return rules_.to_move(p) == attacker_; }

  /// What is known of `p` without looking ahead: from its end, or from the probe.
  [[nodiscard]] ProbeAnswer known(const Position& p) const {
    if (const Outcome outcome = rules_.outcome(p); outcome.over()) {
      return outcome.won_by(attacker_) ? ProbeAnswer::attacker_wins : ProbeAnswer::attacker_does_not_win;
    }
    return probe_(p, attacker_);
  }
  /// Positions that are won for certain, whatever the table says or has forgotten.
  void remember_win(std::uint64_t key) { wins_.insert(key); }
  [[nodiscard]] std::size_t wins_remembered() const { return wins_.size(); }
  [[nodiscard]] bool remembers_win(std::uint64_t key) const { return !wins_.empty() && wins_.contains(key); }

  /// Searches until `root` is settled, as if no position had been before it; what the table says of `root`
  /// itself is not used. Unsettled numbers if the budget ends. Requires that known(root) is not known.
  ProofNumbers solve(const Position& root) {
    depth_ = 0;
    children_held_ = 0;
    path_.clear();
    ProofNumbers found;
    if (!enter(root, key(root), infinite_number, infinite_number)) return found;
    while (depth_ > 0) {
      Frame& frame = frames_[depth_ - 1];
      const Choice choice = choose(frame);
      if (choice.phi >= frame.phi_limit || choice.delta >= frame.delta_limit) {
        found = leave(choice);
        if (depth_ > 0) frames_[depth_ - 1].children[frames_[depth_ - 1].chosen].numbers = found;
        continue;
      }
      frame.chosen = choice.best;
      const Child& child = frame.children[choice.best];
      const std::uint32_t phi_limit = below_delta_limit(frame, choice);
      const std::uint32_t delta_limit = std::min(frame.phi_limit, a_little_more(choice.second));
      if (!enter(child.position, child.key, phi_limit, delta_limit)) return {};
    }
    return found;
  }

 private:
  struct Child {
    Position position;
    std::uint64_t key;
    ProofNumbers numbers;
  };
  /// A position on the path. The numbers of its turns are kept here and not looked up again, so work done
  /// below is not lost to the frame even if the table has forgotten it at once.
  struct Frame {
    std::uint64_t key = 0;
    bool attackers_turn = false;
    std::uint32_t phi_limit = 0;
    std::uint32_t delta_limit = 0;
    std::uint64_t nodes_before = 0;
    std::size_t chosen = 0;
    std::vector<Child> children;
  };
  struct Choice {
    std::uint32_t phi = infinite_number;
    std::uint32_t delta = 0;
    std::uint32_t second = infinite_number;  // the delta of the second best turn
    std::uint32_t others = 0;                // turns that are not settled, without the hardest
    std::size_t best = 0;
  };

  /// Turns are counted up to this many for the first guess of delta.
  static constexpr std::uint32_t max_counted = 64;

  /// A threshold a quarter above the rival's number: without the slack two turns of equal cost would be
  /// left and entered again after every step, and everything below them expanded anew.
  [[nodiscard]] static std::uint32_t a_little_more(std::uint32_t number) noexcept {
    return number >= infinite_number / 2 ? infinite_number : number + number / 4 + 1;
  }
  [[nodiscard]] static std::uint32_t below_delta_limit(const Frame& frame, const Choice& choice) noexcept {
    if (frame.delta_limit == infinite_number) return infinite_number;
    return frame.delta_limit - choice.others;  // positive: choice.delta is below the limit
  }

  [[nodiscard]] ProofNumbers first_look(const Position& p, std::uint64_t key, bool attackers_turn) const {
    if (const int depth = path_.find(key); depth >= 0) return ProofNumbers::no_win(attackers_turn, depth);
    if (remembers_win(key)) return ProofNumbers::win(attackers_turn, unknown_length);
    if (const auto entry = table_.find(key)) {
      switch (entry->kind) {
        case ProofKind::proven: return ProofNumbers::win(attackers_turn, entry->length);
        case ProofKind::refuted: return ProofNumbers::no_win(attackers_turn, ProofNumbers::no_loop);
        case ProofKind::refuted_on_path: return ProofNumbers::no_win(attackers_turn, ProofNumbers::some_loop);
        case ProofKind::open: return {entry->phi, entry->delta, unknown_length, ProofNumbers::no_loop};
      }
    }
    switch (known(p)) {
      case ProbeAnswer::attacker_wins: return ProofNumbers::win(attackers_turn, 0);
      case ProbeAnswer::attacker_does_not_win: return ProofNumbers::no_win(attackers_turn, ProofNumbers::no_loop);
      case ProbeAnswer::unknown: break;
    }
    std::uint32_t turns = 0;
    rules_.for_each_turn(p, [&](const Move&) { return ++turns < max_counted; });
    return {1, turns, unknown_length, ProofNumbers::no_loop};
  }

  /// Puts a position on the path and looks at all its turns. False if the search must stop.
  bool enter(const Position& p, std::uint64_t position_key, std::uint32_t phi_limit, std::uint32_t delta_limit) {
    if (!budget_.node()) return false;
    const Position here = p;  // `p` may lie in frames_, which can move
    if (depth_ == frames_.size()) frames_.emplace_back();
    Frame& frame = frames_[depth_++];
    frame.key = position_key;
    frame.attackers_turn = attackers_turn(here);
    frame.phi_limit = phi_limit;
    frame.delta_limit = delta_limit;
    frame.nodes_before = budget_.nodes() - 1;
    frame.children.clear();
    path_.push(position_key);
    if (!list_children(here, frame)) return false;
    children_held_ += frame.children.size();
    return children_held_ <= max_children_ || budget_.give_up(ProofEnd::memory);
  }

  /// The table lies far away in memory: an entry is sent for some turns before it is looked at.
  static constexpr std::size_t turns_ahead = 8;

  /// Fills in the turns of a position, up to one that settles it. False if the search must stop.
  bool list_children(const Position& p, Frame& frame) {
    std::vector<Child>& children = frame.children;
    std::size_t looked_at = 0;
    bool settled = false;
    const auto look = [&] {
      Child& child = children[looked_at++];
      child.numbers = first_look(child.position, child.key, !frame.attackers_turn);
      // One good turn is enough; but a refutation without a repetition is worth more than one with.
      settled = child.numbers.delta == 0 && child.numbers.loop == ProofNumbers::no_loop;
    };
    bool stopped = false;
    siblings_.clear();
    rules_.for_each_turn(p, [&](const Move& m) {
      stopped = !budget_.turn();
      if (stopped) return false;
      const Position next = rules_.play(p, m);
      const std::uint64_t next_key = key(next);
      if (!siblings_.insert(next_key)) return true;
      table_.fetch(next_key);
      children.push_back({next, next_key, {}});
      if (children.size() - looked_at > turns_ahead) look();
      return !settled;
    });
    while (!settled && looked_at < children.size()) look();
    children.erase(children.begin() + static_cast<std::ptrdiff_t>(looked_at), children.end());
    return !stopped;
  }

  [[nodiscard]] static Choice choose(const Frame& frame) noexcept {
    Choice choice;
    std::uint32_t hardest = 0;
    std::uint32_t open = 0;
    for (std::size_t i = 0; i < frame.children.size(); ++i) {
      const ProofNumbers& numbers = frame.children[i].numbers;
      hardest = std::max(hardest, numbers.phi);
      if (numbers.phi != 0) ++open;
      if (numbers.delta < choice.phi) {
        choice.second = choice.phi;
        choice.phi = numbers.delta;
        choice.best = i;
      } else {
        choice.second = std::min(choice.second, numbers.delta);
      }
    }
    choice.others = open > 0 ? open - 1 : 0;
    choice.delta = hardest;
    if (choice.phi == 0) {
      choice.delta = infinite_number;
    } else if (hardest != 0 && hardest != infinite_number) {
      choice.delta = std::min(hardest + choice.others, infinite_number - 1);
    }
    return choice;
  }

  /// Takes the last position off the path, remembers what was found and returns it.
  ProofNumbers leave(const Choice& choice) {
    const Frame& frame = frames_[depth_ - 1];
    ProofNumbers found{choice.phi, choice.delta, unknown_length, ProofNumbers::no_loop};
    if (found.settled()) {
      found = found.won(frame.attackers_turn)
                  ? ProofNumbers::win(frame.attackers_turn, length_of(frame))
                  : ProofNumbers::no_win(frame.attackers_turn, loop_of(frame, static_cast<int>(depth_) - 1));
    }
    remember(frame, found);
    children_held_ -= frame.children.size();
    path_.pop();
    --depth_;
    return found;
  }

  /// One turn more than the attacker's shortest way, or the defender's longest.
  [[nodiscard]] static std::uint32_t length_of(const Frame& frame) noexcept {
    std::uint32_t length = frame.attackers_turn ? unknown_length : 0;
    for (const Child& child : frame.children) {
      if (!frame.attackers_turn) {
        length = std::max(length, child.numbers.length);
      } else if (child.numbers.delta == 0) {
        length = std::min(length, child.numbers.length);
      }
    }
    return length >= unknown_length ? unknown_length : length + 1;
  }

  /// The loops that a refutation rests on: of all turns if the attacker moves, of the best one if the
  /// defender does. Those that come back to the position itself, or to one below it, are no condition for
  /// the positions above it: all that the refutation needs lies below here.
  [[nodiscard]] static int loop_of(const Frame& frame, int depth) noexcept {
    int loop = frame.attackers_turn ? ProofNumbers::no_loop : ProofNumbers::some_loop;
    for (const Child& child : frame.children) {
      if (frame.attackers_turn) {
        loop = std::min(loop, child.numbers.loop);
      } else if (child.numbers.delta == 0) {
        loop = std::max(loop, child.numbers.loop);
      }
    }
    return loop >= depth ? ProofNumbers::no_loop : loop;
  }

  void remember(const Frame& frame, const ProofNumbers& found) {
    ProofEntry entry;
    if (!found.settled()) {
      entry.phi = found.phi;
      entry.delta = found.delta;
    } else if (found.won(frame.attackers_turn)) {
      entry.kind = ProofKind::proven;
      entry.length = found.length;
    } else {
      entry.kind = found.loop == ProofNumbers::no_loop ? ProofKind::refuted : ProofKind::refuted_on_path;
    }
    const auto before = table_.find(frame.key);
    entry.work = budget_.nodes() - frame.nodes_before + (before ? before->work : 0);
    table_.store(frame.key, entry);
  }

  const R& rules_;
  const KeyOf& key_of_;
  const Probe& probe_;
  Player attacker_;
  ProofTable& table_;
  ProofBudget& budget_;
  std::size_t max_children_;

  std::vector<Frame> frames_;  // those from depth_ on are kept for their memory
  std::size_t depth_ = 0;
  std::size_t children_held_ = 0;
  PathKeys path_;
  SiblingKeys siblings_;
  std::unordered_set<std::uint64_t> wins_;
};

}  // namespace paika
