// UTF-8: texts from outside taken apart into characters, whatever bytes they are made of.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace paika {

/// Takes the next character of UTF-8 off the front of `text`, which is not empty; a stray byte counts as one.
[[nodiscard]] std::string_view take_character(std::string_view& text);

/// The number of a character that take_character gave; nothing if its bytes are not UTF-8.
[[nodiscard]] std::optional<char32_t> code_of(std::string_view character);

/// True for signs that are never seen but change how others are shown: joiners, directions, variants.
[[nodiscard]] bool is_invisible(char32_t code) noexcept;

/// What a program that is not ours wrote, fit for a person's terminal: lines of UTF-8 and tabs. Escape sequences, other
/// control characters and changes of direction are left out, carriage returns end a line, stray bytes become U+FFFD.
[[nodiscard]] std::string plain_text(std::string_view text);

}  // namespace paika
