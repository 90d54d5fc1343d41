// Secrets: passwords and random tokens, by libsodium.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace paika::server {

/// To be called once before anything else here; false if the machine has no good random numbers.
[[nodiscard]] bool start_secrets();

/// 32 random bytes as 43 letters, digits, '-' and '_'.
[[nodiscard]] std::string random_secret();
/// `length` random characters for links and names that people may have to read aloud: small letters and digits
/// without 0, o, 1 and l, which are 5 random bits a character.
[[nodiscard]] std::string random_name(std::size_t length);
/// What is kept of a secret (BLAKE2b, 64 hexadecimal digits): the store never sees the secret itself.
[[nodiscard]] std::string secret_hash(std::string_view secret);

/// Nothing wrong with a new password: 8 to 200 bytes. Else what.
[[nodiscard]] Result<void> check_password(std::string_view password);
/// argon2id with its parameters and salt in the text. Takes a good part of a second and 64 MB: not for the network
/// thread. Throws std::bad_alloc without that memory.
[[nodiscard]] std::string hash_password(std::string_view password);
/// Takes as long. An empty hash fits no password and takes as long too, so that nobody learns which names exist.
[[nodiscard]] bool password_fits(std::string_view password, const std::string& hash);

}  // namespace paika::server
