// NBoard: the protocol of the Othello interface NBoard, version 2 (docs/protocol.md says what is spoken).
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/game.hpp"
#include "play/background.hpp"
#include "play/engine_player.hpp"
#include "play/ggf.hpp"
#include "play/protocol.hpp"
#include "play/settings.hpp"

namespace paika::play {

class NBoard final : public Protocol {
 public:
  /// `game` is a game of Othello; the size follows what the interface sets.
  NBoard(GamePtr game, const EngineSettings& settings, WriteLine write, MakeEngine make = default_engine());

  [[nodiscard]] bool handle(std::string_view line) override;
  void refuse_long_line() override { speaker_.say("status a line was too long to be read"); }
  void finish() override { search_.stop(); }

 private:
  void say_trouble(std::string_view message);
  void set(std::string_view words);
  void set_depth(std::string_view number);
  void set_game(std::string_view ggf);
  [[nodiscard]] Result<void> take_game(const GgfGame& game);
  void move(std::string_view words);
  /// Plays a move, after a pass that was left out.
  [[nodiscard]] Result<void> play(const GgfMove& move);
  void hint(std::string_view number);
  void go();
  void analyze();

  /// What a search may use; `timed`: with the time left on the clock of the side to move.
  [[nodiscard]] SearchLimits limits(bool timed) const;
  /// Makes the engine ready for `lines` best turns; false (and said) without memory.
  [[nodiscard]] bool prepare(int lines);
  void begin(std::function<void(const std::stop_token&)> work);
  void say_info(const SearchInfo& info);

  GamePtr game_;
  EngineSettings settings_;
  Speaker speaker_;
  MakeEngine make_;
  std::unique_ptr<Session> session_;
  std::optional<Milliseconds> time_;  // of each player for the whole game
  std::array<Milliseconds, 2> time_used_{};
  std::unique_ptr<Engine> engine_;
  std::atomic<bool> unwanted_ = false;  // nobody waits for the search's answer any more
  Background search_;                   // the last member: it uses the others
};

}  // namespace paika::play
