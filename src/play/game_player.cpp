#include "play/game_player.hpp"

namespace paika::play {

std::string_view name(Failure failure) noexcept {
  switch (failure) {
    case Failure::illegal: return "illegal";
    case Failure::time: return "time";
    case Failure::crash: return "crash";
    case Failure::protocol: return "protocol";
    case Failure::stall: return "stall";
    case Failure::memory: return "memory";
    case Failure::flood: return "flood";
    case Failure::stopped: return "stopped";
  }
  return "";
}

}  // namespace paika::play
