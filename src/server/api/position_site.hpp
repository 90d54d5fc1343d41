// PositionSite: the position part of the API without a network, for a page that has the engine in itself.
//
// It answers what the server answers, by the same routes; there are no persons, limits or tables.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include "server/api/positions.hpp"

namespace paika::server {

class PositionSite {
 public:
  explicit PositionSite(const PositionApi& api);

  /// Answers "POST", "/api/position?…", and a body of JSON. A stream's lines go to `emit`, which is false when no more
  /// are wanted; its answer is then 200 without a body.
  [[nodiscard]] Response answer(std::string_view method, std::string_view target, std::string_view body,
                                const StreamHandler::Emit& emit, const std::stop_token& stop = {}) const;

 private:
  Router router_;
};

}  // namespace paika::server
