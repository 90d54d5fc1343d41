#include "apps/progress.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

#include "apps/stderr.hpp"

namespace paika::apps {

namespace {

/// Work that ends sooner than this shows no bar at all.
constexpr auto patience = std::chrono::milliseconds(700);
constexpr auto interval = std::chrono::milliseconds(200);
constexpr int bar_width = 30;

}  // namespace

Progress::Progress(std::string title)
    : title_(std::move(title)), shown_(isatty(STDERR_FILENO) == 1), next_(start_ + patience) {}

Progress::~Progress() { wipe(); }

void Progress::wipe() {
  if (!std::exchange(drawn_, false)) return;
  to_stderr(fmt::format("\r{:80}\r", ""));
  std::fflush(stderr);
}

void Progress::update(double part) {
  const auto now = Clock::now();
  if (!shown_ || now < next_) return;
  next_ = now + interval;
  drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double left = part > 0 ? seconds * (1 - part) / part : 0;
  const auto filled = static_cast<std::size_t>(part * bar_width);
  to_stderr(fmt::format("\r{} [{:<{}}] {:3.0f} %, about {:.0f} s left   ", title_, std::string(filled, '#'), bar_width,
                        100 * part, left));
  std::fflush(stderr);
}

}  // namespace paika::apps
