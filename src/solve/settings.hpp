// What is asked of a solve, and what it tells while it runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

namespace paika {

class Peers;

/// Somebody who watches wants no more reports than this.
inline constexpr std::chrono::milliseconds default_progress_interval{100};

struct SolveProgress {
  double done = 0;  // of the whole work, 0 to 1, roughly
  std::string tier;
  int level = -1;  // being expanded; -1: the first look
};

struct SolveSettings {
  std::string table{};    // the file to write
  std::string spec{};     // what it is the table of
  bool distances = true;  // false: the table tells who wins and not how soon, in two bits a position
  bool verify = false;    // derive every value again before the table is written
  std::uint64_t memory = std::uint64_t{2} << 30;
  std::uint64_t parts = 1;  // cut every tier into so many at least
  int threads = 1;
  std::chrono::milliseconds save_every{std::chrono::minutes(5)};
  std::stop_token stop{};
  Peers* peers = nullptr;  // processes that work together; nobody: this one alone
  /// Hears now and then how far the work is, from any thread, one at a time.
  std::function<void(const SolveProgress&)> on_progress{};
  std::chrono::milliseconds progress_interval{default_progress_interval};
};

/// How a tier will be worked on.
struct TierPlan {
  std::uint32_t tier = 0;
  std::string name;
  std::uint64_t positions = 0;
  std::uint64_t unfolded = 0;  // positions if symmetric ones counted each; 0: not known
  std::uint64_t bytes = 0;     // of memory while it is worked on, if in one part
  std::uint64_t parts = 1;
};

}  // namespace paika
