#include "server/sso/key_source.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace paika::server {

namespace {

constexpr std::chrono::hours fresh_time(1);
constexpr std::chrono::hours stale_time(24);
constexpr double refetches_per_second = 1.0 / 60;

}  // namespace

Result<PublicKey> KeySource::key(const std::string& url, const Jws& token, const std::stop_token& stop) {
  std::shared_ptr<Keys> entry;
  {
    const std::scoped_lock lock(mutex_);
    auto& kept = by_url_[url];
    if (!kept) kept = std::make_shared<Keys>();
    entry = kept;
  }
  const std::scoped_lock lock(entry->mutex);
  const auto found = [&]() -> const PublicKey* { return key_for(token, entry->keys); };
  const auto age = now_() - entry->fetched;
  const bool old = !entry->known || age > fresh_time;
  if ((old || found() == nullptr) && may_refetch(*entry)) {
    if (auto fetched = fetch(url, *entry, stop); !fetched && (!entry->known || age > stale_time)) {
      return tl::unexpected(fetched.error());
    }
  }
  if (!entry->known) return fail("the keys at {} could not be fetched lately", url);
  if (const PublicKey* key = found()) return *key;
  return fail("no key at {} is called {} and signs by {}", url, in_quotes(token.kid, 80), name(token.algorithm));
}

bool KeySource::may_refetch(Keys& of) const {
  const Time now = now_();
  const double gained = std::chrono::duration<double>(now - of.counted).count() * refetches_per_second;
  of.refetches = std::min<double>(max_refetches, of.refetches + gained);
  of.counted = now;
  if (of.refetches < 1) return false;
  of.refetches -= 1;
  return true;
}

Result<void> KeySource::fetch(const std::string& url, Keys& into, const std::stop_token& stop) {
  const auto answer = send_({"GET", url, {{"Accept", "application/json"}}, ""}, stop);
  if (!answer) return tl::unexpected(answer.error());
  if (answer->status != 200) return fail("{} answers with the status {}", url, answer->status);
  auto keys = read_jwks(answer->body);
  if (!keys) return fail("{}: {}", url, keys.error().message);
  into.keys = std::move(*keys);
  into.fetched = now_();
  into.known = true;
  return {};
}

Result<Json> verified_claims(KeySource& keys, const std::string& jwks_url, std::string_view token,
                             const ExpectedToken& expected, const std::stop_token& stop) {
  auto read = read_jws(token);
  if (!read) return tl::unexpected(read.error());
  const auto key = keys.key(jwks_url, *read, stop);
  if (!key) return tl::unexpected(key.error());
  if (const auto good = check_signature(*read, *key); !good) return tl::unexpected(good.error());
  if (const auto good = check_id_claims(read->claims, expected); !good) return tl::unexpected(good.error());
  return std::move(read->claims);
}

}  // namespace paika::server
