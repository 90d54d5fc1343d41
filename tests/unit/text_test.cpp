#include "base/text.hpp"

#include <gtest/gtest.h>

#include "base/phrase.hpp"
#include "base/result.hpp"
#include "rules/spec.hpp"

namespace paika {
namespace {

TEST(Text, quoted_shows_rubbish_safely_and_briefly) {
  EXPECT_EQ(in_quotes("abc"), "\"abc\"");
  EXPECT_EQ(in_quotes("a\"b\\"), "\"a\\\"b\\\\\"");
  EXPECT_EQ(in_quotes(std::string_view("\x00\x1b\xff\n", 4)), "\"\\x00\\x1b\\xff\\n\"");
  EXPECT_EQ(in_quotes(" ~\x7f\x1f"),
            "\" ~\\x7f\\x1f\"");  // the first and the last that are plain, and their neighbours
  EXPECT_EQ(in_quotes(std::string(1000, 'x'), 3), "\"xxx\"... (1000 characters)");
  EXPECT_EQ(in_quotes("xxx", 3), "\"xxx\"");
  EXPECT_EQ(char_phrase('x').english(), "'x'");
  EXPECT_EQ(char_phrase('\n').english(), "a newline");
  EXPECT_EQ(char_phrase('\x80').english(), "byte 128");
}

TEST(Text, parse_int_takes_whole_numbers_only) {
  EXPECT_EQ(parse_int("0"), 0);
  EXPECT_EQ(parse_int("-17"), -17);
  EXPECT_EQ(parse_int("9223372036854775807"), INT64_MAX);
  for (const auto bad : {"", "-", "+1", " 1", "1 ", "1.0", "0x1", "9223372036854775808", "1e9"}) {
    EXPECT_FALSE(parse_int(bad)) << bad;
  }
}

TEST(Text, split_and_trimmed) {
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_EQ(split("", ','), (std::vector<std::string_view>{""}));
  EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
}

TEST(Text, listed_and_nearest) {
  const std::vector<std::string> games = {"fanorona", "abalone", "othello"};
  EXPECT_EQ(listed(games), "fanorona, abalone or othello");
  EXPECT_EQ(listed(std::span(games).first(1)), "fanorona");
  EXPECT_EQ(nearest("otelo", games), "othello");
  EXPECT_EQ(nearest("FANORONA", games), "fanorona");
  EXPECT_EQ(nearest("chess", games), std::nullopt);
  EXPECT_EQ(nearest(std::string(1'000'000, 'a'), games), std::nullopt);
}

TEST(Text, take_word_cuts_words_between_blanks) {
  std::string_view text = " \t one\r\ntwo ";
  EXPECT_EQ(take_word(text), "one");
  EXPECT_EQ(take_word(text), "two");
  EXPECT_EQ(take_word(text), "");
  EXPECT_EQ(take_word(text), "");
}

GameInfo sample() {
  return {.name = "sample",
          .aliases = {"example"},
          .title = "Sample",
          .summary = "",
          .size_form = "COLSxROWS, 1 to 9",
          .standard_size = "3x3",
          .options = {{"freeze", {"off", "strict"}, "strict", "off", ""}, {"limit", {}, "", "10", ""}},
          .presets = {{"classic", {}, "", "", ""}},
          .examples = {}};
}

TEST(Spec, reads_size_options_and_presets) {
  const auto values = read_spec("sample:5x7,freeze,LIMIT=12,classic", sample());
  ASSERT_TRUE(values);
  EXPECT_EQ(values->size->before, 5);
  EXPECT_EQ(values->size->after, 7);
  EXPECT_EQ(values->value("freeze"), "strict");
  EXPECT_EQ(values->number("limit"), 12);
  EXPECT_EQ(values->preset, "classic");
  EXPECT_TRUE(read_spec("sample", sample()));
  EXPECT_TRUE(read_spec("SAMPLE:5x7", sample()));
  EXPECT_TRUE(read_spec("Example", sample()));
}

TEST(Spec, refuses_with_what_would_be_valid) {
  const auto message = [](std::string_view spec) {
    const auto values = read_spec(spec, sample());
    return values ? std::string("accepted") : values.error().message;
  };
  EXPECT_EQ(
      message("sample:frieze"),
      "sample has no option \"frieze\" (did you mean freeze?); the options are a size (COLSxROWS, 1 to 9), classic, "
      "freeze, freeze=off|strict and limit=NUMBER");
  EXPECT_EQ(message("sample:freeze=maybe"), "option freeze takes off or strict, not \"maybe\"");
  EXPECT_EQ(message("sample:limit"), "option limit needs a value: limit=NUMBER");
  EXPECT_EQ(message("sample:limit=ten"), "option limit takes a whole number, not \"ten\"");
  EXPECT_EQ(message("sample:limit=1,limit=2"), "option limit is given twice");
  EXPECT_EQ(message("sample:3x3,5x5"), "the size is given twice: \"5x5\"");
  EXPECT_EQ(message("sample:0x3"), "size \"0x3\" is out of range for sample: it must be COLSxROWS, 1 to 9");
  EXPECT_EQ(message("sample:1000000000x3"),
            "size \"1000000000x3\" is out of range for sample: it must be COLSxROWS, 1 to 9");
  EXPECT_EQ(message("chess:3x3"), "\"chess:3x3\" is not a spec of Sample: it must begin with sample or example");
  EXPECT_NE(message("samples"), "accepted");
  EXPECT_NE(message("sampl"), "accepted");
  EXPECT_NE(message(""), "accepted");
  EXPECT_LT(message(std::string(10'000'000, 's')).size(), 400U);
  EXPECT_NE(message("sample:"), "accepted");
  EXPECT_NE(message("sample:freeze,"), "accepted");
  EXPECT_NE(message("sample:" + std::string(10'000'000, 'x')), "accepted");
  EXPECT_LT(message("sample:" + std::string(10'000'000, 'x')).size(), 400U);
}

}  // namespace
}  // namespace paika
