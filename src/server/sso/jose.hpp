// JOSE: signed tokens (JWS, RFC 7515) and public keys (JWK, RFC 7517), by OpenSSL, as far as single sign-on needs them.
//
// Two algorithms exist here, RS256 and ES256, and a key has exactly one of them: a token never decides how it is
// checked. "none", the HMAC family and keys inside a token (jwk, jku, x5c) are not implemented, so they cannot be
// switched on by mistake (docs/decisions/0015-tokens-by-openssl.md). Everything is a pure function of texts that
// anybody may have written.
#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "engine/json.hpp"

namespace paika::server {

inline constexpr std::size_t max_token_bytes = std::size_t{32} * 1024;
inline constexpr std::size_t max_jwks_keys = 64;

enum class JwsAlgorithm : unsigned char { rs256, es256 };
[[nodiscard]] std::string_view name(JwsAlgorithm algorithm) noexcept;

/// Without padding.
[[nodiscard]] std::string to_base64url(std::string_view bytes);
/// Nothing if the text is not exactly what to_base64url() writes.
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);
/// SHA-256, 32 bytes.
[[nodiscard]] std::string sha256(std::string_view bytes);

/// A key of OpenSSL; jose.cpp alone looks inside.
struct KeyHandle;

/// A key that checks signatures of one algorithm. Cheap to copy; from any thread.
struct PublicKey {
  std::string kid;  // empty: it has none
  JwsAlgorithm algorithm = JwsAlgorithm::rs256;
  std::shared_ptr<const KeyHandle> handle;
};

/// The keys of a JWK Set that can check signatures of ours: RSA of 2048 to 8192 bits, and P-256. Others are left out,
/// as the standard asks. An error if the text is no such set, or has more than max_jwks_keys.
[[nodiscard]] Result<std::vector<PublicKey>> read_jwks(std::string_view text);

/// A token taken apart; nothing in it is to be believed before check_signature().
struct Jws {
  JwsAlgorithm algorithm = JwsAlgorithm::rs256;
  std::string kid;  // empty: it names none
  Json claims;
  std::string signed_text;
  std::string signature;
};

/// Reads the compact form. Refused are other algorithms, critical extensions ("crit") and what is longer than
/// max_token_bytes.
[[nodiscard]] Result<Jws> read_jws(std::string_view token);

/// The key that a token names; one that names none takes the only key of its algorithm. nullptr if there is none.
[[nodiscard]] const PublicKey* key_for(const Jws& token, std::span<const PublicKey> keys);

/// Nothing wrong: the key is of the token's algorithm, and the signature is that of the key.
[[nodiscard]] Result<void> check_signature(const Jws& token, const PublicKey& key);

/// A private RSA key that signs by RS256.
class SigningKey {
 public:
  /// A new key of 2048 bits. Takes a good part of a second.
  [[nodiscard]] static Result<SigningKey> generate();
  [[nodiscard]] static Result<SigningKey> from_pem(std::string_view pem);

  /// The thumbprint of the public key (RFC 7638).
  [[nodiscard]] const std::string& kid() const noexcept { return kid_; }
  [[nodiscard]] std::string pem() const;
  /// The public half, for a JWK Set.
  [[nodiscard]] Json public_jwk() const;
  [[nodiscard]] std::string sign(const Json& claims) const;

 private:
  explicit SigningKey(std::shared_ptr<const KeyHandle> handle);

  std::shared_ptr<const KeyHandle> handle_;
  std::string kid_;
};

}  // namespace paika::server
