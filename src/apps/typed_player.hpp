// TypedPlayer: a person who types turns on standard input, a line each, with the board printed before.
#pragma once

#include <functional>
#include <string>

#include "play/game_player.hpp"

namespace paika::apps {

class TypedPlayer final : public play::GamePlayer {
 public:
  /// `gone` says whether there is anybody left to play against.
  explicit TypedPlayer(std::function<bool()> gone) : gone_(std::move(gone)) {}

  [[nodiscard]] std::string name() const override { return "human"; }
  [[nodiscard]] tl::expected<void, play::Failed> start(std::uint64_t game_number) override;
  [[nodiscard]] tl::expected<play::Choice, play::Failed> choose(const play::GameSoFar& game,
                                                                const play::Allowance& allowance,
                                                                const std::stop_token& stop) override;
  /// True if the person gave the last game up.
  [[nodiscard]] bool resigned() const { return resigned_; }
  /// True if there was nobody left to play against.
  [[nodiscard]] bool left_alone() const { return left_alone_; }

 private:
  std::function<bool()> gone_;
  bool left_alone_ = false;
  bool resigned_ = false;
  std::string typed_;  // not yet a whole line
};

}  // namespace paika::apps
