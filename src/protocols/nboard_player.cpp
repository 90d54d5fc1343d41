#include "protocols/nboard_player.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "engine/module.hpp"
#include "engine/registry.hpp"
#include "play/child_process.hpp"
#include "play/ggf.hpp"
#include "play/record.hpp"
#include "protocols/fitted_depth.hpp"

namespace paika::protocols {

namespace {

using play::ChildProcess;
using play::Failed;
using play::Failure;
using Clock = ChildProcess::Clock;

/// NBoard tells programs the time for a game only. A turn's time is told as a part of a game of so many more turns.
constexpr int turns_of_a_limit = 10;
constexpr std::chrono::seconds min_game_time{1};  // GGF has whole seconds

/// The depth where no limit says how deep: as NBoard's own.
constexpr int depth_without_limits = 12;
/// Of a limit for a turn, and of the share that a turn has of a clock, how much should be used: a harder position
/// than the last takes longer, and a turn's limit forgives nothing.
constexpr double part_of_limit = 0.25;
constexpr double part_of_clock = 0.5;

int empty_squares(const Board& board) {
  return board.cells.cols() * board.cells.rows() - count_pieces(board, Player::first) -
         count_pieces(board, Player::second);
}

/// What a turn should take; nothing without a limit of time.
std::optional<FittedDepth::Time> target_of(const SearchLimits& limits, int empty) {
  std::optional<FittedDepth::Time> target;
  if (limits.move_time) target = part_of_limit * FittedDepth::Time(*limits.move_time);
  if (!limits.clock) return target;
  const FittedDepth::Time share = FittedDepth::Time(limits.clock->left) / (empty / 2 + 2);
  return std::min(target.value_or(FittedDepth::Time::max()), part_of_clock * share);
}

/// True for a line that a program sends in the course of things, and that explains nothing if it fails.
bool is_routine(std::string_view line) {
  constexpr std::array words = {"pong", "search", "nodestats", "status", "book", "learn", "learned", "set", "==="};
  const std::string_view word = take_word(line);
  return word.empty() || std::find(words.begin(), words.end(), word) != words.end();
}

class NBoardPlayer final : public play::GamePlayer {
 public:
  NBoardPlayer(std::string name, std::string spec, play::Launch launch, const SandboxPolicy& policy)
      : name_(std::move(name)), spec_(std::move(spec)), launch_(std::move(launch)), policy_(policy) {}

  [[nodiscard]] std::string name() const override { return name_; }

  [[nodiscard]] tl::expected<void, Failed> start(std::uint64_t /*game_number*/) override {
    tidy();
    times_.clear();
    fitted_.start_game();
    const auto deadline = Clock::now() + policy_.to_start;
    if (!program_) {
      auto started = ChildProcess::start(launch_);
      if (!started) return tl::unexpected(Failed{Failure::crash, started.error().message});
      program_ = std::move(*started);
      depth_.reset();
      last_words_.clear();
      if (auto told = send("nboard 2", deadline); !told) return told;
    }
    program_->resume();
    if (auto ready = ping(deadline, dismissed_.get_token()); !ready) return ready;
    tidy();
    return {};
  }

  [[nodiscard]] tl::expected<play::Choice, Failed> choose(const play::GameSoFar& game, const play::Allowance& allowance,
                                                          const std::stop_token& stop) override {
    if (!program_) return tl::unexpected(Failed{Failure::crash, about("it has ended")});
    const auto before = Clock::now();
    program_->resume();
    auto choice = ask(game, allowance, before, stop);
    times_.resize(game.turns.size());
    passed_ = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - before);
    return choice;
  }

  void tidy() override {
    dropped_.reset();
    use_ = program_ ? program_->pause() : ChildProcess::Use{};
    if (!passed_) return;
    times_.emplace_back(time_charged(*std::exchange(passed_, std::nullopt)));
    fitted_.took(*times_.back());
  }
  [[nodiscard]] std::chrono::microseconds time_charged(std::chrono::microseconds passed) const override {
    return use_.charged(passed);
  }
  [[nodiscard]] bool mortal() const override { return true; }
  [[nodiscard]] std::optional<Failed> ended() override {
    if (!program_ || !program_->closed()) return std::nullopt;
    Failed failed = give_up(ChildProcess::Trouble::closed, Failure::crash);
    tidy();
    return failed;
  }
  void dismiss() override { dismissed_.request_stop(); }

 private:
  [[nodiscard]] std::string about(std::string_view what) const {
    return fmt::format("{}: {}{}", in_quotes(launch_.text), what,
                       last_words_.empty() ? "" : fmt::format("; the last it said is {}", in_quotes(last_words_, 200)));
  }

  /// Drops the program and says why; `late` is what a timeout means here.
  [[nodiscard]] Failed give_up(ChildProcess::Trouble trouble, Failure late) {
    dropped_ = std::move(program_);
    switch (trouble) {
      case ChildProcess::Trouble::timeout: return {late, about(words_for(trouble))};
      case ChildProcess::Trouble::flood: return {Failure::flood, about(words_for(trouble))};
      case ChildProcess::Trouble::stopped: return {Failure::stopped, about(words_for(trouble))};
      case ChildProcess::Trouble::closed: break;
    }
    const auto ending = dropped_->ending();
    if (!ending) return {Failure::crash, about("it closed its output")};
    return {play::failure_of(*ending), about(play::words_for(*ending))};
  }

  [[nodiscard]] tl::expected<void, Failed> send(std::string_view line, Clock::time_point deadline) {
    if (const auto written = program_->write_line(line, deadline); !written) {
      return tl::unexpected(give_up(written.error(), Failure::stall));
    }
    return {};
  }

  /// Waits until it has done all it was told.
  [[nodiscard]] tl::expected<void, Failed> ping(Clock::time_point deadline, const std::stop_token& stop) {
    program_->restart_flood_count();
    const std::string number = fmt::to_string(++pings_);
    if (auto told = send("ping " + number, deadline); !told) return told;
    for (;;) {
      const auto heard = receive(deadline, stop);
      if (!heard) {
        Failed failed = give_up(heard.error(), Failure::stall);
        failed.message += fmt::format(" (waiting for pong {})", number);
        return tl::unexpected(std::move(failed));
      }
      std::string_view rest = *heard;
      if (take_word(rest) == "pong" && trimmed(rest) == number) return {};
    }
  }

  [[nodiscard]] tl::expected<play::Choice, Failed> ask(const play::GameSoFar& game, const play::Allowance& allowance,
                                                       Clock::time_point now, const std::stop_token& stop) {
    const SearchLimits& limits = allowance.limits;
    std::optional<Milliseconds> time = limits.move_time;
    if (limits.clock) time = time ? std::min(*time, limits.clock->left) : limits.clock->left;
    const auto deadline =
        now + time.value_or(policy_.stall_after) + (time ? policy_.margin + play::beyond_limit : Milliseconds(0));
    const auto ggf = play::ggf_text(record_of(game, limits));
    if (!ggf) return tl::unexpected(Failed{Failure::protocol, ggf.error().message});
    std::vector<std::string> lines;
    const int depth = depth_for(limits, game.session);
    if (depth != depth_) lines.push_back(fmt::format("set depth {}", depth));
    depth_ = depth;
    lines.push_back(fmt::format("set game {}", trimmed(*ggf)));
    for (const std::string& line : lines) {
      if (const auto told = send(line, deadline); !told) return tl::unexpected(told.error());
    }
    // Answers to earlier questions come before the pong, so that they are not taken for this one's.
    if (const auto ready = ping(deadline, stop); !ready)
      return tl::unexpected(late_or(ready.error(), time.has_value()));
    if (const auto told = send("go", deadline); !told) return tl::unexpected(told.error());
    return listen(deadline, time ? Failure::time : Failure::stall, stop);
  }

  /// Some programs play at no depth but one they are told, and none of them keeps a clock.
  [[nodiscard]] int depth_for(const SearchLimits& limits, const Session& session) {
    if (limits.depth) return *limits.depth;
    const Board board = session.board();
    const int empty = empty_squares(board);
    const auto target = target_of(limits, empty);
    const bool early = 2 * empty > board.cells.cols() * board.cells.rows();
    return target ? fitted_.for_turn(*target, early) : depth_without_limits;
  }

  /// The next line that comes; what may explain a failure is remembered.
  [[nodiscard]] tl::expected<std::string, ChildProcess::Trouble> receive(Clock::time_point deadline,
                                                                         const std::stop_token& stop) {
    auto heard = program_->read_line(deadline, stop);
    if (heard && !is_routine(*heard)) last_words_ = *heard;
    return heard;
  }

  /// A program too slow for its limit of time has no time left, wherever it is slow.
  static Failed late_or(Failed failed, bool limited) {
    if (limited && failed.how == Failure::stall) failed.how = Failure::time;
    return failed;
  }

  [[nodiscard]] tl::expected<play::Choice, Failed> listen(Clock::time_point deadline, Failure late,
                                                          const std::stop_token& stop) {
    for (;;) {
      const auto heard = receive(deadline, stop);
      if (!heard) return tl::unexpected(give_up(heard.error(), late));
      if (auto choice = read_nboard_answer(*heard)) return std::move(*choice);
      if (heard->starts_with("===")) {
        return tl::unexpected(Failed{Failure::protocol, about(fmt::format("{} names no move", in_quotes(*heard)))});
      }
    }
  }

  /// The game so far, with the program's own times and the time it has in all.
  [[nodiscard]] play::GameRecord record_of(const play::GameSoFar& game, const SearchLimits& limits) const {
    play::GameRecord record;
    record.spec = spec_;
    record.start = game.start;
    std::chrono::microseconds used{0};
    for (std::size_t i = 0; i < game.turns.size(); ++i) {
      play::RecordedTurn turn{game.turns[i], {}, {}, 0};
      if (i < times_.size()) turn.time = times_[i];
      used += turn.time.value_or(std::chrono::microseconds(0));
      record.turns.push_back(std::move(turn));
    }
    std::optional<Milliseconds> left;
    if (limits.clock) left = limits.clock->left;
    if (limits.move_time) left = std::min(left.value_or(Milliseconds::max()), turns_of_a_limit * *limits.move_time);
    if (!left) return record;
    const auto all = std::chrono::floor<std::chrono::seconds>(used + *left);
    for (SearchLimits& side : record.limits) side.clock = GameClock{std::max(all, min_game_time), Milliseconds(0)};
    return record;
  }

  std::string name_;
  std::string spec_;
  play::Launch launch_;
  SandboxPolicy policy_;
  FittedDepth fitted_;
  std::optional<int> depth_;                                     // as it was told last
  std::string last_words_;                                       // that are not part of every game
  std::vector<std::optional<std::chrono::microseconds>> times_;  // of its own turns in this game
  std::optional<std::chrono::microseconds> passed_;              // in a turn that is not charged yet
  int pings_ = 0;
  ChildProcess::Use use_;
  std::stop_source dismissed_;
  std::unique_ptr<ChildProcess> program_;
  std::unique_ptr<ChildProcess> dropped_;  // not ended yet: a stubborn one takes half a second
};

/// A number of discs as a score; nothing if it is none.
std::optional<int> score_of(std::string_view text) {
  double discs = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), discs, std::chars_format::fixed);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(discs)) return std::nullopt;
  return static_cast<int>(std::lround(std::clamp(discs, -1000.0, 1000.0) * 100));
}

}  // namespace

std::optional<play::Choice> read_nboard_answer(std::string_view line) {
  constexpr std::string_view mark = "===";
  if (!line.starts_with(mark)) return std::nullopt;
  line.remove_prefix(mark.size());
  const auto move = play::read_ggf_move(line);
  if (!move) return std::nullopt;
  const auto parts = split(trimmed(line), '/');
  return play::Choice{move->text, parts.size() > 1 ? score_of(trimmed(parts[1])) : std::nullopt, 0};
}

Result<std::unique_ptr<play::GamePlayer>> make_nboard_player(const Participant& participant, const GamePtr& game,
                                                             const SandboxPolicy& policy, const std::string& log) {
  const std::string spec = game->notation().spec();
  const int size = game->notation().coordinates().cols();
  const auto plain = open_game_with(&GameModule::ggf, size, size);
  if (!plain || (*plain)->notation().spec() != spec) {
    return fail("{} speaks NBoard, which is for Othello by its usual rules; the game is {}",
                in_quotes(participant.name), spec);
  }
  play::Launch launch = sandbox::confined(policy.confinement, participant.player.command, participant.folder, "");
  launch.error_log = log.empty() ? "/dev/null" : log;
  launch.log_talk = !log.empty();
  return std::make_unique<NBoardPlayer>(participant.name, spec, std::move(launch), policy);
}

}  // namespace paika::protocols
