// Black & White (Othello), slow and obvious: the rules document clause by clause on rows of text.
//
// It exists to be compared with; it promises clarity, and correct answers for well-formed positions only.
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/reference/reference.hpp"

namespace paika_reference {
namespace {

using Grid = std::vector<std::string>;  // 4.1: rows from the top, 'X' Black, 'O' White, '-' empty

struct State {
  Grid grid;
  char mover;
};

struct Cell {
  int row;
  int col;
};

char opponent(char side) { return side == 'X' ? 'O' : 'X'; }

int size_of(const Grid& grid) { return static_cast<int>(grid.size()); }

bool on_board(const Grid& grid, Cell c) {
  return c.row >= 0 && c.row < size_of(grid) && c.col >= 0 && c.col < size_of(grid);
}

char look(const Grid& grid, Cell c) { return grid[static_cast<std::size_t>(c.row)][static_cast<std::size_t>(c.col)]; }

void put(Grid& grid, Cell c, char pawn) {
  grid[static_cast<std::size_t>(c.row)][static_cast<std::size_t>(c.col)] = pawn;
}

State read_state(const std::string& position, int size) {
  State state;
  const auto width = static_cast<std::size_t>(size);
  for (std::size_t row = 0; row < width; ++row) state.grid.push_back(position.substr(row * width, width));
  state.mover = position.at(width * width + 1);
  return state;
}

std::string write_state(const State& state) {
  std::string text;
  for (const std::string& row : state.grid) text += row;
  return text + ' ' + state.mover;
}

// 1.1: columns are letters from the left, lines are numbers from the top.
std::string name_of(Cell c) { return static_cast<char>('a' + c.col) + std::to_string(c.row + 1); }

// 2.1: the run of opposing pawns from `start` in one direction, if a pawn of `side` closes it.
std::vector<Cell> enclosed_run(const Grid& grid, Cell start, int down, int right, char side) {
  std::vector<Cell> run;
  Cell c = {start.row + down, start.col + right};
  while (on_board(grid, c) && look(grid, c) == opponent(side)) {
    run.push_back(c);
    c = {c.row + down, c.col + right};
  }
  if (!on_board(grid, c) || look(grid, c) != side) return {};
  return run;
}

// 2.1: everything that a pawn of `side` placed on `start` turns over, found before anything is turned.
std::vector<Cell> enclosed(const Grid& grid, Cell start, char side) {
  std::vector<Cell> all;
  for (int down = -1; down <= 1; ++down) {
    for (int right = -1; right <= 1; ++right) {
      if (down == 0 && right == 0) continue;
      const std::vector<Cell> run = enclosed_run(grid, start, down, right, side);
      all.insert(all.end(), run.begin(), run.end());
    }
  }
  return all;
}

// 2.1: the squares where `side` may place a pawn.
std::vector<Cell> placements(const Grid& grid, char side) {
  std::vector<Cell> result;
  for (int row = 0; row < size_of(grid); ++row) {
    for (int col = 0; col < size_of(grid); ++col) {
      const Cell c = {row, col};
      if (look(grid, c) == '-' && !enclosed(grid, c, side).empty()) result.push_back(c);
    }
  }
  return result;
}

State place(const State& state, Cell c) {
  State after = state;
  put(after.grid, c, state.mover);
  for (const Cell turned : enclosed(state.grid, c, state.mover)) put(after.grid, turned, state.mover);
  after.mover = opponent(state.mover);
  return after;
}

int count(const Grid& grid, char what) {
  int total = 0;
  for (const std::string& row : grid) total += static_cast<int>(std::count(row.begin(), row.end(), what));
  return total;
}

// 3.1: neither side can place a pawn.
bool is_over(const Grid& grid) { return placements(grid, 'X').empty() && placements(grid, 'O').empty(); }

// 3.1: which of the three ends it was.
std::string reason(const Grid& grid) {
  if (count(grid, 'X') == 0 || count(grid, 'O') == 0) return "eliminated";
  if (count(grid, '-') == 0) return "board_full";
  return "blocked";
}

class Othello : public ReferenceGame {
 public:
  explicit Othello(const OthelloOptions& options) : size_(options.size) {}

  // 1.2, 1.3
  [[nodiscard]] std::string initial() const override {
    const auto width = static_cast<std::size_t>(size_);
    State state = {Grid(width, std::string(width, '-')), 'X'};
    const int right = size_ / 2;  // on 8x8 column e and line 5
    const int left = right - 1;   // on 8x8 column d and line 4
    put(state.grid, {left, right}, 'X');
    put(state.grid, {right, left}, 'X');
    put(state.grid, {left, left}, 'O');
    put(state.grid, {right, right}, 'O');
    return write_state(state);
  }

  [[nodiscard]] std::vector<Successor> successors(const std::string& position) const override {
    const State state = read_state(position, size_);
    if (is_over(state.grid)) return {};
    std::vector<Successor> result;
    for (const Cell c : placements(state.grid, state.mover)) {
      result.push_back({name_of(c), write_state(place(state, c))});
    }
    // 2.2: who cannot place a pawn must pass.
    if (result.empty()) result.push_back({"pass", write_state({state.grid, opponent(state.mover)})});
    return result;
  }

  [[nodiscard]] std::string outcome(const std::string& position) const override {
    const Grid grid = read_state(position, size_).grid;
    if (!is_over(grid)) return "ongoing";
    // 3.2: more pawns wins; a side without any has fewer.
    const int black = count(grid, 'X');
    const int white = count(grid, 'O');
    if (black > white) return "first_wins " + reason(grid);
    if (black < white) return "second_wins " + reason(grid);
    return "draw " + reason(grid);
  }

 private:
  int size_;
};

}  // namespace

std::unique_ptr<ReferenceGame> make_othello(const OthelloOptions& options) {
  return std::make_unique<Othello>(options);
}

}  // namespace paika_reference
