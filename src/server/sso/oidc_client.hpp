// OidcClient: our side of OpenID Connect's authorisation code flow: where a provider is, where to send a browser, and
// who it was that came back.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>

#include "base/result.hpp"
#include "server/sso/config.hpp"
#include "server/sso/http_client.hpp"
#include "server/sso/key_source.hpp"

namespace paika::server {

/// What a provider says of itself (OpenID Connect Discovery).
struct ProviderMetadata {
  std::string authorization_endpoint;
  std::string token_endpoint;
  std::string jwks_uri;
  bool secret_in_body = false;  // it does not take the client's secret in a header
};
/// An error if the document is of another issuer or lacks something, or if an address in it is not to be called.
[[nodiscard]] Result<ProviderMetadata> read_metadata(std::string_view document, const std::string& issuer);

/// One login that is under way.
struct OidcAttempt {
  std::string state;     // by which the browser's return is known
  std::string nonce;     // that the token has to repeat
  std::string verifier;  // of PKCE
};
[[nodiscard]] OidcAttempt new_attempt();

/// From any thread but the network's: it waits for the provider.
class OidcClient {
 public:
  OidcClient(SendOutside send, KeySource& keys) : send_(std::move(send)), keys_(keys) {}

  /// Kept for an hour.
  [[nodiscard]] Result<ProviderMetadata> metadata(const OidcProvider& provider, const std::stop_token& stop);
  /// Exchanges the code that the browser brought for an ID token; its claims, verified.
  [[nodiscard]] Result<Json> claims(const OidcProvider& provider, const OidcAttempt& attempt, const std::string& code,
                                    const std::string& redirect_uri, const std::stop_token& stop);

 private:
  struct Known {
    ProviderMetadata metadata;
    std::chrono::steady_clock::time_point since;
  };
  SendOutside send_;
  KeySource& keys_;
  std::mutex mutex_;
  std::map<std::string, Known> known_;  // by issuer
};

/// Where the browser is sent to sign in.
[[nodiscard]] std::string authorization_url(const ProviderMetadata& metadata, const OidcProvider& provider,
                                            const OidcAttempt& attempt, const std::string& redirect_uri);

}  // namespace paika::server
