// Promises about time, tested on machines that have other work to do: these count the processor's time of this process,
// which a busy machine does not stretch.
#pragma once

#include <chrono>
#include <ctime>

namespace paika_tests {

/// The processor time that all threads of this process use while `work` runs.
template <class Work>
std::chrono::milliseconds cpu_time(Work&& work) {
  const std::clock_t begin = std::clock();
  work();
  return std::chrono::milliseconds((std::clock() - begin) * 1000 / CLOCKS_PER_SEC);
}

}  // namespace paika_tests
