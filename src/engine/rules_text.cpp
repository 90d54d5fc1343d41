#include "engine/rules_text.hpp"

#include <fmt/format.h>

#include "base/data.hpp"
#include "base/text.hpp"

namespace paika {

namespace {

constexpr std::string_view section_mark = "## ";
constexpr std::string_view clause_mark = "**";

/// Takes the first line off a text.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

/// The number with which a line begins a section or a clause; empty if it begins none.
std::string_view number_of(std::string_view line) {
  const std::string_view mark = line.starts_with(section_mark) ? section_mark : clause_mark;
  if (!line.starts_with(mark)) return {};
  line.remove_prefix(mark.size());
  const std::size_t end = line.find_first_not_of("0123456789.");
  return line.substr(0, end);
}

}  // namespace

std::optional<RulesText> rules_in(std::string_view game, std::string_view language) {
  if (const auto own = data_file(fmt::format("rules/{}/{}.md", language, game)); !own.empty()) {
    return RulesText{own, std::string(language)};
  }
  const auto english = data_file(fmt::format("rules/{}.md", game));
  if (english.empty()) return std::nullopt;
  return RulesText{english, "en"};
}

std::vector<std::string> section_titles(std::string_view markdown) {
  std::vector<std::string> titles;
  while (!markdown.empty()) {
    const std::string_view line = take_line(markdown);
    if (line.starts_with(section_mark)) titles.emplace_back(line.substr(section_mark.size()));
  }
  return titles;
}

std::string clause_text(std::string_view markdown, std::string_view number) {
  const bool section = number.find('.') == std::string_view::npos;
  std::string text;
  bool inside = false;
  while (!markdown.empty()) {
    const std::string_view line = take_line(markdown);
    const std::string_view begins = number_of(line);
    const bool new_section = line.starts_with(section_mark);
    // A section goes on to the next section; a clause to whatever begins with a number.
    if (new_section || (!section && !begins.empty())) inside = !begins.empty() && begins == number;
    if (inside) text.append(line).append("\n");
  }
  return std::string(trimmed(text));
}

}  // namespace paika
