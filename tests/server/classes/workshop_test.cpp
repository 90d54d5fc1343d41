// What is kept of long logs.
#include "server/classes/workshop.hpp"

#include <gtest/gtest.h>

namespace paika::server {
namespace {

TEST(Workshop, a_tail_begins_with_a_line_if_it_can_and_else_with_a_whole_character) {
  EXPECT_EQ(tail_of("short", 10), "short");
  EXPECT_EQ(tail_of("one\ntwo\nthree", 8), "[…]\nthree");
  EXPECT_EQ(tail_of("\xC3\xA9\xC3\xA9\xC3\xA9", 3), "[…]\n\xC3\xA9");
  EXPECT_EQ(tail_of("\xC3\xA9\xC3\xA9\xC3\xA9", 4), "[…]\n\xC3\xA9\xC3\xA9");
}

}  // namespace
}  // namespace paika::server
