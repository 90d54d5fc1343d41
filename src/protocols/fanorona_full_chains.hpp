// FullChains: a player who never stops capturing while it could go on.
//
// The rules let a chain stop anywhere (docs/rules/fanorona.md, 2.4). Some programs of the class take a chain that stops
// early for an illegal move (6.4); against these a chain is made full before it is sent.
#pragma once

#include "engine/game.hpp"
#include "play/game_player.hpp"

namespace paika::protocols {

/// The legal turn with more captures added until none is possible, at each step the one that takes most. A turn that is
/// no capture stays as it is. Requires a legal turn.
[[nodiscard]] Turn full_chain(const Session& session, Turn turn);

class FullChains final : public play::GamePlayer {
 public:
  /// Plays as `player` does.
  explicit FullChains(play::GamePlayer& player) : player_(player) {}

  [[nodiscard]] std::string name() const override { return player_.name(); }
  [[nodiscard]] tl::expected<void, play::Failed> start(std::uint64_t game_number) override {
    return player_.start(game_number);
  }
  [[nodiscard]] tl::expected<play::Choice, play::Failed> choose(const play::GameSoFar& game,
                                                                const play::Allowance& allowance,
                                                                const std::stop_token& stop) override;
  void tidy() override { player_.tidy(); }

 private:
  play::GamePlayer& player_;
};

}  // namespace paika::protocols
