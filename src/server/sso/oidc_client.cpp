#include "server/sso/oidc_client.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sodium.h>

#include "base/text.hpp"
#include "server/http/answers.hpp"
#include "server/store/secrets.hpp"

namespace paika::server {

namespace {

constexpr std::chrono::hours metadata_time(1);

/// "Basic …" of RFC 6749, 2.3.1: both are escaped first.
std::string basic_authorization(const OidcProvider& provider) {
  const std::string pair = escaped(provider.client_id) + ":" + escaped(provider.client_secret);
  std::string text(sodium_base64_encoded_len(pair.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(pair.data()), pair.size(),
                    sodium_base64_VARIANT_ORIGINAL);
  text.pop_back();  // the zero at its end
  return "Basic " + text;
}

}  // namespace

Result<ProviderMetadata> read_metadata(std::string_view document, const std::string& issuer) {
  const auto json = read_object(document);
  if (!json) return fail("the provider's configuration is no JSON object");
  if (text_claim(*json, "issuer") != issuer) {
    return fail("the provider calls itself {}, not {}", in_quotes(text_claim(*json, "issuer"), 120),
                in_quotes(issuer, 120));
  }
  ProviderMetadata metadata;
  for (const auto& [name, into] :
       {std::pair("authorization_endpoint", &metadata.authorization_endpoint),
        std::pair("token_endpoint", &metadata.token_endpoint), std::pair("jwks_uri", &metadata.jwks_uri)}) {
    *into = text_claim(*json, name);
    if (const auto fine = check_outside_url(*into); !fine) return fail("{}: {}", name, fine.error().message);
  }
  const Json methods = json->value("token_endpoint_auth_methods_supported", Json());
  const auto offers = [&](const char* word) {
    return methods.is_array() && std::find(methods.begin(), methods.end(), word) != methods.end();
  };
  metadata.secret_in_body = offers("client_secret_post") && !offers("client_secret_basic");
  return metadata;
}

OidcAttempt new_attempt() { return {random_secret(), random_secret(), random_secret()}; }

std::string authorization_url(const ProviderMetadata& metadata, const OidcProvider& provider,
                              const OidcAttempt& attempt, const std::string& redirect_uri) {
  return with_query(metadata.authorization_endpoint, {{"response_type", "code"},
                                                      {"client_id", provider.client_id},
                                                      {"redirect_uri", redirect_uri},
                                                      {"scope", provider.scope},
                                                      {"state", attempt.state},
                                                      {"nonce", attempt.nonce},
                                                      {"code_challenge", to_base64url(sha256(attempt.verifier))},
                                                      {"code_challenge_method", "S256"}});
}

Result<ProviderMetadata> OidcClient::metadata(const OidcProvider& provider, const std::stop_token& stop) {
  {
    const std::scoped_lock lock(mutex_);
    const auto found = known_.find(provider.issuer);
    if (found != known_.end() && std::chrono::steady_clock::now() - found->second.since < metadata_time) {
      return found->second.metadata;
    }
  }
  const std::string slash = provider.issuer.ends_with('/') ? "" : "/";
  const std::string url = provider.issuer + slash + ".well-known/openid-configuration";
  const auto answer = send_({"GET", url, {{"Accept", "application/json"}}, ""}, stop);
  if (!answer) return tl::unexpected(answer.error());
  if (answer->status != 200) return fail("{} answers with the status {}", url, answer->status);
  auto metadata = read_metadata(answer->body, provider.issuer);
  if (!metadata) return tl::unexpected(metadata.error());
  const std::scoped_lock lock(mutex_);
  known_[provider.issuer] = {*metadata, std::chrono::steady_clock::now()};
  return metadata;
}

Result<Json> OidcClient::claims(const OidcProvider& provider, const OidcAttempt& attempt, const std::string& code,
                                const std::string& redirect_uri, const std::stop_token& stop) {
  const auto metadata = this->metadata(provider, stop);
  if (!metadata) return tl::unexpected(metadata.error());
  std::vector<std::pair<std::string, std::string>> fields = {{"grant_type", "authorization_code"},
                                                             {"code", code},
                                                             {"redirect_uri", redirect_uri},
                                                             {"code_verifier", attempt.verifier}};
  OutsideRequest request{"POST", metadata->token_endpoint, {{"Accept", "application/json"}}, ""};
  if (provider.client_secret.empty() || metadata->secret_in_body) fields.emplace_back("client_id", provider.client_id);
  if (!provider.client_secret.empty() && metadata->secret_in_body) {
    fields.emplace_back("client_secret", provider.client_secret);
  } else if (!provider.client_secret.empty()) {
    request.headers.emplace_back("Authorization", basic_authorization(provider));
  }
  request.headers.emplace_back("Content-Type", "application/x-www-form-urlencoded");
  request.body = form_text(fields);
  const auto answer = send_(request, stop);
  if (!answer) return tl::unexpected(answer.error());
  const auto body = read_object(answer->body);
  if (answer->status != 200 || !body) {
    return fail("{} refuses the code with the status {}: {}", metadata->token_endpoint, answer->status,
                in_quotes(body ? text_claim(*body, "error") : "", 80));
  }
  return verified_claims(keys_, metadata->jwks_uri, text_claim(*body, "id_token"),
                         {provider.issuer, provider.client_id, attempt.nonce, token_time()}, stop);
}

}  // namespace paika::server
