#include "play/engine_player.hpp"

#include <utility>

#include "base/random.hpp"

namespace paika::play {

MakeEngine default_engine() {
  return [](const Game& game, const SearchSettings& settings) { return game.engine(settings); };
}

EnginePlayer::EnginePlayer(const Game& game, std::string name, const SearchSettings& settings, const MakeEngine& make)
    : name_(std::move(name)), settings_(settings), engine_(make(game, settings)) {}

tl::expected<void, Failed> EnginePlayer::start(std::uint64_t game_number) {
  SearchSettings settings = settings_;
  if (settings.level < full_level || settings.plan || settings.book)
    settings.seed = mix64(settings_.seed ^ mix64(game_number + 1));
  engine_->set(settings);
  engine_->forget();
  return {};
}

tl::expected<Choice, Failed> EnginePlayer::choose(const GameSoFar& game, const Allowance& allowance,
                                                  const std::stop_token& stop) {
  Decision decision = engine_->think(game.session, allowance.limits, stop);
  Choice choice{std::move(decision.text), std::nullopt, decision.info.depth};
  if (!decision.info.lines.empty()) choice.score = decision.info.lines.front().score;
  return choice;
}

}  // namespace paika::play
