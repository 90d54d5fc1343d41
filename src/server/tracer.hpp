// Tracer: stands before the whole site and gives each request and each message of a web socket a trace, with the id of
// the proxy's X-Request-Id or one of our own, which the response tells. Those that take long are logged, with where the
// time went.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>

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

/// On the network thread; traces may end on any, and after it. The log must outlive them.
class Tracer final : public Site {
 public:
  Tracer(Site& site, Log& log, TracerSettings settings);

  void answer(Request request, std::shared_ptr<Reply> reply) override;
  [[nodiscard]] std::variant<std::unique_ptr<SocketHandler>, Response> open_socket(
      const Request& request, std::shared_ptr<Subscriber> subscriber) override;

  [[nodiscard]] RequestTimes times() const;

 private:
  friend class TracedSocket;
  class Totals;

  [[nodiscard]] std::string id_of(const Request& request) const;
  [[nodiscard]] std::shared_ptr<Trace> begin(std::string id, std::string what);

  Site& site_;
  bool behind_proxy_;
  std::shared_ptr<Totals> totals_;
};

}  // namespace paika::server
