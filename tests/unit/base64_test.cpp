#include "base/base64.hpp"

#include <gtest/gtest.h>

namespace paika {
namespace {

TEST(Base64, IsWhatTheStandardSays) {  // RFC 4648, section 10
  EXPECT_EQ(to_base64(""), "");
  EXPECT_EQ(to_base64("f"), "Zg==");
  EXPECT_EQ(to_base64("fo"), "Zm8=");
  EXPECT_EQ(to_base64("foo"), "Zm9v");
  EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(to_base64("\xFB\xFF"), "+/8=");
  EXPECT_EQ(to_base64("any carnal pleas"), "YW55IGNhcm5hbCBwbGVhcw==");
}

TEST(Base64, GivesBytesOfEveryLengthBack) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    const auto back = from_base64(to_base64(bytes));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, bytes);
    bytes += static_cast<char>(i * 37);
  }
}

TEST(Base64, RefusesWhatItWouldNotWrite) {
  for (const char* text : {"a", "ab", "abc", "a===", "ab=c", "====", "ab c", "ab\ncd==", "abc-",
                           "Zh==", "Zm9=", "Zg==Zg==", "\xC3\xA9=="}) {
    EXPECT_FALSE(from_base64(text)) << text;
  }
  const auto refused = from_base64("Zm9vZm*v");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "character 7 is not one of base64");
}

}  // namespace
}  // namespace paika
