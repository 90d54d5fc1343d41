#include "game.hpp"

#include <array>

#include "base/text.hpp"

namespace paika::tictactoe {

namespace {

constexpr int side = 3;

/// The player who has a line; nothing if nobody has (3.1).
std::optional<Player> winner_on(const Grid<Cell>& cells) {
  for (const Player player : {Player::first, Player::second}) {
    const auto has = [&](int col, int row) { return cells[{col, row}].belongs_to(player); };
    bool down = true;
    bool up = true;
    for (int i = 0; i < side; ++i) {
      if ((has(0, i) && has(1, i) && has(2, i)) || (has(i, 0) && has(i, 1) && has(i, 2))) return player;
      down = down && has(i, i);
      up = up && has(i, side - 1 - i);
    }
    if (down || up) return player;
  }
  return std::nullopt;
}

class Face final : public Notation {
 public:
  [[nodiscard]] std::string spec() const override { return canonical_spec({}); }
  [[nodiscard]] const Coordinates& coordinates() const override { return coordinates_; }
  [[nodiscard]] std::string_view player_name(Player player) const override {
    return player == Player::first ? "Cross" : "Nought";
  }
  [[nodiscard]] char glyph(const Cell& cell) const override {
    return cell.belongs_to(Player::first) ? 'x' : cell.belongs_to(Player::second) ? 'o' : '.';
  }
  [[nodiscard]] Phrase kind_phrase(const Cell& /*cell*/) const override { return phrase("sign"); }
  [[nodiscard]] Phrase piece_phrase(const Cell& cell, Square square) const override {
    return phrase("{}'s sign on {}", player_phrase(*this, player_of(cell)), coordinates_.name(square));
  }
  [[nodiscard]] Board initial() const override {
    Board board;
    board.cells = Grid<Cell>(side, side);
    return board;
  }

  [[nodiscard]] Result<Board> parse_position(std::string_view text) const override {
    const std::string clean(trimmed(text));
    if (clean.size() != 13 || clean[3] != '/' || clean[7] != '/' || clean[11] != ' ') {
      return fail(phrase("a position is three rows and the side to move, such as {}", "\".../.x./... o\""));
    }
    Board board = initial();
    for (int i = 0; i < side * side; ++i) {
      const char sign = clean[static_cast<std::size_t>(i + i / side)];
      if (sign != 'x' && sign != 'o' && sign != '.') return fail(phrase("{} is no sign", in_quotes({&sign, 1})));
      if (sign != '.') board.cells[{i % side, i / side}] = piece_of(sign == 'x' ? Player::first : Player::second);
    }
    if (clean[12] != 'x' && clean[12] != 'o') return fail(phrase("the side to move is x or o"));
    board.to_move = clean[12] == 'x' ? Player::first : Player::second;
    const int more = count_pieces(board, Player::first) - count_pieces(board, Player::second);
    if (more != (board.to_move == Player::first ? 0 : 1)) return fail(phrase("the sides take turns, Cross first"));
    if (winner_on(board.cells) == board.to_move) return fail(phrase("the game was over a turn before"));
    return board;
  }
  [[nodiscard]] std::string position_text(const Board& board) const override {
    std::string text;
    board.cells.for_each_square([&](Square s) {
      if (s.col == 0 && s.row > 0) text += '/';
      text += glyph(board.cells[s]);
    });
    return text + (board.to_move == Player::first ? " x" : " o");
  }

  [[nodiscard]] tl::expected<Turn, Refusal> parse_turn(const Board& /*board*/, std::string_view text) const override {
    std::string_view rest = trimmed(text);
    const auto square = coordinates_.read(rest);
    if (!square || !rest.empty() || !coordinates_.contains(*square)) {
      return tl::unexpected(Refusal{phrase("a turn is a square, {}", coordinates_.range()), "2.1", {}});
    }
    return Turn{{StepKind::place, *square}};
  }
  [[nodiscard]] std::string turn_text(const Board& /*board*/, const Turn& turn) const override {
    return coordinates_.name(turn.front().square);
  }
  [[nodiscard]] std::optional<Refusal> refuse(const Board& board, const Turn& turn) const override {
    if (turn.size() != 1 || turn.front().kind != StepKind::place || !board.cells.contains(turn.front().square)) {
      return Refusal{phrase("a turn is a square, {}", coordinates_.range()), "2.1", {}};
    }
    const Square square = turn.front().square;
    if (board.cells[square].owner == Owner::nobody) return std::nullopt;
    return Refusal{phrase("{} is taken", coordinates_.name(square)), "2.1", {square}};
  }
  [[nodiscard]] std::vector<Effect> effects(const Board& board, const Turn& turn) const override {
    return {Effect{EffectKind::placed, 0, {}, turn.front().square, piece_of(board.to_move), {}, "2.1"}};
  }

  [[nodiscard]] std::vector<Symmetry> symmetries() const override {
    std::vector<Symmetry> maps;
    for (const Symmetry& symmetry : all_symmetries(side, side)) {
      if (!symmetry.swap_players) maps.push_back(symmetry);
    }
    return maps;
  }
  [[nodiscard]] bool repetition_draws() const override { return false; }
  [[nodiscard]] Ending ending(const Board& /*board*/, const Outcome& outcome) const override {
    if (outcome.verdict == Verdict::draw) return {phrase("A draw: the board is full"), "3.1"};
    return {phrase("{} wins with three in a line", player_phrase(*this, outcome.winner())), "3.1"};
  }

 private:
  Coordinates coordinates_{side, side, Coordinates::RowsFrom::bottom};
};

}  // namespace

const GameInfo& info() {
  static const GameInfo table = {.name = "tictactoe",
                                 .aliases = {"noughts"},
                                 .title = "Tic-tac-toe",
                                 .summary = "Three in a line win.",
                                 .size_form = "",
                                 .standard_size = "3x3",
                                 .options = {},
                                 .presets = {},
                                 .examples = {"tictactoe"}};
  return table;
}

Result<Options> read_options(std::string_view spec) {
  return read_spec(spec, info()).map([](const SpecValues&) { return Options{}; });
}

std::string canonical_spec(const Options& /*options*/) { return info().name; }

std::unique_ptr<Notation> make_notation(const Options& /*options*/) { return std::make_unique<Face>(); }

}  // namespace paika::tictactoe
