// Tracer: stands before the whole site and gives each request and each message of a web socket a trace, with the id of
// the proxy's X-Request-Id or one of our own, which the response tells. Those that take long are logged, with where the
// time went.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "server/http/site.hpp"
#include "server/log.hpp"
#include "server/store/trace.hpp"

namespace paika::server {

/// True for an id that a proxy may give: 8 to 64 letters, digits, '-', '_' and '.'.
[[nodiscard]] bool is_request_id(std::string_view text);

/// How long requests took, web sockets included.
struct RequestTimes {
  static constexpr std::array<double, 7> bounds = {0.005, 0.02, 0.1, 0.3, 1, 3, 10};  // seconds
  std::array<std::uint64_t, bounds.size() + 1> counts{};  // each up to its bound; longer ones
  double seconds = 0;
  std::uint64_t slow = 0;
};

struct TracerSettings {
  bool behind_proxy = false;          // whose ids are believed
  std::chrono::milliseconds slow{0};  // requests that take longer are logged; 0: none
};

/// On the network thread; traces may end on any. The site and the log must outlive all requests.
class Tracer final : public Site {
 public:
  Tracer(Site& site, Log& log, TracerSettings settings) : site_(site), log_(log), settings_(settings) {}

  void answer(Request request, std::shared_ptr<Reply> reply) override;
  [[nodiscard]] std::variant<std::unique_ptr<SocketHandler>, Response> open_socket(
      const Request& request, std::shared_ptr<Subscriber> subscriber) override;

  [[nodiscard]] RequestTimes times() const;

 private:
  friend class TracedSocket;

  [[nodiscard]] std::string id_of(const Request& request) const;
  [[nodiscard]] std::shared_ptr<Trace> begin(std::string id, std::string what);
  void ended(const Trace& trace);

  Site& site_;
  Log& log_;
  TracerSettings settings_;
  std::array<std::atomic<std::uint64_t>, RequestTimes::bounds.size() + 1> counts_{};
  std::atomic<std::uint64_t> microseconds_{0};
  std::atomic<std::uint64_t> slow_{0};
};

}  // namespace paika::server
