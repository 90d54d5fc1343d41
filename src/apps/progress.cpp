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
  if (drawn_ == 0) return;
  to_stderr(fmt::format("\r{:{}}\r", "", std::exchange(drawn_, 0)));
  std::fflush(stderr);
}

void Progress::update(double part) {
  const auto now = Clock::now();
  if (!shown_ || now < next_) return;
  next_ = now + interval;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double left = part > 0 ? seconds * (1 - part) / part : 0;
  const auto filled = static_cast<std::size_t>(part * bar_width);
  const std::string bar = fmt::format("{} [{:<{}}] {:3.0f} %, about {:.0f} s left", title_, std::string(filled, '#'),
                                      bar_width, 100 * part, left);
  to_stderr(fmt::format("\r{:<{}}", bar, drawn_));  // over all of the one before
  drawn_ = bar.size();
  std::fflush(stderr);
}

}  // namespace paika::apps
