// Tokens and keys: the examples of the standards, and what must not be taken for them.
#include "server/sso/jose.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/store/secrets.hpp"

namespace paika::server {
namespace {

// RFC 7515, A.2 (RS256) and A.3 (ES256).
constexpr std::string_view rfc_rsa_n =
    "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-"
    "pCgNMs"
    "D1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-"
    "UTo7WTBEMa2R2CapHg665xsmtdV"
    "MTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ";
constexpr std::string_view rfc_rsa_token =
    "eyJhbGciOiJSUzI1NiJ9."
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ."
    "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_"
    "O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZ"
    "cAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--"
    "xi12jzDwusC-e"
    "OkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw";
constexpr std::string_view rfc_ec_token =
    "eyJhbGciOiJFUzI1NiJ9."
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ."
    "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";
constexpr std::string_view rfc_ec_key =
    R"({"kty":"EC","crv":"P-256","kid":"ec","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",)"
    R"("y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"})";

// A point that is not on the curve.
constexpr const char* off_curve = R"({"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",)"
                                  R"("y":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"})";

std::string rsa_jwk(std::string_view more = "") {
  return fmt::format(R"({{"kty":"RSA","e":"AQAB","n":"{}"{}}})", rfc_rsa_n, more);
}

std::vector<PublicKey> keys_of(const std::string& jwk) {
  const auto keys = read_jwks(R"({"keys":[)" + jwk + "]}");
  EXPECT_TRUE(keys) << keys.error().message;
  return keys.value_or(std::vector<PublicKey>{});
}

bool is_signed_by(std::string_view token, std::span<const PublicKey> keys) {
  const auto read = read_jws(token);
  const PublicKey* key = read ? key_for(*read, keys) : nullptr;
  return key != nullptr && check_signature(*read, *key);
}

std::string token_of(std::string_view header, std::string_view claims, std::string_view signature) {
  return to_base64url(header) + "." + to_base64url(claims) + "." + to_base64url(signature);
}

TEST(Jose, base64url_has_one_text_for_each_content) {
  EXPECT_EQ(to_base64url("\xfb\xff\xfe"), "-__-");
  EXPECT_EQ(from_base64url("-__-"), "\xfb\xff\xfe");
  EXPECT_EQ(from_base64url(""), "");
  for (const std::string_view bad : {"+//+", "QQ==", "QR", "Q", "Q Q", "QQ\n", "QUFB.", "Ä"}) {
    EXPECT_FALSE(from_base64url(bad)) << bad;
  }
}

TEST(Jose, tokens_of_the_standard) {
  const auto rsa = keys_of(rsa_jwk());
  const auto ec = keys_of(std::string(rfc_ec_key));
  EXPECT_TRUE(is_signed_by(rfc_rsa_token, rsa));
  EXPECT_TRUE(is_signed_by(rfc_ec_token, ec));
  EXPECT_FALSE(is_signed_by(rfc_rsa_token, ec));
  EXPECT_FALSE(is_signed_by(rfc_ec_token, rsa));
  EXPECT_EQ(read_jws(rfc_rsa_token)->claims["iss"], "joe");
}

TEST(Jose, every_changed_byte_is_noticed) {
  const auto keys = keys_of(std::string(rfc_ec_key));
  for (std::size_t i = 0; i < rfc_ec_token.size(); ++i) {
    std::string bent(rfc_ec_token);
    bent[i] = bent[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(is_signed_by(bent, keys)) << i;
  }
}

TEST(Jose, a_token_does_not_choose_its_algorithm) {
  for (const std::string_view algorithm : {"none", "None", "HS256", "RS384", "PS256", "ES384", "rs256", ""}) {
    const auto read = read_jws(token_of(fmt::format(R"({{"alg":"{}"}})", algorithm), "{}", "x"));
    ASSERT_FALSE(read) << algorithm;
    EXPECT_NE(read.error().message.find("only RS256 and ES256"), std::string::npos);
  }
  EXPECT_FALSE(read_jws(token_of("{}", "{}", "x")));
  EXPECT_FALSE(read_jws(token_of(R"({"alg":["RS256"]})", "{}", "x")));
  // A key of one algorithm does not check another, even if the caller mixes them up.
  const auto ec = keys_of(std::string(rfc_ec_key));
  EXPECT_FALSE(check_signature(*read_jws(rfc_rsa_token), ec.front()));
}

TEST(Jose, texts_that_are_no_tokens) {
  const std::string good = R"({"alg":"RS256"})";
  EXPECT_TRUE(read_jws(token_of(good, "{}", "x")));
  for (const std::string& bad :
       {std::string(), std::string("a.b"), std::string("a.b.c.d"), std::string("!.!.!"), token_of(good, "[]", "x"),
        token_of(good, "{}", ""), token_of(R"({"alg":"RS256","crit":[]})", "{}", "x"), token_of(good, "{", "x"),
        token_of(R"({"alg":"RS256","kid":7})", "{}", "x"), token_of(good, "{}", std::string(max_token_bytes, 'x'))}) {
    EXPECT_FALSE(read_jws(bad)) << bad.substr(0, 80);
  }
}

TEST(Jose, keys_that_are_not_taken) {
  EXPECT_EQ(keys_of(rsa_jwk(R"(,"use":"sig","alg":"RS256","kid":"a")")).front().kid, "a");
  EXPECT_EQ(keys_of(rsa_jwk(R"(,"key_ops":["verify"])")).size(), 1U);
  for (const std::string_view more : {R"(,"use":"enc")", R"(,"alg":"HS256")", R"(,"alg":"RS512")", R"(,"kid":7)",
                                      R"(,"key_ops":["encrypt"])", R"(,"e":"AQAA")", R"(,"e":"AQ")"}) {
    EXPECT_TRUE(keys_of(rsa_jwk(more)).empty()) << more;
  }
  for (const std::string_view jwk :
       {R"({"kty":"oct","k":"c2VjcmV0"})", R"({"kty":"RSA","e":"AQAB","n":"AQAB"})", R"({"kty":"RSA"})", R"(7)",
        R"({"kty":"EC","crv":"P-384","x":"AA","y":"AA"})", off_curve}) {
    EXPECT_TRUE(keys_of(std::string(jwk)).empty()) << jwk;
  }
  for (const std::string_view set : {"", "[]", "{}", R"({"keys":{}})", R"({"keys":)"})
    EXPECT_FALSE(read_jwks(set)) << set;
}

TEST(Jose, a_token_without_a_name_takes_the_only_key) {
  const auto one = keys_of(rsa_jwk(R"(,"kid":"a")"));
  const auto two = keys_of(rsa_jwk(R"(,"kid":"a")") + "," + rsa_jwk(R"(,"kid":"b")"));
  EXPECT_TRUE(is_signed_by(rfc_rsa_token, one));
  EXPECT_FALSE(is_signed_by(rfc_rsa_token, two));
}

TEST(Jose, our_own_signatures) {
  ASSERT_TRUE(start_secrets());
  const auto key = SigningKey::generate();
  ASSERT_TRUE(key);
  const std::string token = key->sign({{"iss", "paika"}});
  const auto keys = keys_of(key->public_jwk().dump());
  ASSERT_EQ(keys.size(), 1U);
  EXPECT_EQ(keys.front().kid, key->kid());
  EXPECT_TRUE(is_signed_by(token, keys));
  EXPECT_FALSE(is_signed_by(token, keys_of(rsa_jwk())));
  const auto again = SigningKey::from_pem(key->pem());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->kid(), key->kid());
  EXPECT_FALSE(SigningKey::from_pem("nonsense"));
}

}  // namespace
}  // namespace paika::server
