// Phrase: a sentence that can be said in several languages: its English form with holes, and what fills them.
//
// Code writes English, once, where the sentence belongs: phrase("there is no stone on {}", name). A
// Catalogue (base/catalogue.hpp) says it in another language; without one it is said in English. Texts
// meant for people on a screen are phrases, errors (base/result.hpp) that players meet there too; the command
// line and JSON stay English.
// tools/check_messages.py finds every phrase("…") and translatable("…") in src and holds the files
// of po/ to them, so the literal stands right there in the call.
#pragma once

#include <concepts>
#include <cstddef>
#include <fmt/format.h>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace paika {

class Phrase {
 public:
  /// Says nothing.
  Phrase() = default;
  /// Text that is the same in every language: names of squares, numbers, what somebody typed.
  [[nodiscard]] static Phrase verbatim(std::string text) { return Phrase(std::move(text), {}, false); }

  /// The sentence with its holes; for verbatim text the text itself.
  [[nodiscard]] const std::string& pattern() const noexcept { return pattern_; }
  /// What fills the holes, in order.
  [[nodiscard]] const std::vector<Phrase>& parts() const noexcept { return parts_; }
  [[nodiscard]] bool translatable() const noexcept { return translatable_; }
  [[nodiscard]] bool empty() const noexcept { return pattern_.empty(); }
  [[nodiscard]] std::string english() const;

  friend bool operator==(const Phrase&, const Phrase&) = default;

 private:
  template <class... Parts>
  friend Phrase phrase_of(std::string_view pattern, Parts&&... parts);

  Phrase(std::string pattern, std::vector<Phrase> parts, bool translatable)
      : pattern_(std::move(pattern)), parts_(std::move(parts)), translatable_(translatable) {}

  template <class Part>
  static Phrase part_of(Part&& part) {
    if constexpr (std::same_as<std::remove_cvref_t<Part>, Phrase>) {
      return std::forward<Part>(part);
    } else {
      return verbatim(fmt::format("{}", std::forward<Part>(part)));
    }
  }

  std::string pattern_;
  std::vector<Phrase> parts_;
  bool translatable_ = false;
};

/// How many holes "{}" a pattern has; no program for the compiler if a brace is anything else.
[[nodiscard]] consteval std::size_t count_holes(std::string_view pattern) {
  std::size_t holes = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '{' && pattern[i] != '}') continue;
    if (pattern[i] != '{' || i + 1 == pattern.size() || pattern[i + 1] != '}') throw "a hole is written {}";
    ++holes;
    ++i;
  }
  return holes;
}

/// A pattern whose number of holes "{}" was checked by the compiler.
template <class... Parts>
struct PhrasePattern {
  // NOLINTNEXTLINE(google-explicit-constructor): a literal becomes a pattern without a word
  consteval PhrasePattern(const char* text) : pattern(text) {
    if (count_holes(pattern) != sizeof...(Parts)) throw "as many holes {} as parts are needed";
  }
  std::string_view pattern;
};

/// A pattern in a table (names of players, kinds of pieces) that phrase_of makes a phrase later.
template <std::size_t Holes = 0>
[[nodiscard]] consteval const char* translatable(const char* text) {
  if (count_holes(text) != Holes) throw "as many holes {} as told are needed";
  return text;
}

/// The phrase of a pattern that was marked translatable. Requires as many parts as it has holes.
template <class... Parts>
[[nodiscard]] Phrase phrase_of(std::string_view pattern, Parts&&... parts) {
  std::vector<Phrase> filled;
  filled.reserve(sizeof...(Parts));
  (filled.push_back(Phrase::part_of(std::forward<Parts>(parts))), ...);
  return Phrase(std::string(pattern), std::move(filled), true);
}

/// A sentence with parts; a part may be a phrase itself ("{} can play" with phrase("White")).
template <class... Parts>
[[nodiscard]] Phrase phrase(PhrasePattern<std::type_identity_t<Parts>...> pattern, Parts&&... parts) {
  return phrase_of(pattern.pattern, std::forward<Parts>(parts)...);
}

/// "a, b and c"; "a"; nothing for none.
[[nodiscard]] Phrase and_list(std::vector<Phrase> items);
/// "a, b or c"; "a"; nothing for none.
[[nodiscard]] Phrase or_list(std::vector<Phrase> items);
/// The same for names that every language has.
[[nodiscard]] Phrase and_names(std::span<const std::string> names);
[[nodiscard]] Phrase or_names(std::span<const std::string> names);

/// A character for a sentence about it: 'x', or what it is where it cannot be shown.
[[nodiscard]] Phrase char_phrase(char c);

/// A bad word as it is `shown`, and behind it the candidate that may have been meant, if one is near.
[[nodiscard]] Phrase with_suggestion(const std::string& shown, std::string_view word,
                                     std::span<const std::string> candidates);

}  // namespace paika
