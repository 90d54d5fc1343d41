// Perft over threads: the first plies are spread out into tasks that the threads take in turn.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "engine/perft_types.hpp"
#include "rules/perft.hpp"

namespace paika {

namespace detail {

/// A position some plies below the root, and which first turn leads to it.
template <Rules R>
struct PerftTask {
  std::size_t root_turn = 0;
  typename R::Position position;
};

template <Rules R>
class ParallelPerft {
 public:
  using Position = typename R::Position;
  using Move = typename R::Move;

  ParallelPerft(const R& rules, const Position& root, const PerftRequest& request)
      : rules_(rules), root_(root), request_(request) {}

  /// False if there are too many tasks to keep; then streamed_perft must do.
  [[nodiscard]] bool run() {
    if (!spread()) return false;
    counts_.assign(roots_.size(), 0);
    std::vector<std::jthread> workers;
    while (static_cast<int>(workers.size()) + 1 < request_.threads && add_worker(workers)) {
    }
    work();
    workers.clear();
    return true;
  }

  [[nodiscard]] const std::vector<Move>& roots() const { return roots_; }
  [[nodiscard]] const std::vector<std::uint64_t>& counts() const { return counts_; }
  [[nodiscard]] std::uint64_t finished() const { return finished_; }

 private:
  /// False if the machine gives no more threads; those there are then do the work.
  bool add_worker(std::vector<std::jthread>& workers) {
    try {
      workers.emplace_back([this] { work(); });
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  }

  /// Fills tasks_ with the positions after one or two plies. False if there would be too many.
  bool spread() {
    if (request_.finished && rules_.outcome(root_).over()) finished_ = 1;
    task_depth_ = request_.depth - 1;
    const bool whole = visit_turns(rules_, root_, [&](const Move& m) {
      tasks_.push_back({roots_.size(), rules_.play(root_, m)});
      roots_.push_back(m);
      return tasks_.size() < request_.max_tasks;
    });
    if (!whole) return false;
    if (task_depth_ >= 2) spread_once_more();
    return true;
  }

  /// One ply deeper, so that there are enough tasks to keep all threads busy to the end.
  void spread_once_more() {
    std::vector<PerftTask<R>> deeper;
    for (const auto& task : tasks_) {
      const bool whole = visit_turns(rules_, task.position, [&](const Move& m) {
        deeper.push_back({task.root_turn, rules_.play(task.position, m)});
        return deeper.size() < request_.max_tasks;
      });
      if (!whole) return;
    }
    if (request_.finished) {
      for (const auto& task : tasks_) finished_ += finished_before(rules_, task.position, 1);
    }
    tasks_ = std::move(deeper);
    --task_depth_;
  }

  void work() {
    std::vector<std::uint64_t> counts(roots_.size(), 0);
    std::uint64_t finished = 0;
    for (std::size_t i = next_++; i < tasks_.size(); i = next_++) {
      counts[tasks_[i].root_turn] += perft(rules_, tasks_[i].position, task_depth_);
      if (request_.finished) finished += finished_before(rules_, tasks_[i].position, task_depth_);
      report();
    }
    const std::scoped_lock lock(mutex_);
    for (std::size_t i = 0; i < counts.size(); ++i) counts_[i] += counts[i];
    finished_ += finished;
  }

  void report() {
    if (!request_.progress) return;
    const std::scoped_lock lock(mutex_);
    request_.progress(static_cast<double>(++done_) / static_cast<double>(tasks_.size()));
  }

  const R& rules_;
  const Position& root_;
  const PerftRequest& request_;
  int task_depth_ = 0;
  std::vector<Move> roots_;
  std::vector<PerftTask<R>> tasks_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t finished_ = 0;
  std::size_t done_ = 0;
};

}  // namespace detail

/// Runs a perft request on one thread and keeps nothing but the counts: for positions with very many turns.
template <Rules R, class TurnText>
[[nodiscard]] PerftResult streamed_perft(const R& rules, const typename R::Position& root, const PerftRequest& request,
                                         TurnText&& turn_text) {
  PerftResult result;
  visit_turns(rules, root, [&](const typename R::Move& m) {
    const std::uint64_t nodes = perft(rules, rules.play(root, m), request.depth - 1);
    result.nodes += nodes;
    if (request.divide) result.divide.emplace_back(turn_text(m), nodes);
    return true;
  });
  if (request.finished) result.finished = finished_before(rules, root, request.depth);
  return result;
}

/// Runs a perft request. `turn_text(move)` names first turns for `divide`.
template <Rules R, class TurnText>
[[nodiscard]] PerftResult run_perft(const R& rules, const typename R::Position& root, const PerftRequest& request,
                                    TurnText&& turn_text) {
  PerftResult result;
  if (request.depth == 0) {
    result.nodes = 1;
    return result;
  }
  detail::ParallelPerft<R> parallel(rules, root, request);
  if (!parallel.run()) return streamed_perft(rules, root, request, turn_text);
  result.finished = parallel.finished();
  for (std::size_t i = 0; i < parallel.roots().size(); ++i) {
    result.nodes += parallel.counts()[i];
    if (request.divide) result.divide.emplace_back(turn_text(parallel.roots()[i]), parallel.counts()[i]);
  }
  return result;
}

}  // namespace paika
