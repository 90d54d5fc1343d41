// Ugi: the engine protocol (docs/protocol.md), in the manner of UCI and UGI, for every game.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/game.hpp"
#include "play/background.hpp"
#include "play/engine_player.hpp"
#include "play/protocol.hpp"
#include "play/settings.hpp"

namespace paika::play {

/// What `go` asks for.
struct GoRequest {
  SearchLimits limits;
  bool infinite = false;  // no answer before `stop`
  bool ponder = false;    // on the opponent's time: no answer before `stop`, and the limits count from `ponderhit`
};

/// Reads the words after `go`; `to_move` chooses the clock.
[[nodiscard]] Result<GoRequest> read_go(std::string_view words, Player to_move);

/// The `info` lines for the state of a search, one a line of play.
[[nodiscard]] std::vector<std::string> info_lines(const SearchInfo& info);

class Ugi final : public Protocol {
 public:
  /// Begins at the start of `game`. `version` is for the greeting.
  Ugi(GamePtr game, const SearchSettings& settings, std::string version, WriteLine write,
      MakeEngine make = default_engine());

  [[nodiscard]] bool handle(std::string_view line) override;
  void refuse_long_line() override;
  void finish() override { search_.stop(); }

 private:
  struct Command {
    std::string_view name;
    bool while_searching;
    bool (Ugi::*obey)(std::string_view words);  // false: the conversation is over
    std::string_view help;
  };
  static const std::vector<Command>& commands();

  bool greet(std::string_view words);
  bool ready(std::string_view words);
  bool set_option(std::string_view words);
  bool new_game(std::string_view words);
  bool set_position(std::string_view words);
  bool go(std::string_view words);
  bool ponder_hit(std::string_view words);
  bool stop(std::string_view words);
  bool wait(std::string_view words);
  bool query(std::string_view words);
  bool list_turns(std::string_view words);
  bool show(std::string_view words);
  bool help(std::string_view words);
  bool quit(std::string_view words);

  void say_error(std::string_view message);
  /// Makes the engine, or brings it up to date with the settings; false (and said) without memory.
  [[nodiscard]] bool prepare();
  [[nodiscard]] Result<void> change_game(std::string_view spec);
  [[nodiscard]] Result<void> change_tables(std::string_view folder);
  [[nodiscard]] Result<void> change_book(std::string_view value);
  [[nodiscard]] Result<void> change_option(std::string_view name, std::string_view value);
  [[nodiscard]] Result<void> change_position(std::string_view start, std::string_view turns);
  [[nodiscard]] Result<void> play_turns(const std::vector<std::string>& turns);
  void begin_search(const GoRequest& request);
  void think(const GoRequest& request, const std::stop_token& stop);
  /// " ponder MOVE", the reply that is expected, for a peer that wants to hear it.
  [[nodiscard]] std::string ponder_words(const Decision& decision) const;

  GamePtr game_;
  SearchSettings settings_;
  std::string version_;
  Speaker speaker_;
  MakeEngine make_;
  std::unique_ptr<Session> session_;
  std::string start_;               // the text of the position where the session began; empty: the game's own
  std::vector<std::string> turns_;  // as they were given
  std::unique_ptr<Engine> engine_;
  bool settings_changed_ = false;
  bool ponder_ = false;                  // the peer lets us think on the opponent's time
  bool endless_ = false;                 // the search goes on until `stop`
  std::optional<GoRequest> pondering_;   // what was asked, if the search is on the opponent's time
  std::atomic<bool> hit_ = false;        // … and the opponent played what was expected
  std::atomic<bool> answering_ = false;  // the search is over and uses nothing of ours any more
  Background search_;                    // the last member: it uses the others
};

}  // namespace paika::play
