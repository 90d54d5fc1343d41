// Gtp: the Go Text Protocol, version 2, as programs for Othello speak it (docs/protocol.md says what is spoken).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "engine/game.hpp"
#include "play/background.hpp"
#include "play/engine_player.hpp"
#include "play/protocol.hpp"
#include "play/settings.hpp"

namespace paika::play {

/// The time of one side: some for all its moves, or for the next so many.
struct GtpTime {
  Milliseconds left{0};
  std::int64_t stones = 0;  // 0: the main time
};

/// What `time_settings` says: the main time, then periods of so much time for so many moves.
struct GtpTimeSettings {
  Milliseconds main{0};
  Milliseconds period{0};
  std::int64_t stones = 0;

  /// What a side has at the start of a game.
  [[nodiscard]] GtpTime start() const noexcept;
  /// What it has after a move that took `used`.
  [[nodiscard]] GtpTime after(const GtpTime& before, Milliseconds used) const noexcept;
};

/// Reads the words after `time_settings`; nothing for "no limit", which GTP writes as a period of no moves.
[[nodiscard]] Result<std::optional<GtpTimeSettings>> read_gtp_time_settings(std::string_view words);

class Gtp final : public Protocol {
 public:
  /// Begins at the start of `game`. `version` is for whoever asks.
  Gtp(GamePtr game, const EngineSettings& settings, std::string version, WriteLine write,
      MakeEngine make = default_engine());

  [[nodiscard]] bool handle(std::string_view line) override;
  void refuse_long_line() override;
  void finish() override { search_.stop(); }

 private:
  /// The text of a success, or of a failure. An empty success is one too.
  using Answer = tl::expected<std::string, std::string>;
  struct Command {
    std::string_view name;
    Answer (Gtp::*obey)(std::string_view words);
  };
  static const std::vector<Command>& commands();

  Answer protocol_version(std::string_view words);
  Answer name(std::string_view words);
  Answer version(std::string_view words);
  Answer known_command(std::string_view words);
  Answer list_commands(std::string_view words);
  Answer quit(std::string_view words);
  Answer list_games(std::string_view words);
  Answer set_game(std::string_view words);
  Answer board_size(std::string_view words);
  Answer clear_board(std::string_view words);
  Answer play(std::string_view words);
  Answer undo(std::string_view words);
  Answer time_settings(std::string_view words);
  Answer time_left(std::string_view words);
  Answer show_board(std::string_view words);
  Answer final_score(std::string_view words);

  /// `genmove` and `reg_genmove`: the answer comes when the engine has thought; `played`: its move is played too.
  void generate(std::string_view words, bool played, const std::string& id);
  void think(const SearchLimits& limits, bool played, const std::string& id, const std::stop_token& stop);
  /// The side that a word names, if it is its turn; a forced pass of the other side is played first.
  [[nodiscard]] tl::expected<Player, std::string> turn_of(std::string_view colour);
  [[nodiscard]] std::optional<Player> player_of(std::string_view colour) const;
  [[nodiscard]] Answer open(std::string_view spec);
  void begin_game();
  [[nodiscard]] SearchLimits limits(Player player) const;
  void say(std::string_view id, const Answer& answer);

  GamePtr game_;
  EngineSettings settings_;
  std::string version_;
  Speaker speaker_;
  MakeEngine make_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Engine> engine_;
  std::optional<GtpTimeSettings> time_;
  std::array<GtpTime, 2> left_{};
  bool ended_ = false;
  Background search_;  // the last member: it uses the others
};

}  // namespace paika::play
