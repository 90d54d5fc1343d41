#include "protocols/bot_check.hpp"

#include <fmt/format.h>
#include <optional>
#include <thread>
#include <utility>

#include "base/random.hpp"
#include "base/text.hpp"
#include "engine/diagram.hpp"
#include "play/child_process.hpp"
#include "protocols/bot_talk.hpp"

namespace paika::protocols {

namespace {

using Clock = BotTalk::Clock;
using Problem = BotTalk::Problem;
using play::ChildProcess;

constexpr Milliseconds plenty{1000};
constexpr Milliseconds little{50};
constexpr Milliseconds time_to_end{2000};
constexpr int long_history = 30;
constexpr int whole_game = 60;

constexpr std::string_view flush_hint =
    "are lines flushed when they are written? A line in a buffer reaches nobody (Python: print(…, flush=True))";
constexpr std::string_view turn_hint =
    "ask for the legal moves by `query moves` and answer with one of them: `bestmove MOVE` (docs/write-a-bot.md)";
constexpr std::string_view time_hint =
    "`movetime` is in milliseconds; use less than that, and leave a little for the way there and back";

/// A game in which the bot is asked for turns.
struct Position {
  std::unique_ptr<Session> session;
  std::string start;  // a position's text; empty: the game's own start
  std::vector<std::string> turns;

  [[nodiscard]] std::string line() const {
    std::string text = "position " + (start.empty() ? std::string("startpos") : "text " + start);
    if (!turns.empty()) text += fmt::format(" moves {}", fmt::join(turns, " "));
    return text;
  }
  /// Requires a legal turn, in any accepted form.
  void play(const std::string& text) {
    const auto turn = session->read_turn(text);
    if (!turn) return;
    turns.push_back(session->notation().turn_text(session->board(), *turn));
    session->play(*turn);
  }
  void undo() {
    if (session->undo()) turns.pop_back();
  }
};

class Checker {
 public:
  Checker(const BotCheck& check, const std::function<void(const CheckStep&)>& listen)
      : check_(check), listen_(listen), chance_(check.seed) {}

  std::vector<CheckStep> run() {
    if (starts() && manners()) {
      bool good = true;
      for (const GamePtr& game : check_.games) good = good && plays(game);
      if (good && stops()) ends();
    }
    return std::move(steps_);
  }

 private:
  /// Enters a step; true if it passed.
  bool step(std::string what, const Problem& problem, std::string_view hint) {
    CheckStep done{std::move(what), !problem, problem.value_or(""), "", {}};
    if (problem) {
      done.hint = hint;
      if (talk_) done.talk = talk_->last_lines();
    }
    if (listen_) listen_(done);
    steps_.push_back(std::move(done));
    return !problem;
  }

  bool starts() {
    auto started = ChildProcess::start(check_.launch);
    Problem problem;
    if (!started) {
      problem = started.error().message;
    } else {
      talk_.emplace(std::move(*started));
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      problem = talk_->has_ended();
    }
    return step(
        "starts", problem,
        "does the command work by hand? Its files must be in its folder (--folder), and it sees no others but the "
        "system's (--read)");
  }

  /// Says a line and waits for the answer that belongs to it.
  Problem ask(std::string_view line, std::string_view answer) {
    const auto deadline = Clock::now() + check_.to_start;
    std::string rest;
    if (auto problem = talk_->say(line, deadline)) return problem;
    return talk_->wait_for(answer, deadline, rest);
  }

  bool manners() {
    if (!step("answers ugi with ugiok", ask("ugi", "ugiok"), flush_hint)) return false;
    if (!step("answers isready with readyok", ask("isready", "readyok"), flush_hint)) return false;
    Problem problem = talk_->say("fetch the ball", Clock::now() + check_.to_start);
    if (!problem) problem = ask("isready", "readyok");
    return step("ignores an unknown command", problem, "unknown lines must be ignored");
  }

  Problem new_game(const GamePtr& game) {
    const auto deadline = Clock::now() + check_.to_start;
    for (const std::string& line :
         {fmt::format("setoption name Game value {}", game->notation().spec()), std::string("uginewgame")}) {
      if (auto problem = talk_->say(line, deadline)) return problem;
    }
    return ask("isready", "readyok");
  }

  /// Asks for a turn with a limit of time, and checks it.
  Problem turn_in(const Position& position, const std::string& go, Milliseconds time, std::string& turn) {
    const auto before = Clock::now();
    const auto deadline = before + time + std::max(check_.margin, plenty);
    if (auto problem = talk_->say(position.line(), deadline)) return problem;
    if (auto problem = talk_->say(go, deadline)) return problem;
    if (auto problem = talk_->wait_for("bestmove", deadline, turn, position.session.get())) return problem;
    const auto taken = std::chrono::duration_cast<Milliseconds>(Clock::now() - before);
    if (taken > time + check_.margin) {
      return fmt::format("it took {} ms; {} ms were allowed", taken.count(), time.count());
    }
    if (turn.empty()) return "bestmove without a move";
    turn = turn.substr(0, turn.find(" ponder "));
    const auto read = position.session->read_turn(turn);
    if (read) return std::nullopt;
    return fmt::format("its move {} is not legal: {}", in_quotes(turn),
                       refusal_sentence(position.session->notation(), read.error()));
  }

  bool asks(const std::string& what, const Position& position, const std::string& go, Milliseconds time,
            std::string_view hint = turn_hint) {
    std::string turn;
    return step(what, turn_in(position, go, time, turn), hint);
  }

  /// A turn by chance of those there are; empty if the game is over.
  std::string any_turn(const Session& session) {
    std::vector<std::string> turns;
    if (session.outcome().over()) return "";
    session.for_each_turn([&](const ListedTurn& turn) {
      turns.push_back(turn.text);
      return turns.size() < 1000;
    });
    return turns.empty() ? "" : turns[chance_.index(turns.size())];
  }

  /// Plays turns by chance, so many or fewer: the game is not over after them.
  void play_on(Position& position, int count) {
    for (int i = 0; i < count && !position.session->outcome().over(); ++i) position.play(any_turn(*position.session));
    if (position.session->outcome().over()) position.undo();
  }

  bool plays(const GamePtr& game) {
    const std::string spec = game->notation().spec();
    if (!step(spec + ": is ready for a new game", new_game(game), flush_hint)) return false;
    const Position first{game->start(), "", {}};
    const std::string go = fmt::format("go movetime {}", plenty.count());
    if (!asks(spec + ": plays a legal first move", first, go, plenty)) return false;
    Position later{game->start(), "", {}};
    play_on(later, long_history);
    const std::string many = fmt::format("{}: plays a legal move after {} moves", spec, later.turns.size());
    if (!asks(many, later, go, plenty)) return false;
    const std::string text = later.session->position_text();
    auto session = game->start_from_text(text);
    if (session) {
      const Position given{std::move(*session), text, {}};
      if (!asks(spec + ": plays a legal move from position text", given, go, plenty)) return false;
    }
    if (!asks(spec + ": plays with a clock", later, "go p1time 5000 p2time 5000 p1inc 0 p2inc 0", Milliseconds(5000))) {
      return false;
    }
    const std::string quick = fmt::format("go movetime {}", little.count());
    return quick_enough(spec, first, quick) && whole(game, spec);
  }

  /// A busy machine may make one turn late; three are the bot's own fault.
  bool quick_enough(const std::string& spec, const Position& position, const std::string& go) {
    Problem problem;
    std::string turn;
    for (int i = 0; i < 3; ++i) {
      problem = turn_in(position, go, little, turn);
      if (!problem) break;
    }
    return step(fmt::format("{}: answers in {} ms if told so", spec, little.count()), problem, time_hint);
  }

  bool whole(const GamePtr& game, const std::string& spec) {
    Position position{game->start(), "", {}};
    const std::string go = fmt::format("go movetime {}", plenty.count());
    Problem problem = new_game(game);
    for (int i = 0; !problem && i < whole_game && !position.session->outcome().over(); ++i) {
      std::string turn = any_turn(*position.session);
      if (i % 2 == 0) problem = turn_in(position, go, plenty, turn);
      if (!problem) position.play(turn);
    }
    return step(fmt::format("{}: plays a game of {} moves", spec, position.turns.size()), problem, turn_hint);
  }

  bool stops() {
    const Position position{check_.games.front()->start(), "", {}};
    const auto deadline = Clock::now() + check_.to_start;
    std::string turn;
    Problem problem = new_game(check_.games.front());
    if (!problem) problem = talk_->say(position.line(), deadline);
    if (!problem) problem = talk_->say("go movetime 2000", deadline);
    if (!problem) problem = talk_->wait_for("bestmove", deadline, turn, position.session.get());
    if (!problem) problem = talk_->say("stop", deadline);
    if (!problem) problem = talk_->say("isready", deadline);
    while (!problem) {
      // Whatever comes before readyok must not be another turn.
      const auto heard = talk_->bot().read_line(deadline, {});
      if (heard && heard->starts_with("readyok")) break;
      if (!heard) problem = "it did not say \"readyok\" after stop";
      if (heard && heard->starts_with("bestmove")) problem = "it said bestmove a second time";
    }
    return step("continues after a stop that comes too late", problem,
                "`stop` asks for the answer at once; when there is nothing to stop it means nothing");
  }

  bool ends() {
    return step("ends when its input ends", talk_->wait_for_end(Clock::now() + time_to_end),
                "nobody says quit: read until there is no more, then end with status 0");
  }

  const BotCheck& check_;
  const std::function<void(const CheckStep&)>& listen_;
  Random chance_;
  std::optional<BotTalk> talk_;
  std::vector<CheckStep> steps_;
};

}  // namespace

std::vector<CheckStep> check_bot(const BotCheck& check, const std::function<void(const CheckStep&)>& listen) {
  return Checker(check, listen).run();
}

}  // namespace paika::protocols
