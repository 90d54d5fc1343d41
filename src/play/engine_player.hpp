// EnginePlayer: our own engine as a player.
#pragma once

#include <functional>
#include <memory>

#include "engine/engine.hpp"
#include "play/background.hpp"
#include "play/game_player.hpp"

namespace paika::play {

/// How engines are made; tests put in engines of their own.
using MakeEngine = std::function<std::unique_ptr<Engine>(const Game&, const SearchSettings&)>;

/// Makes the game's own engine.
[[nodiscard]] MakeEngine default_engine();

class EnginePlayer final : public GamePlayer {
 public:
  /// With `ponder` it thinks on, after its turn, about the reply that it expects, until it is asked again or told to
  /// rest. May throw std::bad_alloc if the table of the settings is too large.
  EnginePlayer(const Game& game, std::string name, const SearchSettings& settings, bool ponder = false,
               const MakeEngine& make = default_engine());

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] tl::expected<void, Failed> start(std::uint64_t game_number) override;
  [[nodiscard]] tl::expected<Choice, Failed> choose(const GameSoFar& game, const Allowance& allowance,
                                                    const std::stop_token& stop) override;
  void tidy() override;
  void rest() override { pondering_.stop(); }

 private:
  /// The position after the turn decided on and the reply that is expected; nothing if the game is over there.
  [[nodiscard]] static std::unique_ptr<Session> expected(const Session& session, const Decision& decision);

  std::string name_;
  SearchSettings settings_;
  bool ponder_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Session> expected_;  // what there is to ponder about
  Background pondering_;               // the last member: it uses the others
};

}  // namespace paika::play
