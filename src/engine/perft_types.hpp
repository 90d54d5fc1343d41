// What a perft run is asked for and what it answers, without any game's types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace paika {

struct PerftRequest {
  int depth = 1;          // at least 0
  int threads = 1;        // at least 1
  bool divide = false;    // list the count under each first turn
  bool finished = false;  // also count games that are over before `depth`
  /// At most so many positions are kept as tasks; where there would be more, one thread streams them.
  std::size_t max_tasks = 100'000;
  /// Called now and then with the part done, 0 to 1, from any thread but never from two at once.
  std::function<void(double)> progress;
};

struct PerftResult {
  std::uint64_t nodes = 0;
  std::uint64_t finished = 0;
  std::vector<std::pair<std::string, std::uint64_t>> divide;
};

}  // namespace paika
