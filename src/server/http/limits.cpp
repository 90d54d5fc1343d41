#include "server/http/limits.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace paika::server {

Allowed allowed(Rate rate) noexcept {
  switch (rate) {
    case Rate::none: break;
    case Rate::reading: return {200, 50};
    case Rate::position: return {60, 10};
    case Rate::analysis: return {6, 0.5};
    case Rate::command: return {30, 10};
    case Rate::opening: return {20, 0.5};
    case Rate::secrets: return {10, 0.1};
  }
  return {};
}

std::string_view name(Rate rate) noexcept {
  switch (rate) {
    case Rate::none: return "none";
    case Rate::reading: return "reading";
    case Rate::position: return "position";
    case Rate::analysis: return "analysis";
    case Rate::command: return "command";
    case Rate::opening: return "opening";
    case Rate::secrets: return "secrets";
  }
  return "";
}

Limiter::Limiter(double factor, std::size_t most) : factor_(factor), max_(std::max<std::size_t>(1, most)) {}

Limiter::Bucket& Limiter::bucket(std::string key, double burst, std::chrono::steady_clock::time_point now) {
  if (const auto found = by_key_.find(key); found != by_key_.end()) {
    buckets_.splice(buckets_.begin(), buckets_, found->second);
    return buckets_.front();
  }
  if (buckets_.size() >= max_) {
    by_key_.erase(buckets_.back().key);
    buckets_.pop_back();
  }
  buckets_.push_front({std::move(key), burst, now});
  by_key_.emplace(buckets_.front().key, buckets_.begin());
  return buckets_.front();
}

std::optional<std::chrono::milliseconds> Limiter::take(std::string_view client, Rate rate,
                                                       std::chrono::steady_clock::time_point now) {
  if (rate == Rate::none) return std::nullopt;
  const Allowed limit = allowed(rate);
  const double burst = std::max(1.0, limit.burst * factor_);
  const double per_second = limit.per_second * factor_;
  std::string key(1, static_cast<char>(rate));
  key += client;
  Bucket& bucket = this->bucket(std::move(key), burst, now);
  const double passed = std::max(0.0, std::chrono::duration<double>(now - bucket.at).count());
  bucket.tokens = std::min(burst, bucket.tokens + passed * per_second);
  bucket.at = std::max(bucket.at, now);
  if (bucket.tokens >= 1) {
    bucket.tokens -= 1;
    return std::nullopt;
  }
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil((1 - bucket.tokens) / per_second * 1000)));
}

}  // namespace paika::server
