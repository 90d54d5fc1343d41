// The text form of positions (4.1), both ways, and what no game can have led to.
#include <array>

#include "base/text.hpp"
#include "games/fanorona/notation.hpp"
#include "games/fanorona/plain.hpp"

namespace paika::fanorona {

namespace {

constexpr const char* form =
    translatable("rows from the top joined by '/', a space, w or b, a space, the number of moves played");

std::optional<Cell> read_cell(char c) {
  switch (lowered(c)) {
    case 'w': return piece_of(Player::first);
    case 'b': return piece_of(Player::second);
    case 'x': return sacrificed_stone;
    case '.': return Cell{};
    default: return std::nullopt;
  }
}

/// One row of the board's text into the grid.
Result<void> read_row(std::string_view text, int row, const Coordinates& names, Grid<Cell>& cells) {
  if (text.size() != static_cast<std::size_t>(cells.cols())) {
    return fail(phrase("row {} ({} from the top) has {} points instead of {}: {}", names.row_number(row), row + 1,
                       text.size(), cells.cols(), in_quotes(text)));
  }
  for (int col = 0; col < cells.cols(); ++col) {
    const char c = text[static_cast<std::size_t>(col)];
    const auto cell = read_cell(c);
    if (!cell) return fail(phrase("{} at {}: a point is w, b, x or .", char_phrase(c), names.name({col, row})));
    cells[{col, row}] = *cell;
  }
  return {};
}

Result<Grid<Cell>> read_cells(std::string_view text, const Coordinates& names) {
  Grid<Cell> cells(names.cols(), names.rows());
  std::string_view rest = text;
  for (int row = 0; row < names.rows(); ++row) {
    const auto slash = rest.find('/');
    const bool last = row + 1 == names.rows();
    if (!last && slash == std::string_view::npos) {
      return fail(phrase("the board has {} rows instead of {}: {}", row + 1, names.rows(), in_quotes(text)));
    }
    if (last && slash != std::string_view::npos) {
      return fail(phrase("the board has more than {} rows: {} follows row {}", names.rows(),
                         in_quotes(rest.substr(slash)), names.row_number(row)));
    }
    if (const auto read = read_row(rest.substr(0, slash), row, names, cells); !read) {
      return tl::unexpected(read.error());
    }
    if (!last) rest.remove_prefix(slash + 1);
  }
  return cells;
}

/// What stands on a board, by kind.
struct Census {
  std::array<int, 2> stones{};  // live ones, by player
  std::vector<Square> blocks;
};

Census census(const Board& board) {
  Census c;
  c.stones = {count_pieces(board, Player::first), count_pieces(board, Player::second)};
  board.cells.for_each_square([&](Square s) {
    if (board.cells[s] == sacrificed_stone) c.blocks.push_back(s);
  });
  return c;
}

}  // namespace

Result<Board> FanoronaNotation::parse_position(std::string_view text) const {
  std::string_view rest = trimmed(text);
  if (rest.empty()) return fail(phrase("the position is empty; it is written as {}", phrase_of(form)));
  const std::string_view rows = take_word(rest);
  const std::string_view side = take_word(rest);
  const std::string_view moves = take_word(rest);
  auto cells = read_cells(rows, coordinates_);
  if (!cells) return tl::unexpected(cells.error());
  if (side.empty()) return fail(phrase("the side to move is missing after the board: w or b"));
  if (side.size() != 1 || (lowered(side[0]) != 'w' && lowered(side[0]) != 'b')) {
    return fail(phrase("the side to move is {}: it must be w or b", in_quotes(side)));
  }
  if (moves.empty()) return fail(phrase("the number of moves played is missing after the side to move"));
  const auto count = parse_int(moves);
  if (!count || *count < 0 || *count > max_move_count) {
    return fail(phrase("the number of moves played is {}: it must be 0 to {}", in_quotes(moves), max_move_count));
  }
  if (const auto more = trimmed(rest); !more.empty()) {
    return fail(phrase("{} follows the position; it is written as {}", in_quotes(more), phrase_of(form)));
  }
  Board board{std::move(*cells), lowered(side[0]) == 'w' ? Player::first : Player::second, {*count, 0, 0}};
  if (const auto possible = check_possible(board); !possible) return tl::unexpected(possible.error());
  return board;
}

Result<void> FanoronaNotation::check_possible(const Board& board) const {
  const Census found = census(board);
  const Player giver = other(board.to_move);  // 4.1: the side not on move made the sacrifice
  if (!found.blocks.empty()) {
    const std::string where = coordinates_.name(found.blocks[0]);
    if (!options_.sacrifice) return fail(phrase("x at {}: this game has no sacrifice (2.5)", where));
    if (found.blocks.size() > 1) {
      return fail(phrase("x at {} and {}: only one sacrificed stone can stand on the board (2.5)", where,
                         coordinates_.name(found.blocks[1])));
    }
    if (board.counters[0] == 0)
      return fail(phrase("x at {}: no stone is sacrificed before the first move (2.5)", where));
  }
  for (const Player p : {Player::first, Player::second}) {
    const int blocks = p == giver ? static_cast<int>(found.blocks.size()) : 0;
    const int stones = found.stones[static_cast<std::size_t>(p)] + blocks;
    if (stones > stones_at_start()) {
      return fail(blocks > 0 ? phrase("{} has {} stones with the sacrificed one, but started with only {} (1.2)",
                                      player_phrase(*this, p), stones, stones_at_start())
                             : phrase("{} has {} stones, but started with only {} (1.2)", player_phrase(*this, p),
                                      stones, stones_at_start()));
    }
  }
  const int movers = found.stones[static_cast<std::size_t>(board.to_move)];
  const int givers = found.stones[static_cast<std::size_t>(giver)];
  if (movers + givers == 0 && board.cells.size() > 1) {
    return fail(phrase("there is no live stone on the board: the game ends when either side loses its last one (3.1)"));
  }
  if (movers == 0 && !found.blocks.empty()) {
    return fail(phrase("{} has no stone left although {} sacrificed one after that: the game was over (3.1)",
                       player_phrase(*this, board.to_move), player_phrase(*this, giver)));
  }
  if (options_.limit > 0 && board.counters[0] > options_.limit) {
    return fail(phrase("{} moves played: the game is a draw after {} (3.2)", board.counters[0], options_.limit));
  }
  return {};
}

std::string FanoronaNotation::position_text(const Board& board) const {
  std::string text;
  board.cells.for_each_square([&](Square s) {
    if (s.col == 0 && s.row > 0) text += '/';
    text += glyph(board.cells[s]);
  });
  return fmt::format("{} {} {}", text, board.to_move == Player::first ? 'w' : 'b', board.counters[0]);
}

}  // namespace paika::fanorona
