#include "base/names.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <span>

#include "base/text.hpp"
#include "base/utf8.hpp"

namespace paika {

namespace {

struct Range {
  char32_t first;
  char32_t last;
};

bool is_in(std::span<const Range> ranges, char32_t code) noexcept {
  return std::any_of(ranges.begin(), ranges.end(), [&](Range r) { return code >= r.first && code <= r.last; });
}

// Unicode 15: the categories Cc, Cf, Zl, Zp, Co and Cs, everything that is default-ignorable, and three letters that
// are drawn as nothing (the fillers of Hangul and the empty pattern of Braille).
constexpr std::array<Range, 31> hidden = {{
    {0x0000, 0x001f},    {0x007f, 0x009f},   {0x00ad, 0x00ad},   {0x034f, 0x034f},   {0x0600, 0x0605},
    {0x061c, 0x061c},    {0x06dd, 0x06dd},   {0x070f, 0x070f},   {0x0890, 0x0891},   {0x08e2, 0x08e2},
    {0x115f, 0x1160},    {0x17b4, 0x17b5},   {0x180b, 0x180f},   {0x200b, 0x200f},   {0x2028, 0x202e},
    {0x2060, 0x206f},    {0x2800, 0x2800},   {0x3164, 0x3164},   {0xd800, 0xf8ff},   {0xfdd0, 0xfdef},
    {0xfe00, 0xfe0f},    {0xfeff, 0xfeff},   {0xffa0, 0xffa0},   {0xfff0, 0xfffb},   {0xfffe, 0xffff},
    {0x110bd, 0x110bd},  {0x110cd, 0x110cd}, {0x13430, 0x1343f}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a},
    {0xe0000, 0x10ffff},
}};

/// Blanks, of which the first is the space.
constexpr std::array<Range, 7> blank = {{{0x0020, 0x0020},
                                         {0x00a0, 0x00a0},
                                         {0x1680, 0x1680},
                                         {0x2000, 0x200a},
                                         {0x202f, 0x202f},
                                         {0x205f, 0x205f},
                                         {0x3000, 0x3000}}};

constexpr std::array<Range, 3> joiners = {{{0x200c, 0x200d}, {0xfe00, 0xfe0f}, {0xe0020, 0xe007f}}};

/// Marks that stand on the letter before them, whatever script that is of.
constexpr std::array<Range, 5> accents = {
    {{0x0300, 0x036f}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0xfe20, 0xfe2f}}};
constexpr int max_accents = 2;  // on one letter; Vietnamese needs so many

// Letters that are taken for ASCII ones: accented Latin, Greek and Cyrillic ones.
constexpr std::u32string_view lookalikes =
    U"ÀÁÂÃÄÅàáâãäåÇçÈÉÊËèéêëÌÍÎÏìíîïıÑñÒÓÔÕÖØòóôõöøÙÚÛÜùúûüÝýÿŠšŽž"
    U"ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαεικνορτυχϲ"
    U"АВЕКМНОРСТУХЅІЈЁЇаеорсухѕіјёїкт";
constexpr std::string_view taken_for =
    "aaaaaaaaaaaacceeeeeeeeiiiiiiiiinnoooooooooooouuuuuuuuyyysszz"
    "abezhikmnoptyxaeikvoptuxc"
    "abekmhopctyxsijeiaeopcyxsijeikt";
static_assert(lookalikes.size() == taken_for.size());
constexpr Range full_width = {0xff01, 0xff5e};

/// The ASCII character for which one can be taken; nothing if for none.
std::optional<char> ascii_of(char32_t code) {
  if (code < 0x80) return static_cast<char>(code);
  if (code >= full_width.first && code <= full_width.last) return static_cast<char>(code - full_width.first + '!');
  const std::size_t at = lookalikes.find(code);
  return at == std::u32string_view::npos ? std::nullopt : std::optional(taken_for[at]);
}

/// Two letters become the one that they look like.
void join_letters(std::string& text, std::string_view two, char one) {
  for (std::size_t at = text.find(two); at != std::string::npos; at = text.find(two, at + 1)) {
    text[at] = one;
    text.erase(at + 1, 1);
  }
}

}  // namespace

bool is_hidden(char32_t code) noexcept { return is_in(hidden, code); }

bool is_blank(char32_t code) noexcept { return is_in(blank, code); }

bool is_joiner(char32_t code) noexcept { return is_in(joiners, code); }

Result<void> check_title(std::string_view text) {
  int marks = max_accents;  // at the beginning there is nothing for one to stand on
  int number = 0;
  for (std::string_view rest = text; !rest.empty();) {
    ++number;
    const auto code = code_of(take_character(rest));
    if (!code) return fail("character {} is not UTF-8", number);
    if (is_hidden(*code) || (is_blank(*code) && *code != ' ')) {
      return fail("character {} (U+{:04X}) cannot be seen or changes how the others are shown; leave it out", number,
                  static_cast<unsigned>(*code));
    }
    marks = is_in(accents, *code) ? marks + 1 : *code == ' ' ? max_accents : 0;
    if (marks > max_accents) {
      return fail("character {} (U+{:04X}) is an accent with no letter of its own; leave it out", number,
                  static_cast<unsigned>(*code));
    }
  }
  return {};
}

std::string look_of(std::string_view name) {
  std::string look;
  while (!name.empty()) {
    const std::string_view character = take_character(name);
    const auto code = code_of(character);
    if (code && (is_in(accents, *code) || is_hidden(*code) || is_blank(*code))) continue;
    const auto ascii = code ? ascii_of(*code) : std::nullopt;
    if (!ascii) {
      look += character;
      continue;
    }
    const char letter = lowered(*ascii);
    if (letter == 'i' || letter == '1' || letter == '|' || letter == '!') {
      look += 'l';
    } else if (letter == '0') {
      look += 'o';
    } else if ((letter >= 'a' && letter <= 'z') || is_digit(letter)) {
      look += letter;
    }
  }
  join_letters(look, "rn", 'm');
  join_letters(look, "vv", 'w');
  return look;
}

}  // namespace paika
