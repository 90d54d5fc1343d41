#include "play/program_player.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "play/query.hpp"

namespace paika::play {

namespace {

/// So many lines that mean nothing to us are kept as evidence, and so much of each.
constexpr std::size_t max_strange = 3;
constexpr std::size_t max_strange_bytes = 60;

double milliseconds(ChildProcess::Clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

/// Lines of the protocol that are allowed at any time.
bool is_known(std::string_view line) {
  const std::string_view word = take_word(line);
  return word.empty() || word == "info" || word == "id" || word == "option" || word == "error";
}

}  // namespace

ProgramPlayer::ProgramPlayer(std::string spec, std::string name, Launch launch, Patience patience, bool ponder)
    : spec_(std::move(spec)),
      name_(std::move(name)),
      launch_(std::move(launch)),
      patience_(patience),
      ponder_(ponder && !launch_.watched) {}

void ProgramPlayer::wonder_at(std::string_view line) {
  if (strange_.size() < max_strange && !is_known(line)) strange_.push_back(in_quotes(line, max_strange_bytes));
}

std::string ProgramPlayer::evidence() const {
  return strange_.empty() ? "" : fmt::format("; it said {}", fmt::join(strange_, ", "));
}

Failed ProgramPlayer::give_up(const Failed& failed) {
  Failed told{failed.how, fmt::format("{}: {}", in_quotes(launch_.text), failed.message)};
  if (program_) program_->log().remark(told.message);
  dropped_ = std::move(program_);
  return told;
}

Failed ProgramPlayer::give_up(ChildProcess::Trouble trouble, const Failed& late) {
  switch (trouble) {
    case ChildProcess::Trouble::timeout: return give_up(late);
    case ChildProcess::Trouble::closed: {
      const auto ending = program_->ending();
      if (!ending) return give_up({Failure::crash, "it closed its input or output" + evidence()});
      return give_up({failure_of(*ending), words_for(*ending) + evidence()});
    }
    case ChildProcess::Trouble::flood:
      return give_up(
          {Failure::flood, fmt::format("it said more than {} KiB for one answer, or a line longer than {} KiB",
                                       launch_.max_output >> 10U, ChildProcess::max_line >> 10U)});
    case ChildProcess::Trouble::stopped: break;
  }
  return give_up({Failure::stopped, std::string(words_for(trouble))});
}

tl::expected<void, Failed> ProgramPlayer::send(std::string_view line, Clock::time_point deadline) {
  if (const auto written = program_->write_line(line, deadline); !written) {
    return tl::unexpected(give_up(written.error(), {Failure::stall, "it does not read what it is told"}));
  }
  return {};
}

tl::expected<void, Failed> ProgramPlayer::ask(std::string_view line, std::string_view answer) {
  const auto deadline = Clock::now() + patience_.to_start;
  program_->restart_flood_count();
  strange_.clear();
  if (auto told = send(line, deadline); !told) return told;
  for (;;) {
    const auto heard = program_->read_line(deadline, dismissed_.get_token());
    if (!heard) {
      const std::string waited =
          fmt::format("no {} in {} ms after {}", answer, patience_.to_start.count(), in_quotes(line));
      const Failed late{strange_.empty() ? Failure::stall : Failure::protocol, waited + evidence()};
      return tl::unexpected(give_up(heard.error(), late));
    }
    std::string_view rest = *heard;
    if (take_word(rest) == answer) return {};
    if (heard->starts_with("option name Ponder ")) can_ponder_ = true;
    wonder_at(*heard);
  }
}

tl::expected<void, Failed> ProgramPlayer::run_program() {
  auto started = ChildProcess::start(launch_);
  if (!started) return tl::unexpected(Failed{Failure::crash, started.error().message});
  program_ = std::move(*started);
  can_ponder_ = false;
  pondering_.reset();
  if (auto answered = ask("ugi", "ugiok"); !answered) return answered;
  if (ponder_ && can_ponder_) {
    if (auto told = send("setoption name Ponder value true", Clock::now() + patience_.to_start); !told) return told;
  }
  return send(fmt::format("setoption name Game value {}", spec_), Clock::now() + patience_.to_start);
}

tl::expected<void, Failed> ProgramPlayer::start(std::uint64_t /*game_number*/) {
  rest();
  tidy();
  if (program_) {
    program_->resume();
  } else if (auto running = run_program(); !running) {
    return running;
  }
  if (auto told = send("uginewgame", Clock::now() + patience_.to_start); !told) return told;
  if (auto ready = ask("isready", "readyok"); !ready) return ready;
  tidy();
  return {};
}

void ProgramPlayer::tidy() {
  dropped_.reset();
  use_ = program_ ? program_->pause() : ChildProcess::Use{};
  if (program_ && !expected_.empty()) begin_pondering();
}

void ProgramPlayer::rest() {
  expected_.clear();
  if (!program_ || !pondering_) return;
  if (!end_pondering(Clock::now() + patience_.to_stop, dismissed_.get_token())) dropped_ = std::move(program_);
}

void ProgramPlayer::begin_pondering() {
  const std::string position =
      fmt::format("{}{} {}", position_, position_.find(" moves ") == std::string::npos ? " moves" : "", expected_);
  expected_.clear();
  const auto deadline = Clock::now() + patience_.to_stop;
  // One that does not read is found out when it is asked next.
  if (program_->write_line(position, deadline) && program_->write_line("go ponder", deadline)) pondering_ = position;
}

bool ProgramPlayer::end_pondering(Clock::time_point deadline, const std::stop_token& stop) {
  pondering_.reset();
  if (!program_->write_line("stop", deadline)) return false;
  for (;;) {
    const auto heard = program_->read_line(deadline, stop);
    if (!heard) return false;
    std::string_view rest = *heard;
    if (take_word(rest) == "bestmove") return true;
  }
}

std::optional<Failed> ProgramPlayer::ended() {
  if (!program_ || !program_->closed()) return std::nullopt;
  Failed failed = give_up(ChildProcess::Trouble::closed, {});
  tidy();
  return failed;
}

tl::expected<Choice, Failed> ProgramPlayer::choose(const GameSoFar& game, const Allowance& allowance,
                                                   const std::stop_token& stop) {
  if (!program_) return tl::unexpected(give_up({Failure::crash, "it has ended"}));
  const SearchLimits& limits = allowance.limits;
  std::optional<Milliseconds> limit = limits.move_time;
  if (limits.clock) limit = limit ? std::min(*limit, limits.clock->left) : limits.clock->left;
  const auto before = Clock::now();
  const auto deadline = before + (limit ? *limit + patience_.beyond_limit : patience_.to_think);
  const auto late = [&]() -> Failed {
    const auto passed = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - before);
    const auto charged = program_->use().charged(passed);
    if (!limit) {
      return {Failure::stall, fmt::format("no move in {:.0f} ms, and there is no time limit", milliseconds(charged))};
    }
    if (charged <= *limit) {
      return {Failure::time,
              fmt::format("no move in {:.1f} ms, far more than its {} ms, though it waited for processors",
                          milliseconds(passed), limit->count())};
    }
    return {Failure::time, fmt::format("no move in {:.1f} ms, {:.1f} ms more than its {} ms", milliseconds(charged),
                                       milliseconds(charged - *limit), limit->count())};
  };
  program_->restart_flood_count();
  strange_.clear();
  program_->resume();
  for (const std::string& line : question(game, allowance, deadline, stop)) {
    if (const auto told = program_->write_line(line, deadline); !told) {
      return tl::unexpected(give_up(told.error(), late()));
    }
  }
  auto choice = listen_for_turn(game, deadline, stop);
  if (!choice && choice.error().how == Failure::time && choice.error().message.empty()) {
    Failed failed = late();
    failed.message += evidence();
    return tl::unexpected(give_up(failed));
  }
  return choice;
}

std::vector<std::string> ProgramPlayer::question(const GameSoFar& game, const Allowance& allowance,
                                                 Clock::time_point deadline, const std::stop_token& stop) {
  const std::string start = game.start.empty() ? "startpos" : fmt::format("text {}", game.start);
  const std::string turns = game.turns.empty() ? "" : fmt::format(" moves {}", fmt::join(game.turns, " "));
  const std::string words = go_words(allowance, game.session.board().to_move);
  position_ = fmt::format("position {}{}", start, turns);
  expected_.clear();
  if (pondering_ && *pondering_ == position_) {
    pondering_.reset();
    return {fmt::format("ponderhit {}", words)};
  }
  // One that does not stop is late with its answer, too.
  if (pondering_) (void)end_pondering(deadline, stop);
  return {position_, fmt::format("go {}", words)};
}

/// An empty message of Failure::time: the deadline has passed, and the caller says what that means.
tl::expected<Choice, Failed> ProgramPlayer::listen_for_turn(const GameSoFar& game, Clock::time_point deadline,
                                                            const std::stop_token& stop) {
  using Trouble = ChildProcess::Trouble;
  const Failed passed{Failure::time, ""};
  const auto trouble = [&](Trouble what) {
    return tl::unexpected(what == Trouble::timeout ? passed : give_up(what, passed));
  };
  Choice choice;
  for (;;) {
    const auto heard = program_->read_line(deadline, stop);
    if (!heard) return trouble(heard.error());
    std::string_view rest = *heard;
    const std::string_view word = take_word(rest);
    if (word == "bestmove") {
      // Some accepted forms of turns have blanks in them.
      constexpr std::string_view mark = " ponder ";
      const auto at = rest.find(mark);
      choice.turn = trimmed(rest.substr(0, at));
      if (at != std::string_view::npos && ponder_ && can_ponder_) {
        expect(game.session, choice.turn, trimmed(rest.substr(at + mark.size())));
      }
      if (!choice.turn.empty()) return choice;
      return tl::unexpected(
          Failed{Failure::protocol, fmt::format("{}: bestmove without a move", in_quotes(launch_.text))});
    }
    if (word == "query") {
      const std::string answer = answer_query(game.session, trimmed(rest))
                                     .value_or(fmt::format("error query is written as query {}", query_words));
      if (const auto told = program_->write_line(answer, deadline); !told) return trouble(told.error());
      continue;
    }
    read_info(*heard, choice);
    wonder_at(*heard);
  }
}

void ProgramPlayer::expect(const Session& session, std::string_view turn, std::string_view reply) {
  const auto after = session.clone();
  std::vector<std::string> texts;
  for (const std::string_view text : {turn, reply}) {
    const Board board = after->board();
    const auto played = after->try_play(text);
    if (!played || after->outcome().over()) return;
    texts.push_back(after->notation().turn_text(board, *played));
  }
  expected_ = fmt::format("{}", fmt::join(texts, " "));
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
