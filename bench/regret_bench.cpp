// How many discs a search of the middle game gives away: the regret of its moves in positions of 8x8 where the score of
// every move is known. It separates programs that hundreds of games do not.
//
// usage: regret_bench --make --empties N [--depth N] [--positions N] [--seed S] [--cap DISCS] [--hash MB] > FILE
//        regret_bench --file FILE [--nodes N]... [--endings] [--off FEATURE]... [--hash MB] [--each]
//        regret_bench --answer [--endings] [--hash MB]
//
// --make writes positions of the program's own games with N empty squares, and the exact score of each move: eight to
// ten random moves, then searches of small depth; the best move must lead to a score of less than 20 discs either
// way. Moves that are worse than the best one by the cap (default 10 discs) or more are given as worse by the cap.
// With --depth the scores are those of a search of that depth instead, all moves searched in full: a reference where
// endings cannot be solved.
// --file searches each position of such a file with a fresh table, once for each number of nodes, endings switched off
// unless --endings is given, and prints the mean of the discs lost, its standard error, how often a best move was
// found, the mean depth, and the processor time of one search. --each prints the loss in every position, too.
// --answer reads lines from the standard input, "CELLS SIDE NODES" or "CELLS SIDE 0.136s" for processor time of the
// search, and answers each by the move, the depth, the nodes, the seconds and the score: for matches between programs.
// "new game 0" empties the table.
//
// A line of a file is one position: 64 cells (X, O, -), the side to move (X or O), then "; MOVE:SCORE" for every move,
// in discs for the side to move.
// Exit status: 2 if a file or an argument is wrong.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <optional>
#include <pthread.h>
#include <sstream>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "base/random.hpp"
#include "base/text.hpp"
#include "games/othello/search_traits.hpp"
#include "search/search.hpp"

namespace paika::othello {
namespace {

using Rules8 = BitboardRules<FixedShape<8, 8>>;
using Traits8 = BitboardTraits<FixedShape<8, 8>>;
using Position = Rules8::Position;
using Move = Rules8::Move;

constexpr int cells = 64;
constexpr int balanced = 2000;  // hundredths of a disc: positions are made where neither side is ahead by so much

struct ScoredMove {
  int square = 0;
  double score = 0;  // in discs
};

struct Problem {
  Position position;
  std::vector<ScoredMove> moves;
};

double thread_seconds(clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// ---- Lines ----

std::string square_text(int square) {
  return {static_cast<char>('a' + square % 8), static_cast<char>('1' + square / 8)};
}

/// The square that a text names; -1: none.
int square_of(std::string_view text) {
  if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8') return -1;
  return (text[1] - '1') * 8 + (text[0] - 'a');
}

std::string cells_text(const Position& p) {
  std::string text(cells, '-');
  const bool black = p.to_move == Player::first;
  for_each_bit(p.own, [&](int s) { text[static_cast<std::size_t>(s)] = black ? 'X' : 'O'; });
  for_each_bit(p.opponent, [&](int s) { text[static_cast<std::size_t>(s)] = black ? 'O' : 'X'; });
  return text + (black ? " X" : " O");
}

/// The position of 64 cells and a side; nothing if they are not that.
std::optional<Position> position_of(const Rules8& rules, std::string_view text, std::string_view side) {
  if (text.size() != cells || (side != "X" && side != "O")) return {};
  Position p = rules.initial();
  p.own = p.opponent = {};
  p.to_move = side == "X" ? Player::first : Player::second;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '-') continue;
    if (text[i] != 'X' && text[i] != 'O') return {};
    (text[i] == side[0] ? p.own : p.opponent).set(static_cast<int>(i));
  }
  p.key = rules.key_from_scratch(p);
  return p;
}

std::optional<Problem> problem_of(const Rules8& rules, const std::string& line) {
  std::istringstream in(line);
  std::string text;
  std::string side;
  std::getline(in, text, ' ');
  in >> side;
  if (!side.empty() && side.back() == ';') side.pop_back();
  const auto position = position_of(rules, text, side);
  if (!position) return {};
  Problem problem{*position, {}};
  for (std::string word; in >> word;) {
    if (word == ";") continue;
    if (word.back() == ';') word.pop_back();
    ScoredMove move{square_of(std::string_view(word).substr(0, 2)), 0};
    if (word.size() < 4 || word[2] != ':' || move.square < 0) return {};
    const char* const from = word.data() + (word[3] == '+' ? 4 : 3);
    const auto read = std::from_chars(from, word.data() + word.size(), move.score);
    if (read.ec != std::errc{} || read.ptr != word.data() + word.size()) return {};
    problem.moves.push_back(move);
  }
  return problem.moves.empty() ? std::nullopt : std::optional(problem);
}

// ---- Making positions ----

struct Making {
  int empties = 22;
  int positions = 100;
  std::uint64_t seed = 1;
  int cap = 10;   // discs
  int depth = 0;  // of a search in place of the exact scores; 0: none
};

int empties_of(const Position& p) { return cells - (p.own | p.opponent).count(); }

/// A position of an own game with so many empty squares.
Position own_game_position(const Rules8& rules, Search<Traits8>& search, int empties, Random& random) {
  SearchLimits limits;
  limits.depth = 5;
  for (;;) {
    Position p = rules.initial();
    const auto random_plies = 8 + static_cast<int>(random.index(3));
    for (int ply = 0; empties_of(p) > empties && !rules.outcome(p).over(); ++ply) {
      std::vector<Move> moves;
      rules.for_each_turn(p, [&](const Move& m) {
        moves.push_back(m);
        return true;
      });
      p = rules.play(p, ply < random_plies ? moves[random.index(moves.size())] : search.run(p, {}, limits).move);
    }
    if (!rules.outcome(p).over() && rules.placings(p).count() > 1) return p;
  }
}

/// The exact scores of all moves, those much worse than the best one only down to the cap; none if one side is ahead
/// by far.
std::vector<ScoredMove> solve_moves(const Rules8& rules, Traits8::Ending& ending, const Position& p, int cap) {
  const auto never = [](std::uint64_t) { return false; };
  const int best = ending.solve(p, -balanced, balanced, never);
  if (std::abs(best) >= balanced) return {};
  std::vector<ScoredMove> moves;
  rules.for_each_turn(p, [&](const Move& m) {
    const int score = -ending.solve(rules.play(p, m), -best, -best + 100 * cap, never);
    moves.push_back({m.square, std::max(score, best - 100 * cap) / 100.0});
    return true;
  });
  return moves;
}

/// The same by a search of a fixed depth.
std::vector<ScoredMove> search_moves(Search<Traits8>& search, const Position& p, int depth, int cap) {
  SearchLimits limits;
  limits.depth = depth;
  const auto result = search.run(p, {}, limits);
  const auto& lines = result.report.lines;
  if (std::abs(lines.front().score) >= balanced) return {};
  std::vector<ScoredMove> moves;
  for (const auto& line : lines) {
    const int score = std::max(line.score, lines.front().score - 100 * cap);
    moves.push_back({line.moves.front().square, score / 100.0});
  }
  return moves;
}

void make(const Making& making, SearchSettings settings) {
  const Rules8 rules(Options{8});
  const Traits8 traits(rules, Evaluation::tuned);
  Search<Traits8> search(traits, settings);
  Traits8::EndingTable table(static_cast<std::size_t>(settings.hash_mb));
  Traits8::Ending ending(traits, table);
  settings.lines = max_lines;
  Search<Traits8> reference(traits, settings);
  Random random(making.seed);
  for (int made = 0; made < making.positions;) {
    search.forget();
    const Position p = own_game_position(rules, search, making.empties, random);
    reference.forget();
    const auto moves = making.depth > 0 ? search_moves(reference, p, making.depth, making.cap)
                                        : solve_moves(rules, ending, p, making.cap);
    if (moves.empty()) continue;
    ++made;
    fmt::print("{}", cells_text(p));
    for (const ScoredMove& m : moves) fmt::print("; {}:{:+}", square_text(m.square), m.score);
    fmt::print("\n");
    std::fflush(stdout);
  }
}

// ---- Measuring ----

/// What the searches with one number of nodes found.
struct Regret {
  double sum = 0;
  double squares = 0;
  int best = 0;
  double depths = 0;
  double seconds = 0;

  void print(std::uint64_t nodes, std::size_t positions) const {
    const auto n = static_cast<double>(positions);
    const double mean = sum / n;
    const double error = std::sqrt(std::max(squares / n - mean * mean, 0.0) / n);
    fmt::print("{:>8} nodes: {:.3f} discs lost (+- {:.3f}), best move {:.1f} %, depth {:.1f}, {:.1f} ms\n", nodes, mean,
               error, 100 * best / n, depths / n, 1000 * seconds / n);
  }
};

double loss_of(const Problem& problem, int square) {
  double best = -cells;
  double chosen = -cells;
  for (const ScoredMove& m : problem.moves) {
    best = std::max(best, m.score);
    if (m.square == square) chosen = m.score;
  }
  return best - chosen;
}

int measure(const std::string& path, const std::vector<std::uint64_t>& budgets, const SearchSettings& settings,
            bool each) {
  const Rules8 rules(Options{8});
  std::ifstream in(path);
  std::vector<Problem> problems;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty() || line.front() == '%') continue;
    const auto problem = problem_of(rules, line);
    if (!problem) {
      fmt::print(stderr, "regret_bench: {}: line {} is not a position with the scores of its moves\n", path, number);
      return 2;
    }
    problems.push_back(*problem);
  }
  if (problems.empty()) {
    fmt::print(stderr, "regret_bench: {}: no positions can be read\n", path);
    return 2;
  }
  const Traits8 traits(rules, Evaluation::tuned);
  Search<Traits8> search(traits, settings);
  for (const std::uint64_t nodes : budgets) {
    Regret regret;
    for (const Problem& problem : problems) {
      search.forget();
      SearchLimits limits;
      limits.nodes = nodes;
      const double start = thread_seconds();
      const auto result = search.run(problem.position, {}, limits);
      regret.seconds += thread_seconds() - start;
      const double loss = loss_of(problem, result.move.square);
      regret.sum += loss;
      regret.squares += loss * loss;
      regret.best += loss == 0 ? 1 : 0;
      regret.depths += result.report.depth;
      if (each) fmt::print("{} {}\n", nodes, loss);
    }
    regret.print(nodes, problems.size());
    std::fflush(stdout);
  }
  return 0;
}

// ---- Answering ----

/// Asks a search to stop when its thread has used so much processor time.
class ProcessorTimer {
 public:
  explicit ProcessorTimer(double seconds) {
    clockid_t clock{};
    pthread_getcpuclockid(pthread_self(), &clock);
    const double end = thread_seconds(clock) + seconds;
    thread_ = std::jthread([this, clock, end](const std::stop_token& done) {
      while (!done.stop_requested() && thread_seconds(clock) < end) std::this_thread::sleep_for(Milliseconds(1));
      stop_.request_stop();
    });
  }
  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

 private:
  std::stop_source stop_;
  std::jthread thread_;
};

/// What a search is limited to.
struct Limit {
  std::uint64_t nodes = UINT64_MAX;
  std::optional<double> seconds;  // of processor time
};

/// The limit that a text like "500" or "0.136s" gives; nothing if it is none.
std::optional<Limit> limit_of(std::string_view text) {
  Limit limit;
  if (!text.ends_with('s')) {
    const auto nodes = parse_int(text);
    if (!nodes || *nodes <= 0) return std::nullopt;
    limit.nodes = static_cast<std::uint64_t>(*nodes);
    return limit;
  }
  text.remove_suffix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit.seconds.emplace());
  const bool is_number = error == std::errc{} && end == text.data() + text.size() && std::isfinite(*limit.seconds);
  return is_number && *limit.seconds > 0 ? std::optional(limit) : std::nullopt;
}

int answer(const SearchSettings& settings) {
  const Rules8 rules(Options{8});
  const Traits8 traits(rules, Evaluation::tuned);
  Search<Traits8> search(traits, settings);
  for (std::string text, side, limit_text; std::cin >> text >> side >> limit_text;) {
    if (text == "new") {
      search.forget();
      continue;
    }
    const auto p = position_of(rules, text, side);
    const auto limit = limit_of(limit_text);
    if (!p || !limit || rules.outcome(*p).over()) {
      fmt::print(stderr, "regret_bench: not a position and a limit: {} {} {}\n", text, side, limit_text);
      return 2;
    }
    const double start = thread_seconds();
    SearchLimits limits;
    limits.nodes = limit->nodes;
    std::optional<ProcessorTimer> timer;
    if (limit->seconds) timer.emplace(*limit->seconds);
    const auto result = search.run(*p, {}, limits, timer ? timer->token() : std::stop_token{});
    const double seconds = thread_seconds() - start;
    const auto& report = result.report;
    fmt::print("{} {} {} {:.4f} {}\n", result.move.is_pass() ? "pass" : square_text(result.move.square), report.depth,
               report.nodes, seconds, report.lines.front().score);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace paika::othello

int main(int argc, char** argv) {
  paika::othello::Making making;
  paika::SearchSettings settings;
  settings.threads = 0;
  std::string file;
  std::vector<std::uint64_t> nodes;
  std::vector<std::string> off;
  bool makes = false;
  bool answers = false;
  bool endings = false;
  bool each = false;
  CLI::App app("How many discs a search of the middle game of Black & White gives away.");
  CLI::Option* const make = app.add_flag("--make", makes, "make positions instead");
  app.add_option("--empties", making.empties)->check(CLI::Range(8, 50));
  app.add_option("--depth", making.depth, "of searches in place of exact scores")->check(CLI::Range(1, 60));
  app.add_option("--positions", making.positions)->check(CLI::Range(1, 100'000));
  app.add_option("--seed", making.seed);
  app.add_option("--cap", making.cap)->check(CLI::Range(1, 128));
  app.add_option("--hash", settings.hash_mb)->check(CLI::Range(1, 4096));
  app.add_option("--file", file, "the positions to search")->excludes(make);
  constexpr std::uint64_t max_nodes = 1'000'000'000'000;
  app.add_option("--nodes", nodes, "20000, 100000 and 400000 unless given")
      ->check(CLI::Range(std::uint64_t{1}, max_nodes));
  app.add_option("--off", off, "a feature of the search to switch off");
  app.add_flag("--endings", endings, "with exact endings, as in games");
  app.add_flag("--each", each, "print the loss in every position");
  app.add_flag("--answer", answers, "search the positions that the standard input gives")->excludes(make);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  settings.features.endings = endings;
  for (const std::string& name : off) {
    const auto at = std::find_if(paika::feature_names.begin(), paika::feature_names.end(),
                                 [&](const auto& feature) { return feature.name == name; });
    if (at == paika::feature_names.end()) {
      fmt::print(stderr, "regret_bench: there is no feature called {}\n", name);
      return 2;
    }
    settings.features.*at->member = false;
  }
  if (makes) {
    paika::othello::make(making, settings);
    return 0;
  }
  if (answers) return paika::othello::answer(settings);
  if (nodes.empty()) nodes = {20'000, 100'000, 400'000};
  return paika::othello::measure(file, nodes, settings, each);
}
