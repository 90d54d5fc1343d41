#include "play/engine_contestant.hpp"

#include <utility>

#include "base/random.hpp"

namespace paika::play {

MakeThinker engine_thinker() {
  return [](const Game& game, const SearchSettings& settings) { return game.thinker(settings); };
}

EngineContestant::EngineContestant(const Game& game, std::string name, const SearchSettings& settings,
                                   const MakeThinker& make)
    : name_(std::move(name)), settings_(settings), thinker_(make(game, settings)) {}

tl::expected<void, Failed> EngineContestant::start(std::uint64_t game_number) {
  SearchSettings settings = settings_;
  if (settings.level < full_level) settings.seed = mix64(settings_.seed ^ mix64(game_number + 1));
  thinker_->set(settings);
  thinker_->forget();
  return {};
}

tl::expected<Choice, Failed> EngineContestant::choose(const GameSoFar& game, const Allowance& allowance,
                                                      const std::stop_token& stop) {
  Decision decision = thinker_->think(game.session, allowance.limits, stop);
  Choice choice{std::move(decision.text), std::nullopt, decision.thoughts.depth};
  if (!decision.thoughts.lines.empty()) choice.score = decision.thoughts.lines.front().score;
  return choice;
}

}  // namespace paika::play
