#include "apps/terminal/characters.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace paika::terminal {

namespace {

struct Range {
  char32_t first;
  char32_t last;
};

/// East Asian Wide and Fullwidth of Unicode 14, which takes in the emoji; gaps without characters are closed.
constexpr std::array wide_ranges = std::to_array<Range>(
    {{0x1100, 0x115f},   {0x231a, 0x231b},   {0x2329, 0x232a},   {0x23e9, 0x23ec},   {0x23f0, 0x23f0},
     {0x23f3, 0x23f3},   {0x25fd, 0x25fe},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267f, 0x267f},
     {0x2693, 0x2693},   {0x26a1, 0x26a1},   {0x26aa, 0x26ab},   {0x26bd, 0x26be},   {0x26c4, 0x26c5},
     {0x26ce, 0x26ce},   {0x26d4, 0x26d4},   {0x26ea, 0x26ea},   {0x26f2, 0x26f3},   {0x26f5, 0x26f5},
     {0x26fa, 0x26fa},   {0x26fd, 0x26fd},   {0x2705, 0x2705},   {0x270a, 0x270b},   {0x2728, 0x2728},
     {0x274c, 0x274c},   {0x274e, 0x274e},   {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},
     {0x27b0, 0x27b0},   {0x27bf, 0x27bf},   {0x2b1b, 0x2b1c},   {0x2b50, 0x2b50},   {0x2b55, 0x2b55},
     {0x2e80, 0x3029},   {0x302e, 0x303e},   {0x3041, 0x3096},   {0x309b, 0xa4c6},   {0xa960, 0xa97c},
     {0xac00, 0xd7a3},   {0xf900, 0xfad9},   {0xfe10, 0xfe19},   {0xfe30, 0xfe6b},   {0xff01, 0xff60},
     {0xffe0, 0xffe6},   {0x16fe0, 0x16fe3}, {0x16ff0, 0x1b2fb}, {0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf},
     {0x1f18e, 0x1f18e}, {0x1f191, 0x1f19a}, {0x1f200, 0x1f320}, {0x1f32d, 0x1f335}, {0x1f337, 0x1f37c},
     {0x1f37e, 0x1f393}, {0x1f3a0, 0x1f3ca}, {0x1f3cf, 0x1f3d3}, {0x1f3e0, 0x1f3f0}, {0x1f3f4, 0x1f3f4},
     {0x1f3f8, 0x1f43e}, {0x1f440, 0x1f440}, {0x1f442, 0x1f4fc}, {0x1f4ff, 0x1f53d}, {0x1f54b, 0x1f54e},
     {0x1f550, 0x1f567}, {0x1f57a, 0x1f57a}, {0x1f595, 0x1f596}, {0x1f5a4, 0x1f5a4}, {0x1f5fb, 0x1f64f},
     {0x1f680, 0x1f6c5}, {0x1f6cc, 0x1f6cc}, {0x1f6d0, 0x1f6d2}, {0x1f6d5, 0x1f6df}, {0x1f6eb, 0x1f6ec},
     {0x1f6f4, 0x1f6fc}, {0x1f7e0, 0x1f7f0}, {0x1f90c, 0x1f93a}, {0x1f93c, 0x1f945}, {0x1f947, 0x1f9ff},
     {0x1fa70, 0x1faf6}, {0x20000, 0x3134a}});

/// Marks that combine with the character before: those of the scripts that are written most.
constexpr std::array mark_ranges = std::to_array<Range>(
    {{0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x5bf, 0x5bf},   {0x5c1, 0x5c2},   {0x5c4, 0x5c5},
     {0x5c7, 0x5c7},   {0x610, 0x61a},   {0x64b, 0x65f},   {0x670, 0x670},   {0x6d6, 0x6dc},   {0x6df, 0x6e4},
     {0x6e7, 0x6e8},   {0x6ea, 0x6ed},   {0x93a, 0x93a},   {0x93c, 0x93c},   {0x941, 0x948},   {0x94d, 0x94d},
     {0x951, 0x957},   {0x962, 0x963},   {0xe31, 0xe31},   {0xe34, 0xe3a},   {0xe47, 0xe4e},   {0x1160, 0x11ff},
     {0x1ab0, 0x1ace}, {0x1dc0, 0x1dff}, {0x20d0, 0x20f0}, {0x302a, 0x302d}, {0x3099, 0x309a}, {0xfe20, 0xfe2f}});

bool within(std::span<const Range> ranges, char32_t code) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), code,
                                      [](char32_t c, const Range& range) { return c < range.first; });
  return after != ranges.begin() && code <= std::prev(after)->last;
}

/// The letters from U+00C0 to U+017F without their accents; '?' where there is more than one letter, or none.
constexpr std::string_view latin =
    "AAAAAA?CEEEEIIIIDNOOOOOxOUUUUY??aaaaaa?ceeeeiiiidnooooo/ouuuuy?y"
    "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIi??JjKkkLlLlLlLlLlNnNnNnnNnOoOoOo??"
    "RrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";
constexpr char32_t latin_begin = 0xc0;
static_assert(latin.size() == 0x180 - latin_begin);

struct Spelling {
  char32_t code;
  std::string_view ascii;
};

/// What is not one letter.
constexpr std::array spellings = std::to_array<Spelling>(
    {{0xa0, " "},   {0xab, "\""},  {0xb7, "."},    {0xbb, "\""},   {0xbd, "1/2"},  {0xc6, "AE"},  {0xde, "Th"},
     {0xdf, "ss"},  {0xe6, "ae"},  {0xfe, "th"},   {0x132, "IJ"},  {0x133, "ij"},  {0x152, "OE"}, {0x153, "oe"},
     {0x2010, "-"}, {0x2011, "-"}, {0x2012, "-"},  {0x2013, "-"},  {0x2014, "-"},  {0x2015, "-"}, {0x2018, "'"},
     {0x2019, "'"}, {0x201a, "'"}, {0x201c, "\""}, {0x201d, "\""}, {0x201e, "\""}, {0x2022, "*"}, {0x2026, "..."},
     {0x202f, " "}, {0x2039, "<"}, {0x203a, ">"},  {0x2212, "-"},  {0x2264, "<="}});

}  // namespace

int columns_of(std::string_view character) {
  const auto code = code_of(character);
  if (!code || *code < 0x300) return 1;
  if (is_invisible(*code) || within(mark_ranges, *code)) return 0;
  return within(wide_ranges, *code) ? 2 : 1;
}

int width_of(std::string_view text) {
  int width = 0;
  while (!text.empty()) width += columns_of(take_character(text));
  return width;
}

std::string ascii_of(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view character = take_character(text);
    const auto code = code_of(character);
    const auto* const spelt =
        std::find_if(spellings.begin(), spellings.end(), [&](const Spelling& s) { return code == s.code; });
    if (code && *code < 0x80) {
      out += character;
    } else if (spelt != spellings.end()) {
      out += spelt->ascii;
    } else if (code && *code >= latin_begin && *code - latin_begin < latin.size()) {
      out += latin[*code - latin_begin];
    } else if (columns_of(character) > 0) {
      out += '?';
    }
  }
  return out;
}

}  // namespace paika::terminal
