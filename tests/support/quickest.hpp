// Promises about time, tested on machines that may have other work to do.
#pragma once

#include <chrono>
#include <stop_token>
#include <thread>

namespace paika_tests {

/// The shortest of some measurements: `measure` is called until it takes less than `limit`, at most twenty times. A
/// busy machine holds a program up now and then; code that is too slow is so every time.
template <class Measure>
std::chrono::milliseconds quickest(std::chrono::milliseconds limit, Measure measure) {
  constexpr int max_tries = 20;
  auto least = std::chrono::milliseconds::max();
  for (int tries = 0; tries < max_tries && least >= limit; ++tries) {
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(measure());
    if (took < least) least = took;
  }
  return least;
}

/// Tells `work(stop)` to stop after 50 ms; how long it then took to end. Requires that it would go on for longer.
template <class Work>
std::chrono::steady_clock::duration time_to_stop(Work&& work) {
  std::stop_source source;
  std::chrono::steady_clock::time_point told;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    told = std::chrono::steady_clock::now();
    source.request_stop();
  });
  work(source.get_token());
  const auto done = std::chrono::steady_clock::now();
  stopper.join();
  return done - told;
}

}  // namespace paika_tests
