#include "study/book_growth.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>

#include "base/random.hpp"

namespace paika::study {

namespace {

class Grower {
 public:
  Grower(const GamePtr& game, BookGraph& graph, const BookGrowth& growth,
         const std::function<void(BookGraph&)>& on_added, const std::stop_token& stop)
      : game_(game), graph_(graph), growth_(growth), on_added_(on_added), stop_(stop) {}

  void run() {
    {
      std::vector<std::jthread> others;
      for (int i = 1; i < growth_.threads; ++i) others.emplace_back([this] { work(); });
      work();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void work() try {
    SearchSettings settings;
    settings.threads = 0;
    settings.hash_mb = growth_.hash_mb;
    const auto engine = game_->engine(settings);
    while (const auto task = take()) {
      settings.lines = task->lines;
      engine->set(settings);
      engine->forget();
      SearchLimits limits;
      limits.nodes = growth_.nodes * static_cast<std::uint64_t>(task->moves);
      const Decision decision = engine->think(*game_->start_from(task->board), limits, stop_);
      hand_in(*task, decision.info);
    }
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    over_ = true;
    changed_.notify_all();
  }

  /// The next search, waited for if it depends on those under way; nothing if there is none.
  std::optional<BookTask> take() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (over_ || stop_.stop_requested() || enough()) return std::nullopt;
      if (auto task = graph_.next(growth_.moves, growth_.loss_weight)) {
        ++under_way_;
        return task;
      }
      if (under_way_ == 0) return std::nullopt;
      changed_.wait(lock);
    }
  }

  [[nodiscard]] bool enough() const {
    if (growth_.max_positions > 0 && graph_.size() + under_way_ >= growth_.max_positions) return true;
    return growth_.time.count() > 0 && std::chrono::steady_clock::now() - begun_ >= growth_.time;
  }

  void hand_in(const BookTask& task, const SearchInfo& info) {
    const std::scoped_lock lock(mutex_);
    --under_way_;
    if (stop_.stop_requested()) {
      graph_.drop(task);
    } else {
      graph_.add(task, info);
      if (on_added_) on_added_(graph_);
    }
    changed_.notify_all();
  }

  const GamePtr& game_;
  BookGraph& graph_;
  const BookGrowth& growth_;
  const std::function<void(BookGraph&)>& on_added_;
  std::stop_token stop_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::mutex mutex_;  // of what follows, and of the graph
  std::condition_variable changed_;
  std::size_t under_way_ = 0;
  bool over_ = false;
  std::exception_ptr failure_;
};

}  // namespace

void grow_book(const GamePtr& game, BookGraph& graph, const BookGrowth& growth,
               const std::function<void(BookGraph&)>& on_added, const std::stop_token& stop) {
  Grower(game, graph, growth, on_added, stop).run();
}

BookSample sample_book(const GamePtr& game, const BookGraph& graph, std::size_t count, std::uint64_t seed,
                       const std::stop_token& stop) {
  std::vector<std::size_t> numbers(graph.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  Random random(mix64(seed + 1));
  SearchSettings settings;
  settings.threads = 0;
  const auto engine = game->engine(settings);
  BookSample sample;
  double sum = 0;
  for (std::size_t i = 0; i < std::min(count, numbers.size()); ++i) {
    std::swap(numbers[i], numbers[i + random.index(numbers.size() - i)]);
    const BookPosition& position = graph.position(numbers[i]);
    const Board& board = graph.board_of(numbers[i]);
    SearchLimits limits;
    limits.depth = std::max(position.depth, 1);
    engine->forget();
    const Decision decision = engine->think(*game->start_from(board), limits, stop);
    if (stop.stop_requested()) break;
    const int now = decision.info.lines.front().score;
    const int difference = std::abs(comparable(now) - comparable(position.moves.front().score));
    ++sample.positions;
    sum += difference;
    if (difference < sample.largest && sample.positions > 1) continue;
    sample.largest = difference;
    sample.where = game->notation().position_text(board);
  }
  if (sample.positions > 0) sample.mean = sum / static_cast<double>(sample.positions);
  return sample;
}

}  // namespace paika::study
