// The progress bar as a terminal shows it.
#include "apps/progress.hpp"

#include <array>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <string>
#include <termios.h>
#include <thread>
#include <unistd.h>

namespace paika::apps {
namespace {

/// Makes stderr a terminal as long as it lives.
class Terminal {
 public:
  Terminal() : reader_(posix_openpt(O_RDWR | O_NOCTTY)), stderr_(dup(STDERR_FILENO)) {
    grantpt(reader_);
    unlockpt(reader_);
    const int terminal = open(ptsname(reader_), O_RDWR | O_NOCTTY);
    termios mode{};
    tcgetattr(terminal, &mode);
    cfmakeraw(&mode);
    tcsetattr(terminal, TCSANOW, &mode);
    dup2(terminal, STDERR_FILENO);
    close(terminal);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() {
    dup2(stderr_, STDERR_FILENO);
    close(stderr_);
    close(reader_);
  }

  /// The line that is shown after what has been written since the last time, without blanks at its end.
  std::string line() {
    std::array<char, 4096> bytes{};
    const ssize_t count = read(reader_, bytes.data(), bytes.size());
    for (ssize_t i = 0; i < count; ++i) {
      const char c = bytes[static_cast<std::size_t>(i)];
      if (c == '\r') {
        column_ = 0;
      } else {
        if (column_ == line_.size()) line_ += ' ';
        line_[column_++] = c;
      }
    }
    return line_.substr(0, line_.find_last_not_of(' ') + 1);
  }

 private:
  int reader_;
  int stderr_;
  std::string line_;
  std::size_t column_ = 0;
};

TEST(Progress, wipes_all_of_a_long_bar) {
  Terminal terminal;
  const std::string title = "solving abalone:4x5,captures=2,misere,freeze=initiator,must";
  Progress progress(title);
  ASSERT_TRUE(progress.shown());
  std::this_thread::sleep_for(std::chrono::milliseconds(750));  // sooner it shows nothing
  progress.update(0.5);
  const std::string bar = terminal.line();
  EXPECT_TRUE(bar.starts_with(title + " [###############               ]  50 %, about ")) << bar;
  EXPECT_GT(bar.size(), 80U);
  progress.wipe();
  EXPECT_EQ(terminal.line(), "");
}

}  // namespace
}  // namespace paika::apps
