// ProgramPlayer: another program that speaks the engine protocol (docs/protocol.md) as a player.
//
// While it thinks of a turn the program may ask for the rules (`query moves`); it is answered from the game being
// played. What it did wrong is told with evidence: how its process ended, what it said instead of what was expected.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "play/child_process.hpp"
#include "play/game_player.hpp"

namespace paika::play {

class ProgramPlayer final : public GamePlayer {
 public:
  /// How long a program may take where no limit of the game says it.
  struct Patience {
    Milliseconds to_start{10'000};  // for `ugiok` and `readyok`
    Milliseconds beyond_limit = play::beyond_limit;
    Milliseconds to_think{600'000};  // a turn without a limit of time; longer is a stall
    Milliseconds to_stop{1'000};     // thinking on the opponent's time, when the game is over
  };

  /// The program is started when the first game is. With `ponder` it is let think on the opponent's time, if it says
  /// that it can (docs/protocol.md) and is not paused then.
  ProgramPlayer(std::string spec, std::string name, Launch launch, Patience patience, bool ponder = false);
  /// `command` is run by the shell.
  ProgramPlayer(std::string spec, std::string name, const std::string& command)
      : ProgramPlayer(std::move(spec), std::move(name), shell_launch(command), Patience{}) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] tl::expected<void, Failed> start(std::uint64_t game_number) override;
  [[nodiscard]] tl::expected<Choice, Failed> choose(const GameSoFar& game, const Allowance& allowance,
                                                    const std::stop_token& stop) override;
  void tidy() override;
  void rest() override;
  [[nodiscard]] std::chrono::microseconds time_charged(std::chrono::microseconds passed) const override {
    return use_.charged(passed);
  }
  [[nodiscard]] bool mortal() const override { return true; }
  [[nodiscard]] std::optional<Failed> ended() override;
  void dismiss() override { dismissed_.request_stop(); }

 private:
  using Clock = ChildProcess::Clock;

  [[nodiscard]] tl::expected<void, Failed> run_program();
  /// Writes a line and waits for one that begins with the word `answer`.
  [[nodiscard]] tl::expected<void, Failed> ask(std::string_view line, std::string_view answer);
  [[nodiscard]] tl::expected<void, Failed> send(std::string_view line, Clock::time_point deadline);
  /// Makes it think about the turn that it expects after its own.
  void begin_pondering();
  /// Ends that; false if the program did not answer in time.
  bool end_pondering(Clock::time_point deadline, const std::stop_token& stop);
  /// The lines that ask for a turn.
  [[nodiscard]] std::vector<std::string> question(const GameSoFar& game, const Allowance& allowance,
                                                  Clock::time_point deadline, const std::stop_token& stop);
  /// Remembers what it may ponder about: the reply that it expects to its turn, if both are legal.
  void expect(const Session& session, std::string_view turn, std::string_view reply);
  [[nodiscard]] tl::expected<Choice, Failed> listen_for_turn(const GameSoFar& game, Clock::time_point deadline,
                                                             const std::stop_token& stop);
  /// Drops the program, so that the next game starts it anew, and says why. It is ended by tidy() or start(). What has
  /// run out, if time has, is `late`.
  [[nodiscard]] Failed give_up(ChildProcess::Trouble trouble, const Failed& late);
  [[nodiscard]] Failed give_up(const Failed& failed);
  /// Keeps a line that was not expected, as evidence.
  void wonder_at(std::string_view line);
  /// "; it said "…"", if it said anything that was not expected since the last question.
  [[nodiscard]] std::string evidence() const;

  std::string spec_;
  std::string name_;
  Launch launch_;
  Patience patience_;
  bool ponder_;
  bool can_ponder_ = false;               // it says so
  std::string position_;                  // the command for the last position asked about
  std::string expected_;                  // the turns after it to ponder about; empty: none
  std::optional<std::string> pondering_;  // the command for the position it ponders about
  std::vector<std::string> strange_;      // the first lines it said since the last question that mean nothing to us
  ChildProcess::Use use_;
  std::stop_source dismissed_;
  std::unique_ptr<ChildProcess> program_;  // watched ones are paused but while they are asked something
  std::unique_ptr<ChildProcess> dropped_;  // not ended yet: a stubborn one takes half a second
};

/// The words after `go` for an allowance: "movetime 100", "p1time 60000 p2time 59000 p1inc 0 p2inc 0".
[[nodiscard]] std::string go_words(const Allowance& allowance, Player to_move);

/// What an `info` line says of score and depth goes to `choice`; other lines change nothing.
void read_info(std::string_view line, Choice& choice);

}  // namespace paika::play
