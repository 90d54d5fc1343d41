// ID tokens (OpenID Connect Core 3.1.3.7, also those of LTI 1.3): whether a token's content is meant for us, now.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "engine/json.hpp"
#include "server/store/store.hpp"

namespace paika::server {

/// Clocks of servers differ by so much.
inline constexpr std::int64_t token_leeway_s = 60;
/// A token is used at once; an older one was kept by somebody.
inline constexpr std::int64_t max_token_age_s = 600;

/// The time of day as other servers see it: unlike wall_now(), it follows a clock that is set right at once.
[[nodiscard]] WallTime token_time();

/// What a token has to say.
struct ExpectedToken {
  std::string issuer;
  std::string client_id;
  std::string nonce;  // of the one request that it answers
  WallTime now = 0;
};

/// Nothing wrong with the claims of a token whose signature is right: issuer, audience (and "azp" where there are
/// several), nonce, subject, and its times. Else what.
[[nodiscard]] Result<void> check_id_claims(const Json& claims, const ExpectedToken& expected);

/// A claim that is a text; "" if it is none.
[[nodiscard]] std::string text_claim(const Json& claims, std::string_view name);

/// A name for an account out of what a provider calls a person (preferred_username, name, given_name): one that
/// name_fault() accepts, or "".
[[nodiscard]] std::string suggested_name(const Json& claims);

/// "name" for showing in a class: as check_title() likes it and at most `max_bytes` long; "" if there is none such.
[[nodiscard]] std::string shown_name(const Json& claims, std::size_t max_bytes);

}  // namespace paika::server
