// Catalogue: what phrases are called in one language, read from a GNU gettext .po file.
//
// Each entry has the English pattern as it stands in the source (msgid) and its translation (msgstr). Holes are
// written {}, or {0}, {1} where the language orders the parts differently. Contexts and plurals are not used. The files
// of po/ are built in without their comments; the page gets the same catalogues as JSON (/api/messages).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/phrase.hpp"
#include "base/result.hpp"

namespace paika {

class Catalogue {
 public:
  /// English: every phrase as it is.
  Catalogue() = default;

  /// Reads a .po file; what is not translated yet stays English. An error names the line.
  [[nodiscard]] static Result<Catalogue> read(std::string_view text);

  /// The phrase in this language; in English where the file does not have it.
  [[nodiscard]] std::string say(const Phrase& phrase) const;
  /// True if the file has this pattern.
  [[nodiscard]] bool has(std::string_view pattern) const { return patterns_.contains(pattern); }
  [[nodiscard]] std::size_t size() const noexcept { return patterns_.size(); }
  /// Every pattern of the file with its translation.
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& patterns() const noexcept { return patterns_; }

 private:
  std::map<std::string, std::string, std::less<>> patterns_;
};

/// The languages there are, by their codes: "en", and one for each file of po/ ("fr", "mg").
[[nodiscard]] const std::vector<std::string>& languages();

/// The catalogue of a language ("fr"); an error lists the languages.
[[nodiscard]] Result<Catalogue> catalogue_of(std::string_view language);

/// The language of a locale's name as in LANG ("fr_FR.UTF-8"); "en" for one that we do not have.
[[nodiscard]] std::string language_of_locale(std::string_view locale);

}  // namespace paika
