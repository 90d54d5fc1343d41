// What must hold of every sentence for people: each language says it, whole.
#pragma once

#include <gtest/gtest.h>
#include <map>
#include <string>

#include "base/catalogue.hpp"
#include "tests/support/must.hpp"

namespace paika_tests {

/// The languages other than English.
inline const std::map<std::string, paika::Catalogue>& translations() {
  static const std::map<std::string, paika::Catalogue> all = [] {
    std::map<std::string, paika::Catalogue> read;
    for (const std::string& language : paika::languages()) {
      if (language != "en") read.emplace(language, must(paika::catalogue_of(language), language));
    }
    return read;
  }();
  return all;
}

/// Every pattern of the phrase is in the catalogue; what is verbatim in it is said, and is no English: only
/// what somebody typed, in quotes, has blanks.
inline void expect_parts_translated(const paika::Phrase& phrase, const paika::Catalogue& catalogue,
                                    const std::string& said) {
  const std::string& pattern = phrase.pattern();
  if (phrase.translatable()) {
    EXPECT_TRUE(catalogue.has(pattern)) << pattern;
  } else {
    EXPECT_NE(said.find(pattern), std::string::npos) << pattern << " is lost in: " << said;
    EXPECT_TRUE(pattern.starts_with('"') || pattern.find(' ') == std::string::npos) << pattern << " in: " << said;
  }
  for (const paika::Phrase& part : phrase.parts()) expect_parts_translated(part, catalogue, said);
}

/// The sentence in every language: whole, and other than the English one.
inline void expect_translated(const paika::Phrase& phrase) {
  for (const auto& [language, catalogue] : translations()) {
    const std::string said = catalogue.say(phrase);
    EXPECT_NE(said, phrase.english()) << language;
    expect_parts_translated(phrase, catalogue, said);
    // Somebody may have typed braces; they come back in quotes.
    if (phrase.english().find_first_of("{}") == std::string::npos) {
      EXPECT_EQ(said.find_first_of("{}"), std::string::npos) << language << ": " << said;
    }
  }
}

}  // namespace paika_tests
