// Protocol: what the engine protocols have in common: lines in, lines out, a search meanwhile.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "search/types.hpp"

namespace paika::play {

/// Longer input lines are not read; no position with the turns of a game comes near.
inline constexpr std::size_t max_protocol_line = std::size_t{1} << 20;

/// A move gets this much time even if a clock has none left: some move must be found.
inline constexpr Milliseconds min_move_time{10};

/// Writes one line (given without its end) where the peer reads it, at once.
using WriteLine = std::function<void(std::string_view)>;

/// The way out: lines from the search and from commands do not mix.
class Speaker {
 public:
  explicit Speaker(WriteLine write) : write_(std::move(write)) {}

  /// Says a line; line ends within it become blanks.
  void say(std::string line) {
    for (char& c : line) {
      if (c == '\n' || c == '\r') c = ' ';
    }
    const std::scoped_lock lock(mutex_);
    write_(line);
  }

 private:
  std::mutex mutex_;
  WriteLine write_;
};

class Protocol {
 public:
  Protocol() = default;
  Protocol(const Protocol&) = delete;
  Protocol& operator=(const Protocol&) = delete;
  virtual ~Protocol() = default;

  /// Obeys one line of input, whatever it holds; false if it was the last to be obeyed.
  [[nodiscard]] virtual bool handle(std::string_view line) = 0;
  /// Tells the peer that a line was too long to be read.
  virtual void refuse_long_line() = 0;
  /// Ends a search that is going on, with its answer. After that only the destructor is called.
  virtual void finish() = 0;
};

}  // namespace paika::play
