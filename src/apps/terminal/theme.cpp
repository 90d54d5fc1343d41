#include "apps/terminal/theme.hpp"

#include <array>
#include <cstdlib>

#include "base/text.hpp"

namespace paika::terminal {

namespace {

/// The colours of one thing: for 256 colours, and the nearest of eight (with bold for the bright ones).
struct Shade {
  short many = -1;
  short eight = -1;
  bool bright = false;
};

constexpr Shade plain{};
constexpr Shade black{16, 0, false};
constexpr Shade white{231, 7, true};
constexpr Shade grey{245, 7, false};
constexpr Shade dark_grey{240, 0, true};
constexpr Shade gold{220, 3, true};
constexpr Shade brown{137, 3, false};
constexpr Shade red{203, 1, true};
constexpr Shade green{78, 2, true};
constexpr Shade blue{75, 4, true};
constexpr Shade deep_blue{25, 4, false};
constexpr Shade deep_green{22, 2, false};
constexpr Shade deep_red{88, 1, false};
constexpr Shade violet{54, 5, false};
constexpr Shade slate{238, -1, false};
constexpr Shade orange{208, 3, true};
constexpr Shade deep_orange{130, 3, false};
constexpr Shade cyan{87, 6, true};

struct Colouring {
  Shade first, second, edge, line, special, title, warning, key, block;
  Shade last, target, hint, refused, chosen, cursor;  // backgrounds
};

constexpr Colouring colouring_of(ThemeName theme) noexcept {
  switch (theme) {
    case ThemeName::standard:
      return {gold,  blue,  grey,       dark_grey, green,    white,     red,  gold,
              brown, slate, deep_green, violet,    deep_red, deep_blue, white};
    case ThemeName::contrast:
      return {white, gold, white, grey, cyan, white, gold, white, grey, slate, black, black, black, black, white};
    case ThemeName::blue_orange: break;
  }
  return {orange, cyan,  grey,      dark_grey,   white,       white,     orange, white,
          grey,   slate, deep_blue, deep_orange, deep_orange, deep_blue, white};
}

constexpr Shade foreground_of(const Colouring& c, Look look) noexcept {
  switch (look) {
    case Look::first: return c.first;
    case Look::second: return c.second;
    case Look::edge: return c.edge;
    case Look::line: return c.line;
    case Look::special: return c.special;
    case Look::title: return c.title;
    case Look::warning: return c.warning;
    case Look::key: return c.key;
    case Look::block: return c.block;
    case Look::faint: return grey;
    case Look::text:
    case Look::empty: break;
  }
  return plain;
}

constexpr Shade background_of(const Colouring& c, Mark mark) noexcept {
  switch (mark) {
    case Mark::last: return c.last;
    case Mark::target: return c.target;
    case Mark::hint: return c.hint;
    case Mark::refused: return c.refused;
    case Mark::chosen: return c.chosen;
    case Mark::cursor: return c.cursor;
    case Mark::none: break;
  }
  return plain;
}

/// What holds with and without colours.
constexpr Style weight_of(Look look, Mark mark) noexcept {
  Style style;
  style.bold = look == Look::first || look == Look::title || look == Look::warning || look == Look::key ||
               mark == Mark::chosen || mark == Mark::hint;
  style.underlined = mark == Mark::refused;
  style.reversed = mark == Mark::cursor;
  return style;
}

constexpr short number_of(Shade shade, Colours colours) noexcept {
  if (colours == Colours::many) return shade.many;
  if (shade.eight < 0) return -1;
  const bool bright = colours == Colours::sixteen && shade.bright;
  return static_cast<short>(shade.eight + (bright ? 8 : 0));
}

}  // namespace

Colours colours_of(int count) noexcept {
  if (count >= 256) return Colours::many;
  if (count >= 16) return Colours::sixteen;
  return count >= 8 ? Colours::eight : Colours::none;
}

Style style_of(ThemeName theme, Colours colours, Look look, Mark mark) noexcept {
  Style style = weight_of(look, mark);
  if (colours == Colours::none) {
    style.faint = look == Look::faint || look == Look::line;
    return style;
  }
  const Colouring colouring = colouring_of(theme);
  const Shade front = foreground_of(colouring, look);
  style.foreground = number_of(front, colours);
  if (colours == Colours::eight && front.bright && front.eight != 0) style.bold = true;
  // Dark grey is bright black; where there is none, the terminal's own colour is the readable one.
  if (colours == Colours::eight && front.eight == 0) style.foreground = -1;
  // A reversed cursor is visible on every background; so is bold text where eight colours leave no choice.
  if (mark != Mark::none && mark != Mark::cursor && colours == Colours::many) {
    style.background = number_of(background_of(colouring, mark), colours);
  }
  return style;
}

const std::vector<std::string>& theme_words() {
  static const std::vector<std::string> words = {"standard", "contrast", "blue-orange"};
  return words;
}

Result<ThemeName> read_theme(std::string_view word) {
  constexpr std::array names = {ThemeName::standard, ThemeName::contrast, ThemeName::blue_orange};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (word == theme_words()[i]) return names[i];
  }
  return fail("there is no theme {}{}; the themes are {}", in_quotes(word), did_you_mean(word, theme_words()),
              listed(theme_words(), "and"));
}

bool colours_of_environment() {
  const char* value = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe): nothing here sets the environment
  return value == nullptr || *value == '\0';
}

}  // namespace paika::terminal
