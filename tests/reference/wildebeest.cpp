// Two-player Wildebeest, slow and obvious: the rules document clause by clause on a board of letters.
//
// It exists to be compared with; it promises clarity, and correct answers for well-formed positions only.
// A turn is played in full view: the bare move, promotions, poison, sweep, pads, poison, explosions.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/reference/reference.hpp"

namespace paika_reference {
namespace {

constexpr int size = 11;  // 1.1

struct Point {
  int row;
  int col;
  friend bool operator==(const Point&, const Point&) = default;
};

using Direction = Point;

const std::vector<Direction> straight = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}};
const std::vector<Direction> diagonal = {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
const std::vector<Direction> all_around = {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}};
const std::vector<Direction> knight_leaps = {{-2, -1}, {-2, 1}, {-1, -2}, {-1, 2}, {1, -2}, {1, 2}, {2, -1}, {2, 1}};

// 1.2: the special squares.
const Point jet_pack = {5, 5};
const std::vector<Point> pads = {{3, 1}, {3, 9}, {7, 1}, {7, 9}};

struct Board {
  bool white_to_move = true;
  std::array<std::array<char, size>, size> cells = {};  // '.' is empty, also on special squares
  std::string integers;                                 // 7.5: the three integers as written
};

// A move before promotions and after effects.
struct BareMove {
  std::string turn;
  Board board;
  std::vector<Point> arrived;  // where the moved, flung or pushed pieces stand now; the mover comes first
  bool is_fling = false;
};

using BareMoves = std::vector<BareMove>;

Point shifted(Point p, Direction d) { return {p.row + d.row, p.col + d.col}; }

bool on_board(Point p) { return p.row >= 0 && p.row < size && p.col >= 0 && p.col < size; }

char look(const Board& board, Point p) {
  return board.cells[static_cast<std::size_t>(p.row)][static_cast<std::size_t>(p.col)];
}

void put(Board& board, Point p, char piece) {
  board.cells[static_cast<std::size_t>(p.row)][static_cast<std::size_t>(p.col)] = piece;
}

bool is_empty(const Board& board, Point p) { return look(board, p) == '.'; }

bool is_white(char piece) { return piece >= 'A' && piece <= 'Z'; }
bool is_black(char piece) { return piece >= 'a' && piece <= 'z'; }
bool opposing(char a, char b) { return (is_white(a) && is_black(b)) || (is_black(a) && is_white(b)); }
bool friends(char a, char b) { return (is_white(a) && is_white(b)) || (is_black(a) && is_black(b)); }

// The white letter of a piece.
char kind(char piece) { return is_black(piece) ? static_cast<char>(piece - 'a' + 'A') : piece; }

// The letter of a kind for the side that `piece` belongs to.
char same_side(char piece, char white_letter) {
  return is_black(piece) ? static_cast<char>(white_letter - 'A' + 'a') : white_letter;
}

// 3.3, 4.1: carts and Time Machines can be neither paralysed nor poisoned.
bool is_machine(char piece) { return kind(piece) == 'X' || kind(piece) == 'H'; }

bool is_king(char piece) { return kind(piece) == 'K' || kind(piece) == 'W'; }

std::vector<Point> all_points() {
  std::vector<Point> points;
  for (int row = 0; row < size; ++row) {
    for (int col = 0; col < size; ++col) points.push_back({row, col});
  }
  return points;
}

std::vector<Point> neighbours(Point p) {
  std::vector<Point> points;
  for (const Direction d : all_around) {
    if (on_board(shifted(p, d))) points.push_back(shifted(p, d));
  }
  return points;
}

std::vector<Point> places_of(const Board& board, char piece) {
  std::vector<Point> points;
  for (const Point p : all_points()) {
    if (look(board, p) == piece) points.push_back(p);
  }
  return points;
}

// ---- 7.5 Text -------------------------------------------------------------------------------

// Words between spaces, slashes and line ends: the one-line form and the board file give the same ones.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c != ' ' && c != '/' && c != '\n') {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  return words;
}

Board read_board(const std::string& position) {
  const std::vector<std::string> words = words_of(position);
  Board board;
  board.white_to_move = words.at(0) == "W";
  for (const Point p : all_points()) {
    const char c = words.at(1 + static_cast<std::size_t>(p.row)).at(static_cast<std::size_t>(p.col));
    put(board, p, c == '*' || c == '#' ? '.' : c);
  }
  board.integers = words.at(12) + ' ' + words.at(13) + ' ' + words.at(14);
  return board;
}

// 1.2: a special square shows its sign only while empty.
char shown(const Board& board, Point p) {
  if (!is_empty(board, p)) return look(board, p);
  if (p == jet_pack) return '#';
  return std::find(pads.begin(), pads.end(), p) != pads.end() ? '*' : '.';
}

std::string write_board(const Board& board) {
  std::string text = board.white_to_move ? "W " : "B ";
  for (int row = 0; row < size; ++row) {
    if (row > 0) text += '/';
    for (int col = 0; col < size; ++col) text += shown(board, {row, col});
  }
  return text + ' ' + board.integers;
}

// 7.6
std::string name_of(Point p) { return static_cast<char>('a' + p.col) + std::to_string(p.row); }

// ---- 2 Pieces, 3 Special moves --------------------------------------------------------------

void add_move(const Board& board, Point from, Point to, BareMoves& moves) {
  BareMove move = {name_of(from) + name_of(to), board, {to}};
  put(move.board, to, look(board, from));
  put(move.board, from, '.');
  moves.push_back(move);
}

// 2: capture is by moving onto an opposing piece; a Gorilla is never captured.
bool can_capture(const Board& board, Point from, Point to) {
  return opposing(look(board, from), look(board, to)) && kind(look(board, to)) != 'G';
}

void add_steps(const Board& board, Point from, const std::vector<Direction>& ways, bool captures, BareMoves& moves) {
  for (const Direction d : ways) {
    const Point to = shifted(from, d);
    if (!on_board(to)) continue;
    if (is_empty(board, to) || (captures && can_capture(board, from, to))) add_move(board, from, to, moves);
  }
}

// 2: sliders are blocked by any piece.
void add_slides(const Board& board, Point from, const std::vector<Direction>& ways, BareMoves& moves) {
  for (const Direction d : ways) {
    Point to = shifted(from, d);
    while (on_board(to) && is_empty(board, to)) {
      add_move(board, from, to, moves);
      to = shifted(to, d);
    }
    if (on_board(to) && can_capture(board, from, to)) add_move(board, from, to, moves);
  }
}

int forward(char piece) { return is_white(piece) ? 1 : -1; }  // 1.1

void add_pawn_moves(const Board& board, Point from, BareMoves& moves) {
  const int down = forward(look(board, from));
  const int double_row = is_white(look(board, from)) ? 1 : 9;
  const Point one = shifted(from, {down, 0});
  const Point two = shifted(one, {down, 0});
  if (on_board(one) && is_empty(board, one)) {
    add_move(board, from, one, moves);
    if (from.row == double_row && is_empty(board, two)) add_move(board, from, two, moves);
  }
  for (const int side : {-1, 1}) {
    const Point to = shifted(from, {down, side});
    if (on_board(to) && can_capture(board, from, to)) add_move(board, from, to, moves);
  }
}

// 2: a cart moves one square left or right, on rows 0 and 10 only.
void add_cart_moves(const Board& board, Point from, BareMoves& moves) {
  if (from.row == 0 || from.row == size - 1) add_steps(board, from, {{0, -1}, {0, 1}}, true, moves);
}

// 3.1: `from` is the piece thrown over the Catapult next to it.
void add_flings_of(const Board& board, Point from, Point catapult, BareMoves& moves) {
  const char piece = look(board, from);
  const Direction d = {catapult.row - from.row, catapult.col - from.col};
  for (Point to = shifted(catapult, d); on_board(to); to = shifted(to, d)) {
    const char target = look(board, to);
    const bool lands = is_empty(board, to) || (opposing(piece, target) && !is_king(target) && kind(target) != 'G');
    if (!lands) continue;
    BareMove move = {'F' + name_of(from) + name_of(to), board, {to}, true};
    put(move.board, to, piece);
    put(move.board, from, '.');
    moves.push_back(move);
  }
}

// 3.1: any friendly neighbour but a Time Machine can be flung.
void add_flings(const Board& board, Point catapult, BareMoves& moves) {
  for (const Point from : neighbours(catapult)) {
    const char piece = look(board, from);
    if (friends(piece, look(board, catapult)) && kind(piece) != 'H') add_flings_of(board, from, catapult, moves);
  }
}

// 3.2
void add_pushes(const Board& board, Point from, BareMoves& moves) {
  for (const Direction d : all_around) {
    const Point to = shifted(from, d);
    const Point further = shifted(to, d);
    if (!on_board(to) || is_empty(board, to) || kind(look(board, to)) == 'G') continue;
    if (!on_board(further) || kind(look(board, further)) == 'G') continue;
    BareMove move = {name_of(from) + name_of(to), board, {to, further}};
    put(move.board, further, look(board, to));
    put(move.board, to, look(board, from));
    put(move.board, from, '.');
    moves.push_back(move);
  }
}

bool next_to_opposing_beekeeper(const Board& board, Point p) {
  for (const Point n : neighbours(p)) {
    if (kind(look(board, n)) == 'Z' && opposing(look(board, n), look(board, p))) return true;
  }
  return false;
}

// 3.3
bool is_paralysed(const Board& board, Point p) {
  return !is_machine(look(board, p)) && next_to_opposing_beekeeper(board, p);
}

void add_moves_of(const Board& board, Point from, BareMoves& moves) {
  if (is_paralysed(board, from)) return;
  switch (kind(look(board, from))) {
    case 'K':
    case 'O':
    case 'J':
    case 'Z': add_steps(board, from, all_around, true, moves); break;
    case 'S': add_steps(board, from, all_around, false, moves); break;
    case 'B':
    case 'W': add_slides(board, from, diagonal, moves); break;
    case 'R': add_slides(board, from, straight, moves); break;
    case 'N': add_steps(board, from, knight_leaps, true, moves); break;
    case 'E':
      add_slides(board, from, all_around, moves);
      add_steps(board, from, knight_leaps, true, moves);
      break;
    case 'P': add_pawn_moves(board, from, moves); break;
    case 'X': add_cart_moves(board, from, moves); break;
    case 'C':
      add_steps(board, from, all_around, false, moves);
      add_flings(board, from, moves);
      break;
    case 'G':
      add_steps(board, from, all_around, false, moves);
      add_pushes(board, from, moves);
      break;
    default: break;  // H never moves
  }
}

BareMoves bare_moves(const Board& board) {
  BareMoves moves;
  for (const Point p : all_points()) {
    if (is_empty(board, p) || is_white(look(board, p)) != board.white_to_move) continue;
    add_moves_of(board, p, moves);
  }
  return moves;
}

// 3.3 with swarm=forbid: the mover's own square on the board right after the bare move counts.
// A flung or pushed piece does not make its own move.
bool ends_in_a_swarm(const BareMove& move) {
  return !move.is_fling && next_to_opposing_beekeeper(move.board, move.arrived.front());
}

// ---- Promotions and 4 Poison ----------------------------------------------------------------

// 2: a pawn on its far row becomes a Time Machine, a king on the Jet Pack a king with it.
void promote(Board& board, Point p) {
  const char piece = look(board, p);
  const int far_row = is_white(piece) ? size - 1 : 0;
  if (kind(piece) == 'P' && p.row == far_row) put(board, p, same_side(piece, 'H'));
  if (kind(piece) == 'K' && p == jet_pack) put(board, p, same_side(piece, 'W'));
}

// 4.1: whom the piece on `p`, if it is a poisoner, poisons.
std::vector<Point> victims_of(const Board& board, Point p) {
  std::vector<Point> victims;
  const char poisoner = look(board, p);
  if (kind(poisoner) != 'S' && kind(poisoner) != 'E') return victims;
  for (const Point n : neighbours(p)) {
    if (opposing(poisoner, look(board, n)) && !is_machine(look(board, n))) victims.push_back(n);
  }
  return victims;
}

// 4.3: the Old Women next to a victim, of the victim's own side.
std::vector<Point> old_women_near(const Board& board, Point victim) {
  std::vector<Point> women;
  for (const Point n : neighbours(victim)) {
    if (look(board, n) == same_side(look(board, victim), 'O')) women.push_back(n);
  }
  return women;
}

// 4.1, 4.3: one pass; everything is found on the board as it stands, then everything happens.
// With `survives` an Old Woman who is poisoned herself takes no Serpent with her.
void poison(Board& board, bool survives) {
  std::vector<Point> poisoned;
  for (const Point p : all_points()) {
    for (const Point victim : victims_of(board, p)) poisoned.push_back(victim);
  }
  std::vector<Point> removed;
  std::vector<Point> crowned;
  for (const Point p : all_points()) {
    for (const Point victim : victims_of(board, p)) {
      removed.push_back(victim);
      if (kind(look(board, p)) != 'S') continue;
      for (const Point woman : old_women_near(board, victim)) {
        if (survives && std::find(poisoned.begin(), poisoned.end(), woman) != poisoned.end()) continue;
        removed.push_back(p);
        crowned.push_back(woman);
      }
    }
  }
  for (const Point p : crowned) put(board, p, same_side(look(board, p), 'E'));
  for (const Point p : removed) put(board, p, '.');  // after the crowning: a poisoned Old Woman goes too
}

// ---- 5 After effects ------------------------------------------------------------------------

// 5.1
bool is_charged(const Board& board, char cart) {
  const char opposing_pawn = cart == 'X' ? 'p' : 'P';
  const char own_time_machine = same_side(cart, 'H');
  for (int col = 0; col < size; ++col) {
    if (look(board, {5, col}) == opposing_pawn) return true;
  }
  return !places_of(board, own_time_machine).empty();
}

std::vector<Point> sweeping_carts(const Board& board) {
  std::vector<Point> carts;
  for (const char cart : {'X', 'x'}) {
    if (!is_charged(board, cart)) continue;
    for (const Point p : places_of(board, cart)) {
      if (p.row == 0 || p.row == size - 1) carts.push_back(p);
    }
  }
  return carts;
}

bool alone_in_column(const std::vector<Point>& carts, Point cart) {
  int in_column = 0;
  for (const Point p : carts) in_column += p.col == cart.col ? 1 : 0;
  return in_column == 1;
}

// 5.2
void sweep(Board& board) {
  const Board before = board;
  const std::vector<Point> carts = sweeping_carts(before);
  for (const Point cart : carts) {
    for (int row = 0; row < size; ++row) put(board, {row, cart.col}, '.');
  }
  for (const Point cart : carts) {
    if (alone_in_column(carts, cart)) put(board, {size - 1 - cart.row, cart.col}, look(before, cart));
  }
}

// 5.3
Point pad_after(Point pad, bool cycle) {
  if (pad == Point{3, 1}) return {7, 9};
  if (pad == Point{7, 9}) return cycle ? Point{7, 1} : Point{3, 1};
  if (pad == Point{7, 1}) return {3, 9};
  return cycle ? Point{3, 1} : Point{7, 1};  // from (3,9)
}

void transport(Board& board, bool cycle) {
  const Board before = board;
  for (const Point pad : pads) put(board, pad_after(pad, cycle), look(before, pad));
}

int pieces_in_row(const Board& board, int row) {
  int pieces = 0;
  for (int col = 0; col < size; ++col) pieces += is_empty(board, {row, col}) ? 0 : 1;
  return pieces;
}

// 5.4: all Joeys are judged first, then all explosions happen.
void explode(Board& board) {
  std::vector<Point> exploding;
  for (const Point p : all_points()) {
    if (kind(look(board, p)) == 'J' && pieces_in_row(board, p.row) % 5 == 0) exploding.push_back(p);
  }
  for (const Point joey : exploding) {
    put(board, joey, '.');
    for (const Point n : neighbours(joey)) put(board, n, '.');
  }
}

Board finish_turn(const WildebeestOptions& options, const BareMove& move) {
  Board board = move.board;
  for (const Point p : move.arrived) promote(board, p);
  poison(board, options.serpent_survives);
  sweep(board);
  transport(board, options.pads_cycle);
  if (!options.poison_once) poison(board, options.serpent_survives);
  explode(board);
  board.white_to_move = !board.white_to_move;
  return board;
}

// ---- 6 End ----------------------------------------------------------------------------------

bool has_king(const Board& board, bool white) {
  for (const Point p : all_points()) {
    if (is_king(look(board, p)) && is_white(look(board, p)) == white) return true;
  }
  return false;
}

class Wildebeest : public ReferenceGame {
 public:
  explicit Wildebeest(const WildebeestOptions& options) : options_(options) {}

  // 1.3
  [[nodiscard]] std::string initial() const override {
    return "W RNZBOKXBCNR/GPPSPJPPPPG/.........../.*.......*./.........../.....#...../.........../.*.......*./"
           ".........../gppspjppppg/rnzbokxbcnr 0 60000 0";
  }

  [[nodiscard]] std::vector<Successor> successors(const std::string& position) const override {
    const Board board = read_board(position);
    if (!has_king(board, true) || !has_king(board, false)) return {};
    return wildebeest_successors(options_, position);
  }

  // 6.1, without repetition, which a single position does not show.
  [[nodiscard]] std::string outcome(const std::string& position) const override {
    const Board board = read_board(position);
    const bool white_lives = has_king(board, true);
    const bool black_lives = has_king(board, false);
    if (!white_lives && !black_lives) return "draw kings_lost";
    if (!white_lives) return "second_wins king_lost";
    if (!black_lives) return "first_wins king_lost";
    if (!successors(position).empty()) return "ongoing";
    return board.white_to_move ? "second_wins trapped" : "first_wins trapped";
  }

 private:
  WildebeestOptions options_;
};

}  // namespace

// 6.2
std::vector<Successor> wildebeest_successors(const WildebeestOptions& options, const std::string& position) {
  std::vector<Successor> result;
  for (const BareMove& move : bare_moves(read_board(position))) {
    if (options.swarm_forbid && ends_in_a_swarm(move)) continue;
    result.push_back({move.turn, write_board(finish_turn(options, move))});
  }
  return result;
}

std::unique_ptr<ReferenceGame> make_wildebeest(const WildebeestOptions& options) {
  return std::make_unique<Wildebeest>(options);
}

}  // namespace paika_reference
