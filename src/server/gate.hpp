// Gate: what stands before the site: the health of the server for monitors, and addresses that are banned.
//
// On the network thread, like the site behind it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "server/http/site.hpp"
#include "server/log.hpp"
#include "server/store/writer.hpp"

namespace paika::server {

/// Whether what the server saves lasts. It is tried by saving a little, at most once a second however often it is
/// asked.
class Health {
 public:
  /// Nothing, or why not.
  using Report = std::function<void(const std::optional<std::string>& fault)>;

  Health(Writer& writer, Log& log) : writer_(writer), log_(log) {}
  void check(Report report);

 private:
  void known(std::optional<std::string> fault);

  Writer& writer_;
  Log& log_;
  std::vector<Report> waiting_;  // for the check that is under way
  std::optional<std::string> fault_;
  std::optional<std::chrono::steady_clock::time_point> checked_;
};

class Gate final : public Site {
 public:
  Gate(Site& site, Writer& writer, Log& log) : site_(site), health_(writer, log) {}

  void answer(Request request, std::shared_ptr<Reply> reply) override;
  [[nodiscard]] std::variant<std::unique_ptr<SocketHandler>, Response> open_socket(
      const Request& request, std::shared_ptr<Subscriber> subscriber) override;

  /// Clients as client_of() names them. Their web sockets are closed at their next message.
  void set_banned(const std::vector<std::string>& clients);

 private:
  [[nodiscard]] bool is_banned(const Request& request) const;

  Site& site_;
  Health health_;
  std::shared_ptr<std::set<std::string>> banned_ = std::make_shared<std::set<std::string>>();
};

}  // namespace paika::server
