// Puppets for the tests of the play layer: engines and players that do as they are told.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "engine/engine.hpp"
#include "play/engine_player.hpp"
#include "play/game_player.hpp"

namespace paika_tests {

/// Plays the first legal turn at once; without any limit it "thinks" until it is stopped.
class FirstTurnEngine final : public paika::Engine {
 public:
  [[nodiscard]] paika::Decision think(const paika::Session& session, const paika::SearchLimits& limits,
                                      std::stop_token stop,
                                      const std::function<void(const paika::SearchInfo&)>& on_progress) override {
    paika::Decision decision;
    session.for_each_turn([&](const paika::ListedTurn& turn) {
      decision.turn = turn.steps;
      decision.text = turn.text;
      return false;
    });
    decision.info.depth = 1;
    decision.info.nodes = 1;
    decision.info.lines.push_back({7, false, false, {decision.turn}, {decision.text}});
    if (on_progress) on_progress(decision.info);
    const bool endless = !limits.depth && !limits.nodes && !limits.move_time && !limits.clock;
    while (endless && !stop.stop_requested()) std::this_thread::yield();
    return decision;
  }
  void set(const paika::SearchSettings& /*settings*/) override {}
  void forget() override {}
};

[[nodiscard]] inline paika::play::MakeEngine first_turn_engine() {
  return [](const paika::Game&, const paika::SearchSettings&) { return std::make_unique<FirstTurnEngine>(); };
}

/// Chooses by a function of the game; an empty function plays the first legal turn.
class Puppet final : public paika::play::GamePlayer {
 public:
  using Choose = std::function<tl::expected<paika::play::Choice, paika::play::Failed>(
      const paika::play::GameSoFar&, const paika::play::Allowance&, const std::stop_token&)>;

  explicit Puppet(std::string name, Choose choose = {}) : name_(std::move(name)), choose_(std::move(choose)) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] tl::expected<void, paika::play::Failed> start(std::uint64_t /*game_number*/) override {
    ++games;
    return {};
  }
  [[nodiscard]] tl::expected<paika::play::Choice, paika::play::Failed> choose(const paika::play::GameSoFar& game,
                                                                              const paika::play::Allowance& allowance,
                                                                              const std::stop_token& stop) override {
    if (choose_) return choose_(game, allowance, stop);
    return first_turn(game);
  }
  [[nodiscard]] std::chrono::microseconds time_charged(std::chrono::microseconds passed) const override {
    return std::max(passed - waited, charge);
  }

  static paika::play::Choice first_turn(const paika::play::GameSoFar& game) {
    paika::play::Choice choice;
    game.session.for_each_turn([&](const paika::ListedTurn& turn) {
      choice.turn = turn.text;
      return false;
    });
    return choice;
  }

  int games = 0;
  std::chrono::microseconds charge{0};  // for each turn
  std::chrono::microseconds waited{0};  // in each turn

 private:
  std::string name_;
  Choose choose_;
};

}  // namespace paika_tests
