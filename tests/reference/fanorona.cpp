// Fanorona on a plain grid of characters, an oracle for tests.
//
// Written from the rules document alone; the numbers in comments are its clauses. It expects
// well-formed position text of the size in the options and promises nothing for any other.
#include <array>
#include <set>
#include <sstream>
#include <utility>

#include "tests/reference/reference.hpp"

namespace paika_reference {
namespace {

using Point = std::pair<int, int>;      // column, row; both from 0, row 0 at the bottom
using Direction = std::pair<int, int>;  // step in columns, step in rows

constexpr std::array<Direction, 8> directions{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};

struct Position {
  std::vector<std::string> rows;  // rows[0] is the bottom row
  char side = 'w';
  int moves = 0;

  [[nodiscard]] char& at(Point p) {
    return rows[static_cast<std::size_t>(p.second)][static_cast<std::size_t>(p.first)];
  }
  [[nodiscard]] char at(Point p) const {
    return rows[static_cast<std::size_t>(p.second)][static_cast<std::size_t>(p.first)];
  }
};

char opponent(char side) { return side == 'w' ? 'b' : 'w'; }

Point step(Point p, Direction d) { return {p.first + d.first, p.second + d.second}; }

Direction reverse(Direction d) { return {-d.first, -d.second}; }

// 1.1: letter for the column, number for the row.
std::string point_name(Point p) {
  std::string name(1, static_cast<char>('a' + p.first));
  name += std::to_string(p.second + 1);
  return name;
}

// 4.1: rows from the top joined by '/', side to move, number of moves played.
std::string to_text(const Position& position) {
  std::string text;
  for (std::size_t row = position.rows.size(); row > 0; --row) {
    text += position.rows[row - 1];
    if (row > 1) text += '/';
  }
  return text + ' ' + position.side + ' ' + std::to_string(position.moves);
}

Position from_text(const std::string& text) {
  Position position;
  std::istringstream words(text);
  std::string board;
  words >> board >> position.side >> position.moves;
  std::istringstream lines(board);
  for (std::string row; std::getline(lines, row, '/');) position.rows.insert(position.rows.begin(), row);
  return position;
}

int count(const Position& position, char what) {
  int total = 0;
  for (const std::string& row : position.rows) {
    for (const char c : row) total += c == what ? 1 : 0;
  }
  return total;
}

// What a chain has to remember: where the stone has been, and how it moved last.
struct Chain {
  std::set<Point> visited;
  Direction last{0, 0};
  std::string text;
};

class Fanorona final : public ReferenceGame {
 public:
  explicit Fanorona(const FanoronaOptions& options) : options_(options) {}

  [[nodiscard]] std::string initial() const override;
  [[nodiscard]] std::vector<Successor> successors(const std::string& text) const override;
  [[nodiscard]] std::string outcome(const std::string& text) const override;

 private:
  [[nodiscard]] bool on_board(Point p) const;
  [[nodiscard]] bool strong(Point p) const;
  [[nodiscard]] bool can_step(const Position& position, Point from, Direction d) const;
  [[nodiscard]] std::vector<Point> points_with(const Position& position, char what) const;
  [[nodiscard]] std::vector<Point> run(const Position& position, Point first, Direction d) const;
  [[nodiscard]] std::string ended_before_moving(const Position& position) const;
  [[nodiscard]] std::vector<Successor> all_turns(const Position& position) const;
  void add_captures(const Position& position, Point from, const Chain& chain, std::vector<Successor>& out) const;
  void add_paikas(const Position& position, Point from, std::vector<Successor>& out) const;
  void add_sacrifice(const Position& position, Point stone, std::vector<Successor>& out) const;

  FanoronaOptions options_;
};

bool Fanorona::on_board(Point p) const {
  return p.first >= 0 && p.first < options_.cols && p.second >= 0 && p.second < options_.rows;
}

// 1.3: a point is strong if its column + row has the parity of the centre's.
bool Fanorona::strong(Point p) const {
  const int centre = options_.cols / 2 + options_.rows / 2;
  return (p.first + p.second) % 2 == centre % 2;
}

// 1.3, 2.1: one step along a line to an empty point. A sacrificed stone is not an empty point (2.5).
bool Fanorona::can_step(const Position& position, Point from, Direction d) const {
  const bool diagonal = d.first != 0 && d.second != 0;
  if (diagonal && !strong(from)) return false;
  const Point to = step(from, d);
  return on_board(to) && position.at(to) == '.';
}

std::vector<Point> Fanorona::points_with(const Position& position, char what) const {
  std::vector<Point> found;
  for (int row = 0; row < options_.rows; ++row) {
    for (int col = 0; col < options_.cols; ++col) {
      if (position.at({col, row}) == what) found.emplace_back(col, row);
    }
  }
  return found;
}

// 2.1: the unbroken run of opposing stones from `first` on; anything else ends it.
std::vector<Point> Fanorona::run(const Position& position, Point first, Direction d) const {
  std::vector<Point> stones;
  for (Point p = first; on_board(p) && position.at(p) == opponent(position.side); p = step(p, d)) stones.push_back(p);
  return stones;
}

// The position after the mover is done: the opponent's sacrificed stone leaves the board just before
// the opponent's turn (2.5), and the whole turn counts as one move (3.2).
Position turn_over(Position position) {
  for (std::string& row : position.rows) {
    for (char& c : row) {
      if (c == 'x') c = '.';
    }
  }
  position.side = opponent(position.side);
  ++position.moves;
  return position;
}

// 2.1, 2.2, 2.4: every capture from `from`, each both as the end of the turn and as far as it goes on.
void Fanorona::add_captures(const Position& position, Point from, const Chain& chain,
                            std::vector<Successor>& out) const {
  for (const Direction& d : directions) {
    const Point to = step(from, d);
    if (!can_step(position, from, d)) continue;
    if (d == chain.last || chain.visited.contains(to)) continue;  // 2.4
    for (const char kind : {'A', 'W'}) {
      const std::vector<Point> captured =
          kind == 'A' ? run(position, step(to, d), d) : run(position, step(from, reverse(d)), reverse(d));
      if (captured.empty()) continue;
      Position after = position;
      after.at(from) = '.';
      after.at(to) = position.side;
      for (const Point& p : captured) after.at(p) = '.';
      Chain longer = chain;
      longer.visited.insert(to);
      longer.last = d;
      // 4.2: the first step names both its points, each further one only where it goes.
      longer.text = (chain.text.empty() ? point_name(from) : chain.text + ',') + point_name(to) + kind;
      out.push_back({longer.text, to_text(turn_over(after))});
      add_captures(after, to, longer, out);
    }
  }
}

// 2.3: the moves without capture; the caller has made sure that there is no capture at all.
void Fanorona::add_paikas(const Position& position, Point from, std::vector<Successor>& out) const {
  for (const Direction& d : directions) {
    if (!can_step(position, from, d)) continue;
    const Point to = step(from, d);
    Position after = position;
    after.at(from) = '.';
    after.at(to) = position.side;
    out.push_back({point_name(from) + point_name(to), to_text(turn_over(after))});
  }
}

// 2.5: the stone stays as a block; an earlier block of the opponent's leaves with this turn.
void Fanorona::add_sacrifice(const Position& position, Point stone, std::vector<Successor>& out) const {
  Position after = turn_over(position);
  after.at(stone) = 'x';
  std::string turn = "S";
  turn += point_name(stone);
  out.push_back({turn, to_text(after)});
}

std::vector<Successor> Fanorona::all_turns(const Position& position) const {
  const std::vector<Point> own = points_with(position, position.side);
  std::vector<Successor> out;
  for (const Point& p : own) add_captures(position, p, Chain{{p}, {0, 0}, ""}, out);
  if (out.empty()) {  // 2.3
    for (const Point& p : own) add_paikas(position, p, out);
  }
  if (options_.sacrifice) {
    for (const Point& p : own) add_sacrifice(position, p, out);
  }
  return out;
}

// 3.1 and then 3.2, as a win on the last move counts; empty if neither ends the game.
std::string Fanorona::ended_before_moving(const Position& position) const {
  const int white = count(position, 'w');
  const int black = count(position, 'b');
  if (white == 0 && black == 0) return "draw empty_board";
  if (black == 0) return "first_wins eliminated";
  if (white == 0) return "second_wins eliminated";
  const int limit = options_.limit < 0 ? 10 * options_.rows : options_.limit;
  if (limit > 0 && position.moves >= limit) return "draw move_limit";
  return "";
}

// 1.2
std::string Fanorona::initial() const {
  const int middle_row = options_.rows / 2;
  const int middle_col = options_.cols / 2;
  Position position;
  for (int row = 0; row < options_.rows; ++row) {
    position.rows.emplace_back(static_cast<std::size_t>(options_.cols), row < middle_row ? 'w' : 'b');
  }
  char next = 'b';
  for (int col = 0; col < options_.cols; ++col) {
    if (col == middle_col) {
      position.at({col, middle_row}) = '.';
      continue;
    }
    position.at({col, middle_row}) = next;
    next = opponent(next);
  }
  return to_text(position);  // 1.4: White moves first
}

std::vector<Successor> Fanorona::successors(const std::string& text) const {
  const Position position = from_text(text);
  if (!ended_before_moving(position).empty()) return {};
  return all_turns(position);
}

std::string Fanorona::outcome(const std::string& text) const {
  const Position position = from_text(text);
  std::string ended = ended_before_moving(position);
  if (!ended.empty()) return ended;
  if (!all_turns(position).empty()) return "ongoing";
  return position.side == 'w' ? "second_wins trapped" : "first_wins trapped";  // 3.3
}

}  // namespace

std::unique_ptr<ReferenceGame> make_fanorona(const FanoronaOptions& options) {
  return std::make_unique<Fanorona>(options);
}

}  // namespace paika_reference
