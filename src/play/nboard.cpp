#include "play/nboard.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <new>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/text.hpp"
#include "engine/diagram.hpp"
#include "engine/module.hpp"
#include "engine/registry.hpp"
#include "play/pass.hpp"
#include "play/start.hpp"

namespace paika::play {

namespace {

constexpr int standard_depth = 12;
constexpr int max_nboard_depth = 100;

/// A turn as NBoard reads it: "F5", "PA".
std::string nboard_turn(std::string_view text) {
  if (text == "pass") return "PA";
  std::string out(text);
  for (char& c : out) c = raised(c);
  return out;
}

/// A score in discs; a win that is only known as such counts as all of them.
double discs(int score, int squares) {
  if (is_win(score)) return squares;
  if (is_loss(score)) return -squares;
  return score / 100.0;
}

double seconds(Milliseconds time) { return static_cast<double>(time.count()) / 1000; }

int squares_of(const Session& session) {
  const Board board = session.board();
  return board.cells.cols() * board.cells.rows();
}

/// The result of a finished game for the side to move, in discs, with the empty squares to the winner.
double final_discs(const Session& session) {
  const Board board = session.board();
  const int mine = count_pieces(board, board.to_move);
  const int theirs = count_pieces(board, other(board.to_move));
  const int empty = squares_of(session) - mine - theirs;
  return mine - theirs + (mine > theirs ? empty : mine < theirs ? -empty : 0);
}

}  // namespace

NBoard::NBoard(GamePtr game, const EngineSettings& settings, WriteLine write, MakeEngine make)
    : game_(std::move(game)),
      settings_(settings),
      speaker_(std::move(write)),
      make_(std::move(make)),
      session_(game_->start()) {}

bool NBoard::handle(std::string_view line) {
  std::string_view words = line;
  const std::string_view word = take_word(words);
  words = trimmed(words);
  if (word.empty()) return true;
  // Whatever comes, it concerns another state than the one being thought about.
  unwanted_ = true;
  search_.stop();
  if (word == "quit") return false;
  if (word == "nboard") speaker_.say("set myname Paika");
  if (word == "set") set(words);
  if (word == "move") move(words);
  if (word == "hint") hint(words);
  if (word == "go") go();
  if (word == "ping") speaker_.say(fmt::format("pong {}", parse_int(words).value_or(0)));
  if (word == "learn") speaker_.say("learned");
  if (word == "analyze") analyze();
  // Version 1 sends moves alone. What is unknown is to be ignored.
  if (word.size() == 2 && word != "go") move(word);
  return true;
}

void NBoard::say_trouble(std::string_view message) { speaker_.say(fmt::format("status {}", message)); }

void NBoard::set(std::string_view words) {
  const std::string_view what = take_word(words);
  if (what == "depth") set_depth(trimmed(words));
  if (what == "game") set_game(words);
}

void NBoard::set_depth(std::string_view number) {
  const auto depth = parse_int(number);
  if (!depth || *depth < 1) return say_trouble(fmt::format("{} is not a depth", in_quotes(number)));
  settings_.limits.depth = static_cast<int>(std::min<std::int64_t>(*depth, max_nboard_depth));
  speaker_.say(fmt::format("set myname Paika{}", *settings_.limits.depth));
}

void NBoard::set_game(std::string_view ggf) {
  const auto game = read_ggf(ggf);
  if (!game) return say_trouble(game.error().message);
  if (const auto taken = take_game(*game); !taken) say_trouble(taken.error().message);
}

Result<void> NBoard::take_game(const GgfGame& game) {
  const auto opened = open_game_with(&GameModule::ggf, game.size, game.size);
  if (!opened) return tl::unexpected(opened.error());
  auto session = (*opened)->start_from_text(game.position);
  if (!session) return tl::unexpected(session.error());
  if ((*opened)->notation().spec() != game_->notation().spec()) {
    game_ = *opened;
    engine_.reset();
  } else if (auto same = game_->start_from_text(game.position)) {
    session = std::move(same);  // a session of the very game that the engine knows
  }
  session_ = std::move(*session);
  time_ = game.time;
  time_used_ = {};
  for (const GgfMove& move : game.moves) {
    if (auto played = play(move); !played) return played;
  }
  return {};
}

void NBoard::move(std::string_view words) {
  const auto move = read_ggf_move(words);
  if (!move) return say_trouble(move.error().message);
  if (const auto played = play(*move); !played) say_trouble(played.error().message);
}

Result<void> NBoard::play(const GgfMove& move) {
  const auto turn = read_after_pass(*session_, move.text);
  if (!turn) return fail("{}: {}", in_quotes(move.text), refusal_sentence(session_->notation(), turn.error()));
  time_used_[seat_of(session_->board().to_move)] += move.time;
  session_->play(*turn);
  return {};
}

SearchLimits NBoard::limits(bool timed) const {
  SearchLimits limits = settings_.limits;
  if (!any_limit(limits)) limits.depth = standard_depth;
  if (timed && time_) {
    const Milliseconds used = time_used_[seat_of(session_->board().to_move)];
    limits.clock = GameClock{std::max(*time_ - used, min_move_time), Milliseconds(0)};
  }
  return limits;
}

bool NBoard::prepare(int lines) {
  SearchSettings settings = settings_.search;
  settings.lines = std::clamp(lines, 1, max_lines);
  try {
    if (engine_) {
      engine_->set(settings);
    } else {
      engine_ = make_(*game_, settings);
    }
    return true;
  } catch (const std::bad_alloc&) {
    engine_.reset();
    say_trouble("there is not enough memory for the table");
    return false;
  }
}

void NBoard::begin(std::function<void(const std::stop_token&)> work) {
  unwanted_ = false;
  if (!search_.run(std::move(work))) say_trouble("no thread could be started for the search");
}

void NBoard::say_info(const SearchInfo& info) {
  const int squares = squares_of(*session_);
  for (const InfoLine& line : info.lines) {
    std::vector<std::string> turns;
    for (const std::string& text : line.texts) turns.push_back(nboard_turn(text));
    const std::string depth = line.exact ? "100%" : fmt::to_string(info.depth);
    speaker_.say(fmt::format("search {} {:.2f} 0 {}", fmt::join(turns, "-"), discs(line.score, squares), depth));
  }
  speaker_.say(fmt::format("nodestats {} {:.2f}", info.nodes, seconds(info.time)));
}

void NBoard::hint(std::string_view number) {
  if (session_->outcome().over()) return say_trouble("the game is over");
  if (!prepare(static_cast<int>(std::clamp<std::int64_t>(parse_int(number).value_or(1), 1, max_lines)))) return;
  speaker_.say("status Paika is analyzing");
  begin([this](const std::stop_token& stop) {
    const Decision decision =
        engine_->think(*session_, limits(false), stop, [this](const SearchInfo& info) { say_info(info); });
    // The very last word, also if no depth was completed: the interface waits for one evaluation.
    if (!unwanted_) say_info(decision.info);
    speaker_.say("status Paika is waiting");
  });
}

void NBoard::go() {
  if (session_->outcome().over()) return say_trouble("the game is over");
  if (must_pass(*session_)) {
    speaker_.say("=== PA");
    return;
  }
  if (!prepare(1)) return;
  speaker_.say("status Paika is thinking");
  begin([this](const std::stop_token& stop) {
    const Decision decision =
        engine_->think(*session_, limits(true), stop, [this](const SearchInfo& info) { say_info(info); });
    if (!unwanted_) {
      const int score = decision.info.lines.empty() ? 0 : decision.info.lines.front().score;
      speaker_.say(fmt::format("=== {}/{:.2f}/{:.2f}", nboard_turn(decision.text), discs(score, squares_of(*session_)),
                               seconds(decision.info.time)));
    }
    speaker_.say("status Paika is waiting");
  });
}

void NBoard::analyze() {
  if (!prepare(1)) return;
  speaker_.say("status Paika is analyzing the game");
  begin([this](const std::stop_token& stop) {
    // From the end to the start: what is found out about later positions helps with earlier ones.
    const auto session = session_->clone();
    do {
      double value = 0;
      if (session->outcome().over()) {
        value = final_discs(*session);
      } else {
        const Decision decision = engine_->think(*session, limits(false), stop);
        if (!decision.info.lines.empty()) value = discs(decision.info.lines.front().score, squares_of(*session));
      }
      if (stop.stop_requested()) break;
      speaker_.say(fmt::format("analysis {} {:.2f}", session->turns_played(), value));
    } while (session->undo());
    speaker_.say("status Paika is waiting");
  });
}

}  // namespace paika::play
