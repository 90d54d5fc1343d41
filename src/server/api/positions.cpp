#include "server/api/positions.hpp"

#include <iterator>
#include <utility>

#include "server/api/positions_parts.hpp"
#include "server/http/answers.hpp"

namespace paika::server {

Response in_rated_play() {
  return error_response(409, "in_play", "a rated game stands at this position now: ask again when it has ended");
}

std::vector<Route> position_routes(const PositionApi& api) {
  std::vector<Route> all;
  const auto add = [&](std::vector<Route> part) {
    all.insert(all.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
  };
  add(catalogue_routes(api));
  add(turn_routes());
  add(picture_routes());
  add(analysis_routes(api));
  add(value_routes(api));
  add(record_routes());
  add(tree_routes());
  add(review_routes(api));
  return all;
}

}  // namespace paika::server
