#include "study/tree_commands.hpp"

#include <cmath>
#include <fmt/format.h>

#include "base/text.hpp"

namespace paika::study {

namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr std::int64_t max_hours = 100'000;
constexpr int max_score = 1'000'000'000;

/// "12.5" for 12,500,000 with six places: no zeros at the end.
std::string decimal(std::int64_t value, int places) {
  std::int64_t unit = 1;
  for (int i = 0; i < places; ++i) unit *= 10;
  std::string text = fmt::format("{}.{:0{}}", value / unit, value % unit, places);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

/// Reads digits with at most `places` after a point, as a whole number of the last place.
std::optional<std::int64_t> read_decimal(std::string_view text, int places, std::int64_t most) {
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string digits(text.substr(0, point));
  const std::string_view fraction = point < text.size() ? text.substr(point + 1) : std::string_view();
  if (digits.empty() || fraction.size() > static_cast<std::size_t>(places)) return std::nullopt;
  digits += fraction;
  digits.append(static_cast<std::size_t>(places) - fraction.size(), '0');
  const auto number = parse_int(digits);
  if (!number || *number < 0 || *number > most || digits.front() == '-') return std::nullopt;
  return number;
}

std::string clock_text(milliseconds left) {
  const std::int64_t ms = left.count();
  const std::int64_t seconds = ms / 1000;
  std::string text = fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  if (ms % 1000 != 0) text += decimal(ms % 1000, 3).substr(1);
  return text;
}

std::optional<milliseconds> read_clock(std::string_view text) {
  const auto parts = split(text, ':');
  if (parts.size() != 3) return std::nullopt;
  const auto hours = parse_int(parts[0]);
  const auto minutes = parse_int(parts[1]);
  const auto ms = read_decimal(parts[2], 3, 59'999);
  if (!hours || *hours < 0 || *hours > max_hours || !minutes || *minutes < 0 || *minutes > 59 || !ms) return {};
  return milliseconds((*hours * 60 + *minutes) * 60'000 + *ms);
}

void put_shape(std::string& out, const Coordinates& names, const Shape& shape) {
  const bool circle = shape.from == shape.to;
  out += fmt::format("[%{} {}", circle ? "circle" : "arrow", names.name(shape.from));
  if (!circle) out += " " + names.name(shape.to);
  if (shape.colour != ShapeColour::green) out += fmt::format(" {}", name(shape.colour));
  out += "] ";
}

/// Words with what would end them or begin a command marked by backslashes.
std::string escaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '}' || text[i] == '\\' || text.substr(i).starts_with("[%")) out += '\\';
    out += text[i];
  }
  return out;
}

/// One comment being read into a node.
class CommentReader {
 public:
  CommentReader(GameTree& tree, std::size_t node) : tree_(tree), node_(node) {}

  Result<void> read(std::string_view raw) {
    while (!raw.empty()) {
      const std::size_t end = raw.find(']');
      if (raw.starts_with("[%") && end != std::string_view::npos) {
        const auto known = command(raw.substr(2, end - 2));
        if (!known) return tl::unexpected(known.error());
        if (!*known) words_ += raw.substr(0, end + 1);
        raw.remove_prefix(end + 1);
        // A blank between two commands belongs to neither.
        if (*known && raw.starts_with(' ')) raw.remove_prefix(1);
        continue;
      }
      if (raw.front() == '\\' && raw.size() > 1) raw.remove_prefix(1);
      words_ += raw.front();
      raw.remove_prefix(1);
    }
    const std::string_view added = trimmed(words_);
    const std::string& before = tree_.node(node_).comment;
    std::string whole =
        before.empty() || added.empty() ? before + std::string(added) : fmt::format("{} {}", before, added);
    if (whole.size() > GameTree::max_comment) return fail("a comment may have at most {} bytes", GameTree::max_comment);
    tree_.set_comment(node_, whole);
    return {};
  }

 private:
  /// Obeys a command; false if it is not one of ours.
  Result<bool> command(std::string_view text) {
    const std::string_view whole = text;
    const std::string_view word = take_word(text);
    text = trimmed(text);
    const auto wrong = [&](std::string_view right) {
      return fail("{} must be {}", in_quotes(fmt::format("[%{}]", whole)), right);
    };
    if (word == "clock" || word == "clk") {
      const auto left = read_clock(text);
      if (!left) return wrong("[%clock HOURS:MINUTES:SECONDS]");
      tree_.set_clock(node_, left);
    } else if (word == "time") {
      constexpr std::int64_t most = 1'000'000'000'000;
      const auto time = read_decimal(text, 6, most);
      if (!time) return wrong("[%time SECONDS]");
      tree_.set_time(node_, microseconds(*time));
    } else if (word == "score") {
      return score(text) ? Result<bool>(true) : wrong("[%score HUNDREDTHS] or [%score HUNDREDTHS DEPTH]");
    } else if (word == "depth") {
      const auto depth = parse_int(text);
      if (!depth || *depth < 1 || *depth > max_score) return wrong("[%depth MOVES]");
      tree_.set_score(node_, tree_.node(node_).score, static_cast<int>(*depth));
    } else if (word == "arrow" || word == "circle") {
      return shape(word == "circle", text)
                 ? Result<bool>(true)
                 : wrong("[%arrow SQUARE SQUARE] or [%circle SQUARE], then red, blue, yellow or nothing");
    } else {
      return false;
    }
    return true;
  }

  bool score(std::string_view text) {
    const auto value = parse_int(take_word(text));
    const std::string_view more = trimmed(text);
    const auto depth = more.empty() ? std::optional<std::int64_t>(0) : parse_int(more);
    if (!value || std::abs(*value) > max_score || !depth || *depth < 0 || *depth > max_score) return false;
    tree_.set_score(node_, static_cast<int>(*value), static_cast<int>(*depth));
    return true;
  }

  bool shape(bool circle, std::string_view text) {
    const Coordinates& names = tree_.game().notation().coordinates();
    const auto square = [&]() -> std::optional<Square> {
      std::string_view word = take_word(text);
      const auto found = names.read(word);
      return word.empty() && found && names.contains(*found) ? found : std::nullopt;
    };
    const auto from = square();
    const auto to = circle ? from : square();
    const std::string_view colour_word = take_word(text);
    const auto colour = colour_word.empty() ? ShapeColour::green : colour_of(colour_word);
    if (!from || !to || !colour || !trimmed(text).empty() || (!circle && *from == *to)) return false;
    tree_.add_shape(node_, {*from, *to, *colour});
    return true;
  }

  GameTree& tree_;
  std::size_t node_;
  std::string words_;
};

}  // namespace

std::string comment_text(const Notation& notation, const TreeNode& node) {
  std::string out;
  if (node.clock) out += fmt::format("[%clock {}] ", clock_text(*node.clock));
  if (node.time) out += fmt::format("[%time {}] ", decimal(node.time->count(), 6));
  if (node.score) out += fmt::format("[%score {}", *node.score);
  if (node.score) out += node.depth > 0 ? fmt::format(" {}] ", node.depth) : "] ";
  if (!node.score && node.depth > 0) out += fmt::format("[%depth {}] ", node.depth);
  for (const Shape& shape : node.shapes) put_shape(out, notation.coordinates(), shape);
  out += escaped(node.comment);
  return std::string(trimmed(out));
}

Result<void> add_comment(GameTree& tree, std::size_t node, std::string_view raw) {
  return CommentReader(tree, node).read(raw);
}

}  // namespace paika::study
