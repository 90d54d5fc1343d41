// EnginePlayer: our own engine as a player.
#pragma once

#include <functional>
#include <memory>

#include "engine/engine.hpp"
#include "play/game_player.hpp"

namespace paika::play {

/// How engines are made; tests put in engines of their own.
using MakeEngine = std::function<std::unique_ptr<Engine>(const Game&, const SearchSettings&)>;

/// Makes the game's own engine.
[[nodiscard]] MakeEngine default_engine();

class EnginePlayer final : public GamePlayer {
 public:
  /// May throw std::bad_alloc if the table of the settings is too large.
  EnginePlayer(const Game& game, std::string name, const SearchSettings& settings,
               const MakeEngine& make = default_engine());

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] tl::expected<void, Failed> start(std::uint64_t game_number) override;
  [[nodiscard]] tl::expected<Choice, Failed> choose(const GameSoFar& game, const Allowance& allowance,
                                                    const std::stop_token& stop) override;

 private:
  std::string name_;
  SearchSettings settings_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace paika::play
