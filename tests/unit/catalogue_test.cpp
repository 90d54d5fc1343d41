// Phrases and the catalogues that say them in other languages.
#include "base/catalogue.hpp"

#include <gtest/gtest.h>

namespace paika {
namespace {

TEST(Phrase, SaysItselfInEnglish) {
  EXPECT_EQ(phrase("{} is not next to {}", "a1", "c3").english(), "a1 is not next to c3");
  EXPECT_EQ(phrase("{} has {} stones", phrase("White"), 12).english(), "White has 12 stones");
  EXPECT_EQ(Phrase::verbatim("{} as typed").english(), "{} as typed");
  EXPECT_TRUE(Phrase().empty());
}

TEST(Phrase, ListsItemsAsPeopleDo) {
  const Phrase a = Phrase::verbatim("a");
  const Phrase b = phrase("b");
  const Phrase c = Phrase::verbatim("c");
  EXPECT_TRUE(and_list({}).empty());
  EXPECT_EQ(and_list({b}), b);
  EXPECT_EQ(or_list({a, b}).english(), "a or b");
  EXPECT_EQ(and_list({a, b, c}).english(), "a, b and c");
  const auto french = Catalogue::read("msgid \"b\"\nmsgstr \"B\"\nmsgid \"{} and {}\"\nmsgstr \"{} et {}\"\n");
  ASSERT_TRUE(french);
  EXPECT_EQ(french->say(and_list({a, b, c})), "a, B et c");
}

TEST(Phrase, IsMadeOfAPatternFromATable) {
  constexpr const char* owned = translatable<2>("{}'s King on {}");
  EXPECT_EQ(phrase_of(owned, phrase("White"), "e1"), phrase("{}'s King on {}", phrase("White"), "e1"));
}

TEST(Catalogue, TranslatesPatternsAndTheirParts) {
  const auto french = Catalogue::read(R"(# note
msgid ""
msgstr ""
"Language: fr\n"

#, fuzzy
msgid "White"
msgstr "Blanc"

msgid "{} "
"follows {}"
msgstr ""
"{1} est suivi "
"de {0}"

msgid "say \"{}\""
msgstr "dites\\\n\"{}\""

msgid "not yet"
msgstr ""
)");
  ASSERT_TRUE(french) << french.error().message;
  EXPECT_EQ(french->size(), 3);
  EXPECT_EQ(french->say(phrase("{} follows {}", phrase("White"), "b2")), "b2 est suivi de Blanc");
  EXPECT_EQ(french->say(phrase("{} follows {}", "White", "b2")), "b2 est suivi de White");
  EXPECT_EQ(french->say(phrase("say \"{}\"", 1)), "dites\\\n\"1\"");
  EXPECT_EQ(french->say(phrase("not yet")), "not yet");
  EXPECT_EQ(french->say(phrase("nobody translated {}", 1)), "nobody translated 1");
}

TEST(Catalogue, RefusesFaultyFiles) {
  for (const char* text : {
           R"(msgstr "a")",
           R"("a")",
           R"(msgid "a")",
           "msgid a\nmsgstr \"b\"",
           "msgid \"a\nmsgstr \"b\"",
           "msgid \"a\\\"\nmsgstr \"b\"",
           "msgid \"a\"b\"\nmsgstr \"b\"",
           "msgctxt \"x\"\nmsgid \"a\"\nmsgstr \"b\"",
           "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr \"b\"",
           "msgid \"a {}\"\nmsgstr \"b\"",
           "msgid \"a\"\nmsgstr \"b {}\"",
           "msgid \"a {} {}\"\nmsgstr \"b {1} {1}\"",
           "msgid \"a {}\"\nmsgstr \"b {1}\"",
           "msgid \"a {\"\nmsgstr \"b\"",
           "msgid \"a\"\nmsgstr \"b\"\nmsgid \"a\"\nmsgstr \"c\"",
       }) {
    EXPECT_FALSE(Catalogue::read(text)) << text;
  }
}

TEST(Catalogue, HasItsLanguagesBuiltIn) {
  EXPECT_EQ(languages(), (std::vector<std::string>{"en", "fr", "mg"}));
  for (const std::string& language : languages()) {
    const auto catalogue = catalogue_of(language);
    ASSERT_TRUE(catalogue) << language << ": " << catalogue.error().message;
  }
  EXPECT_FALSE(catalogue_of("xx"));
  EXPECT_EQ(language_of_locale("fr_FR.UTF-8"), "fr");
  EXPECT_EQ(language_of_locale("de_DE"), "en");
  EXPECT_EQ(language_of_locale(""), "en");
  EXPECT_EQ(language_of_locale("C.UTF-8"), "en");
}

}  // namespace
}  // namespace paika
