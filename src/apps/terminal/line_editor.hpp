// LineEditor: a line that is being typed, with a caret and the lines typed before.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/terminal/curses.hpp"

namespace paika::terminal {

class LineEditor {
 public:
  /// Longer lines are not taken from a keyboard.
  static constexpr std::size_t max_bytes = 4096;

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  /// Bytes before the caret.
  [[nodiscard]] std::size_t caret() const noexcept { return caret_; }

  /// Obeys a key; false if it means nothing here (Enter and Escape are the screen's business).
  bool take(const Key& key);
  /// The line, which is then empty; kept for up and down unless it is blank.
  std::string finish();
  void clear();

 private:
  void step_left();
  void step_right();
  void recall(std::size_t index);

  std::string text_;
  std::size_t caret_ = 0;
  std::vector<std::string> before_;
  std::size_t recalled_ = 0;  // before_.size(): the new line
};

}  // namespace paika::terminal
