// Names: what may stand in a text by which people know something again, and what such a text looks like to them.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace paika {

/// True for characters that are not seen or change how others are shown: controls, directions, joiners, variation
/// selectors, fillers, tags, and what no font has (private use). Blanks are not among them.
[[nodiscard]] bool is_hidden(char32_t code) noexcept;
/// True for the space and its relatives of any width.
[[nodiscard]] bool is_blank(char32_t code) noexcept;
/// True for those hidden characters with which emoji and some scripts are written. In a sentence they do no harm.
[[nodiscard]] bool is_joiner(char32_t code) noexcept;

/// Nothing wrong with a name or title: UTF-8, no hidden character, no blank but the space, no accents on nothing or
/// piled up. Else what, and where. An empty text is fine.
[[nodiscard]] Result<void> check_title(std::string_view text);

/// What a name looks like at a glance: two names with the same look can be taken for each other. Case, accents,
/// blanks and punctuation do not count; l, I, 1 and i are one letter, and so are o and 0, rn and m, vv and w, and the
/// Greek, Cyrillic and full-width letters that look like Latin ones.
[[nodiscard]] std::string look_of(std::string_view name);

}  // namespace paika
