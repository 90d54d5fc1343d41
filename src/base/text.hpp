// Small helpers for reading text that may be wrong, and for talking about it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace paika {

/// `text` in quotes, fit for an error message: control bytes and non-ASCII bytes escaped, cut after
/// `most` characters with a note of the full length. (A plain `quoted` would meet std::quoted.)
[[nodiscard]] std::string in_quotes(std::string_view text, std::size_t most = 40);

/// The whole of `text` as a decimal number: an optional minus, digits, nothing else, in range.
[[nodiscard]] std::optional<std::int64_t> parse_int(std::string_view text) noexcept;

/// What may stand between words: space, tab, CR and LF.
inline constexpr std::string_view blanks = " \t\r\n";

/// `text` without blanks at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text) noexcept;

/// Takes the next word between blanks off the front of `text`; empty if only blanks are left.
[[nodiscard]] std::string_view take_word(std::string_view& text) noexcept;

/// The pieces of `text` between occurrences of `separator`; always at least one piece.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

/// `text` with ASCII letters made lower case.
[[nodiscard]] std::string lowered(std::string_view text);
[[nodiscard]] constexpr char lowered(char c) noexcept { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }
[[nodiscard]] constexpr char raised(char c) noexcept { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; }
[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// "a, b or c"; "a"; "" for none.
[[nodiscard]] std::string listed(std::span<const std::string> items, std::string_view last = "or");

/// The candidate nearest to `word` by edit distance, if near enough to be what was meant.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

/// " (did you mean X?)" for the nearest candidate, to follow the bad word in a message; "" if none is near.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace paika
