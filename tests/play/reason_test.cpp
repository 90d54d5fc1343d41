// Why games end, in words for people.
#include "play/reason.hpp"

#include <gtest/gtest.h>
#include <set>

#include "base/catalogue.hpp"
#include "play/record.hpp"
#include "tests/support/session.hpp"
#include "tests/support/translated.hpp"

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

TEST(Reason, a_result_that_is_not_of_the_rules_is_a_sentence) {
  const auto game = paika_tests::must_open("othello");
  const auto said = [&](Verdict verdict, std::string_view reason) {
    const Phrase phrase = result_phrase(game->notation(), {verdict, std::string(reason), ""});
    paika_tests::expect_translated(phrase);
    return phrase.english();
  };
  EXPECT_EQ(said(Verdict::first_wins, "time"), "White ran out of time: Black wins.");
  EXPECT_EQ(said(Verdict::second_wins, resigned_reason), "Black resigns: White wins.");
  EXPECT_EQ(said(Verdict::draw, agreed_reason), "Draw: both players agreed.");
  EXPECT_EQ(said(Verdict::draw, too_long_reason), "Draw: the game went on too long.");
  EXPECT_EQ(said(Verdict::ongoing, abandoned_reason), "The game was abandoned; nobody won.");
  for (const Failure failure : failures)
    EXPECT_TRUE(said(Verdict::first_wins, name(failure)).ends_with(": Black wins."));
}

}  // namespace
}  // namespace paika::play
