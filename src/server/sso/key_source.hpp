// KeySource: the public keys of issuers, fetched when they are needed and fetched again when they have been rotated.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "server/sso/http_client.hpp"
#include "server/sso/id_token.hpp"
#include "server/sso/jose.hpp"

namespace paika::server {

/// From any thread but the network's: it waits for the issuer's server.
class KeySource {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit KeySource(SendOutside send, std::function<Time()> now = std::chrono::steady_clock::now)
      : send_(std::move(send)), now_(std::move(now)) {}

  /// The key by which the token is to be checked, of those at the address. Keys are kept for an hour. A token that
  /// names another one makes us look again, at most max_refetches times at once and then once a minute: who invents
  /// names of keys cannot make us flood the issuer. Keys that cannot be fetched again are good for a day.
  [[nodiscard]] Result<PublicKey> key(const std::string& url, const Jws& token, const std::stop_token& stop);
  static constexpr int max_refetches = 3;

 private:
  struct Keys {
    std::mutex mutex;  // whoever waits for it finds what the one before has fetched
    std::vector<PublicKey> keys;
    Time fetched;
    bool known = false;
    double refetches = max_refetches;  // left at `counted`
    Time counted;
  };
  [[nodiscard]] Result<void> fetch(const std::string& url, Keys& into, const std::stop_token& stop);
  [[nodiscard]] bool may_refetch(Keys& of) const;

  SendOutside send_;
  std::function<Time()> now_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Keys>> by_url_;
};

/// The claims of a token that is what it has to be: its signature by one of the keys at the address, and all that
/// check_id_claims() looks at. Else what is wrong.
[[nodiscard]] Result<Json> verified_claims(KeySource& keys, const std::string& jwks_url, std::string_view token,
                                           const ExpectedToken& expected, const std::stop_token& stop);

}  // namespace paika::server
