// Work shared out in blocks over threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace paika {

/// Calls work(block, worker) for every block below `blocks`, on up to `threads` threads at once; the
/// caller is one of them. `worker` counts from 0 and tells the threads apart. Blocks are taken in
/// ascending order. `work` must not throw.
template <class Work>
void share_out(int threads, std::uint64_t blocks, Work&& work) {
  std::atomic<std::uint64_t> next{0};
  const auto run = [&](int worker) {
    for (std::uint64_t block = next++; block < blocks; block = next++) work(block, worker);
  };
  const auto useful = static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(threads), blocks));
  std::vector<std::jthread> others;
  for (int worker = 1; worker < useful; ++worker) others.emplace_back(run, worker);
  run(0);
}

}  // namespace paika
