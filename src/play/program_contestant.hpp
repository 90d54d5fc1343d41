// ProgramContestant: another program that speaks the engine protocol (docs/protocol.md) as a contestant.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "play/child_process.hpp"
#include "play/contestant.hpp"

namespace paika::play {

class ProgramContestant final : public Contestant {
 public:
  /// How long a program may take where no limit of the game says it.
  struct Patience {
    Milliseconds to_start{10'000};   // for `ugiok` and `readyok`
    Milliseconds beyond_limit{50};   // how long we listen after a turn's time is over; the referee judges
    Milliseconds to_think{600'000};  // a turn without a limit of time
  };

  /// `command` is run by the shell, when the first game starts; its standard error is added to the file
  /// `error_log`, or stays ours if that is empty.
  ProgramContestant(std::string spec, std::string name, std::string command)
      : ProgramContestant(std::move(spec), std::move(name), std::move(command), Patience{}) {}
  ProgramContestant(std::string spec, std::string name, std::string command, Patience patience,
                    std::string error_log = "");

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] tl::expected<void, Failed> start(std::uint64_t game_number) override;
  [[nodiscard]] tl::expected<Choice, Failed> choose(const GameSoFar& game, const Allowance& allowance,
                                                    const std::stop_token& stop) override;
  void tidy() override { dropped_.reset(); }
  [[nodiscard]] bool mortal() const override { return true; }
  [[nodiscard]] std::optional<Failed> ended() override;
  void dismiss() override { dismissed_.request_stop(); }

 private:
  using Clock = ChildProcess::Clock;

  [[nodiscard]] tl::expected<void, Failed> run_program();
  /// Writes a line and waits for one that begins with the word `answer`.
  [[nodiscard]] tl::expected<void, Failed> ask(std::string_view line, std::string_view answer);
  [[nodiscard]] tl::expected<void, Failed> tell(std::string_view line, Clock::time_point deadline);
  [[nodiscard]] tl::expected<Choice, Failed> listen_for_turn(Clock::time_point deadline, const std::stop_token& stop);
  /// Drops the program, so that the next game starts it anew, and says why. It is ended by tidy() or start().
  [[nodiscard]] Failed give_up(ChildProcess::Trouble trouble);

  std::string spec_;
  std::string name_;
  std::string command_;
  Patience patience_;
  std::string error_log_;
  std::stop_source dismissed_;
  std::unique_ptr<ChildProcess> program_;
  std::unique_ptr<ChildProcess> dropped_;  // not ended yet: a stubborn one takes half a second
};

/// The words after `go` for an allowance: "movetime 100", "p1time 60000 p2time 59000 p1inc 0 p2inc 0".
[[nodiscard]] std::string go_words(const Allowance& allowance, Player to_move);

/// What an `info` line says of score and depth goes to `choice`; other lines change nothing.
void read_info(std::string_view line, Choice& choice);

}  // namespace paika::play
