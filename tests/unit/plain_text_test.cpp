// What programs write, fit for a terminal: nothing in it can move the cursor, change a title or hide a line.
#include <gtest/gtest.h>

#include "base/utf8.hpp"

namespace paika_tests {

namespace {

using paika::plain_text;

TEST(PlainText, leaves_text_as_it_is) {
  for (const std::string_view text :
       {"", "bestmove e6\n", "\tindented\nand more", "d\u00e9j\u00e0 vu \u2603 \U0001f600"}) {
    EXPECT_EQ(plain_text(text), text);
  }
}

TEST(PlainText, escape_sequences_are_gone) {
  EXPECT_EQ(plain_text("\x1b[31mred\x1b[0m"), "red");
  EXPECT_EQ(plain_text("a\x1b[2J\x1b[1;1Hb"), "ab");
  EXPECT_EQ(plain_text("\x1b]0;a title\x07 after"), " after");
  EXPECT_EQ(plain_text("\x1b]8;;http://example.org\x1b\\link\x1b]8;;\x1b\\"), "link");
  EXPECT_EQ(plain_text("\x1bP1$r\x1b\\x"), "x");
  EXPECT_EQ(plain_text("\x1b(0lqk\x1b(B"), "lqk");
  EXPECT_EQ(plain_text("\x1b"
                       "7saved\x1b"
                       "8"),
            "saved");
  EXPECT_EQ(plain_text("\x1b[?1049h\x1b[>4;2mx"), "x");
  EXPECT_EQ(plain_text("x\x1b"), "x");
  EXPECT_EQ(plain_text("x\x1b["), "x");
}

TEST(PlainText, their_forms_of_one_character_are_gone_too) {
  EXPECT_EQ(plain_text("\u009b31mred"), "red");
  EXPECT_EQ(plain_text("\u009d0;a title\u009cafter"), "after");
  EXPECT_EQ(plain_text("a\u0085b"), "ab");
}

TEST(PlainText, a_string_that_never_ends_ends_with_its_line) {
  EXPECT_EQ(plain_text("\x1b]0;all the rest\nis told"), "\nis told");
}

TEST(PlainText, other_control_characters_are_gone_and_no_line_is_overwritten) {
  EXPECT_EQ(plain_text(std::string_view("a\0b\x08\x07\x7f"
                                        "c",
                                        7)),
            "abc");
  EXPECT_EQ(plain_text("lost\rwon\r\n"), "lost\nwon\n");
  EXPECT_EQ(plain_text("a\u202eb\u2066c\u200fd"), "abcd");
}

TEST(PlainText, stray_bytes_are_replaced) {
  EXPECT_EQ(plain_text("a\x9b"
                       "31mb\xff"),
            "a\ufffd31mb\ufffd");
}

TEST(PlainText, nothing_that_a_terminal_acts_on_is_left_of_any_bytes) {
  std::uint32_t seed = 1;
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    for (int i = 0; i < 40; ++i) {
      seed = seed * 1664525U + 1013904223U;
      constexpr std::string_view likely = "\x1b[]P\\m0;\x07\r\n\xc2\x9b\x9d\x9c\xe2\x80\xae";
      bytes += (seed >> 28U) < 12 ? likely[(seed >> 16U) % likely.size()] : static_cast<char>(seed >> 20U);
    }
    const std::string plain = plain_text(bytes);
    for (std::string_view rest = plain; !rest.empty();) {
      const auto code = paika::code_of(paika::take_character(rest));
      ASSERT_TRUE(code);
      ASSERT_TRUE(*code == '\n' || *code == '\t' || (*code >= 0x20 && *code != 0x7f && (*code < 0x80 || *code > 0x9f)));
    }
    EXPECT_EQ(plain_text(plain), plain);
  }
}

}  // namespace

}  // namespace paika_tests
