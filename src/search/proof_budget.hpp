// ProofBudget: how much a proof search may still do, and whom it tells how far it is.
#pragma once

#include <cstdint>
#include <stop_token>
#include <utility>

#include "search/proof_table.hpp"
#include "search/proof_types.hpp"
#include "search/search_control.hpp"

namespace paika {

class ProofBudget {
 public:
  ProofBudget(const ProofLimits& limits, std::stop_token stop, OnProgress on_progress, const ProofTable& table)
      : limits_(limits), stop_(std::move(stop)), on_progress_(std::move(on_progress)), table_(table) {}

  /// Counts a node. False if there may be no more.
  [[nodiscard]] bool node() noexcept {
    if (end_ != ProofEnd::decided) return false;
    if (limits_.nodes && nodes_ >= *limits_.nodes) return give_up(ProofEnd::nodes);
    if (nodes_ >= check_ends_at_) return give_up(ProofEnd::nodes);
    ++nodes_;
    return true;
  }
  /// To be called for every turn that is looked at, so that a position with very many of them is left
  /// in time too. False if the search must stop.
  [[nodiscard]] bool turn() {
    if (++turns_ % turns_between_looks == 0) look();
    return end_ == ProofEnd::decided;
  }
  /// Ends the search for this reason, unless it has ended before. Always false.
  bool give_up(ProofEnd reason) noexcept {
    if (end_ == ProofEnd::decided) end_ = reason;
    return false;
  }

  /// From here on an answer is checked, with at most so many nodes more.
  void start_check(std::uint64_t max_nodes) noexcept {
    checking_ = true;
    check_ends_at_ = max_nodes > UINT64_MAX - nodes_ ? UINT64_MAX : nodes_ + max_nodes;
  }

  [[nodiscard]] ProofEnd end() const noexcept { return end_; }
  [[nodiscard]] std::uint64_t nodes() const noexcept { return nodes_; }
  [[nodiscard]] Milliseconds elapsed() const {
    return std::chrono::duration_cast<Milliseconds>(SearchClock::now() - start_);
  }

 private:
  static constexpr std::uint64_t turns_between_looks = 64;
  static constexpr Milliseconds between_reports{100};

  void look();

  ProofLimits limits_;
  std::stop_token stop_;
  OnProgress on_progress_;
  const ProofTable& table_;
  SearchClock::time_point start_ = SearchClock::now();
  Milliseconds next_report_ = between_reports;
  ProofEnd end_ = ProofEnd::decided;
  bool checking_ = false;
  std::uint64_t nodes_ = 0;
  std::uint64_t turns_ = 0;
  std::uint64_t check_ends_at_ = UINT64_MAX;
};

}  // namespace paika
