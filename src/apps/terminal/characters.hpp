// Characters: how many columns texts in UTF-8 fill, and what they become in plain ASCII.
//
// Names of players and files come from outside and may be in any script. The tables are our own: the C library
// knows widths only after a locale was chosen, and not every machine has the same ones.
#pragma once

#include <string>
#include <string_view>

#include "base/utf8.hpp"

namespace paika::terminal {

/// How many columns a character fills: 2 for the wide ones of East Asia and for emoji, 0 for marks that combine
/// with the character before and for invisible signs, else 1, also for what is shown as '?'.
[[nodiscard]] int columns_of(std::string_view character);

/// How many columns a text fills.
[[nodiscard]] int width_of(std::string_view text);

/// The text in ASCII: letters without their accents, quotes and dashes as people type them, '?' for the rest.
[[nodiscard]] std::string ascii_of(std::string_view text);

}  // namespace paika::terminal
