// Checking what a proof search found, with whole positions instead of keys.
//
// Refutation: a closed set of positions. Proof: a tree that is walked to its ends. proof.hpp says why
// that is enough. Both start from what the table says, search again what it has forgotten, and keep the
// positions in a bounded number of bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "search/proof_tree.hpp"

namespace paika {

/// Positions by number, each with a word of notes; found again by the whole position.
template <Rules R, class Note>
class PositionList {
 public:
  using Position = typename R::Position;
  struct Item {
    Position position;
    std::uint64_t key;
    Note note;
  };
  static constexpr std::uint32_t none = UINT32_MAX;

  PositionList(const R& rules, std::size_t bytes)
      // A vector doubles and holds both halves while it grows; so does the index.
      : rules_(rules), max_(std::min<std::size_t>(bytes / (3 * sizeof(Item) + 24), none - 1)), index_(64, none) {}

  [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }
  [[nodiscard]] Item& operator[](std::uint32_t i) { return items_[i]; }
  [[nodiscard]] const Item& operator[](std::uint32_t i) const { return items_[i]; }

  /// The number of a position; none if it is not in.
  [[nodiscard]] std::uint32_t find(const Position& p, std::uint64_t key) const { return index_[slot(p, key)]; }
  /// The number of a position that was not in; none if there is no room.
  std::uint32_t add(const Position& p, std::uint64_t key, const Note& note) {
    if (items_.size() >= max_) return none;
    if (2 * (items_.size() + 1) > index_.size()) grow();
    const auto number = static_cast<std::uint32_t>(items_.size());
    index_[slot(p, key)] = number;
    items_.push_back({p, key, note});
    return number;
  }
  void clear() {
    items_.clear();
    std::fill(index_.begin(), index_.end(), none);
  }

 private:
  /// The same position as far as its future goes: counters that the key leaves out may differ.
  [[nodiscard]] bool same(const Item& item, const Position& p, std::uint64_t key) const {
    if (item.key != key) return false;
    if (item.position == p) return true;
    const Board left = rules_.to_board(item.position);
    const Board right = rules_.to_board(p);
    return left.to_move == right.to_move && left.cells == right.cells;
  }
  [[nodiscard]] std::size_t slot(const Position& p, std::uint64_t key) const {
    const std::size_t mask = index_.size() - 1;
    std::size_t i = static_cast<std::size_t>(key) & mask;
    while (index_[i] != none && !same(items_[index_[i]], p, key)) i = (i + 1) & mask;
    return i;
  }
  void grow() {
    index_.assign(2 * index_.size(), none);
    const std::size_t mask = index_.size() - 1;
    for (std::uint32_t number = 0; number < items_.size(); ++number) {
      std::size_t i = static_cast<std::size_t>(items_[number].key) & mask;
      while (index_[i] != none) i = (i + 1) & mask;
      index_[i] = number;
    }
  }

  const R& rules_;
  std::size_t max_;
  std::vector<std::uint32_t> index_;  // a power of two
  std::vector<Item> items_;
};

/// The different positions after the turns of `p`, into `next`. False if the budget ends.
template <class Tree>
bool list_next(Tree& tree, const typename Tree::Position& p, SiblingKeys& seen,
               std::vector<typename Tree::Position>& next) {
  next.clear();
  seen.clear();
  return visit_turns(tree.rules(), p, [&](const auto& m) {
    if (!tree.budget().turn()) return false;
    const auto q = tree.rules().play(p, m);
    if (seen.insert(tree.key(q))) next.push_back(q);
    return true;
  });
}

/// Looks for a closed set of positions around a refuted root: after any turn of the attacker, and after
/// at least one of the defender, the game is still in the set or has ended without a win of the attacker.
template <class Tree>
class RefutationCheck {
 public:
  using Position = typename Tree::Position;

  RefutationCheck(Tree& tree, std::size_t bytes)
      : tree_(tree), max_wins_(bytes / bytes_per_win), members_(tree.rules(), bytes) {}

  /// proven: the refutation was wrong and the root is won. disproven: the set is closed. unknown: the
  /// budget or the memory ended before.
  ProofAnswer run(const Position& root) {
    do {
      members_.clear();
      waiting_.clear();
      again_ = false;
      if (!add(root, 0)) return ProofAnswer::unknown;
      while (!waiting_.empty()) {
        const std::uint32_t member = waiting_.back();
        waiting_.pop_back();
        if (members_[member].note.lost) continue;
        if (!tree_.budget().node() || !support(member)) return ProofAnswer::unknown;
        if (members_[0].note.lost) return ProofAnswer::proven;
        if (tree_.wins_remembered() > max_wins_) {
          tree_.budget().give_up(ProofEnd::memory);
          return ProofAnswer::unknown;
        }
      }
    } while (again_);
    return ProofAnswer::disproven;
  }
  [[nodiscard]] std::uint64_t positions() const { return members_.size(); }

 private:
  struct Note {
    std::uint32_t parent = 0;        // the member that brought this one in
    bool lost = false;               // not refuted at all: the attacker wins
    bool trusted_by_others = false;  // members besides the parent count on this one
  };
  enum class State { safe, won, candidate, open };

  static constexpr std::size_t bytes_per_win = 64;  // in a hash set, about

  bool add(const Position& p, std::uint32_t parent) {
    const std::uint32_t member = members_.add(p, tree_.key(p), Note{parent, false, false});
    if (member == members_.none) return tree_.budget().give_up(ProofEnd::memory);
    waiting_.push_back(member);
    return true;
  }

  /// What is known of a position after a turn: safe in the set (or ended), won by the attacker, a candidate
  /// for the set, or nothing.
  State state(const Position& p) {
    switch (tree_.known(p)) {
      case ProbeAnswer::attacker_wins: return State::won;
      case ProbeAnswer::attacker_does_not_win: return State::safe;
      case ProbeAnswer::unknown: break;
    }
    const std::uint64_t key = tree_.key(p);
    if (tree_.remembers_win(key)) return State::won;
    if (members_.find(p, key) != members_.none) return State::safe;
    const auto entry = tree_.table().find(key);
    if (!entry || entry->kind == ProofKind::open) return State::open;
    return entry->kind == ProofKind::proven ? State::won : State::candidate;
  }
  void trust(const Position& p) {
    const std::uint32_t member = members_.find(p, tree_.key(p));
    if (member != members_.none) members_[member].note.trusted_by_others = true;
  }

  /// Finds what keeps a member in the set, and brings it in, or takes the member out. False if the budget
  /// or the memory ends.
  bool support(std::uint32_t member) {
    const Position p = members_[member].position;
    if (!list_next(tree_, p, siblings_, next_)) return false;
    return tree_.attackers_turn(p) ? support_attacker(member) : support_defender(member);
  }

  bool support_attacker(std::uint32_t member) {
    states_.clear();
    for (const Position& q : next_) {
      states_.push_back(state(q));
      if (states_.back() == State::won) return lose(member);
    }
    for (std::size_t i = 0; i < next_.size(); ++i) {
      if (states_[i] != State::open) continue;
      const ProofNumbers found = tree_.solve(next_[i]);
      if (!found.settled()) return false;
      if (found.won(false)) return lose(member);
    }
    for (std::size_t i = 0; i < next_.size(); ++i) {
      if (states_[i] == State::safe) {
        trust(next_[i]);
      } else if (!add(next_[i], member)) {
        return false;
      }
    }
    return true;
  }

  bool support_defender(std::uint32_t member) {
    if (const auto done = support_by_known(member)) return *done;
    // None of the turns is known to hold: the search finds the best one, or that there is none.
    const ProofNumbers found = tree_.solve(members_[member].position);
    if (!found.settled()) return false;
    if (found.won(false)) return lose(member);
    if (const auto done = support_by_known(member)) return *done;
    // The table has forgotten which one it was.
    for (const Position& q : next_) {
      if (state(q) == State::won) continue;
      const ProofNumbers one = tree_.solve(q);
      if (!one.settled()) return false;
      if (!one.won(true)) return add(q, member);
    }
    return lose(member);
  }

  /// A turn to a safe position is best: it makes the set no larger. Nothing if no turn is known to hold.
  std::optional<bool> support_by_known(std::uint32_t member) {
    const Position* candidate = nullptr;
    for (const Position& q : next_) {
      const State now = state(q);
      if (now == State::safe) {
        trust(q);
        return true;
      }
      if (now == State::candidate && candidate == nullptr) candidate = &q;
    }
    if (candidate == nullptr) return std::nullopt;
    return add(*candidate, member);
  }

  /// Takes a member out, and with it all that cannot do without: an attacker's position before it is won
  /// too; a defender's must find another turn. Always true.
  bool lose(std::uint32_t member) {
    for (;;) {
      auto& item = members_[member];
      item.note.lost = true;
      again_ = again_ || item.note.trusted_by_others;
      tree_.remember_win(item.key);
      tree_.table().store(item.key, {ProofKind::proven, 1, 1, unknown_length, tree_.budget().nodes()});
      const std::uint32_t parent = item.note.parent;
      if (member == 0 || members_[parent].note.lost) return true;
      if (!tree_.attackers_turn(members_[parent].position)) {
        waiting_.push_back(parent);
        return true;
      }
      member = parent;
    }
  }

  Tree& tree_;
  std::size_t max_wins_;
  PositionList<std::remove_cvref_t<decltype(std::declval<Tree&>().rules())>, Note> members_;
  std::vector<std::uint32_t> waiting_;
  bool again_ = false;  // a member that others trusted was taken out: the set must be built anew
  SiblingKeys siblings_;
  std::vector<Position> next_;
  std::vector<State> states_;
};

/// Walks the tree of a proof to its ends: one turn of the attacker, every turn of the defender.
template <class Tree>
class ProofWalk {
 public:
  using Position = typename Tree::Position;
  using Move = typename Tree::Move;

  ProofWalk(Tree& tree, std::size_t bytes) : tree_(tree), members_(tree.rules(), bytes) {}

  /// True if the whole tree was seen and every end is a win of the attacker.
  bool run(const Position& root) {
    open(root);
    while (depth_ > 0 && !gave_up_) {
      Frame& frame = frames_[depth_ - 1];
      if (frame.walked == frame.needed.size()) {
        close();
      } else {
        const Position q = frame.needed[frame.walked++];
        walk(q);
      }
    }
    return !gave_up_ && gaps_ == 0;
  }
  /// An end was found that is no win: two positions must have had the same key.
  [[nodiscard]] bool contradicted() const { return contradicted_; }
  /// The tree ends somewhere with a position that the probe knows.
  [[nodiscard]] bool reached_probe() const { return reached_probe_; }
  [[nodiscard]] std::uint64_t positions() const { return members_.size(); }

  /// In how many turns a position is won by the tree that was walked; nothing if it is not part of it.
  [[nodiscard]] std::optional<std::uint32_t> walked(const Position& p) const {
    const std::uint32_t member = members_.find(p, tree_.key(p));
    if (member != members_.none && members_[member].note.done) return members_[member].note.length;
    if (tree_.known(p) == ProbeAnswer::attacker_wins) return 0;
    return std::nullopt;
  }
  /// In how many turns a position is known to be won; unknown_length if it is won but not known how soon;
  /// nothing if it is not known to be won.
  [[nodiscard]] std::optional<std::uint32_t> length(const Position& p) const {
    if (const ProbeAnswer answer = tree_.known(p); answer != ProbeAnswer::unknown) {
      if (answer == ProbeAnswer::attacker_wins) return 0;
      return std::nullopt;
    }
    const std::uint64_t key = tree_.key(p);
    if (const std::uint32_t member = members_.find(p, key); member != members_.none) {
      if (members_[member].note.done) return members_[member].note.length;
      if (depth_ > 0 && !gave_up_) return std::nullopt;  // it must not be used to prove itself
    }
    if (const auto entry = tree_.table().find(key); entry && entry->kind == ProofKind::proven) return entry->length;
    if (tree_.remembers_win(key)) return unknown_length;
    return std::nullopt;
  }

 private:
  struct Note {
    std::uint32_t length = unknown_length;
    bool done = false;
  };
  struct Frame {
    std::uint32_t member = 0;
    std::uint32_t longest = 0;
    std::size_t walked = 0;
    std::vector<Position> needed;
  };

  /// The proof of `p` cannot be shown; its length is taken from the table, if it is there.
  void gap(const Position& p) {
    ++gaps_;
    const auto entry = tree_.table().find(tree_.key(p));
    lengthen(entry && entry->kind == ProofKind::proven ? entry->length : unknown_length);
  }
  /// The last position of the walk has a turn that takes so many turns more.
  void lengthen(std::uint32_t length) {
    Frame& frame = frames_[depth_ - 1];
    frame.longest = std::max(frame.longest, length);
  }

  void walk(const Position& q) {
    if (const ProbeAnswer answer = tree_.known(q); answer != ProbeAnswer::unknown) {
      contradicted_ = contradicted_ || answer != ProbeAnswer::attacker_wins;
      gave_up_ = contradicted_;
      reached_probe_ = reached_probe_ || !tree_.rules().outcome(q).over();
      return;
    }
    if (const std::uint32_t member = members_.find(q, tree_.key(q)); member != members_.none) {
      if (members_[member].note.done) {
        lengthen(members_[member].note.length);
      } else {
        gap(q);  // a position on the way to itself is no proof; that comes of parts that were proven anew
      }
      return;
    }
    if (!length(q)) {
      const ProofNumbers found = tree_.solve(q);
      if (!found.settled() || !found.won(tree_.attackers_turn(q))) {
        gap(q);
        return;
      }
    }
    open(q);
  }

  /// Begins with a position that is said to be won.
  void open(const Position& p) {
    const std::uint32_t member = members_.add(p, tree_.key(p), {});
    if (member == members_.none || !tree_.budget().node()) {
      gave_up_ = true;
      return;
    }
    if (depth_ == frames_.size()) frames_.emplace_back();
    Frame& frame = frames_[depth_++];
    frame.member = member;
    frame.longest = 0;
    frame.walked = 0;
    if (!list_next(tree_, p, siblings_, frame.needed)) {
      gave_up_ = true;
      return;
    }
    if (tree_.attackers_turn(p)) keep_best(p, frame);
  }

  void keep_best(const Position& p, Frame& frame) {
    const Position* best = quickest(frame.needed);
    if (best == nullptr) {  // forgotten
      static_cast<void>(tree_.solve(p));
      best = quickest(frame.needed);
    }
    if (best == nullptr) {
      frame.needed.clear();
      gap(p);
      return;
    }
    const Position kept = *best;
    frame.needed.assign(1, kept);
  }
  [[nodiscard]] const Position* quickest(const std::vector<Position>& positions) const {
    const Position* best = nullptr;
    std::uint32_t shortest = 0;
    for (const Position& q : positions) {
      const auto turns = length(q);
      if (!turns || (best != nullptr && *turns >= shortest)) continue;
      best = &q;
      shortest = *turns;
      if (shortest == 0) break;
    }
    return best;
  }

  void close() {
    const Frame& frame = frames_[--depth_];
    Note& note = members_[frame.member].note;
    note.done = true;
    note.length = frame.longest >= unknown_length - 1 ? unknown_length : frame.longest + 1;
    if (depth_ > 0) lengthen(note.length);
  }

  Tree& tree_;
  PositionList<std::remove_cvref_t<decltype(std::declval<Tree&>().rules())>, Note> members_;
  std::vector<Frame> frames_;  // those from depth_ on are kept for their memory
  std::size_t depth_ = 0;
  std::uint64_t gaps_ = 0;
  bool gave_up_ = false;
  bool contradicted_ = false;
  bool reached_probe_ = false;
  SiblingKeys siblings_;
};

}  // namespace paika
