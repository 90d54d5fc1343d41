// Positions "(b bbb- b--w b--w -www)" and turns "a1b2" as text, both ways (rules 2.5, 5.1, 6.3).
#include "base/text.hpp"

#include <array>

#include "games/abalone/notation.hpp"

namespace paika::abalone {

namespace {

std::optional<Cell> cell_of(char c) {
  switch (lowered(c)) {
    case 'b': return piece_of(Player::first);
    case 'w': return piece_of(Player::second);
    case '-': return Cell{};
    default: return std::nullopt;
  }
}

Result<Player> read_side(std::string_view word, const Phrase& form) {
  if (word.size() == 1 && lowered(word[0]) == 'b') return Player::first;
  if (word.size() == 1 && lowered(word[0]) == 'w') return Player::second;
  if (word.empty()) return fail(phrase("the position ends before the side to move: it must be {}", form));
  return fail(phrase("the side to move is {}: it must be b or w, as in {}", in_quotes(word), form));
}

}  // namespace

Phrase AbaloneNotation::form() const {
  return phrase("(T row ... row), T being b or w, with {} rows of {} characters from the bottom row up", options_.rows,
                options_.cols);
}

Result<void> AbaloneNotation::read_row(std::string_view text, int row, Board& board) const {
  const int number = coordinates_.row_number(row);
  if (text.size() != static_cast<std::size_t>(options_.cols)) {
    return fail(phrase("row {} from the bottom, {}, has {} characters: it must have {}", number, in_quotes(text),
                       text.size(), options_.cols));
  }
  for (int col = 0; col < options_.cols; ++col) {
    const char c = text[static_cast<std::size_t>(col)];
    const auto cell = cell_of(c);
    if (!cell) {
      return fail(phrase("row {} from the bottom, column {}: {} must be b, w or -", number,
                         coordinates_.column_letter(col), char_phrase(c)));
    }
    board.cells[{col, row}] = *cell;
  }
  return {};
}

Result<void> AbaloneNotation::check_possible(const Board& board) const {
  const int full = pieces_each(options_);
  const std::array<int, 2> counts = {count_pieces(board, Player::first), count_pieces(board, Player::second)};
  for (const Player player : {Player::first, Player::second}) {
    const int count = counts[static_cast<std::size_t>(player)];
    if (count > full) {  // 6.3
      return fail(phrase("{} has {} pieces: on {} rows and {} columns each side has at most {}",
                         player_phrase(*this, player), count, options_.rows, options_.cols, full));
    }
    if (full - count > options_.captures) {
      return fail(phrase("{} has {} pieces, {} fewer than at the start: the game ends at {} (captures={})",
                         player_phrase(*this, player), count, full - count, options_.captures, options_.captures));
    }
  }
  if (full - counts[0] == options_.captures && full - counts[1] == options_.captures) {
    return fail(phrase("both sides have lost {} pieces: the game ends when the first of them does (captures={})",
                       options_.captures, options_.captures));
  }
  return {};
}

Result<Board> AbaloneNotation::parse_position(std::string_view text) const {
  std::string_view rest = trimmed(text);
  if (rest.empty()) return fail(phrase("the position is empty: it must be {}", form()));
  if (rest.front() != '(') {
    return fail(phrase("the position starts with {}, not with '(': it must be {}", char_phrase(rest.front()), form()));
  }
  if (rest.size() == 1 || rest.back() != ')') {
    return fail(phrase("the position ends with {}, not with ')': it must be {}", char_phrase(rest.back()), form()));
  }
  rest = rest.substr(1, rest.size() - 2);
  Board board;
  board.cells = Grid<Cell>(options_.cols, options_.rows);
  const auto side = read_side(take_word(rest), form());
  if (!side) return tl::unexpected(side.error());
  board.to_move = *side;
  for (int row = options_.rows - 1; row >= 0; --row) {
    const auto word = take_word(rest);
    if (word.empty()) {
      return fail(phrase("row {} from the bottom is missing: there must be {} rows", coordinates_.row_number(row),
                         options_.rows));
    }
    if (const auto read = read_row(word, row, board); !read) return tl::unexpected(read.error());
  }
  if (const auto more = take_word(rest); !more.empty()) {
    return fail(phrase("{} follows the last row: there must be {} rows", in_quotes(more), options_.rows));
  }
  if (const auto possible = check_possible(board); !possible) return tl::unexpected(possible.error());
  return board;
}

std::string AbaloneNotation::position_text(const Board& board) const {
  std::string text = board.to_move == Player::first ? "(b" : "(w";
  for (int row = board.cells.rows() - 1; row >= 0; --row) {
    text += ' ';
    for (int col = 0; col < board.cells.cols(); ++col) text += glyph(board.cells[{col, row}]);
  }
  return text + ')';
}

tl::expected<Square, Refusal> AbaloneNotation::read_square(std::string_view& rest, std::string_view whole) const {
  const std::string_view before = rest;
  const auto square = coordinates_.read(rest);
  if (!square) {
    return tl::unexpected(Refusal{
        phrase("{} is not a move: write the chosen piece's square and the square it goes "
               "to, such as {}{}",
               in_quotes(whole), coordinates_.name({0, options_.rows - 1}), coordinates_.name({1, options_.rows - 2})),
        "2.5",
        {}});
  }
  if (!coordinates_.contains(*square)) {
    return tl::unexpected(Refusal{phrase("{} is not on the board: squares are {}",
                                         lowered(before.substr(0, before.size() - rest.size())), coordinates_.range()),
                                  "2.5",
                                  {}});
  }
  return *square;
}

tl::expected<Turn, Refusal> AbaloneNotation::parse_turn(const Board& /*board*/, std::string_view text) const {
  const std::string_view whole = trimmed(text);
  std::string_view rest = whole;
  const auto from = read_square(rest, whole);
  if (!from) return tl::unexpected(from.error());
  rest = trimmed(rest);
  if (!rest.empty() && rest.front() == '-') rest = trimmed(rest.substr(1));
  const auto to = read_square(rest, whole);
  if (!to) return tl::unexpected(to.error());
  if (!rest.empty()) {
    return tl::unexpected(
        Refusal{phrase("{} follows the move, which is only the chosen piece's square and the square it goes to",
                       in_quotes(rest)),
                "2.5",
                {*from, *to}});
  }
  return Turn{{StepKind::from, *from}, {StepKind::to, *to}};
}

std::string AbaloneNotation::turn_text(const Board& /*board*/, const Turn& turn) const {
  std::string text;
  for (const Step& s : turn) text += has_square(s.kind) ? coordinates_.name(s.square) : std::string(name(s.kind));
  return text;
}

}  // namespace paika::abalone
