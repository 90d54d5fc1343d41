#include "server/http/limits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace paika::server {

namespace {

struct Row {
  Rate rate;
  std::string_view name;
  Allowed person;
  Allowed address;
};
constexpr double a_minute = 60;
// An address may be a school: 60 people who load the page, log in and begin a game in the same minute.
constexpr std::array<Row, 8> rows = {{{Rate::none, "none", {}, {}},
                                      {Rate::reading, "reading", {200, 50}, {4'000, 500}},
                                      {Rate::position, "position", {60, 10}, {1'200, 100}},
                                      {Rate::analysis, "analysis", {6, 0.5}, {120, 5}},
                                      {Rate::command, "command", {30, 10}, {1'200, 300}},
                                      {Rate::opening, "opening", {20, 0.5}, {200, 5}},
                                      {Rate::guest, "guest", {5, 1 / a_minute}, {200, 1 / a_minute}},
                                      {Rate::secrets, "secrets", {10, 0.1}, {240, 2}}}};

const Row& row(Rate rate) noexcept { return rows.at(static_cast<std::size_t>(rate)); }

/// A bucket may have to stay while two others of the same request are looked up.
constexpr std::size_t min_buckets = 4;

}  // namespace

Allowed allowed(Rate rate, Payer payer) noexcept {
  return payer == Payer::person ? row(rate).person : row(rate).address;
}

std::string_view name(Rate rate) noexcept { return row(rate).name; }

Caps scaled(Caps caps, double factor) noexcept {
  const auto times = [&](std::size_t count) {
    return static_cast<std::size_t>(std::min(static_cast<double>(count) * factor, 1e9));
  };
  return {caps.total, times(caps.per_address), times(caps.per_person)};
}

Limiter::Limiter(double factor, std::size_t most) : factor_(factor), buckets_(std::max(most, min_buckets)) {}

Limiter::Bucket& Limiter::filled(const Charge& charge, Time now) {
  Bucket& bucket = buckets_.use(charge.key, {charge.limit.burst, now});
  const double passed = std::max(0.0, std::chrono::duration<double>(now - bucket.at).count());
  bucket.tokens = std::min(charge.limit.burst, bucket.tokens + passed * charge.limit.per_second);
  bucket.at = std::max(bucket.at, now);
  return bucket;
}

Limiter::Wait Limiter::take_all(std::span<Charge> charges, Time now) {
  double wait = 0;
  for (Charge& charge : charges) {
    charge.limit = {std::max(1.0, charge.limit.burst * factor_), charge.limit.per_second * factor_};
    const double missing = 1 - filled(charge, now).tokens;
    if (missing > 0) wait = std::max(wait, missing / charge.limit.per_second);
  }
  if (wait > 0) return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(wait * 1000)));
  for (const Charge& charge : charges) filled(charge, now).tokens -= 1;
  return std::nullopt;
}

Limiter::Wait Limiter::take(const Client& client, Rate rate, Time now) {
  if (rate == Rate::none) return std::nullopt;
  std::array<Charge, 2> charges;
  charges[0] = {fmt::format("{} {}", name(rate), client.address), allowed(rate, Payer::address)};
  charges[1] = {fmt::format("{} person {}", name(rate), client.person), allowed(rate, Payer::person)};
  return take_all(std::span(charges).first(client.person == 0 ? 1 : 2), now);
}

Limiter::Wait Limiter::take(std::string_view key, Allowed limit, Time now) {
  std::array<Charge, 1> charge = {Charge{std::string(key), limit}};
  return take_all(charge, now);
}

}  // namespace paika::server
