#include "study/split_games.hpp"

#include "base/text.hpp"

namespace paika::study {

namespace {

/// Cuts a text into parts at the places where games begin.
class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  /// A game begins at this byte of this line.
  void cut(std::size_t at, std::size_t line) {
    if (started_) put(at);
    begin_ = started_ ? at : 0;
    line_ = started_ ? line : 1;
    started_ = true;
  }
  [[nodiscard]] std::vector<GameText> finish() {
    put(text_.size());
    return std::move(parts_);
  }

 private:
  void put(std::size_t end) {
    const std::string_view part = text_.substr(begin_, end - begin_);
    if (!trimmed(part).empty()) parts_.push_back({part, line_});
  }

  std::string_view text_;
  std::size_t begin_ = 0;
  std::size_t line_ = 1;
  bool started_ = false;
  std::vector<GameText> parts_;
};

/// Calls visit(line, its first byte, its number) for each line.
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    visit(text.substr(at, end - at), at, ++number);
    at = end + 1;
  }
}

/// Whether a comment is open after the line.
bool comment_after(std::string_view line, bool open) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (open && line[i] == '\\') {
      ++i;
    } else if (open) {
      open = line[i] != '}';
    } else if (line[i] == ';') {
      return false;  // a remark up to the end of the line
    } else {
      open = line[i] == '{';
    }
  }
  return open;
}

}  // namespace

std::vector<GameText> split_trees(std::string_view text) {
  Splitter splitter(text);
  bool in_comment = false;
  bool in_tags = false;
  for_each_line(text, [&](std::string_view line, std::size_t at, std::size_t number) {
    const std::string_view words = trimmed(line);
    const bool tag = !in_comment && words.starts_with('[');
    if (tag && !in_tags) splitter.cut(at, number);
    if (tag || !words.empty()) in_tags = tag;
    if (!tag) in_comment = comment_after(line, in_comment);
  });
  return splitter.finish();
}

std::vector<GameText> split_at_lines(std::string_view text, std::string_view word) {
  Splitter splitter(text);
  for_each_line(text, [&](std::string_view line, std::size_t at, std::size_t number) {
    if (trimmed(line).starts_with(word)) splitter.cut(at, number);
  });
  return splitter.finish();
}

std::vector<GameText> split_ggf(std::string_view text) {
  Splitter splitter(text);
  std::size_t line = 1;
  bool in_value = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (c == '\\') {
      ++i;
    } else if (c == '[' || c == ']') {
      in_value = c == '[';
    } else if (!in_value && c == '(' && i + 1 < text.size() && text[i + 1] == ';') {
      splitter.cut(i, line);
    }
  }
  return splitter.finish();
}

std::vector<GameText> split_at_empty_lines(std::string_view text) {
  Splitter splitter(text);
  bool between = true;
  for_each_line(text, [&](std::string_view line, std::size_t at, std::size_t number) {
    const bool empty = trimmed(line).empty();
    if (!empty && between) splitter.cut(at, number);
    between = empty;
  });
  return splitter.finish();
}

}  // namespace paika::study
