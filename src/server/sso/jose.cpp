#include "server/sso/jose.hpp"

#include <algorithm>
#include <array>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <sodium.h>
#include <utility>

#include "base/check.hpp"
#include "base/text.hpp"
#include "server/http/answers.hpp"

namespace paika::server {

namespace {

constexpr int min_rsa_bits = 2048;
constexpr int max_rsa_bits = 8192;
constexpr std::size_t p256_bytes = 32;  // of a coordinate, and of half a signature
constexpr int alphabet = sodium_base64_VARIANT_URLSAFE_NO_PADDING;

/// Frees what OpenSSL has made.
template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* pointer) const {
    Free(pointer);
  }
};
using KeyPtr = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using KeyContextPtr = std::unique_ptr<EVP_PKEY_CTX, Freed<EVP_PKEY_CTX_free>>;
using DigestPtr = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>>;
using NumberPtr = std::unique_ptr<BIGNUM, Freed<BN_free>>;
using BuilderPtr = std::unique_ptr<OSSL_PARAM_BLD, Freed<OSSL_PARAM_BLD_free>>;
using ParamsPtr = std::unique_ptr<OSSL_PARAM, Freed<OSSL_PARAM_free>>;
using SignaturePtr = std::unique_ptr<ECDSA_SIG, Freed<ECDSA_SIG_free>>;
using BioPtr = std::unique_ptr<BIO, Freed<BIO_free>>;

const unsigned char* bytes_in(std::string_view text) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string text_of(const unsigned char* bytes, std::size_t size) { return {bytes, bytes + size}; }

NumberPtr number_of(std::string_view bytes) {
  return NumberPtr(BN_bin2bn(bytes_in(bytes), static_cast<int>(bytes.size()), nullptr));
}

std::string bytes_of_number(const BIGNUM* number) {
  std::string bytes(static_cast<std::size_t>(BN_num_bytes(number)), '\0');
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes
  BN_bn2bin(number, reinterpret_cast<unsigned char*>(bytes.data()));
  return bytes;
}

KeyPtr key_from(const char* type, OSSL_PARAM_BLD* builder) {
  const ParamsPtr params(OSSL_PARAM_BLD_to_param(builder));
  const KeyContextPtr context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* key = nullptr;
  if (!params || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, params.get()) != 1) {
    EVP_PKEY_free(key);
    return nullptr;
  }
  return KeyPtr(key);
}

/// A field of a JWK that is bytes in base64url; "" if it is none.
std::string bytes_field(const Json& jwk, const char* field) {
  const auto text = text_field(jwk, field, "");
  return text ? from_base64url(*text).value_or("") : "";
}

KeyPtr rsa_key(const Json& jwk) {
  const NumberPtr n = number_of(bytes_field(jwk, "n"));
  const NumberPtr e = number_of(bytes_field(jwk, "e"));
  if (!n || !e || BN_num_bits(n.get()) < min_rsa_bits || BN_num_bits(n.get()) > max_rsa_bits) return nullptr;
  // An even or tiny exponent is no key, and one above 64 bits only makes checking slow.
  if (BN_is_odd(e.get()) == 0 || BN_num_bits(e.get()) < 2 || BN_num_bits(e.get()) > 64) return nullptr;
  const BuilderPtr builder(OSSL_PARAM_BLD_new());
  if (!builder || OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get()) != 1) {
    return nullptr;
  }
  return key_from("RSA", builder.get());
}

KeyPtr p256_key(const Json& jwk) {
  const std::string x = bytes_field(jwk, "x");
  const std::string y = bytes_field(jwk, "y");
  if (x.size() != p256_bytes || y.size() != p256_bytes) return nullptr;
  const std::string point = '\x04' + x + y;  // not compressed; OpenSSL refuses one that is not on the curve
  const BuilderPtr builder(OSSL_PARAM_BLD_new());
  if (!builder || OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) != 1 ||
      OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size()) != 1) {
    return nullptr;
  }
  return key_from("EC", builder.get());
}

/// A JWS has both numbers of an ES256 signature one after the other, OpenSSL wants them in DER.
std::optional<std::string> der_signature(std::string_view signature) {
  if (signature.size() != 2 * p256_bytes) return std::nullopt;
  const SignaturePtr pair(ECDSA_SIG_new());
  NumberPtr r = number_of(signature.substr(0, p256_bytes));
  NumberPtr s = number_of(signature.substr(p256_bytes));
  if (!pair || !r || !s || ECDSA_SIG_set0(pair.get(), r.release(), s.release()) != 1) return std::nullopt;
  unsigned char* der = nullptr;
  const int size = i2d_ECDSA_SIG(pair.get(), &der);
  if (size <= 0) return std::nullopt;
  std::string text = text_of(der, static_cast<std::size_t>(size));
  OPENSSL_free(der);
  return text;
}

/// "use" and "key_ops" of a JWK, where they are given, allow to check signatures.
bool is_for_signatures(const Json& jwk) {
  if (jwk.contains("use") && jwk["use"] != "sig") return false;
  if (!jwk.contains("key_ops")) return true;
  const Json& operations = jwk["key_ops"];
  return operations.is_array() && std::find(operations.begin(), operations.end(), "verify") != operations.end();
}

}  // namespace

struct KeyHandle {
  explicit KeyHandle(KeyPtr given) : key(std::move(given)) {}
  KeyPtr key;
};

namespace {

std::optional<PublicKey> read_jwk(const Json& jwk) {
  const auto type = text_field(jwk, "kty", "");
  const auto kid = text_field(jwk, "kid", "");
  const auto algorithm = text_field(jwk, "alg", "");
  if (!type || !kid || !algorithm || !is_for_signatures(jwk)) return std::nullopt;
  const bool rsa = *type == "RSA";
  if (!rsa && (*type != "EC" || jwk.value("crv", Json()) != "P-256")) return std::nullopt;
  PublicKey key{*kid, rsa ? JwsAlgorithm::rs256 : JwsAlgorithm::es256, nullptr};
  if (!algorithm->empty() && *algorithm != name(key.algorithm)) return std::nullopt;
  KeyPtr made = rsa ? rsa_key(jwk) : p256_key(jwk);
  if (!made) return std::nullopt;
  key.handle = std::make_shared<const KeyHandle>(std::move(made));
  return key;
}

/// One of the first two parts of a token: a JSON object in base64url.
Result<Json> read_part(std::string_view part, std::string_view what) {
  const auto text = from_base64url(part);
  if (!text) return fail("the {} of the token is not base64url", what);
  auto json = read_object(*text);
  if (!json) return fail("the {} of the token is no JSON object", what);
  return json;
}

Result<JwsAlgorithm> algorithm_of(const Json& header) {
  const Json word = header.value("alg", Json());
  for (const JwsAlgorithm known : {JwsAlgorithm::rs256, JwsAlgorithm::es256}) {
    if (word == name(known)) return known;
  }
  return fail("the token is signed by {}; only RS256 and ES256 are accepted", in_quotes(word.dump(), 40));
}

}  // namespace

std::string_view name(JwsAlgorithm algorithm) noexcept { return algorithm == JwsAlgorithm::rs256 ? "RS256" : "ES256"; }

std::string to_base64url(std::string_view bytes) {
  std::string text(sodium_base64_encoded_len(bytes.size(), alphabet), '\0');
  sodium_bin2base64(text.data(), text.size(), bytes_in(bytes), bytes.size(), alphabet);
  text.pop_back();  // the zero at its end
  return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
  std::string bytes(text.size(), '\0');
  std::size_t size = 0;
  const char* end = nullptr;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes
  auto* const into = reinterpret_cast<unsigned char*>(bytes.data());
  if (sodium_base642bin(into, bytes.size(), text.data(), text.size(), nullptr, &size, &end, alphabet) != 0 ||
      end != text.data() + text.size()) {
    return std::nullopt;
  }
  bytes.resize(size);
  // Bits that are left over in the last letter must be zero: one content has one text.
  if (to_base64url(bytes) != text) return std::nullopt;
  return bytes;
}

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> hash{};
  PAIKA_CHECK(EVP_Digest(bytes.data(), bytes.size(), hash.data(), nullptr, EVP_sha256(), nullptr) == 1);
  return text_of(hash.data(), hash.size());
}

Result<std::vector<PublicKey>> read_jwks(std::string_view text) {
  const auto set = read_object(text);
  if (!set) return fail("the key set is no JSON object");
  const Json list = set->value("keys", Json());
  if (!list.is_array()) return fail("the key set has no list \"keys\"");
  if (list.size() > max_jwks_keys)
    return fail("the key set has {} keys; at most {} are read", list.size(), max_jwks_keys);
  std::vector<PublicKey> keys;
  for (const Json& jwk : list) {
    if (!jwk.is_object()) continue;
    if (auto key = read_jwk(jwk)) keys.push_back(std::move(*key));
  }
  return keys;
}

Result<Jws> read_jws(std::string_view token) {
  if (token.size() > max_token_bytes)
    return fail("the token has {} bytes; at most {} are read", token.size(), max_token_bytes);
  const auto parts = split(token, '.');
  if (parts.size() != 3) return fail("a signed token has three parts between dots, not {}", parts.size());
  const auto header = read_part(parts[0], "header");
  if (!header) return tl::unexpected(header.error());
  const auto algorithm = algorithm_of(*header);
  if (!algorithm) return tl::unexpected(algorithm.error());
  if (header->contains("crit")) return fail("the token has critical extensions, none of which is known");
  const auto kid = text_field(*header, "kid", "");
  if (!kid) return fail("the token's {}", kid.error().message);
  auto claims = read_part(parts[1], "content");
  if (!claims) return tl::unexpected(claims.error());
  const auto signature = from_base64url(parts[2]);
  if (!signature || signature->empty()) return fail("the token has no signature");
  return Jws{*algorithm, *kid, std::move(*claims), std::string(token.substr(0, parts[0].size() + 1 + parts[1].size())),
             *signature};
}

const PublicKey* key_for(const Jws& token, std::span<const PublicKey> keys) {
  const PublicKey* found = nullptr;
  for (const PublicKey& key : keys) {
    if (key.algorithm != token.algorithm || (!token.kid.empty() && key.kid != token.kid)) continue;
    if (!token.kid.empty()) return &key;
    if (found != nullptr) return nullptr;  // which one is meant is anybody's guess
    found = &key;
  }
  return found;
}

Result<void> check_signature(const Jws& token, const PublicKey& key) {
  if (key.algorithm != token.algorithm) return fail("the key is not for {}", name(token.algorithm));
  const auto signature =
      token.algorithm == JwsAlgorithm::es256 ? der_signature(token.signature) : std::optional(token.signature);
  const DigestPtr context(EVP_MD_CTX_new());
  const bool good = signature && context &&
                    EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key.handle->key.get()) == 1 &&
                    EVP_DigestVerify(context.get(), bytes_in(*signature), signature->size(),
                                     bytes_in(token.signed_text), token.signed_text.size()) == 1;
  if (!good) return fail("the signature of the token is wrong");
  return {};
}

// ---- Our own key ----

SigningKey::SigningKey(std::shared_ptr<const KeyHandle> handle) : handle_(std::move(handle)) {
  const Json jwk = public_jwk();
  // The order and the blanks are those of RFC 7638.
  kid_ = to_base64url(sha256(fmt::format(R"({{"e":{},"kty":"RSA","n":{}}})", jwk["e"].dump(), jwk["n"].dump())));
}

Result<SigningKey> SigningKey::generate() {
  KeyPtr key(EVP_RSA_gen(min_rsa_bits));
  if (!key) return fail("OpenSSL could not make a key");
  return SigningKey(std::make_shared<const KeyHandle>(std::move(key)));
}

Result<SigningKey> SigningKey::from_pem(std::string_view pem) {
  const BioPtr bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  KeyPtr key(bio ? PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr) : nullptr);
  if (!key || EVP_PKEY_get_base_id(key.get()) != EVP_PKEY_RSA || EVP_PKEY_get_bits(key.get()) < min_rsa_bits) {
    return fail("this is no RSA key of at least {} bits in PEM", min_rsa_bits);
  }
  return SigningKey(std::make_shared<const KeyHandle>(std::move(key)));
}

std::string SigningKey::pem() const {
  const BioPtr bio(BIO_new(BIO_s_mem()));
  PAIKA_CHECK(bio &&
              PEM_write_bio_PrivateKey(bio.get(), handle_->key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1);
  char* text = nullptr;
  const auto size = BIO_get_mem_data(bio.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

Json SigningKey::public_jwk() const {
  const auto number = [&](const char* what) {
    BIGNUM* found = nullptr;
    PAIKA_CHECK(EVP_PKEY_get_bn_param(handle_->key.get(), what, &found) == 1);
    const NumberPtr owned(found);
    return to_base64url(bytes_of_number(found));
  };
  return {{"kty", "RSA"},
          {"alg", "RS256"},
          {"use", "sig"},
          {"kid", kid_},
          {"n", number(OSSL_PKEY_PARAM_RSA_N)},
          {"e", number(OSSL_PKEY_PARAM_RSA_E)}};
}

std::string SigningKey::sign(const Json& claims) const {
  const Json header = {{"alg", "RS256"}, {"typ", "JWT"}, {"kid", kid_}};
  const std::string text = to_base64url(header.dump()) + "." + to_base64url(claims.dump());
  const DigestPtr context(EVP_MD_CTX_new());
  std::size_t size = 0;
  PAIKA_CHECK(context && EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, handle_->key.get()) == 1);
  PAIKA_CHECK(EVP_DigestSign(context.get(), nullptr, &size, bytes_in(text), text.size()) == 1);
  std::vector<unsigned char> signature(size);
  PAIKA_CHECK(EVP_DigestSign(context.get(), signature.data(), &size, bytes_in(text), text.size()) == 1);
  return text + "." + to_base64url(text_of(signature.data(), size));
}

}  // namespace paika::server
