// LineBuffer: bytes in as they arrive, whole lines out; a line of any length is survived.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace paika::play {

class LineBuffer {
 public:
  struct Line {
    std::string text;       // without its end (LF or CR LF)
    bool too_long = false;  // then the text is only its beginning
  };

  /// Lines longer than `most` bytes are cut: no more than that is kept of any line.
  explicit LineBuffer(std::size_t most) : max_(most) {}

  void add(std::string_view bytes) { bytes_ += bytes; }

  /// The next whole line; nothing if none has arrived.
  [[nodiscard]] std::optional<Line> next() {
    const std::string_view left = std::string_view(bytes_).substr(at_);
    const auto end = left.find('\n');
    keep(left.substr(0, end));
    if (end == std::string_view::npos) {
      bytes_.clear();
      at_ = 0;
      return std::nullopt;
    }
    at_ += end + 1;
    return take();
  }

  /// What has arrived of a last line without an end; nothing if there is none.
  [[nodiscard]] std::optional<Line> rest() {
    if (line_.text.empty()) return std::nullopt;
    return take();
  }

 private:
  void keep(std::string_view part) {
    const std::size_t room = max_ - line_.text.size();
    line_.text += part.substr(0, room);
    line_.too_long = line_.too_long || part.size() > room;
  }

  [[nodiscard]] Line take() {
    Line line = std::move(line_);
    line_ = {};
    if (!line.too_long && !line.text.empty() && line.text.back() == '\r') line.text.pop_back();
    return line;
  }

  std::size_t max_;
  std::string bytes_;   // arrived
  std::size_t at_ = 0;  // how many of them have been looked at
  Line line_;           // the beginning of the line that is arriving
};

}  // namespace paika::play
