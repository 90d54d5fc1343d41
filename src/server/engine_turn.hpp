// The engine's turn in a room: how long it may think there, and thinking, on a thread of a work queue.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "engine/game.hpp"
#include "server/rooms/room.hpp"

namespace paika::server {

struct EngineQuestion {
  std::shared_ptr<Session> session;  // nobody else's
  EngineTask task;
  ServerTime asked{0};  // when
  std::string tables;
  int hash_mb = 8;
  std::uint64_t seed = 0;  // of the choices of weaker levels: two rooms do not see the same game
  std::shared_ptr<std::stop_source> stop;
};

/// What the search is limited to if the task has waited so long, and `waiting` other games wait for a thread: a full
/// server gets shorter searches, not later answers.
[[nodiscard]] SearchLimits engine_limits(const EngineTask& task, ServerTime waited, std::size_t waiting);

/// The turn's text; nothing if it was stopped or the machine had no memory for it.
[[nodiscard]] std::optional<std::string> engine_turn(const EngineQuestion& question,
                                                     const std::function<ServerTime()>& now, std::size_t waiting,
                                                     const std::stop_token& closing);

}  // namespace paika::server
