// The turns of a position in the order in which they should be searched.
//
// Lists of all plies lie behind each other in one vector, so that a search allocates nothing.
// Turns that lead to the same position (Fanorona's chains) are kept once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "rules/search_traits.hpp"
#include "search/ordering.hpp"

namespace paika {

template <class Move>
struct Candidate {
  Move move{};
  int order = 0;                    // the larger the sooner
  std::uint32_t history_index = 0;  // rules/search_traits.hpp
  std::uint16_t number = 0;         // in the order of generation, plus 1
  bool tactical = false;
};

/// A set of keys that is emptied in no time.
class SeenKeys {
 public:
  SeenKeys() : cells_(1024) {}
  void clear() {
    ++stamp_;
    count_ = 0;
  }
  /// Adds a key; false if it was there already.
  bool add(std::uint64_t key) {
    if (2 * count_ >= cells_.size()) grow();
    return put(key);
  }

 private:
  struct Cell {
    std::uint64_t key = 0;
    std::uint64_t stamp = 0;
  };
  bool put(std::uint64_t key) {
    for (std::size_t i = key & (cells_.size() - 1);; i = (i + 1) & (cells_.size() - 1)) {
      Cell& cell = cells_[i];
      if (cell.stamp == stamp_ && cell.key == key) return false;
      if (cell.stamp != stamp_) {
        cell = {key, stamp_};
        ++count_;
        return true;
      }
    }
  }
  void grow() {
    std::vector<Cell> old(2 * cells_.size());
    old.swap(cells_);
    count_ = 0;
    for (const Cell& cell : old) {
      if (cell.stamp == stamp_) put(cell.key);
    }
  }

  std::vector<Cell> cells_;
  std::uint64_t stamp_ = 1;
  std::size_t count_ = 0;
};

/// Where a turn is searched: what the order of its turns depends on.
struct OrderingHints {
  std::uint16_t table_move = 0;  // a candidate's number; 0: none
  std::size_t ply = 0;
  std::uint32_t before = no_history_index;  // the history index of the turn that led here
  const Ordering* ordering = nullptr;
};

template <SearchTraits K>
class Candidates {
 public:
  using Position = typename K::RulesType::Position;
  using Move = typename K::RulesType::Move;

  /// More turns than this are not looked at below the root; few positions have as many.
  static constexpr int max_turns = 4000;
  static constexpr int max_root_turns = 60'000;

  explicit Candidates(const K& traits) : k_(traits) { list_.reserve(4096); }

  /// Candidates stay in the list until the frame is closed; frames are closed in reverse order.
  class Frame {
   public:
    explicit Frame(Candidates& all) : all_(all), begin_(all.list_.size()) {}
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;
    ~Frame() { all_.list_.resize(begin_); }

    [[nodiscard]] std::size_t size() const { return end_ - begin_; }
    /// Whether no turn was left out because there were too many.
    [[nodiscard]] bool complete() const { return complete_; }
    /// The best of the candidates from `i` on, brought to place `i`. Valid until another frame opens.
    [[nodiscard]] const Candidate<Move>& pick(std::size_t i) {
      const auto from = all_.list_.begin() + static_cast<std::ptrdiff_t>(begin_ + i);
      const auto to = all_.list_.begin() + static_cast<std::ptrdiff_t>(end_);
      const auto best = std::max_element(from, to, [](const auto& a, const auto& b) { return a.order < b.order; });
      if (best != from) std::swap(*from, *best);
      return *from;
    }
    /// Brings all candidates into their order at once: picking one after the other takes a time that grows with the
    /// square of their number.
    void sort() {
      const auto from = all_.list_.begin() + static_cast<std::ptrdiff_t>(begin_);
      const auto to = all_.list_.begin() + static_cast<std::ptrdiff_t>(end_);
      std::sort(from, to, [](const auto& a, const auto& b) {
        return a.order != b.order ? a.order > b.order : a.number < b.number;
      });
    }
    [[nodiscard]] Candidate<Move>& at(std::size_t i) { return all_.list_[begin_ + i]; }
    [[nodiscard]] const Candidate<Move>& operator[](std::size_t i) const { return all_.list_[begin_ + i]; }

   private:
    friend class Candidates;
    Candidates& all_;
    std::size_t begin_;
    std::size_t end_ = 0;
    bool complete_ = true;
  };

  /// Fills an empty frame with the turns of `p`, all or the tactical ones only.
  void list(Frame& frame, const Position& p, const OrderingHints& hints, bool tactical_only, int most = max_turns) {
    if constexpr (HasResultKeys<K>) seen_.clear();
    std::uint16_t number = 0;
    const auto score_of = tactical_scores_in(p);
    const auto visit = [&](const Move& m) {
      if (number < UINT16_MAX) ++number;
      const int tactical_score = score_of(m);
      if (tactical_only && tactical_score <= 0) return true;
      if constexpr (HasResultKeys<K>) {
        if (const std::uint64_t key = k_.result_key(p, m); key != 0 && !seen_.add(key)) return true;
      }
      Candidate<Move>& c = list_.emplace_back();
      c.move = m;
      c.number = number;
      c.history_index = static_cast<std::uint32_t>(k_.history_index(p, m));
      c.tactical = tactical_score > 0;
      c.order = order_of(c, tactical_score, hints);
      return true;
    };
    if constexpr (HasCandidates<K>) {
      frame.complete_ = k_.for_each_candidate(p, most, visit);
    } else {
      k_.rules().for_each_turn(p, visit);
    }
    frame.end_ = list_.size();
  }

 private:
  static constexpr int table_order = 1 << 30;
  static constexpr int tactical_order = 1 << 26;
  static constexpr int killer_order = 1 << 20;
  static constexpr int reply_order = 1 << 19;

  /// The tactical scores of the turns of `p`, as fast as the game knows how.
  [[nodiscard]] auto tactical_scores_in(const Position& p) const {
    if constexpr (HasOutlooks<K>) {
      return [this, &p, outlook = k_.outlook(p)](const Move& m) { return k_.tactical_score(p, m, outlook); };
    } else {
      return [this, &p](const Move& m) { return k_.tactical_score(p, m); };
    }
  }

  [[nodiscard]] int order_of(const Candidate<Move>& c, int tactical_score, const OrderingHints& hints) const {
    if (c.number == hints.table_move) return table_order;
    if (tactical_score > 0) return tactical_order + std::min(tactical_score, tactical_order / 2);
    int order = std::max(tactical_score, -1000) * Ordering::max_history;
    if (hints.ordering == nullptr) return order;
    if (hints.ordering->is_killer(c.history_index, hints.ply)) order += killer_order;
    if (hints.ordering->is_reply(c.history_index, hints.before)) order += reply_order;
    return order + hints.ordering->history(c.history_index);
  }

  const K& k_;
  std::vector<Candidate<Move>> list_;
  SeenKeys seen_;
};

}  // namespace paika
