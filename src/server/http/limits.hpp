// Limits: how often somebody may do something, and how much of it at a time.
//
// Every request is charged to its address, and to its person too where one is known: a second account, guest or token
// gives nobody more than the address has. What an address may do is enough for a school behind one address.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "server/http/address.hpp"
#include "server/http/lru_map.hpp"

namespace paika::server {

/// Kinds of work that are counted apart.
enum class Rate : unsigned char {
  none,      // not counted: health and metrics
  reading,   // pages, lists, snapshots
  position,  // legal turns, pictures: work for a work queue
  analysis,  // engine time
  command,   // turns, offers, chat
  opening,   // new rooms
  guest,     // new guests
  secrets    // passwords, accounts, tokens
};
enum class Payer : unsigned char { person, address };

/// So many at once, and so many a second afterwards.
struct Allowed {
  double burst = 0;
  double per_second = 0;
};
/// What each kind allows a person, or an address; times `factor`, which load tests raise.
[[nodiscard]] Allowed allowed(Rate rate, Payer payer) noexcept;
[[nodiscard]] std::string_view name(Rate rate) noexcept;

/// How much of something there may be at a time: in all, of one address, of one person.
struct Caps {
  std::size_t total = 0;
  std::size_t per_address = 0;
  std::size_t per_person = 0;
};
/// The caps of an address and a person times `factor`.
[[nodiscard]] Caps scaled(Caps caps, double factor) noexcept;

/// What runs or waits on a work queue (server/work_queue.hpp).
inline constexpr Caps read_caps{1000, 200, 20};        // lists and other slow reading
inline constexpr Caps position_caps{1000, 200, 20};    // questions about positions
inline constexpr Caps room_read_caps{2000, 200, 100};  // rooms, and events that somebody missed
inline constexpr Caps export_caps{1000, 100, 10};      // exports and other long answers
inline constexpr Caps engine_caps{1000, 100, 50};      // moves of the engine; those of more games wait outside
inline constexpr Caps password_caps{400, 100, 2};
inline constexpr Caps analysis_caps{500, 64, 3};
inline constexpr Caps clone_caps{200, 100, 4};  // requests of git that only read
inline constexpr Caps push_caps{200, 100, 2};
inline constexpr Caps outside_caps{500, 200, 4};  // logins that wait for a provider
/// Rooms that were opened within a day and have not ended.
inline constexpr Caps room_caps{100'000, 500, 50};

/// Token buckets. Remembers at most `most` of them, those used last; to be used by one thread.
class Limiter {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Wait = std::optional<std::chrono::milliseconds>;

  explicit Limiter(double factor = 1, std::size_t most = 100'000);

  /// Nothing if the client may, and then its person and its address are charged; else how long it has to wait. Who is
  /// refused loses nothing by having asked.
  [[nodiscard]] Wait take(const Client& client, Rate rate, Time now);
  /// The same for a bucket of any name that no kind of work uses.
  [[nodiscard]] Wait take(std::string_view key, Allowed limit, Time now);
  [[nodiscard]] std::size_t size() const noexcept { return buckets_.size(); }

 private:
  struct Bucket {
    double tokens = 0;
    Time at;
  };
  struct Charge {
    std::string key;
    Allowed limit;
  };
  /// All of them, or none.
  [[nodiscard]] Wait take_all(std::span<Charge> charges, Time now);
  /// The bucket of a charge as it stands now.
  Bucket& filled(const Charge& charge, Time now);

  double factor_;
  LruMap<Bucket> buckets_;
};

}  // namespace paika::server
