#include "base/phrase.hpp"

#include "base/text.hpp"

namespace paika {

namespace {

/// Items in a row, joined from the left: "{}, {}" until the last one, which `last` joins.
template <class Last>
Phrase joined(std::vector<Phrase> items, Last&& last) {
  if (items.empty()) return {};
  Phrase row = std::move(items.front());
  for (std::size_t i = 1; i < items.size(); ++i) {
    row = i + 1 == items.size() ? last(std::move(row), std::move(items[i]))
                                : phrase("{}, {}", std::move(row), std::move(items[i]));
  }
  return row;
}

std::vector<Phrase> as_they_are(std::span<const std::string> names) {
  std::vector<Phrase> items;
  for (const std::string& name : names) items.push_back(Phrase::verbatim(name));
  return items;
}

}  // namespace

Phrase and_list(std::vector<Phrase> items) {
  return joined(std::move(items),
                [](Phrase row, Phrase item) { return phrase("{} and {}", std::move(row), std::move(item)); });
}

Phrase or_list(std::vector<Phrase> items) {
  return joined(std::move(items),
                [](Phrase row, Phrase item) { return phrase("{} or {}", std::move(row), std::move(item)); });
}

Phrase and_names(std::span<const std::string> names) { return and_list(as_they_are(names)); }
Phrase or_names(std::span<const std::string> names) { return or_list(as_they_are(names)); }

Phrase char_phrase(char c) {
  if (c >= 0x20 && c < 0x7f) return Phrase::verbatim(fmt::format("'{}'", c));
  if (c == '\n') return phrase("a newline");
  return phrase("byte {}", static_cast<unsigned char>(c));
}

Phrase with_suggestion(const std::string& shown, std::string_view word, std::span<const std::string> candidates) {
  const auto meant = nearest(word, candidates);
  return meant ? phrase("{} (did you mean {}?)", shown, *meant) : Phrase::verbatim(shown);
}

}  // namespace paika
