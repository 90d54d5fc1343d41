// A progress bar with an estimate on stderr, shown only where a person can see it.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace paika::apps {

class Progress {
 public:
  explicit Progress(std::string title);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Wipes the bar, so that what follows starts on a clean line.
  ~Progress();

  /// True if stderr is a terminal; else update does nothing.
  [[nodiscard]] bool shown() const { return shown_; }
  /// Takes the bar away until the next update, so that something else can be printed.
  void wipe();
  /// Draws the bar for the part done, 0 to 1, at most a few times a second. Not thread-safe.
  void update(double part);

 private:
  using Clock = std::chrono::steady_clock;

  std::string title_;
  bool shown_;
  std::size_t drawn_ = 0;  // columns of the bar that is shown
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
};

}  // namespace paika::apps
