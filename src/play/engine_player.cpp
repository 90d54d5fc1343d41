#include "play/engine_player.hpp"

#include <utility>

#include "base/random.hpp"

namespace paika::play {

MakeEngine default_engine() {
  return [](const Game& game, const SearchSettings& settings) { return game.engine(settings); };
}

EnginePlayer::EnginePlayer(const Game& game, std::string name, const SearchSettings& settings, bool ponder,
                           const MakeEngine& make)
    : name_(std::move(name)), settings_(settings), ponder_(ponder), engine_(make(game, settings)) {}

tl::expected<void, Failed> EnginePlayer::start(std::uint64_t game_number) {
  rest();
  expected_.reset();
  SearchSettings settings = settings_;
  if (settings.level < full_level || settings.plan || settings.book)
    settings.seed = mix64(settings_.seed ^ mix64(game_number + 1));
  engine_->set(settings);
  engine_->forget();
  return {};
}

tl::expected<Choice, Failed> EnginePlayer::choose(const GameSoFar& game, const Allowance& allowance,
                                                  const std::stop_token& stop) {
  rest();
  Decision decision = engine_->think(game.session, allowance.limits, stop);
  expected_ = ponder_ && !stop.stop_requested() ? expected(game.session, decision) : nullptr;
  Choice choice{std::move(decision.text), std::nullopt, decision.info.depth};
  if (!decision.info.lines.empty()) choice.score = decision.info.lines.front().score;
  return choice;
}

std::unique_ptr<Session> EnginePlayer::expected(const Session& session, const Decision& decision) {
  const auto& lines = decision.info.lines;
  if (lines.empty() || lines.front().turns.size() < 2) return nullptr;
  auto after = session.clone();
  for (std::size_t i = 0; i < 2; ++i) {
    if (after->outcome().over()) return nullptr;
    after->play(lines.front().turns[i]);
  }
  return after->outcome().over() ? nullptr : std::move(after);
}

void EnginePlayer::tidy() {
  if (!expected_ || pondering_.running()) return;
  // Without a thread for it there is no pondering, and nothing else is lost.
  (void)pondering_.run([this](const std::stop_token& stop) { (void)engine_->think(*expected_, {}, stop); });
}

}  // namespace paika::play
