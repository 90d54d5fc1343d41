// What a token has to say, keys that are fetched and rotated, launches, addresses, grades.
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "server/sso/grade_sender.hpp"
#include "server/sso/id_token.hpp"
#include "server/sso/key_source.hpp"
#include "server/sso/lti.hpp"
#include "server/sso/oidc_client.hpp"
#include "server/sso/once_map.hpp"
#include "server/store/secrets.hpp"

namespace paika::server {
namespace {

constexpr WallTime now_ms = 1'800'000'000'000;
constexpr std::int64_t now_s = now_ms / 1000;
const ExpectedToken expected{"https://login.example.org", "us", "nonce-1", now_ms};

Json good_claims() {
  return {{"iss", "https://login.example.org"},
          {"aud", "us"},
          {"sub", "someone"},
          {"nonce", "nonce-1"},
          {"iat", now_s - 5},
          {"exp", now_s + 300}};
}

std::string complaint(const char* claim, const Json& value) {
  Json claims = good_claims();
  claims[claim] = value;
  const auto checked = check_id_claims(claims, expected);
  return checked ? "" : checked.error().message;
}

TEST(IdToken, claims_that_are_right) {
  EXPECT_TRUE(check_id_claims(good_claims(), expected));
  EXPECT_EQ(complaint("aud", Json::array({"us"})), "");
  EXPECT_EQ(complaint("azp", "us"), "");
  EXPECT_EQ(complaint("exp", now_s - token_leeway_s + 1), "");
  EXPECT_EQ(complaint("iat", now_s + token_leeway_s), "");
  EXPECT_EQ(complaint("exp", now_s + 0.5), "");
  EXPECT_EQ(complaint("nbf", now_s), "");
}

TEST(IdToken, claims_that_are_wrong) {
  const std::vector<std::pair<const char*, Json>> wrong = {{"iss", "https://login.example.org/"},
                                                           {"iss", nullptr},
                                                           {"aud", "others"},
                                                           {"aud", Json::array({"others"})},
                                                           {"aud", Json::array({"us", "others"})},
                                                           {"aud", nullptr},
                                                           {"aud", "us2"},
                                                           {"azp", "others"},
                                                           {"azp", 7},
                                                           {"exp", now_s - token_leeway_s},
                                                           {"exp", "soon"},
                                                           {"exp", nullptr},
                                                           {"exp", 1e300},
                                                           {"exp", -1},
                                                           {"iat", now_s + token_leeway_s + 1},
                                                           {"iat", now_s - max_token_age_s - token_leeway_s - 1},
                                                           {"iat", nullptr},
                                                           {"nbf", now_s + token_leeway_s + 1},
                                                           {"nbf", "later"},
                                                           {"nonce", "nonce-2"},
                                                           {"nonce", nullptr},
                                                           {"sub", ""},
                                                           {"sub", 7},
                                                           {"sub", std::string(256, 'x')}};
  for (const auto& [claim, value] : wrong) EXPECT_NE(complaint(claim, value), "") << claim << " " << value.dump();
  // What we did not ask for is not found either.
  ExpectedToken nothing = expected;
  nothing.nonce.clear();
  Json claims = good_claims();
  claims.erase("nonce");
  EXPECT_FALSE(check_id_claims(claims, nothing));
}

TEST(IdToken, names_of_accounts) {
  EXPECT_EQ(suggested_name({{"preferred_username", "ada.lovelace@example.org"}, {"name", "Ada"}}), "ada-lovelace");
  EXPECT_EQ(suggested_name({{"preferred_username", "7"}, {"name", "Zoë van Berg-Stein der Dritte"}}),
            "Zo-van-Berg-Stein-de");
  EXPECT_EQ(suggested_name({{"preferred_username", "admin"}, {"given_name", "Bo"}}), "Bo");
  EXPECT_EQ(suggested_name({{"name", "日本"}}), "");
  EXPECT_EQ(shown_name({{"name", "  Zoë "}}, 80), "Zoë");
  EXPECT_EQ(shown_name({{"name", "Zoë"}}, 3), "Zo");
  EXPECT_EQ(shown_name({{"name", "a\u202eb"}}, 80), "");
}

// ---- Keys ----

/// An issuer whose keys are served here.
class Issuer {
 public:
  Issuer() : key(*SigningKey::generate()) {}
  SendOutside sender() {
    return [this](const OutsideRequest&, const std::stop_token&) -> Result<OutsideAnswer> {
      ++fetches;
      if (down) return fail("down");
      return OutsideAnswer{200, Json{{"keys", {key.public_jwk()}}}.dump()};
    };
  }
  SigningKey key;
  int fetches = 0;
  bool down = false;
};

class Keys : public ::testing::Test {
 protected:
  Keys() : source_(issuer_.sender(), [this] { return time_; }) {}
  static void SetUpTestSuite() { ASSERT_TRUE(start_secrets()); }

  bool accepts(const SigningKey& key) {
    const auto token = read_jws(key.sign(good_claims()));
    const auto found = source_.key("https://login.example.org/keys", *token, {});
    return found && check_signature(*token, *found);
  }

  Issuer issuer_;
  KeySource::Time time_{std::chrono::hours(1000)};
  KeySource source_;
};

TEST_F(Keys, are_fetched_once_and_after_an_hour) {
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(accepts(issuer_.key));
  EXPECT_EQ(issuer_.fetches, 1);
  time_ += std::chrono::minutes(61);
  EXPECT_TRUE(accepts(issuer_.key));
  EXPECT_EQ(issuer_.fetches, 2);
  time_ += std::chrono::minutes(61);
  issuer_.down = true;  // what is known is good for a day
  EXPECT_TRUE(accepts(issuer_.key));
  time_ += std::chrono::hours(24);
  EXPECT_FALSE(accepts(issuer_.key));
}

TEST_F(Keys, unknown_names_are_looked_for_a_few_times_only) {
  const SigningKey old = issuer_.key;
  EXPECT_TRUE(accepts(old));
  issuer_.key = *SigningKey::generate();
  EXPECT_TRUE(accepts(issuer_.key));  // rotated
  EXPECT_FALSE(accepts(old));
  const int before = issuer_.fetches;
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(accepts(old));
  EXPECT_LE(issuer_.fetches - before, KeySource::max_refetches);
  time_ += std::chrono::minutes(1);
  EXPECT_FALSE(accepts(old));
  EXPECT_FALSE(accepts(old));
  EXPECT_LE(issuer_.fetches - before, KeySource::max_refetches + 1);
  EXPECT_TRUE(accepts(issuer_.key));
}

TEST_F(Keys, of_the_tool_are_rotated) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("paika-keys-{}", ::getpid());
  const std::string path = (folder / "keys").string();
  constexpr WallTime day = 86'400'000;
  {
    auto keys = ToolKeys::open(path, now_ms);
    ASSERT_TRUE(keys) << keys.error().message;
    const std::string first = keys->current(now_ms).kid();
    ASSERT_TRUE(keys->rotate(now_ms + 89 * day));
    EXPECT_EQ(keys->public_set()["keys"].size(), 1U);
    ASSERT_TRUE(keys->rotate(now_ms + 90 * day));
    EXPECT_EQ(keys->public_set()["keys"].size(), 2U);          // the next one is published
    EXPECT_EQ(keys->current(now_ms + 90 * day).kid(), first);  // before it signs
    const std::string second = keys->current(now_ms + 91 * day).kid();
    EXPECT_NE(second, first);
    auto again = ToolKeys::open(path, now_ms + 91 * day);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->current(now_ms + 91 * day).kid(), second);
    EXPECT_EQ(again->public_set(), keys->public_set());
    ASSERT_TRUE(again->rotate(now_ms + 98 * day));  // the old one is not needed any more
    EXPECT_EQ(again->public_set()["keys"].size(), 1U);
    EXPECT_EQ(again->current(now_ms + 98 * day).kid(), second);
  }
  std::filesystem::permissions(path, std::filesystem::perms::others_read, std::filesystem::perm_options::add);
  EXPECT_FALSE(ToolKeys::open(path, now_ms));
  std::filesystem::remove_all(folder);
}

// ---- Addresses and flows ----

TEST(OutsideUrl, only_encrypted_or_this_machine) {
  for (const std::string_view good : {"https://login.example.org", "https://a.b:8443/x?y=1", "http://127.0.0.1:80/",
                                      "http://localhost/x", "http://[::1]:7/"}) {
    EXPECT_TRUE(check_outside_url(good)) << good;
  }
  for (const std::string_view bad :
       {"", "login.example.org", "http://login.example.org", "http://127.0.0.1.evil.example/", "ftp://a/", "https://",
        "https:///x", "https://user@host/", "https://localhost@evil/", "https://a/#b", "https://a/ b", "https://a\\b/",
        "file:///etc/passwd", "http://localhost.evil.example/", "HTTPS://A"}) {
    EXPECT_FALSE(check_outside_url(bad)) << bad;
  }
  EXPECT_EQ(origin_of("https://A.example:8443/x/y?z"), "https://a.example:8443");
  EXPECT_EQ(form_text({{"a b", "c&d"}, {"e", "f"}}), "a%20b=c%26d&e=f");
}

TEST(LocalPath, leads_to_no_other_server) {
  EXPECT_TRUE(is_local_path("/"));
  EXPECT_TRUE(is_local_path("/classes/x?y=1"));
  for (const std::string_view bad : {"", "x", "//evil", "/\\evil", "https://evil", "/a\nb", "/a b", "/\xc3\xa4"}) {
    EXPECT_FALSE(is_local_path(bad)) << bad;
  }
}

TEST(OnceMap, gives_each_thing_once_and_forgets) {
  using Clock = std::chrono::steady_clock;
  OnceMap<int> map(3, std::chrono::seconds(10));
  const Clock::time_point start{};
  map.put("a", 1, start);
  EXPECT_EQ(map.take("a", start), 1);
  EXPECT_EQ(map.take("a", start), std::nullopt);
  for (int i = 0; i < 5; ++i) map.put(std::to_string(i), i, start);
  EXPECT_EQ(map.find("1", start), nullptr);  // the oldest went
  EXPECT_NE(map.find("4", start), nullptr);
  EXPECT_EQ(map.take("4", start + std::chrono::seconds(11)), std::nullopt);
  EXPECT_EQ(map.size(), 0U);
}

TEST(OidcMetadata, is_of_the_issuer_and_complete) {
  const std::string issuer = "https://login.example.org";
  Json document = {{"issuer", issuer},
                   {"authorization_endpoint", issuer + "/a"},
                   {"token_endpoint", issuer + "/t"},
                   {"jwks_uri", issuer + "/k"}};
  const auto read = read_metadata(document.dump(), issuer);
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->secret_in_body);
  document["token_endpoint_auth_methods_supported"] = {"client_secret_post"};
  EXPECT_TRUE(read_metadata(document.dump(), issuer)->secret_in_body);
  EXPECT_FALSE(read_metadata(document.dump(), "https://other.example.org"));
  for (const char* field : {"authorization_endpoint", "token_endpoint", "jwks_uri"}) {
    Json bad = document;
    bad[field] = "http://login.example.org/x";
    EXPECT_FALSE(read_metadata(bad.dump(), issuer)) << field;
    bad.erase(field);
    EXPECT_FALSE(read_metadata(bad.dump(), issuer)) << field;
  }
  EXPECT_FALSE(read_metadata("<html>", issuer));
}

// ---- Grades ----

TEST(Grades, addresses_of_scores) {
  EXPECT_EQ(scores_url("https://a/items/1"), "https://a/items/1/scores");
  EXPECT_EQ(scores_url("https://a/items/1/"), "https://a/items/1/scores");
  EXPECT_EQ(scores_url("https://a/items/1?type_id=2"), "https://a/items/1/scores?type_id=2");
}

TEST(Grades, tries_come_later_and_later_and_end) {
  WallTime last = 0;
  int tries = 1;
  for (; const auto next = next_try(tries, 0); ++tries) {
    EXPECT_GT(*next, last);
    last = *next;
  }
  EXPECT_GE(tries, 5);
  EXPECT_GT(last, 3600 * 1000);
}

TEST(Platform, receives_at_its_own_servers_alone) {
  LtiPlatform platform;
  platform.issuer = "https://lms.example.org";
  platform.auth_url = platform.token_url = platform.jwks_url = "https://sso.example.org/x";
  platform.services = {"https://grades.example.org"};
  for (const std::string_view good :
       {"https://lms.example.org/a", "https://sso.example.org/b", "https://grades.example.org/c?d"}) {
    EXPECT_TRUE(platform.may_receive(good)) << good;
  }
  for (const std::string_view bad : {"", "https://evil.example.org/", "http://lms.example.org/a",
                                     "https://lms.example.org.evil.org/", "https://lms.example.org:8443/"}) {
    EXPECT_FALSE(platform.may_receive(bad)) << bad;
  }
}

}  // namespace
}  // namespace paika::server
