// Explorer: which moves were played in a position, in the games of this server, in one's own, and in a database that
// the operator names.
//
// The server's games are in a file beside the store that can be made anew from it: it remembers the place in the order
// of ended rooms that it has come to, in the same transaction as the games, and goes on from there. It has people's
// numbers and no names.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "server/explorer/game_database.hpp"
#include "server/http/route.hpp"

namespace paika::server {

/// From any thread.
class Explorer {
 public:
  /// `own`: the file of the server's games, made if there is none. `games`: the database that is shown beside it;
  /// empty: none.
  [[nodiscard]] static Result<std::shared_ptr<Explorer>> open(const std::string& own, const std::string& games);

  /// Takes games that have ended meanwhile, for a moment; true if there are no more. Throws StoreError.
  bool catch_up(Store& store);
  /// What was played there in the server's games. Players are numbers (server/room_games.hpp).
  [[nodiscard]] Exploration explore_own(const Session& session, const GameFilter& filter);
  [[nodiscard]] bool has_games() const noexcept { return games_ != nullptr; }
  /// Requires has_games().
  [[nodiscard]] Exploration explore_games(const Session& session, const GameFilter& filter);

 private:
  Explorer(std::unique_ptr<GameDatabase> own, std::unique_ptr<GameDatabase> games)
      : own_(std::move(own)), games_(std::move(games)) {}

  std::mutex own_mutex_;
  std::unique_ptr<GameDatabase> own_;
  std::mutex games_mutex_;
  std::unique_ptr<GameDatabase> games_;
};

/// GET /api/explorer. `is_rated` says of a position that a rated game stands there now, which is then not answered.
[[nodiscard]] std::vector<Route> explorer_routes(std::shared_ptr<Explorer> explorer,
                                                 std::function<bool(const Session&)> is_rated);

}  // namespace paika::server
