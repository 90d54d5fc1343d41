// Names: everything in them is seen, and none looks like another by a trick.
#include "base/names.hpp"

#include <gtest/gtest.h>

namespace paika {
namespace {

TEST(Names, everything_in_a_title_is_seen) {
  for (const char* good : {"", "Anna", "Class 3b, Tuesday", "Zoë Müller-Lüdenscheidt", "Рави", "李小龍", "עומר", "أحمد",
                           "हिन्दी", "Nguyễn Thị", "e\u0301tude", "my bot <b>", "♞ knight", "한국어", "ไทย"}) {
    EXPECT_TRUE(check_title(good)) << good;
  }
}

TEST(Names, what_hides_in_a_title_is_found) {
  for (const char* bad : {
           "Anna\u202e",
           "\u202aAnna",
           "An\u2066na\u2069",  // directions
           "An\u200bna",
           "An\u200cna",
           "An\u200dna",  // of no width
           "Anna\u200e",
           "Anna\u200f",
           "Anna\u061c",  // marks of direction
           "An\u00adna",
           "An\u2060na",
           "An\ufeffna",  // soft hyphen, joiners
           "Anna\ufe0f",
           "Anna\U000e0100",
           "Anna\u180e",  // variants
           "\u3164",
           "\u115f",
           "\u1160",
           "\uffa0",
           "\u2800",
           "An\u034fna",  // fillers
           "Anna\U000e0041",
           "\ue000",
           "\ufff9Anna",  // tags, private use
           "An\u00a0na",
           "An\u2003na",
           "An\u3000na",  // blanks
           "Anna\n",
           "An\tna",
           "\x1b[31mAnna",
           "Anna\x7f",
           "An\u0085na",
           "An\u2028na",  // controls
           "\u0301",
           "\u0301Anna",
           "Anna \u0301",  // accents on nothing
           "A\u0301\u0302\u0303",
           "\xff",
           "An\xc3",  // piled up; not UTF-8
       }) {
    const auto fine = check_title(bad);
    EXPECT_FALSE(fine) << bad;
    if (!fine) {
      EXPECT_NE(fine.error().message.find("character"), std::string::npos);
    }
  }
  EXPECT_EQ(check_title("ab\u200bc").error().message,
            "character 3 (U+200B) cannot be seen or changes how the others are shown; leave it out");
  EXPECT_FALSE(check_title(std::string_view("a\0b", 3)));
}

TEST(Names, joiners_are_for_sentences) {
  for (const char32_t code : {0x200dU, 0x200cU, 0xfe0fU, 0xe0067U}) EXPECT_TRUE(is_hidden(code) && is_joiner(code));
  for (const char32_t code : {0x200bU, 0x202eU, 0x3164U, 0xadU}) EXPECT_TRUE(is_hidden(code) && !is_joiner(code));
  EXPECT_TRUE(is_blank(0xa0) && !is_hidden(0xa0));
}

TEST(Names, that_look_the_same) {
  const std::string teacher = look_of("MrSmith");
  for (const char* alike : {"mrsmith", "MRSMITH", "Mr Smith", "Mr. Smith", "Mr_Smith", "MrSmlth", "MrSm1th", "MrSm|th",
                            "МrSmіth", "ＭｒＳｍｉｔｈ", "MrSmíth", "MrSmi\u0301th", "MrSrnith", "Mr\u200bSmith"}) {
    EXPECT_EQ(look_of(alike), teacher) << alike;
  }
  for (const char* other : {"MsSmith", "MrSmithers", "Smith", "MrSmyth", "Anna", ""}) {
    EXPECT_NE(look_of(other), teacher) << other;
  }
  EXPECT_EQ(look_of("O0o"), look_of("0Oо"));
  EXPECT_EQ(look_of("Il1"), look_of("lII"));
  EXPECT_EQ(look_of("vvorld"), look_of("world"));
  EXPECT_NE(look_of("李小龍"), look_of("李小"));
}

}  // namespace
}  // namespace paika
