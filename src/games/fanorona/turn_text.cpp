// The text form of turns (4.2), both ways, and the class protocol's form as input (4.3, 6.2).
#include "base/text.hpp"
#include "games/fanorona/notation.hpp"

namespace paika::fanorona {

namespace {

/// Reads through a text once, from the left. The first mistake is kept, and ends the reading.
class Reader {
 public:
  Reader(std::string_view text, const Coordinates& names, std::string clause)
      : text_(text), rest_(text), names_(names), clause_(std::move(clause)) {}

  [[nodiscard]] bool failed() const noexcept { return refusal_.has_value(); }
  [[nodiscard]] tl::unexpected<Refusal> refusal() const { return tl::unexpected(*refusal_); }

  void fail(Phrase message) {
    if (!refusal_) refusal_ = Refusal{std::move(message), clause_, {}};
  }
  /// What stands here, for messages: `"xyz" at character 5`, or `the end`.
  [[nodiscard]] Phrase here() const {
    if (rest_.empty()) return phrase("the end");
    return phrase("{} at character {}", in_quotes(rest_, 12), text_.size() - rest_.size() + 1);
  }

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.size(), rest_.find_first_not_of(blanks))); }
  [[nodiscard]] bool at_end() {
    skip_blanks();
    return rest_.empty();
  }
  /// Takes the next character that is no blank if it is `c`, a sign or a lower case letter.
  bool take(char c) {
    if (at_end() || lowered(rest_[0]) != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect_end(const Phrase& after) {
    if (!at_end()) fail(phrase("expected nothing more after {}, found {}", after, here()));
  }

  /// A point by its name: "c2".
  Square point() {
    skip_blanks();
    const Phrase found = here();
    const auto square = names_.read(rest_);
    if (!square) {
      fail(phrase("expected a point such as {}, found {}", names_.name({0, names_.rows() - 1}), found));
    } else if (!names_.contains(*square)) {
      fail(phrase("{} is off the board: points are {}", found, names_.range()));
    }
    return square.value_or(Square{});
  }
  /// A point by its column and row, both from 1 at the bottom left: "3 2".
  Square numbered_point() {
    const int col = number(Axis::column, names_.cols());
    const int row = number(Axis::row, names_.rows());
    return {col - 1, names_.rows() - row};
  }
  /// A, W or none of them, as the kind of a step; with numbers some write R for W (6.4).
  std::optional<StepKind> taking() {
    if (take('a')) return StepKind::approach;
    if (take('w')) return StepKind::withdraw;
    return std::nullopt;
  }
  std::optional<StepKind> numbered_taking() { return take('r') ? StepKind::withdraw : taking(); }

 private:
  enum class Axis : unsigned char { column, row };

  int number(Axis axis, int most) {
    const bool column = axis == Axis::column;
    if (at_end() || !is_digit(rest_[0])) {
      fail(column ? phrase("expected a column from 1 to {}, found {}", most, here())
                  : phrase("expected a row from 1 to {}, found {}", most, here()));
      return 1;
    }
    const Phrase found = here();
    int value = 0;
    for (; !rest_.empty() && is_digit(rest_[0]); rest_.remove_prefix(1)) {
      value = std::min(10 * value + (rest_[0] - '0'), 1000);  // more is off every board
    }
    if (value < 1 || value > most) {
      fail(column ? phrase("{}: the column must be 1 to {}", found, most)
                  : phrase("{}: the row must be 1 to {}", found, most));
      return 1;
    }
    return value;
  }

  std::string_view text_;
  std::string_view rest_;
  const Coordinates& names_;
  std::string clause_;
  std::optional<Refusal> refusal_;
};

/// Longer chains than the board has points are refused before they fill the memory.
void check_length(Reader& reader, const Turn& turn, const Board& board) {
  if (turn.size() > 2 * static_cast<std::size_t>(board.cells.size())) {
    reader.fail(phrase("the chain has more steps than the board has points"));
  }
}

/// 4.2: the form people write.
tl::expected<Turn, Refusal> read_named(Reader reader, const Board& board) {
  Turn turn;
  if (reader.take('s')) {
    turn = {{StepKind::from, reader.point()}, {StepKind::sacrifice, {}}};
    reader.expect_end(phrase("a sacrifice"));
    return reader.failed() ? tl::expected<Turn, Refusal>(reader.refusal()) : turn;
  }
  turn.push_back({StepKind::from, reader.point()});
  bool captures = true;
  do {
    turn.push_back({StepKind::to, reader.point()});
    const auto how = reader.taking();
    captures = how.has_value();
    if (how) turn.push_back({*how, {}});
    check_length(reader, turn, board);
    if (!captures && (turn.size() > 2 || !reader.at_end())) {
      reader.fail(
          phrase("expected A (approach) or W (withdrawal) after each point of a capture, found {}", reader.here()));
    }
  } while (!reader.failed() && reader.take(','));
  reader.expect_end(phrase("the move (steps of a chain are joined by commas)"));
  return reader.failed() ? tl::expected<Turn, Refusal>(reader.refusal()) : turn;
}

/// 6.2: the form of the class protocol, as in "A 3 2 3 3 + W 3 3 4 3".
tl::expected<Turn, Refusal> read_numbered(Reader reader, const Board& board, const Coordinates& names) {
  Turn turn;
  if (reader.take('s')) {
    turn = {{StepKind::from, reader.numbered_point()}, {StepKind::sacrifice, {}}};
    reader.expect_end(phrase("a sacrifice"));
  } else if (reader.take('p')) {
    const Square from = reader.numbered_point();
    turn = {{StepKind::from, from}, {StepKind::to, reader.numbered_point()}};
    reader.expect_end(phrase("a paika"));
  } else {
    Square at{};
    do {
      const auto how = reader.numbered_taking();
      if (!how) {
        reader.fail(phrase("expected A (approach) or W (withdrawal) with its four numbers, found {}", reader.here()));
      }
      const Square from = reader.numbered_point();
      if (!turn.empty() && from != at) {
        reader.fail(
            phrase("a step starts at {}, but the step before it ended at {}", names.name(from), names.name(at)));
      }
      if (turn.empty()) turn.push_back({StepKind::from, from});
      at = reader.numbered_point();
      turn.push_back({StepKind::to, at});
      turn.push_back({how.value_or(StepKind::approach), {}});
      check_length(reader, turn, board);
    } while (!reader.failed() && reader.take('+'));
    reader.expect_end(phrase("the move (steps of a chain are joined by +)"));
  }
  return reader.failed() ? tl::expected<Turn, Refusal>(reader.refusal()) : turn;
}

/// A letter of the protocol that stands alone, with something other than a point's letter after it.
bool is_numbered(std::string_view text) {
  constexpr std::string_view letters = "awrpsAWRPS";
  const auto next = text.find_first_not_of(blanks, 1);
  return letters.find(text[0]) != std::string_view::npos && next != std::string_view::npos && next > 1 &&
         !(lowered(text[next]) >= 'a' && lowered(text[next]) <= 'z');
}

}  // namespace

tl::expected<Turn, Refusal> FanoronaNotation::parse_turn(const Board& board, std::string_view text) const {
  text = trimmed(text);
  if (text.empty()) {
    return tl::unexpected(Refusal{
        phrase("no move was given: write c2c3 (paika), c2c3A or c2c3W (capture), c2c3A,d3W (chain) or Sc2 (sacrifice)"),
        "4.2",
        {}});
  }
  if (is_numbered(text)) return read_numbered(Reader(text, coordinates_, "6.2"), board, coordinates_);
  return read_named(Reader(text, coordinates_, "4.2"), board);
}

std::string FanoronaNotation::turn_text(const Board& /*board*/, const Turn& turn) const {
  std::string text;
  bool captured = false;
  for (const Step& s : turn) {
    if (s.kind == StepKind::to && captured) text += ',';
    captured = s.kind == StepKind::approach || s.kind == StepKind::withdraw;
    if (has_square(s.kind)) text += coordinates_.name(s.square);
    if (s.kind == StepKind::approach) text += 'A';
    if (s.kind == StepKind::withdraw) text += 'W';
    if (s.kind == StepKind::sacrifice) text.insert(0, 1, 'S');
  }
  return text;
}

}  // namespace paika::fanorona
