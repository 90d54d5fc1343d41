#include "games/wildebeest/board_file.hpp"

#include <algorithm>

#include "base/phrase.hpp"
#include "base/text.hpp"
#include "games/wildebeest/layout.hpp"

namespace paika::wildebeest {

namespace {

constexpr int board_lines = 15;

Board empty_board() {
  Board board;
  board.cells = Grid<Cell>(board_side, board_side);
  return board;
}

/// What is wrong with `c` on square `s`, without its place; or the cell it stands for.
Result<Cell> read_cell(char c, Square s) {
  const char sign = empty_sign(s);
  if (c == sign) return Cell{Owner::nobody, sign};
  if (piece_letters.find(raised(c)) != std::string_view::npos) {
    return Cell{c == raised(c) ? Owner::first : Owner::second, raised(c)};
  }
  if (c == '.') {
    return fail(phrase("this square is {}: write '{}' when it is empty, not '.'",
                       sign == '#' ? phrase("the Jet Pack") : phrase("a transporter pad"), sign));
  }
  if (c == '*' || c == '#') {
    return fail(phrase("'{}' is the sign of {}; this square shows '{}' when it is empty", c,
                       c == '#' ? phrase("the Jet Pack at row 5, column 5")
                                : phrase("the transporter pads at rows 3 and 7, columns 1 and 9"),
                       sign));
  }
  return fail(
      phrase("{} is neither a piece nor a sign; use the letters {} (lower case for Black) and '{}' for an empty square",
             char_phrase(c), piece_letters, sign));
}

Result<Player> read_player(std::string_view text) {
  if (text == "W") return Player::first;
  if (text == "B") return Player::second;
  return fail(phrase("the side to move must be W or B, not {}", in_quotes(text)));
}

/// A flaw of a piece of text: which character (from 0), and what is wrong with it.
struct Flaw {
  std::size_t at = 0;
  Phrase what;
};

/// Why `text` is not an integer of 64 bits; nothing if it is one.
std::optional<Flaw> integer_flaw(std::string_view text) {
  if (parse_int(text)) return std::nullopt;
  const std::size_t digits = !text.empty() && text[0] == '-' ? 1 : 0;
  const auto wrong = text.find_first_not_of("0123456789", digits);
  if (wrong != std::string_view::npos) {
    return Flaw{wrong, phrase("an integer is expected here, and {} is not a digit", char_phrase(text[wrong]))};
  }
  if (text.size() == digits) return Flaw{digits, phrase("an integer is expected here")};
  return Flaw{0, phrase("the integer {} does not fit in 64 bits", in_quotes(text))};
}

/// Reads one row of eleven characters into `board`; nothing if all is well.
std::optional<Flaw> read_row(std::string_view text, int row, Board& board) {
  const auto side = static_cast<std::size_t>(board_side);
  for (std::size_t col = 0; col < side; ++col) {
    if (col >= text.size()) return Flaw{col, phrase("the row has {} characters instead of 11", text.size())};
    const Square s{static_cast<int>(col), row};
    const auto cell = read_cell(text[col], s);
    if (!cell) return Flaw{col, cell.error().words()};
    board.cells[s] = *cell;
  }
  if (text.size() > side) return Flaw{side, phrase("the row has {} characters instead of 11", text.size())};
  return std::nullopt;
}

tl::unexpected<Error> at_place(int line, std::size_t column, const Phrase& what) {
  return fail(phrase("line {}, column {}: {}", line, column + 1, what));
}

/// Takes the lines of a text off its front, one by one.
class Lines {
 public:
  Lines(std::string_view text, LastLine last) : rest_(text), last_(last) {}

  Result<std::string_view> next() {
    ++number_;
    if (rest_.empty()) return at_place(number_, 0, phrase("the line is missing; a board file has 15 lines"));
    const auto end = rest_.find('\n');
    if (end == std::string_view::npos && (last_ == LastLine::must_end || number_ != board_lines)) {
      return at_place(number_, std::min(rest_.size(), longest()), phrase("the line does not end with a newline"));
    }
    const auto line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return line;
  }
  /// How long the present line can be.
  [[nodiscard]] std::size_t longest() const noexcept {
    if (number_ == 1) return 1;
    return number_ <= 1 + board_side ? static_cast<std::size_t>(board_side) : rest_.size();
  }
  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] std::string_view rest() const noexcept { return rest_; }

 private:
  std::string_view rest_;
  LastLine last_;
  int number_ = 0;
};

/// Reads eleven rows joined by slashes into `board`.
Result<void> read_rows(std::string_view text, Board& board) {
  for (int row = 0; row < board_side; ++row) {
    const auto end = text.find('/');
    const bool more = end != std::string_view::npos;
    if (const auto flaw = read_row(text.substr(0, end), row, board)) {
      const bool inside = flaw->at < static_cast<std::size_t>(board_side);
      const char letter = static_cast<char>('a' + static_cast<int>(inside ? flaw->at : 0));
      if (!inside) return fail(phrase("row {}, column {}: {}", row, flaw->at, flaw->what));
      return fail(phrase("row {}, column {} ({}): {}", row, flaw->at, fmt::format("{}{}", letter, row), flaw->what));
    }
    if (row < last_row && !more) return fail(phrase("row {} is missing; a board has 11 rows joined by '/'", row + 1));
    if (row == last_row && more)
      return fail(phrase("nothing may follow row 10, but there is {}", in_quotes(text.substr(end))));
    text.remove_prefix(more ? end + 1 : text.size());
  }
  return {};
}

}  // namespace

Result<BoardFile> parse_board_file(std::string_view text, LastLine last) {
  BoardFile file{empty_board(), {}};
  Lines lines(text, last);
  auto line = lines.next();
  if (!line) return tl::unexpected(line.error());
  const auto player = read_player(*line);
  if (!player)
    return at_place(1, !line->empty() && (line->front() == 'W' || line->front() == 'B') ? 1 : 0,
                    player.error().words());
  file.board.to_move = *player;
  for (int row = 0; row < board_side; ++row) {
    line = lines.next();
    if (!line) return tl::unexpected(line.error());
    if (const auto flaw = read_row(*line, row, file.board)) return at_place(lines.number(), flaw->at, flaw->what);
  }
  for (std::size_t i = 0; i < file.integers.size(); ++i) {
    line = lines.next();
    if (!line) return tl::unexpected(line.error());
    if (const auto flaw = integer_flaw(*line)) return at_place(lines.number(), flaw->at, flaw->what);
    file.integers[i] = *line;
    file.board.counters[i] = *parse_int(*line);
  }
  if (!lines.rest().empty()) {
    return at_place(board_lines + 1, 0, phrase("nothing may follow line 15, but there is {}", in_quotes(lines.rest())));
  }
  return file;
}

std::string board_file_text(const Board& board, const IntegerTexts& integers) {
  std::string text = board.to_move == Player::first ? "W\n" : "B\n";
  for (int row = 0; row < board_side; ++row) {
    for (int col = 0; col < board_side; ++col) text += cell_glyph(board.cells[{col, row}]);
    text += '\n';
  }
  for (const auto& integer : integers) text += integer + "\n";
  return text;
}

Result<Board> parse_board_line(std::string_view text) {
  const Phrase form = phrase("W or B, the 11 rows joined by '/', and three integers");
  Board board = empty_board();
  const auto player = read_player(take_word(text));
  if (!player) return fail(phrase("{}; a position is {}", player.error().words(), form));
  board.to_move = *player;
  if (const auto rows = read_rows(take_word(text), board); !rows) return tl::unexpected(rows.error());
  const std::array<Phrase, 3> names = {phrase("time used"), phrase("time allowed"), phrase("move number")};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto word = take_word(text);
    if (word.empty()) return fail(phrase("the {} is missing; a position is {}", names[i], form));
    if (const auto flaw = integer_flaw(word))
      return fail(phrase("the {} {}: {}", names[i], in_quotes(word), flaw->what));
    board.counters[i] = *parse_int(word);
  }
  if (const auto rest = trimmed(text); !rest.empty()) {
    return fail(phrase("nothing may follow the move number, but there is {}", in_quotes(rest)));
  }
  return board;
}

std::string board_line_text(const Board& board) {
  std::string text = board.to_move == Player::first ? "W " : "B ";
  for (int row = 0; row < board_side; ++row) {
    if (row > 0) text += '/';
    for (int col = 0; col < board_side; ++col) text += cell_glyph(board.cells[{col, row}]);
  }
  return text + fmt::format(" {} {} {}", board.counters[0], board.counters[1], board.counters[2]);
}

char cell_glyph(const Cell& cell) noexcept { return cell.owner == Owner::second ? lowered(cell.kind) : cell.kind; }

}  // namespace paika::wildebeest
