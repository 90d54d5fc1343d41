#include "play/program_contestant.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "base/text.hpp"

namespace paika::play {

ProgramContestant::ProgramContestant(std::string spec, std::string name, std::string command, Patience patience,
                                     std::string error_log)
    : spec_(std::move(spec)),
      name_(std::move(name)),
      command_(std::move(command)),
      patience_(patience),
      error_log_(std::move(error_log)) {}

Failed ProgramContestant::give_up(ChildProcess::Trouble trouble) {
  dropped_ = std::move(program_);
  const std::string message = fmt::format("{}: {}", in_quotes(command_), words_for(trouble));
  switch (trouble) {
    case ChildProcess::Trouble::timeout: return {Failure::time, message};
    case ChildProcess::Trouble::closed: return {Failure::crash, message};
    case ChildProcess::Trouble::flood: return {Failure::protocol, message};
    case ChildProcess::Trouble::stopped: break;
  }
  return {Failure::stopped, message};
}

tl::expected<void, Failed> ProgramContestant::tell(std::string_view line, Clock::time_point deadline) {
  if (const auto written = program_->write_line(line, deadline); !written) {
    return tl::unexpected(give_up(written.error()));
  }
  return {};
}

tl::expected<void, Failed> ProgramContestant::ask(std::string_view line, std::string_view answer) {
  const auto deadline = Clock::now() + patience_.to_start;
  program_->heard_enough();
  if (auto told = tell(line, deadline); !told) return told;
  for (;;) {
    const auto heard = program_->read_line(deadline, dismissed_.get_token());
    if (!heard) {
      Failed failed = give_up(heard.error());
      failed.message += fmt::format(" (waiting for {} after {})", answer, in_quotes(line));
      return tl::unexpected(std::move(failed));
    }
    std::string_view rest = *heard;
    if (take_word(rest) == answer) return {};
  }
}

tl::expected<void, Failed> ProgramContestant::run_program() {
  auto started = ChildProcess::start(command_, error_log_);
  if (!started) return tl::unexpected(Failed{Failure::crash, started.error().message});
  program_ = std::move(*started);
  if (auto answered = ask("ugi", "ugiok"); !answered) return answered;
  return tell(fmt::format("setoption name Game value {}", spec_), Clock::now() + patience_.to_start);
}

tl::expected<void, Failed> ProgramContestant::start(std::uint64_t /*game_number*/) {
  tidy();
  if (!program_) {
    if (auto running = run_program(); !running) return running;
  }
  if (auto told = tell("uginewgame", Clock::now() + patience_.to_start); !told) return told;
  return ask("isready", "readyok");
}

std::optional<Failed> ProgramContestant::ended() {
  if (!program_ || !program_->closed()) return std::nullopt;
  Failed failed = give_up(ChildProcess::Trouble::closed);
  tidy();
  return failed;
}

tl::expected<Choice, Failed> ProgramContestant::choose(const GameSoFar& game, const Allowance& allowance,
                                                       const std::stop_token& stop) {
  if (!program_) return tl::unexpected(Failed{Failure::crash, fmt::format("{}: it has ended", in_quotes(command_))});
  const SearchLimits& limits = allowance.limits;
  Milliseconds time = patience_.to_think;
  if (limits.move_time) time = *limits.move_time;
  if (limits.clock) time = limits.move_time ? std::min(time, limits.clock->left) : limits.clock->left;
  const auto deadline = Clock::now() + time + patience_.beyond_limit;
  const std::string start = game.start.empty() ? "startpos" : fmt::format("text {}", game.start);
  const std::string turns = game.turns.empty() ? "" : fmt::format(" moves {}", fmt::join(game.turns, " "));
  program_->heard_enough();
  if (const auto told = tell(fmt::format("position {}{}", start, turns), deadline); !told) {
    return tl::unexpected(told.error());
  }
  const std::string go = fmt::format("go {}", go_words(allowance, game.session.board().to_move));
  if (const auto told = tell(go, deadline); !told) return tl::unexpected(told.error());
  return listen_for_turn(deadline, stop);
}

tl::expected<Choice, Failed> ProgramContestant::listen_for_turn(Clock::time_point deadline,
                                                                const std::stop_token& stop) {
  Choice choice;
  for (;;) {
    const auto heard = program_->read_line(deadline, stop);
    if (!heard) return tl::unexpected(give_up(heard.error()));
    std::string_view rest = *heard;
    if (take_word(rest) != "bestmove") {
      read_info(*heard, choice);
      continue;
    }
    // Some accepted forms of turns have blanks in them.
    choice.turn = trimmed(rest.substr(0, rest.find(" ponder ")));
    if (!choice.turn.empty()) return choice;
    return tl::unexpected(Failed{Failure::protocol, fmt::format("{}: bestmove without a turn", in_quotes(command_))});
  }
}

std::string go_words(const Allowance& allowance, Player to_move) {
  const SearchLimits& limits = allowance.limits;
  std::vector<std::string> words;
  if (limits.clock) {
    GameClock first = *limits.clock;
    GameClock second = allowance.opponent;
    if (to_move == Player::second) std::swap(first, second);
    words.push_back(fmt::format("p1time {} p2time {} p1inc {} p2inc {}", first.left.count(), second.left.count(),
                                first.increment.count(), second.increment.count()));
  }
  if (limits.move_time) words.push_back(fmt::format("movetime {}", limits.move_time->count()));
  if (limits.depth) words.push_back(fmt::format("depth {}", *limits.depth));
  if (limits.nodes) words.push_back(fmt::format("nodes {}", *limits.nodes));
  return fmt::format("{}", fmt::join(words, " "));
}

void read_info(std::string_view line, Choice& choice) {
  if (take_word(line) != "info") return;
  Choice read;
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    if (word == "pv" || word == "string") break;
    if (word == "multipv" && take_word(line) != "1") return;  // not its best line
    if (word == "depth")
      read.depth = static_cast<int>(std::clamp<std::int64_t>(parse_int(take_word(line)).value_or(0), 0, 10'000));
    if (word != "score") continue;
    const std::string_view kind = take_word(line);
    const auto value = parse_int(take_word(line));
    if (!value) return;
    const int number = static_cast<int>(std::clamp<std::int64_t>(*value, -evaluation_bound, evaluation_bound));
    const int plies = std::clamp(number, 0, longest_win);
    if (kind == "cp") read.score = number;
    if (kind == "win") read.score = win_in(plies);
    if (kind == "loss") read.score = loss_in(plies);
  }
  if (!read.score) return;
  choice.score = read.score;
  choice.depth = read.depth;
}

}  // namespace paika::play
