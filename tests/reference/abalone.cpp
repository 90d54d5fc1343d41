// Rectangular Abalone on a plain grid of characters, an oracle for tests.
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

using Square = std::pair<int, int>;     // column, row; both from 0, row 0 at the bottom
using Direction = std::pair<int, int>;  // step in columns, step in rows
using Freeze = AbaloneOptions::Freeze;

constexpr std::array<Direction, 8> directions{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};

struct Position {
  char side = 'b';
  std::vector<std::string> rows;  // rows[0] is the bottom row

  [[nodiscard]] bool on_board(Square s) const {
    return s.second >= 0 && s.second < static_cast<int>(rows.size()) && s.first >= 0 &&
           s.first < static_cast<int>(rows.front().size());
  }
  [[nodiscard]] char& at(Square s) {
    return rows[static_cast<std::size_t>(s.second)][static_cast<std::size_t>(s.first)];
  }
  // What stands on the square; a blank for a square beyond the edge.
  [[nodiscard]] char look(Square s) const {
    return on_board(s) ? rows[static_cast<std::size_t>(s.second)][static_cast<std::size_t>(s.first)] : ' ';
  }
};

struct Move {
  Square chosen;
  Direction direction;
  std::vector<Square> own;       // the k own pieces of the line, the chosen one first (2.2)
  std::vector<Square> opposing;  // the j opposing pieces of the line
  bool captures = false;         // the last opposing piece leaves the board (2.4)
};

char opponent(char side) { return side == 'b' ? 'w' : 'b'; }

Square step(Square s, Direction d) { return {s.first + d.first, s.second + d.second}; }

// 1.1: letter for the column, number for the row.
std::string square_name(Square s) {
  std::string name(1, static_cast<char>('a' + s.first));
  name += std::to_string(s.second + 1);
  return name;
}

// 5.1: the side to move, then the rows from the bottom up.
std::string to_text(const Position& position) {
  std::string text = std::string("(") + position.side;
  for (const std::string& row : position.rows) text += ' ' + row;
  return text + ')';
}

Position from_text(const std::string& text) {
  Position position;
  std::istringstream words(text.substr(1, text.size() - 2));  // without the parentheses
  words >> position.side;
  for (std::string row; words >> row;) position.rows.push_back(row);
  return position;
}

int count(const Position& position, char what) {
  int total = 0;
  for (const std::string& row : position.rows) {
    for (const char c : row) total += c == what ? 1 : 0;
  }
  return total;
}

// 2.2: the own and the opposing pieces that move along when the piece on `chosen` goes that way.
Move line_from(const Position& position, Square chosen, Direction d) {
  Move move{chosen, d, {}, {}, false};
  Square s = chosen;
  for (; position.look(s) == position.side; s = step(s, d)) move.own.push_back(s);
  for (; position.look(s) == opponent(position.side); s = step(s, d)) move.opposing.push_back(s);
  move.captures = !move.opposing.empty() && !position.on_board(s);
  return move;
}

// 2.3, 2.4
bool line_can_move(const Position& position, const Move& move) {
  const Square last = move.opposing.empty() ? move.own.back() : move.opposing.back();
  const Square beyond = step(last, move.direction);
  if (move.opposing.empty()) return position.look(beyond) == '-';
  if (move.own.size() <= move.opposing.size()) return false;
  return position.look(beyond) == '-' || !position.on_board(beyond);
}

// Every move of section 2 for the side to move, without regard to any option.
std::vector<Move> section_2_moves(const Position& position) {
  std::vector<Move> moves;
  for (int row = 0; row < static_cast<int>(position.rows.size()); ++row) {
    for (int col = 0; col < static_cast<int>(position.rows.front().size()); ++col) {
      if (position.look({col, row}) != position.side) continue;
      for (const Direction& d : directions) {
        const Move move = line_from(position, {col, row}, d);
        if (line_can_move(position, move)) moves.push_back(move);
      }
    }
  }
  return moves;
}

// 4.2: the pieces of the side to move that the opponent could push, were it the opponent's turn.
std::set<Square> frozen_pieces(Position position) {
  position.side = opponent(position.side);
  std::set<Square> frozen;
  for (const Move& move : section_2_moves(position)) frozen.insert(move.opposing.begin(), move.opposing.end());
  return frozen;
}

// 4.2 (strict: no frozen piece may move), 4.4 (initiator: only the chosen one may not be frozen).
bool forbidden_by_freeze(const Move& move, const std::set<Square>& frozen, Freeze freeze) {
  if (freeze == Freeze::off) return false;
  if (freeze == Freeze::initiator) return frozen.contains(move.chosen);
  for (const Square& s : move.own) {
    if (frozen.contains(s)) return true;
  }
  return false;
}

// 4.4: if there is a capturing push, only the capturing pushes are left.
std::vector<Move> only_captures_if_any(const std::vector<Move>& moves) {
  std::vector<Move> capturing;
  for (const Move& move : moves) {
    if (move.captures) capturing.push_back(move);
  }
  return capturing.empty() ? moves : capturing;
}

// 2.1, 2.4: lifts the whole line and puts it down one square further; what falls off the edge is gone.
Position play(const Position& position, const Move& move) {
  Position after = position;
  for (const Square& s : move.own) after.at(s) = '-';
  for (const Square& s : move.opposing) after.at(s) = '-';
  for (const Square& s : move.own) after.at(step(s, move.direction)) = position.side;
  for (const Square& s : move.opposing) {
    const Square to = step(s, move.direction);
    if (after.on_board(to)) after.at(to) = opponent(position.side);
  }
  after.side = opponent(position.side);
  return after;
}

class Abalone final : public ReferenceGame {
 public:
  explicit Abalone(const AbaloneOptions& options) : options_(options) {}

  [[nodiscard]] std::string initial() const override;
  [[nodiscard]] std::vector<Successor> successors(const std::string& text) const override;
  [[nodiscard]] std::string outcome(const std::string& text) const override;

 private:
  [[nodiscard]] bool has_captured_enough(const Position& position, char side) const;
  [[nodiscard]] std::vector<Move> legal_moves(const Position& position) const;
  [[nodiscard]] std::string won_by(char side, const std::string& reason) const;

  AbaloneOptions options_;
};

// 3.1: captures are the opposing pieces missing on the board.
bool Abalone::has_captured_enough(const Position& position, char side) const {
  const int at_the_start = options_.rows + options_.cols - 3;
  return at_the_start - count(position, opponent(side)) >= options_.captures;
}

std::vector<Move> Abalone::legal_moves(const Position& position) const {
  const std::set<Square> frozen = frozen_pieces(position);
  std::vector<Move> moves;
  for (const Move& move : section_2_moves(position)) {
    if (!forbidden_by_freeze(move, frozen, options_.freeze)) moves.push_back(move);
  }
  return options_.must ? only_captures_if_any(moves) : moves;
}

// 4.1: in the misere game the side that would win loses.
std::string Abalone::won_by(char side, const std::string& reason) const {
  const char winner = options_.misere ? opponent(side) : side;
  return (winner == 'b' ? "first_wins " : "second_wins ") + reason;
}

// 1.2
std::string Abalone::initial() const {
  const int top = options_.rows - 1;
  const int right = options_.cols - 1;
  Position position;
  position.rows.assign(static_cast<std::size_t>(options_.rows),
                       std::string(static_cast<std::size_t>(options_.cols), '-'));
  for (int row = 0; row < top; ++row) position.at({0, row}) = 'b';
  for (int col = 0; col < right; ++col) position.at({col, 0}) = 'b';
  for (int row = 1; row <= top; ++row) position.at({right, row}) = 'w';
  for (int col = 1; col <= right; ++col) position.at({col, top}) = 'w';
  return to_text(position);
}

std::vector<Successor> Abalone::successors(const std::string& text) const {
  const Position position = from_text(text);
  if (has_captured_enough(position, 'b') || has_captured_enough(position, 'w')) return {};
  std::vector<Successor> out;
  for (const Move& move : legal_moves(position)) {
    const std::string turn = square_name(move.chosen) + square_name(step(move.chosen, move.direction));  // 2.5
    out.push_back({turn, to_text(play(position, move))});
  }
  return out;
}

std::string Abalone::outcome(const std::string& text) const {
  const Position position = from_text(text);
  if (has_captured_enough(position, 'b')) return won_by('b', "captures");
  if (has_captured_enough(position, 'w')) return won_by('w', "captures");
  if (legal_moves(position).empty()) return won_by(opponent(position.side), "trapped");  // 3.2
  return "ongoing";
}

}  // namespace

std::unique_ptr<ReferenceGame> make_abalone(const AbaloneOptions& options) {
  return std::make_unique<Abalone>(options);
}

}  // namespace paika_reference
