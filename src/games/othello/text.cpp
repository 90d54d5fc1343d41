// Reading and writing positions (4.1) and moves (4.2).
#include "base/text.hpp"

#include <vector>

#include "games/othello/enclosing.hpp"
#include "games/othello/notation.hpp"

namespace paika::othello {

namespace {

/// The cell a character stands for, or nothing.
std::optional<Cell> cell_of(char c) {
  switch (c) {
    case 'X':
    case 'x':
    case '*': return piece_of(Player::first);
    case 'O':
    case 'o': return piece_of(Player::second);
    case '-':
    case '.': return Cell{};
    default: return std::nullopt;
  }
}

Result<Player> parse_side(std::string_view text, int cells) {
  if (text.empty()) {
    return fail(
        phrase("the side to move is missing: after the {} cells come a space and X (Black) or O (White)", cells));
  }
  const auto cell = text.size() == 1 ? cell_of(text[0]) : std::nullopt;
  if (!cell || cell->owner == Owner::nobody) {
    return fail(phrase("the side to move must be X (Black) or O (White), not {}", in_quotes(text)));
  }
  return player_of(*cell);
}

/// The squares of pawns joined to `start` by steps from neighbour to neighbour.
Grid<char> joined_to(const Grid<Cell>& cells, Square start) {
  Grid<char> seen(cells.cols(), cells.rows(), 0);
  std::vector<Square> open = {start};
  seen[start] = 1;
  while (!open.empty()) {
    const Square at = open.back();
    open.pop_back();
    for (const Direction d : all_directions) {
      const Square next = step(at, d);
      if (!cells.contains(next) || cells[next].owner == Owner::nobody || seen[next] != 0) continue;
      seen[next] = 1;
      open.push_back(next);
    }
  }
  return seen;
}

/// A number of cells, and what board that would be, if it is one at all: "36 cells (a 6x6 board)".
Phrase cells_phrase(std::size_t length) {
  for (std::size_t n = min_size; n <= max_size; n += 2) {
    if (n * n == length) return phrase("{} cells (a {}x{} board)", length, n, n);
  }
  return phrase("{} cells", length);
}

}  // namespace

Result<Grid<Cell>> OthelloNotation::parse_cells(std::string_view text) const {
  const int n = options_.size;
  if (text.size() != static_cast<std::size_t>(n) * static_cast<std::size_t>(n)) {
    return fail(phrase("the position has {}, but {} has {}: {} rows of {}, then a space and the side to move",
                       cells_phrase(text.size()), spec(), n * n, n, n));
  }
  Grid<Cell> cells(n, n);
  for (int i = 0; i < n * n; ++i) {
    const char c = text[static_cast<std::size_t>(i)];
    const Square square{i % n, i / n};
    const auto cell = cell_of(c);
    if (!cell) {
      return fail(phrase("cell {} ({}): {} is not a cell; X is a black pawn, O a white one, - an empty square", i + 1,
                         coordinates_.name(square), char_phrase(c)));
    }
    cells[square] = *cell;
  }
  return cells;
}

Result<void> OthelloNotation::check_possible(const Grid<Cell>& cells) const {
  // Pawns are turned over but never taken away, so the four of the start stay (and there are four).
  const int right = options_.size / 2;
  for (const Square s : {Square{right - 1, right - 1}, {right, right - 1}, {right - 1, right}, {right, right}}) {
    if (cells[s].owner == Owner::nobody) {
      return fail(phrase("impossible position: {} is empty, but the four centre squares are filled from the start",
                         coordinates_.name(s)));
    }
  }
  // 2.1: every pawn is placed next to another one.
  const Grid<char> seen = joined_to(cells, {right, right});
  std::optional<Square> stray;
  cells.for_each_square([&](Square s) {
    if (!stray && cells[s].owner != Owner::nobody && seen[s] == 0) stray = s;
  });
  if (stray) {
    return fail(
        phrase("impossible position: the pawn on {} is not joined to the centre, but each is placed next to another",
               coordinates_.name(*stray)));
  }
  return {};
}

Result<Board> OthelloNotation::parse_position(std::string_view text) const {
  const std::string_view body = trimmed(text.substr(0, text.find(';')));
  if (body.empty()) {
    return fail(phrase("the position is empty: {} cells (X, O or -), a space and the side to move (X or O) are needed",
                       options_.size * options_.size));
  }
  std::string_view rest = body;
  auto cells = parse_cells(take_word(rest));
  if (!cells) return tl::unexpected(cells.error());
  const auto side = parse_side(trimmed(rest), cells->size());
  if (!side) return tl::unexpected(side.error());
  if (const auto possible = check_possible(*cells); !possible) return tl::unexpected(possible.error());
  Board board;
  board.cells = std::move(*cells);
  board.to_move = *side;
  return board;
}

std::string OthelloNotation::position_text(const Board& board) const {
  std::string text;
  board.cells.for_each_square([&](Square s) { text += glyph(board.cells[s]); });
  text += ' ';
  text += glyph(piece_of(board.to_move));
  return text;
}

tl::expected<Turn, Refusal> OthelloNotation::parse_turn(const Board& /*board*/, std::string_view text) const {
  std::string_view rest = trimmed(text);
  constexpr std::size_t max_word = 4;
  if (rest.size() <= max_word) {
    const std::string word = lowered(rest);
    if (word == "pass" || word == "ps" || word == "--") return Turn{{StepKind::pass, {}}};
  }
  const std::string_view whole = rest;
  const auto square = coordinates_.read(rest);
  if (!square || !rest.empty()) {
    return tl::unexpected(Refusal{
        phrase("{} is not a move: write a square ({}) or pass", in_quotes(whole), coordinates_.range()), "4.2", {}});
  }
  if (!coordinates_.contains(*square)) {
    return tl::unexpected(
        Refusal{phrase("{} is off the board: the squares are {}", in_quotes(whole), coordinates_.range()), "4.2", {}});
  }
  return Turn{{StepKind::place, *square}};
}

std::string OthelloNotation::turn_text(const Board& /*board*/, const Turn& turn) const {
  if (turn.size() != 1 || turn[0].kind != StepKind::place) return "pass";
  return coordinates_.name(turn[0].square);
}

}  // namespace paika::othello
