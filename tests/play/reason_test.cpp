// Why games end, in words for people.
#include "play/reason.hpp"

#include <gtest/gtest.h>
#include <set>

#include "base/catalogue.hpp"
#include "play/record.hpp"

namespace paika::play {
namespace {

TEST(Reason, every_word_of_a_record_has_a_phrase_of_its_own) {
  std::set<std::string> words{std::string(too_long_reason), "resigned", "agreed", "abandoned"};
  for (int i = 0; i <= static_cast<int>(EndReason::empty_board); ++i) words.emplace(name(static_cast<EndReason>(i)));
  for (int i = 0; i <= static_cast<int>(Failure::stopped); ++i) words.emplace(name(static_cast<Failure>(i)));
  std::set<std::string> said;
  const auto french = catalogue_of("fr");
  ASSERT_TRUE(french);
  for (const std::string& word : words) {
    const Phrase phrase = reason_phrase(word);
    EXPECT_TRUE(phrase.translatable()) << word;
    EXPECT_TRUE(french->has(phrase.pattern())) << word;
    said.insert(phrase.english());
  }
  EXPECT_EQ(said.size(), words.size());
}

TEST(Reason, an_unknown_word_is_shown_as_it_is) {
  EXPECT_EQ(reason_phrase("meteor"), Phrase::verbatim("meteor"));
  EXPECT_EQ(reason_phrase("time").english(), "out of time");
  EXPECT_EQ(reason_phrase(unfinished_reason).english(), "not finished");
}

}  // namespace
}  // namespace paika::play
