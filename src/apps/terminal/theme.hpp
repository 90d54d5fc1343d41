// Theme: the colours and the weight of what is on the screen, for terminals of any number of colours.
//
// No meaning depends on a theme: pieces differ by their signs and marks by the brackets of a picture too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/terminal/picture.hpp"
#include "base/result.hpp"

namespace paika::terminal {

enum class ThemeName : unsigned char {
  standard,
  contrast,    // black, white and bright colours only
  blue_orange  // nothing is told by red against green
};

/// How many colours a terminal has.
enum class Colours : unsigned char { none, eight, sixteen, many };

/// What the terminal's colour number `count` (as terminfo tells it) allows.
[[nodiscard]] Colours colours_of(int count) noexcept;

struct Style {
  // Numbers of the terminal's colours, or -1 for its own.
  short foreground = -1;
  short background = -1;
  bool bold = false;
  bool faint = false;
  bool underlined = false;
  bool reversed = false;

  friend constexpr bool operator==(const Style&, const Style&) = default;
};

/// The style of what is on the screen. Without colours only weight, underlining and reversing are used.
[[nodiscard]] Style style_of(ThemeName theme, Colours colours, Look look, Mark mark) noexcept;

/// The words for --theme: "standard", "contrast", "blue-orange".
[[nodiscard]] const std::vector<std::string>& theme_words();
/// Reads a word for --theme; an error lists them.
[[nodiscard]] Result<ThemeName> read_theme(std::string_view word);

/// True if the environment does not forbid colours: NO_COLOR is unset or empty.
[[nodiscard]] bool colours_of_environment();

}  // namespace paika::terminal
