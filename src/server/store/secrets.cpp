#include "server/store/secrets.hpp"

#include <array>
#include <new>
#include <sodium.h>

#include "base/check.hpp"

namespace paika::server {

namespace {

constexpr std::size_t secret_bytes = 32;
constexpr std::size_t hash_bytes = 32;
constexpr std::size_t min_password = 8;
constexpr std::size_t max_password = 200;
constexpr std::string_view name_letters = "abcdefghijkmnpqrstuvwxyz23456789";

const unsigned char* bytes_of(std::string_view text) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

bool start_secrets() { return sodium_init() >= 0; }

std::string random_secret() {
  std::array<unsigned char, secret_bytes> bytes{};
  randombytes_buf(bytes.data(), bytes.size());
  constexpr int alphabet = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
  std::array<char, sodium_base64_ENCODED_LEN(secret_bytes, sodium_base64_VARIANT_URLSAFE_NO_PADDING)> text{};
  sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(), alphabet);
  return text.data();
}

std::string random_name(std::size_t length) {
  std::string name;
  name.reserve(length);
  while (name.size() < length) {
    name += name_letters[randombytes_uniform(static_cast<std::uint32_t>(name_letters.size()))];
  }
  return name;
}

std::string secret_hash(std::string_view secret) {
  std::array<unsigned char, hash_bytes> hash{};
  PAIKA_CHECK(crypto_generichash(hash.data(), hash.size(), bytes_of(secret), secret.size(), nullptr, 0) == 0);
  std::array<char, 2 * hash_bytes + 1> text{};
  sodium_bin2hex(text.data(), text.size(), hash.data(), hash.size());
  return text.data();
}

Result<void> check_password(std::string_view password) {
  if (password.size() < min_password) return fail("a password has at least {} bytes", min_password);
  if (password.size() > max_password) return fail("a password has at most {} bytes", max_password);
  return {};
}

std::string hash_password(std::string_view password) {
  std::array<char, crypto_pwhash_STRBYTES> text{};
  const int failed =
      crypto_pwhash_str_alg(text.data(), password.data(), password.size(), crypto_pwhash_OPSLIMIT_INTERACTIVE,
                            crypto_pwhash_MEMLIMIT_INTERACTIVE, crypto_pwhash_ALG_ARGON2ID13);
  if (failed != 0) throw std::bad_alloc();  // the only thing that can fail
  return text.data();
}

bool password_fits(std::string_view password, const std::string& hash) {
  if (hash.empty()) {
    (void)hash_password(password);
    return false;
  }
  return crypto_pwhash_str_verify(hash.c_str(), password.data(), password.size()) == 0;
}

}  // namespace paika::server
