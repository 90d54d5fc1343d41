// SsoConfig: whom the server believes who somebody is, as the operator's file says (docs/single-sign-on.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace paika::server {

/// A provider of OpenID Connect.
struct OidcProvider {
  std::string id;    // in addresses: small letters, digits and '-'
  std::string name;  // on the button
  std::string issuer;
  std::string client_id;
  std::string client_secret;  // empty: a public client
  std::string scope = "openid profile";
};

/// A learning platform that launches us by LTI 1.3.
struct LtiPlatform {
  std::string id;
  std::string name;
  std::string issuer;
  std::string client_id;
  std::vector<std::string> deployments;  // those that may launch
  std::string auth_url;
  std::string token_url;
  std::string jwks_url;
  std::string token_audience;         // of our assertions; by default token_url
  std::vector<std::string> services;  // more origins that grades may be sent to

  /// Grades, and the token that allows to send them, go to no other place.
  [[nodiscard]] bool may_receive(std::string_view url) const;
};

struct SsoConfig {
  std::string base_url;  // of this server for browsers, without '/' at its end
  std::string ca_file;   // certificates to believe; empty: the system's
  std::vector<OidcProvider> providers;
  std::vector<LtiPlatform> platforms;

  [[nodiscard]] const OidcProvider* provider(std::string_view id) const;
  /// By what a launch says; an empty client finds the only platform of the issuer.
  [[nodiscard]] const LtiPlatform* platform(std::string_view issuer, std::string_view client) const;
  /// What an issuer is called; the issuer itself if the file does not name it any more.
  [[nodiscard]] std::string issuer_name(const std::string& issuer) const;
};

/// Reads the file and the files of secrets that it names, which nobody else may be able to read. An error names the
/// place.
[[nodiscard]] Result<SsoConfig> read_sso_file(const std::string& path);

}  // namespace paika::server
