// Checking a bot: does a program speak the engine protocol well enough to play?
//
// A row of small steps, each of which needs those before it; the first that fails ends the check. What was said
// meanwhile is the evidence.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/registry.hpp"
#include "play/launch.hpp"

namespace paika::protocols {

struct CheckStep {
  std::string what;  // "answers isready with readyok"
  bool passed = false;
  std::string problem;            // of a step that failed: what happened instead
  std::string hint;               // and what is often the reason
  std::vector<std::string> talk;  // and the last lines said: "> " to the bot, "< " by it
};

struct BotCheck {
  play::Launch launch;         // its standard error goes to launch.error_log, if that is given
  std::vector<GamePtr> games;  // those it is asked to play
  Milliseconds to_start{10'000};
  Milliseconds margin{50};  // a turn may be so much later than its limit
  std::uint64_t seed = 1;   // of the games played here
};

/// The steps up to the first that failed, each told to `listen` when it is done.
[[nodiscard]] std::vector<CheckStep> check_bot(const BotCheck& check,
                                               const std::function<void(const CheckStep&)>& listen = {});

}  // namespace paika::protocols
