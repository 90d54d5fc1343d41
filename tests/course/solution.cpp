// A solution of all four assignments of docs/course in C++: successors, search, bot and solve, by the first argument.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int infinity = 1'000'000;

struct OutOfTime {};

char other(char side) { return side == 'X' ? 'O' : 'X'; }

struct Position {
  std::string cells;
  int size = 8;
  char side = 'X';

  [[nodiscard]] char at(int row, int col) const {
    return row < 0 || col < 0 || row >= size || col >= size ? '#' : cells[static_cast<std::size_t>(row * size + col)];
  }
};

Position parse(const std::string& text) {
  Position p;
  std::istringstream(text) >> p.cells >> p.side;
  p.size = static_cast<int>(std::lround(std::sqrt(static_cast<double>(p.cells.size()))));
  return p;
}

std::vector<int> turned(const Position& p, int square) {
  std::vector<int> all;
  for (int down = -1; down <= 1; ++down) {
    for (int right = -1; right <= 1; ++right) {
      if (down == 0 && right == 0) continue;
      std::vector<int> run;
      int row = square / p.size + down;
      int col = square % p.size + right;
      for (; p.at(row, col) == other(p.side); row += down, col += right) run.push_back(row * p.size + col);
      if (p.at(row, col) == p.side) all.insert(all.end(), run.begin(), run.end());
    }
  }
  return all;
}

struct Move {
  int square = -1;  // -1: a pass
  Position after;
};

std::vector<Move> moves(const Position& p) {
  std::vector<Move> all;
  for (int square = 0; square < p.size * p.size; ++square) {
    if (p.cells[static_cast<std::size_t>(square)] != '-') continue;
    const auto flips = turned(p, square);
    if (flips.empty()) continue;
    Move move{square, p};
    move.after.cells[static_cast<std::size_t>(square)] = p.side;
    for (const int s : flips) move.after.cells[static_cast<std::size_t>(s)] = p.side;
    move.after.side = other(p.side);
    all.push_back(std::move(move));
  }
  return all;
}

Position passed(Position p) {
  p.side = other(p.side);
  return p;
}

std::string name(int square, int size) {
  if (square < 0) return "pass";
  return std::string(1, static_cast<char>('a' + square % size)) + std::to_string(square / size + 1);
}

int discs(const Position& p) {
  const auto count = [&](char c) { return static_cast<int>(std::count(p.cells.begin(), p.cells.end(), c)); };
  return count(p.side) - count(other(p.side));
}

/// Corners, the squares beside them, and mobility.
int placed(const Position& p) {
  int score = 0;
  const int last = p.size - 1;
  for (const auto& [row, col] : {std::pair{0, 0}, std::pair{0, last}, std::pair{last, 0}, std::pair{last, last}}) {
    const char corner = p.at(row, col);
    const char near = p.at(row == 0 ? 1 : last - 1, col == 0 ? 1 : last - 1);
    if (corner != '-') score += corner == p.side ? 100 : -100;
    if (corner == '-' && near != '-') score += near == p.side ? -30 : 30;
  }
  return score + 5 * static_cast<int>(moves(p).size()) - 5 * static_cast<int>(moves(passed(p)).size());
}

class Search {
 public:
  Search(int (*evaluate)(const Position&), std::optional<Clock::time_point> deadline)
      : evaluate_(evaluate), deadline_(deadline) {}

  int value(const Position& p, int depth, int alpha, int beta) {
    if (deadline_ && ++nodes_ % 64 == 0 && Clock::now() > *deadline_) throw OutOfTime{};
    if (depth == 0) return evaluate_(p);
    auto list = moves(p);
    if (list.empty()) {
      if (moves(passed(p)).empty()) return evaluate_ == discs ? discs(p) : 1000 * discs(p);
      return -value(passed(p), depth - 1, -beta, -alpha);
    }
    if (depth > 3) {
      std::stable_sort(list.begin(), list.end(),
                       [](const Move& a, const Move& b) { return moves(a.after).size() < moves(b.after).size(); });
    }
    int best = -infinity;
    for (const Move& move : list) {
      best = std::max(best, -value(move.after, depth - 1, -beta, -std::max(alpha, best)));
      if (best >= beta) break;
    }
    return best;
  }

  std::pair<int, std::string> best(const Position& p, int depth) {
    const auto list = moves(p);
    if (list.empty()) return {value(p, depth, -infinity, infinity), "pass"};
    std::pair<int, std::string> found{-infinity, ""};
    for (const Move& move : list) {
      const int here = -value(move.after, depth - 1, -infinity, -found.first);
      if (here > found.first) found = {here, name(move.square, p.size)};
    }
    return found;
  }

 private:
  int (*evaluate_)(const Position&);
  std::optional<Clock::time_point> deadline_;
  unsigned nodes_ = 0;
};

void successors() {
  std::string line;
  std::getline(std::cin, line);
  const Position p = parse(line);
  const auto list = moves(p);
  for (const Move& move : list) std::cout << move.after.cells << ' ' << move.after.side << '\n';
  if (list.empty() && !moves(passed(p)).empty()) std::cout << p.cells << ' ' << other(p.side) << '\n';
}

/// `with_depth`: each line has the depth as its third word; else to the end.
void search(bool with_depth) {
  for (std::string line; std::getline(std::cin, line);) {
    const Position p = parse(line);
    int depth = 2 * static_cast<int>(std::count(p.cells.begin(), p.cells.end(), '-')) + 2;
    if (with_depth) depth = std::stoi(line.substr(line.rfind(' ') + 1));
    const auto [value, move] = Search(discs, std::nullopt).best(p, depth);
    std::cout << value << ' ' << move << std::endl;
  }
}

int milliseconds_for(const std::string& limits, char side) {
  std::istringstream words(limits);
  int time = 1000;
  for (std::string key, value; words >> key >> value;) {
    if (key == "movetime") return std::max(10, std::stoi(value) - 50);
    if (key == (side == 'X' ? "p1time" : "p2time")) time = std::max(10, std::stoi(value) / 25 - 20);
  }
  return time;
}

std::string choose(const std::string& limits) {
  std::cout << "query position" << std::endl;
  std::string answer;
  std::getline(std::cin, answer);
  const Position p = parse(answer.substr(answer.find(' ') + 1));
  const auto deadline = Clock::now() + std::chrono::milliseconds(milliseconds_for(limits, p.side));
  const auto list = moves(p);
  std::string best = list.empty() ? "pass" : name(list.front().square, p.size);
  const int empty = static_cast<int>(std::count(p.cells.begin(), p.cells.end(), '-'));
  try {
    for (int depth = 1; depth <= empty; ++depth) best = Search(placed, deadline).best(p, depth).second;
  } catch (const OutOfTime&) {
  }
  return best;
}

void bot() {
  for (std::string line; std::getline(std::cin, line);) {
    const auto blank = line.find(' ');
    const std::string word = line.substr(0, blank);
    if (word == "ugi") std::cout << "ugiok" << std::endl;
    if (word == "isready") std::cout << "readyok" << std::endl;
    if (word == "go") {
      const std::string move = choose(blank == std::string::npos ? "" : line.substr(blank));
      std::cout << "bestmove " << move << std::endl;
    }
    if (word == "quit") return;
  }
}

}  // namespace

int main(int count, char** words) {
  const std::string what = count > 1 ? words[1] : "";
  if (what == "successors") successors();
  if (what == "search") search(true);
  if (what == "solve") search(false);
  if (what == "bot") bot();
  return 0;
}
