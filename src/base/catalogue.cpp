#include "base/catalogue.hpp"

#include <algorithm>
#include <optional>

#include "base/data.hpp"
#include "base/text.hpp"

namespace paika {

namespace {

/// A hole at the front of `text`: how long it is, and which part it means (0: the next one).
struct Hole {
  std::size_t length = 0;
  std::size_t part = 0;
};

std::optional<Hole> hole_at(std::string_view text) {
  if (text.starts_with("{}")) return Hole{2, 0};
  if (text.size() >= 3 && text[0] == '{' && text[1] >= '1' && text[1] <= '9' && text[2] == '}') {
    return Hole{3, static_cast<std::size_t>(text[1] - '0')};
  }
  return std::nullopt;
}

/// The parts that the holes of a pattern mean, counted from 1, in order of the text.
Result<std::vector<std::size_t>> holes_of(std::string_view pattern) {
  std::vector<std::size_t> holes;
  for (std::size_t i = 0; i < pattern.size();) {
    if (pattern[i] != '{' && pattern[i] != '}') {
      ++i;
      continue;
    }
    const auto hole = hole_at(pattern.substr(i));
    if (!hole) return fail("braces are only for holes: {{}} or {{1}} to {{9}}");
    holes.push_back(hole->part == 0 ? holes.size() + 1 : hole->part);
    i += hole->length;
  }
  return holes;
}

std::string filled(std::string_view pattern, const std::vector<std::string>& parts) {
  std::string out;
  std::size_t next = 0;
  for (std::size_t i = 0; i < pattern.size();) {
    const auto hole = hole_at(pattern.substr(i));
    if (!hole) {
      out += pattern[i++];
      continue;
    }
    const std::size_t part = hole->part == 0 ? next++ : hole->part - 1;
    if (part < parts.size()) out += parts[part];
    i += hole->length;
  }
  return out;
}

/// Nothing if the translation fills its holes with the same parts, else what is wrong.
std::optional<std::string> mismatch(std::string_view english, std::string_view translation) {
  auto ours = holes_of(english);
  auto theirs = holes_of(translation);
  if (!ours) return ours.error().message;
  if (!theirs) return theirs.error().message;
  std::sort(theirs->begin(), theirs->end());
  if (*ours == *theirs) return std::nullopt;
  return fmt::format("the translation must have the same {} holes", ours->size());
}

}  // namespace

std::string Phrase::english() const { return Catalogue().say(*this); }

Result<Catalogue> Catalogue::read(std::string_view text) {
  Catalogue out;
  std::optional<std::string> english;
  int number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (trimmed(line).empty() || line.starts_with('#')) continue;
    if (!line.starts_with("= ")) {
      if (english)
        return fail("line {}: {} has no translation (a line that begins with \"= \")", number - 1, in_quotes(*english));
      english = std::string(trimmed(line));
      continue;
    }
    if (!english) return fail("line {}: a translation without its English line above it", number);
    const std::string_view translation = trimmed(line.substr(2));
    if (const auto wrong = mismatch(*english, translation)) return fail("line {}: {}", number, *wrong);
    if (out.has(*english)) return fail("line {}: {} is translated twice", number, in_quotes(*english));
    out.patterns_.emplace(std::move(*english), std::string(translation));
    english.reset();
  }
  if (english) return fail("{} at the end has no translation", in_quotes(*english));
  return out;
}

std::string Catalogue::say(const Phrase& phrase) const {
  if (!phrase.translatable()) return phrase.pattern();
  std::vector<std::string> parts;
  for (const Phrase& part : phrase.parts()) parts.push_back(say(part));
  const auto found = patterns_.find(phrase.pattern());
  return filled(found == patterns_.end() ? std::string_view(phrase.pattern()) : found->second, parts);
}

const std::vector<std::string>& languages() {
  static const std::vector<std::string> codes = {"en", "fr", "mg"};
  return codes;
}

Result<Catalogue> catalogue_of(std::string_view language) {
  const auto& codes = languages();
  if (std::find(codes.begin(), codes.end(), language) == codes.end()) {
    return fail("there is no language {}; the languages are {}", in_quotes(language), listed(codes, "and"));
  }
  if (language == codes.front()) return Catalogue();
  return Catalogue::read(data_file(fmt::format("{}.messages", language)));
}

std::string language_of_locale(std::string_view locale) {
  const std::string language = lowered(locale.substr(0, locale.find_first_of("_.@")));
  const auto& codes = languages();
  return std::find(codes.begin(), codes.end(), language) == codes.end() ? codes.front() : language;
}

}  // namespace paika
