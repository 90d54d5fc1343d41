#include "server/logins.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/text.hpp"

namespace paika::server {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t max_remembered = 50'000;
constexpr std::size_t max_key = 40;  // bytes; longer names exist nowhere
constexpr Allowed pair_tries{10, 0.1};
// Strangers: so many tries at once are nothing strange, and one more every ten seconds.
constexpr double free_tries = 30;
constexpr double crowd = 10;
constexpr double forgotten_per_second = 0.1;
constexpr double tries_per_doubling = 5;
constexpr double first_delay_ms = 100;
constexpr double max_delay_ms = 10'000;
constexpr int max_waiting = 20;  // together with the delay: at most two tries a second

std::string key_of(std::string_view name) { return lowered(name.substr(0, max_key)); }

std::string pair_of(std::string_view address, std::string_view name) {
  return fmt::format("{} {}", address, key_of(name));
}

}  // namespace

LoginThrottle::LoginThrottle(double factor)
    : factor_(factor), pairs_(factor, max_remembered), own_(max_remembered), strangers_(max_remembered) {}

LoginThrottle::Decision LoginThrottle::begin(std::string_view address, std::string_view name, Time now) {
  const std::string pair = pair_of(address, name);
  if (const auto wait = pairs_.take(pair, pair_tries, now)) return {wait, {}, false};
  if (own_.find(pair) != nullptr) return {};
  return delay_stranger(key_of(name), now);
}

LoginThrottle::Decision LoginThrottle::delay_stranger(const std::string& name, Time now) {
  Strangers& strangers = strangers_.use(name, {0, now, 0});
  const double passed = std::max(0.0, std::chrono::duration<double>(now - strangers.at).count());
  strangers.tries = std::max(0.0, strangers.tries - passed * forgotten_per_second * factor_);
  strangers.at = std::max(strangers.at, now);
  const double beyond = strangers.tries + 1 - free_tries * factor_;
  const double delay =
      beyond <= 0 ? 0 : std::min(max_delay_ms, first_delay_ms * std::exp2(beyond / (tries_per_doubling * factor_)));
  const milliseconds rounded(static_cast<std::int64_t>(delay));
  if (delay > 0 && strangers.waiting >= max_waiting) return {rounded, {}, true};
  strangers.tries += 1;
  strangers.waiting += delay > 0 ? 1 : 0;
  return {std::nullopt, rounded, strangers.tries > crowd * factor_};
}

void LoginThrottle::end(const Decision& decision, std::string_view address, std::string_view name, bool right) {
  if (Strangers* const strangers = strangers_.find(key_of(name)); strangers != nullptr && decision.delay.count() > 0) {
    strangers->waiting = std::max(0, strangers->waiting - 1);
  }
  if (right) static_cast<void>(own_.use(pair_of(address, name), 1));
}

}  // namespace paika::server
