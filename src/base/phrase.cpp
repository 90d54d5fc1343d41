#include "base/phrase.hpp"

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

}  // namespace

Phrase and_list(std::vector<Phrase> items) {
  return joined(std::move(items),
                [](Phrase row, Phrase item) { return phrase("{} and {}", std::move(row), std::move(item)); });
}

Phrase or_list(std::vector<Phrase> items) {
  return joined(std::move(items),
                [](Phrase row, Phrase item) { return phrase("{} or {}", std::move(row), std::move(item)); });
}

}  // namespace paika
