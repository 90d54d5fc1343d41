// Lines out of bytes, however they arrive.
#include "play/line_buffer.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace paika::play {
namespace {

std::vector<std::string> all(LineBuffer& buffer) {
  std::vector<std::string> lines;
  while (const auto line = buffer.next()) lines.push_back(line->too_long ? "(cut) " + line->text : line->text);
  return lines;
}

TEST(LineBuffer, whole_lines_only) {
  LineBuffer buffer(100);
  EXPECT_TRUE(all(buffer).empty());
  buffer.add("one\ntw");
  EXPECT_EQ(all(buffer), (std::vector<std::string>{"one"}));
  buffer.add("o\r\n\n");
  EXPECT_EQ(all(buffer), (std::vector<std::string>{"two", ""}));
  buffer.add("rest");
  EXPECT_TRUE(all(buffer).empty());
  EXPECT_EQ(buffer.rest()->text, "rest");
  EXPECT_FALSE(buffer.rest());
}

TEST(LineBuffer, long_lines_are_cut_and_the_next_is_whole) {
  LineBuffer buffer(5);
  buffer.add("12345\n123456\nabc\n");
  EXPECT_EQ(all(buffer), (std::vector<std::string>{"12345", "(cut) 12345", "abc"}));
  for (int i = 0; i < 1000; ++i) {
    buffer.add("xxxxxxxxxx");
    EXPECT_FALSE(buffer.next());
  }
  buffer.add("\nok\n");
  EXPECT_EQ(all(buffer), (std::vector<std::string>{"(cut) xxxxx", "ok"}));
}

TEST(LineBuffer, one_byte_at_a_time) {
  LineBuffer buffer(10);
  std::vector<std::string> lines;
  for (const char c : std::string_view("a\nbc\r\n\0d\n", 9)) {
    buffer.add({&c, 1});
    while (const auto line = buffer.next()) lines.push_back(line->text);
  }
  EXPECT_EQ(lines, (std::vector<std::string>{"a", "bc", std::string("\0d", 2)}));
}

}  // namespace
}  // namespace paika::play
