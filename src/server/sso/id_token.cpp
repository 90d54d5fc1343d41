#include "server/sso/id_token.hpp"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/names.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

namespace paika::server {

namespace {

constexpr std::size_t max_subject = 255;  // by OpenID Connect
constexpr std::size_t max_account_name = 20;

/// A time in seconds; whole or not, as the standard allows.
std::optional<std::int64_t> time_claim(const Json& claims, std::string_view name) {
  constexpr double last = 1e11;  // in the year 5138
  const auto found = claims.find(name);
  if (found == claims.end() || !found->is_number()) return std::nullopt;
  const auto seconds = found->get<double>();
  if (!(seconds >= 0 && seconds <= last)) return std::nullopt;
  return static_cast<std::int64_t>(seconds);
}

Result<void> check_audience(const Json& claims, const std::string& client) {
  const Json audience = claims.value("aud", Json());
  const bool several = audience.is_array();
  const bool meant =
      several ? std::find(audience.begin(), audience.end(), client) != audience.end() : audience == client;
  if (!meant) return fail("the token is for {}, not for this client", in_quotes(audience.dump(), 120));
  const bool has_party = claims.contains("azp") && !claims["azp"].is_null();
  if (several && audience.size() > 1 && !has_party) return fail("the token has several audiences and no \"azp\"");
  if (has_party && claims["azp"] != client) {
    return fail("the token was issued to {}, not to this client", in_quotes(claims["azp"].dump(), 120));
  }
  return {};
}

Result<void> check_times(const Json& claims, std::int64_t now) {
  const auto expires = time_claim(claims, "exp");
  const auto issued = time_claim(claims, "iat");
  if (!expires) return fail("the token has no time \"exp\"");
  if (!issued) return fail("the token has no time \"iat\"");
  if (*expires + token_leeway_s <= now) return fail("the token expired {} s ago", now - *expires);
  if (*issued > now + token_leeway_s) return fail("the token was issued {} s in the future", *issued - now);
  if (*issued + max_token_age_s + token_leeway_s < now) return fail("the token was issued {} s ago", now - *issued);
  if (!claims.contains("nbf")) return {};
  const auto begins = time_claim(claims, "nbf");
  if (!begins || *begins > now + token_leeway_s) return fail("the token is not valid yet");
  return {};
}

/// The letters that an account's name may have, without what is before the first one; blanks and dots become '-'.
std::string as_account_name(std::string_view text) {
  std::string name;
  for (const char c : text.substr(0, text.find('@'))) {  // of an address for mail, only who it is
    const bool letter = lowered(c) >= 'a' && lowered(c) <= 'z';
    if (name.size() == max_account_name) break;
    if (letter || (!name.empty() && (is_digit(c) || c == '-' || c == '_'))) name += c;
    if (!name.empty() && (c == ' ' || c == '.') && name.back() != '-') name += '-';
  }
  while (name.ends_with('-')) name.pop_back();
  return name_fault(name) ? "" : name;
}

}  // namespace

Result<void> check_id_claims(const Json& claims, const ExpectedToken& expected) {
  if (text_claim(claims, "iss") != expected.issuer || expected.issuer.empty()) {
    return fail("the token is from {}, not from {}", in_quotes(text_claim(claims, "iss"), 120),
                in_quotes(expected.issuer, 120));
  }
  if (auto audience = check_audience(claims, expected.client_id); !audience) return audience;
  if (auto times = check_times(claims, expected.now / 1000); !times) return times;
  if (expected.nonce.empty() || text_claim(claims, "nonce") != expected.nonce) {
    return fail("the token answers another request: its nonce is not the one that was sent");
  }
  const std::string subject = text_claim(claims, "sub");
  if (subject.empty() || subject.size() > max_subject) {
    return fail("the token names nobody: \"sub\" must have 1 to {} bytes", max_subject);
  }
  return {};
}

WallTime token_time() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string text_claim(const Json& claims, std::string_view name) {
  const auto found = claims.find(name);
  return found != claims.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string suggested_name(const Json& claims) {
  for (const std::string_view claim : {"preferred_username", "name", "given_name"}) {
    if (auto name = as_account_name(text_claim(claims, claim)); !name.empty()) return name;
  }
  return "";
}

std::string shown_name(const Json& claims, std::size_t max_bytes) {
  const std::string whole = text_claim(claims, "name");
  if (!check_title(whole)) return "";
  std::string name;
  for (std::string_view rest = trimmed(whole); !rest.empty();) {
    const std::string_view character = take_character(rest);
    if (name.size() + character.size() > max_bytes) break;
    name += character;
  }
  return check_title(name) ? name : "";
}

}  // namespace paika::server
