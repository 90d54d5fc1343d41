// Secrets: random texts of the promised kind, and passwords.
#include "server/store/secrets.hpp"

#include <gtest/gtest.h>
#include <map>
#include <set>

namespace paika::server {
namespace {

class Secrets : public testing::Test {
 protected:
  Secrets() { EXPECT_TRUE(start_secrets()); }
};

TEST_F(Secrets, random_secrets_are_long_and_different) {
  EXPECT_TRUE(start_secrets());  // twice does not matter
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string secret = random_secret();
    EXPECT_EQ(secret.size(), 43U);
    EXPECT_EQ(secret.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
              std::string::npos);
    EXPECT_TRUE(seen.insert(secret).second);
  }
}

TEST_F(Secrets, random_names_use_all_their_letters_alike) {
  EXPECT_EQ(random_name(0), "");
  EXPECT_EQ(random_name(12).size(), 12U);
  std::map<char, int> counts;
  for (const char c : random_name(320'000)) ++counts[c];
  EXPECT_EQ(counts.size(), 32U);
  for (const char never : {'0', 'o', 'O', '1', 'l', 'I'}) EXPECT_FALSE(counts.contains(never)) << never;
  for (const auto& [c, count] : counts) EXPECT_NEAR(count, 10'000, 700) << c;  // seven deviations
}

TEST_F(Secrets, hashes_of_secrets_are_blake2b) {
  // b2sum -l 256 of nothing and of "abc".
  EXPECT_EQ(secret_hash(""), "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
  EXPECT_EQ(secret_hash("abc"), "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
  EXPECT_NE(secret_hash(std::string_view("a\0b", 3)), secret_hash("a"));
}

TEST_F(Secrets, passwords_have_8_to_200_bytes) {
  EXPECT_FALSE(check_password(""));
  EXPECT_FALSE(check_password("1234567"));
  EXPECT_TRUE(check_password("12345678"));
  EXPECT_TRUE(check_password(std::string(200, 'x')));
  EXPECT_FALSE(check_password(std::string(201, 'x')));
  EXPECT_EQ(check_password("short").error().message, "a password has at least 8 bytes");
}

TEST_F(Secrets, a_password_fits_its_own_hash_alone) {
  const std::string hash = hash_password("correct horse");
  EXPECT_TRUE(hash.starts_with("$argon2id$v=19$m=65536,t=2,p=1$")) << hash;
  EXPECT_NE(hash, hash_password("correct horse"));
  EXPECT_TRUE(password_fits("correct horse", hash));
  EXPECT_FALSE(password_fits("correct horsf", hash));
  EXPECT_FALSE(password_fits(std::string_view("correct horse\0", 14), hash));
  for (const std::string& rubbish :
       {std::string(), std::string("rubbish"), std::string("$argon2id$v=19$m=65536,t=2,p=1$"), std::string(5000, '$'),
        hash + "x"}) {
    EXPECT_FALSE(password_fits("correct horse", rubbish)) << rubbish.substr(0, 20);
  }
}

}  // namespace
}  // namespace paika::server
