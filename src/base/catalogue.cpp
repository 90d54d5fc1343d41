#include "base/catalogue.hpp"

#include <algorithm>
#include <optional>

#include "base/data.hpp"
#include "base/text.hpp"

namespace paika {

namespace {

/// A hole at the front of `text`: how long it is, and which part it means (none: the next one).
struct Hole {
  std::size_t length = 0;
  std::optional<std::size_t> part;
};

std::optional<Hole> hole_at(std::string_view text) {
  if (text.starts_with("{}")) return Hole{2, std::nullopt};
  if (text.size() >= 3 && text[0] == '{' && text[1] >= '0' && text[1] <= '9' && text[2] == '}') {
    return Hole{3, static_cast<std::size_t>(text[1] - '0')};
  }
  return std::nullopt;
}

/// The parts that the holes of a pattern mean, counted from 0, in order of the text.
Result<std::vector<std::size_t>> holes_of(std::string_view pattern) {
  std::vector<std::size_t> holes;
  for (std::size_t i = 0; i < pattern.size();) {
    if (pattern[i] != '{' && pattern[i] != '}') {
      ++i;
      continue;
    }
    const auto hole = hole_at(pattern.substr(i));
    if (!hole) return fail("braces are only for holes: {{}} or {{0}} to {{9}}");
    holes.push_back(hole->part.value_or(holes.size()));
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
    const std::size_t part = hole->part ? *hole->part : next++;
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

/// What stands between the quotes of a line, its escapes undone.
Result<std::string> unquoted(std::string_view text) {
  if (text.size() < 2 || !text.starts_with('"') || !text.ends_with('"')) return fail("a text stands in quotes");
  text = text.substr(1, text.size() - 2);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') return fail("a quote inside quotes is written \\\"");
    const bool is_escape = text[i] == '\\';
    if (is_escape && ++i == text.size()) return fail("a backslash stands before the last quote");
    out += is_escape && text[i] == 'n' ? '\n' : text[i];
  }
  return out;
}

/// An entry of a .po file.
struct Message {
  int line = 0;
  std::string english;
  std::string translation;  // empty: not translated yet
  bool has_translation = false;
};

/// The entries of a .po file as they stand there, the header among them.
Result<std::vector<Message>> messages_of(std::string_view text) {
  std::vector<Message> messages;
  int number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (trimmed(line).empty() || line.starts_with('#')) continue;
    const bool is_english = line.starts_with("msgid ");
    const bool is_translation = line.starts_with("msgstr ");
    if (is_english) messages.emplace_back().line = number;
    if (messages.empty() || !(is_english || is_translation || line.starts_with('"'))) {
      return fail("line {}: a line begins with msgid, msgstr or a quote, and msgid comes first", number);
    }
    Message& message = messages.back();
    if (is_translation) message.has_translation = true;
    const auto part = unquoted(trimmed(line.substr(is_english || is_translation ? line.find(' ') : 0)));
    if (!part) return fail("line {}: {}", number, part.error().message);
    (message.has_translation ? message.translation : message.english) += *part;
  }
  return messages;
}

constexpr std::string_view file_ending = ".po";

std::vector<std::string> built_in_languages() {
  std::vector<std::string> codes = {"en"};
  for (const std::string_view name : data_names()) {
    if (name.ends_with(file_ending)) codes.emplace_back(name.substr(0, name.size() - file_ending.size()));
  }
  return codes;
}

}  // namespace

std::string Phrase::english() const { return Catalogue().say(*this); }

Result<Catalogue> Catalogue::read(std::string_view text) {
  auto messages = messages_of(text);
  if (!messages) return tl::unexpected(messages.error());
  Catalogue out;
  for (Message& message : *messages) {
    if (!message.has_translation) return fail("line {}: {} has no msgstr", message.line, in_quotes(message.english));
    if (message.english.empty() || message.translation.empty()) continue;
    if (const auto wrong = mismatch(message.english, message.translation)) {
      return fail("line {}: {}", message.line, *wrong);
    }
    if (out.has(message.english)) {
      return fail("line {}: {} is translated twice", message.line, in_quotes(message.english));
    }
    out.patterns_.emplace(std::move(message.english), std::move(message.translation));
  }
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
  static const std::vector<std::string> codes = built_in_languages();
  return codes;
}

Result<Catalogue> catalogue_of(std::string_view language) {
  const auto& codes = languages();
  if (std::find(codes.begin(), codes.end(), language) == codes.end()) {
    return fail("there is no language {}; the languages are {}", in_quotes(language), listed(codes, "and"));
  }
  if (language == codes.front()) return Catalogue();
  return Catalogue::read(data_file(fmt::format("{}{}", language, file_ending)));
}

std::string language_of_locale(std::string_view locale) {
  const std::string language = lowered(locale.substr(0, locale.find_first_of("_.@")));
  const auto& codes = languages();
  return std::find(codes.begin(), codes.end(), language) == codes.end() ? codes.front() : language;
}

}  // namespace paika
