#include "engine/environment.hpp"

#include <algorithm>

#include "engine/registry.hpp"

namespace paika {

namespace {

Result<void> check(std::string_view name, std::int64_t value, std::int64_t least, std::int64_t most) {
  if (value >= least && value <= most) return {};
  return fail("{} must be from {} to {}, not {}", name, least, most, value);
}

}  // namespace

Result<std::unique_ptr<BatchEnvironment>> open_environment(std::string_view spec, const EnvironmentSettings& settings) {
  if (const auto good = check("the number of games", settings.games, 1, max_environment_games); !good) {
    return tl::unexpected(good.error());
  }
  if (const auto good = check("threads", settings.threads, 1, max_environment_threads); !good) {
    return tl::unexpected(good.error());
  }
  if (settings.max_moves < 0) return fail("max_moves must be at least 0, not {}", settings.max_moves);
  const auto found = find_game(spec_name(spec));
  if (!found) return tl::unexpected(found.error());
  for (const EnvironmentModule& module : environment_modules()) {
    if (&module.info() == *found) return module.open(spec, settings);
  }
  return fail("there are no environments of {}", (*found)->name);
}

namespace {

constexpr std::uint64_t round_shift = 32;
constexpr std::uint64_t number_mask = 0xffff'ffff;
constexpr std::uint64_t closed = 0x7fff'ffff;  // beyond every number

}  // namespace

RangeThreads::RangeThreads(int threads) {
  for (int i = 1; i < threads; ++i) {
    threads_.emplace_back([this] { serve(); });
  }
}

RangeThreads::~RangeThreads() {
  closing_ = true;
  ++round_;
  round_.notify_all();
}

void RangeThreads::run(int count, FunctionRef<void(int from, int to)> work) {
  if (threads_.empty() || count <= 1) {
    if (count > 0) work(0, count);
    return;
  }
  const int workers = static_cast<int>(threads_.size()) + 1;
  const std::uint32_t round = round_ + 1;
  // Nothing of the new round is told before the old ticket is void: a thread that comes late must not take a part by
  // it.
  ticket_ = static_cast<std::uint64_t>(round) << round_shift | closed;
  part_ = std::max(1, count / (workers * 8));
  work_ = &work;
  count_ = count;
  done_ = 0;
  ticket_ = static_cast<std::uint64_t>(round) << round_shift;
  round_ = round;
  round_.notify_all();
  help();
  for (int done = done_; done < count; done = done_) done_.wait(done);
}

/// Takes parts of the present round until none is left.
void RangeThreads::help() {
  std::uint64_t ticket = ticket_;
  for (;;) {
    const auto from = static_cast<int>(ticket & number_mask);
    const int count = count_;
    if (from >= count) return;
    const int to = std::min(count, from + part_);
    const std::uint64_t next = (ticket & ~number_mask) | static_cast<std::uint64_t>(to);
    if (!ticket_.compare_exchange_weak(ticket, next)) continue;
    (*work_.load())(from, to);
    if (done_.fetch_add(to - from) + (to - from) == count) done_.notify_all();
    ticket = ticket_;
  }
}

void RangeThreads::serve() {
  std::uint32_t seen = 0;
  for (;;) {
    round_.wait(seen);
    seen = round_;
    if (closing_) return;
    help();
  }
}

}  // namespace paika
