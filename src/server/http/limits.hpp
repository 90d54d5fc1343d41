// Limits: how often somebody may do something. Token buckets, one for each client and kind of work.
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace paika::server {

/// Kinds of work that are counted apart.
enum class Rate : unsigned char {
  none,      // not counted: health and metrics
  reading,   // pages, lists, snapshots
  position,  // legal turns, pictures: work for the work queue
  analysis,  // engine time
  command,   // turns, offers, chat
  opening,   // new rooms
  secrets    // passwords, accounts, tokens
};

/// So many at once, and so many a second afterwards.
struct Allowed {
  double burst = 0;
  double per_second = 0;
};
/// What each kind allows a client; times `factor`, which load tests raise.
[[nodiscard]] Allowed allowed(Rate rate) noexcept;
[[nodiscard]] std::string_view name(Rate rate) noexcept;

/// Remembers at most `most` buckets (one for each client and kind of work), those used last; to be used by one thread.
class Limiter {
 public:
  explicit Limiter(double factor = 1, std::size_t most = 100'000);
  Limiter(const Limiter&) = delete;
  Limiter& operator=(const Limiter&) = delete;
  ~Limiter() = default;

  /// Nothing if the client may, and then it is counted; else how long it has to wait. Who is refused loses nothing by
  /// having asked. `client` is best what client_of() (server/http/address.hpp) makes of an address.
  [[nodiscard]] std::optional<std::chrono::milliseconds> take(std::string_view client, Rate rate,
                                                              std::chrono::steady_clock::time_point now);
  [[nodiscard]] std::size_t size() const noexcept { return buckets_.size(); }

 private:
  struct Bucket {
    std::string key;
    double tokens = 0;
    std::chrono::steady_clock::time_point at;
  };
  /// The bucket of a key, a full one if it is new, moved to the front.
  Bucket& bucket(std::string key, double burst, std::chrono::steady_clock::time_point now);

  double factor_;
  std::size_t max_;
  std::list<Bucket> buckets_;                                                 // used last first
  std::unordered_map<std::string_view, std::list<Bucket>::iterator> by_key_;  // the keys are those in the buckets
};

}  // namespace paika::server
