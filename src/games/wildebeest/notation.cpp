#include "games/wildebeest/notation.hpp"

#include <algorithm>
#include <limits>

#include "base/check.hpp"
#include "base/text.hpp"
#include "games/wildebeest/board_file.hpp"
#include "games/wildebeest/layout.hpp"
#include "games/wildebeest/names.hpp"

namespace paika::wildebeest {

namespace {

tl::unexpected<Refusal> bad_notation(Phrase message, std::vector<Square> squares = {}) {
  return tl::unexpected(Refusal{std::move(message), "7.6", std::move(squares)});
}

class WildebeestNotation final : public Notation {
 public:
  explicit WildebeestNotation(const Options& options) : options_(options) {}

  std::string spec() const override { return canonical_spec(options_); }
  const Coordinates& coordinates() const override { return coordinates_; }
  std::string_view player_name(Player player) const override { return side_name(player); }
  char glyph(const Cell& cell) const override { return cell_glyph(cell); }
  std::vector<Cell> all_pieces() const override;
  Phrase kind_phrase(const Cell& cell) const override { return kind_name(cell.kind); }
  Phrase piece_phrase(const Cell& cell, Square square) const override {
    return piece_on(cell, coordinates_.name(square));
  }
  Cell empty_cell(Square square) const override { return {Owner::nobody, empty_sign(square)}; }

  std::vector<Phrase> facts(const Board& board) const override;
  std::vector<Badge> badges(const Board& board) const override { return list_badges(board); }
  std::vector<RuleNote> card(const Cell& cell) const override { return card_of(cell.kind, options_); }
  Board in_play(const Board& board, const GameProgress& progress) const override;

  Board initial() const override;
  Result<Board> parse_position(std::string_view text) const override;
  std::string position_text(const Board& board) const override { return board_line_text(board); }

  tl::expected<Turn, Refusal> parse_turn(const Board& board, std::string_view text) const override;
  std::string turn_text(const Board& board, const Turn& turn) const override;
  std::optional<Refusal> refuse(const Board& board, const Turn& turn) const override {
    return explain(board, turn, options_, coordinates_);
  }
  std::vector<Effect> effects(const Board& board, const Turn& turn) const override {
    return list_effects(board, turn, options_);
  }

  std::vector<Symmetry> symmetries() const override;
  bool repetition_draws() const override { return true; }
  Ending ending(const Board& board, const Outcome& outcome) const override;
  bool decides(const Effect& effect, const Outcome& outcome) const override;

 private:
  Options options_;
  Coordinates coordinates_{board_side, board_side, Coordinates::RowsFrom::top, 0};
};

Board WildebeestNotation::initial() const {
  Board board{Grid<Cell>(board_side, board_side), Player::first, initial_counters};
  board.cells.for_each_square([&](Square s) {
    const char c = initial_rows[static_cast<std::size_t>(s.row)][static_cast<std::size_t>(s.col)];
    const bool piece = raised(c) != lowered(c);
    board.cells[s] = {!piece ? Owner::nobody : c == raised(c) ? Owner::first : Owner::second, raised(c)};
  });
  return board;
}

std::vector<Cell> WildebeestNotation::all_pieces() const {
  std::vector<Cell> all;
  for (const Owner owner : {Owner::first, Owner::second}) {
    for (const char kind : piece_letters) all.push_back({owner, kind});
  }
  return all;
}

std::vector<Phrase> WildebeestNotation::facts(const Board& board) const {
  return {phrase("Time used : {} ms", board.counters[0]), phrase("Time allowed : {} ms", board.counters[1]),
          phrase("Move number : {}", board.counters[2])};
}

/// The three integers of 7.1. A game set up from a board file goes on from those it has.
Board WildebeestNotation::in_play(const Board& board, const GameProgress& progress) const {
  const auto add = [](std::int64_t& counter, std::int64_t more) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    counter = counter > most - more ? most : counter + more;
  };
  Board out = board;
  add(out.counters[0], progress.used_ms);
  if (progress.allowed_ms) out.counters[1] = *progress.allowed_ms;
  add(out.counters[2], progress.turns);
  return out;
}

Result<Board> WildebeestNotation::parse_position(std::string_view text) const {
  Result<Board> board;
  if (trimmed(text).find('\n') == std::string_view::npos) {
    board = parse_board_line(text);
  } else {
    board = parse_board_file(text, LastLine::may_stop).map([](const BoardFile& file) { return file.board; });
  }
  if (!board) return board;
  if (auto flaw = impossible(*board)) return tl::unexpected(std::move(*flaw));
  return board;
}

tl::expected<Turn, Refusal> WildebeestNotation::parse_turn(const Board& /*board*/, std::string_view text) const {
  const std::string_view whole = trimmed(text);
  std::string_view rest = whole;
  // The letter of a fling is followed by another letter, a square of column f by a number.
  const bool fling = rest.size() > 1 && lowered(rest[0]) == 'f' && !is_digit(rest[1]);
  if (fling) rest.remove_prefix(1);
  const auto from = coordinates_.read(rest);
  const auto to = from ? coordinates_.read(rest) : std::nullopt;
  if (!to || !rest.empty()) {
    return bad_notation(phrase("{} is not a move: a move is written like e1e3, a fling like Fh1j3", in_quotes(whole)));
  }
  for (const Square s : {*from, *to}) {
    if (coordinates_.contains(s)) continue;
    return bad_notation(
        phrase("{} names a square off the board: the squares are {}", in_quotes(whole), coordinates_.range()));
  }
  Turn turn{{StepKind::from, *from}};
  if (fling) turn.push_back({StepKind::fling, {}});
  turn.push_back({StepKind::to, *to});
  return turn;
}

std::string WildebeestNotation::turn_text(const Board& /*board*/, const Turn& turn) const {
  const bool fling = std::any_of(turn.begin(), turn.end(), [](const Step& s) { return s.kind == StepKind::fling; });
  std::string text(fling ? "F" : "");
  for (const Step& s : turn) {
    if (has_square(s.kind)) text += coordinates_.name(s.square);
  }
  return text;
}

std::vector<Symmetry> WildebeestNotation::symmetries() const {
  std::vector<Symmetry> maps = {{Dihedral::identity, false}, {Dihedral::flip, true}};
  // Left and right are the same unless the pads tell them apart (5.3).
  if (options_.pads == Pads::diagonal) {
    maps.push_back({Dihedral::mirror, false});
    maps.push_back({Dihedral::rotate180, true});
  }
  return maps;
}

Ending WildebeestNotation::ending(const Board& /*board*/, const Outcome& outcome) const {
  const auto sentence = [&] {
    if (outcome.reason == EndReason::kings_lost) return phrase("Draw: both kings are gone");
    if (outcome.reason == EndReason::repetition) return phrase("Draw: the position occurred for the third time");
    const Phrase won = player_phrase(*this, outcome.winner());
    const Phrase lost = player_phrase(*this, other(outcome.winner()));
    if (outcome.reason == EndReason::king_lost) return phrase("{} wins: {} has no king", won, lost);
    PAIKA_CHECK(outcome.reason == EndReason::trapped);
    return phrase("{} wins: {} has no legal move", won, lost);
  };
  return {sentence(), "6.1"};
}

/// 6.1: a king went, of the side that lost or of both.
bool WildebeestNotation::decides(const Effect& effect, const Outcome& outcome) const {
  const bool king = effect.piece.kind == 'K' || effect.piece.kind == 'W';
  if (!king || !effect.from || effect.to) return false;
  if (outcome.reason == EndReason::kings_lost) return true;
  return outcome.reason == EndReason::king_lost && effect.piece.belongs_to(other(outcome.winner()));
}

}  // namespace

std::string_view side_name(Player player) noexcept {
  return player == Player::first ? translatable("White") : translatable("Black");
}

std::unique_ptr<Notation> make_notation(const Options& options) {
  return std::make_unique<WildebeestNotation>(options);
}

// ---- What pieces are at the moment: paralysed, charged, with a Jet Pack ----

std::optional<Square> beekeeper_next_to(const Grid<Cell>& cells, Square square, Player owner,
                                        std::optional<Square> gone) {
  for (const Direction d : all_directions) {
    const Square z = step(square, d);
    if (!cells.contains(z) || z == gone) continue;
    if (cells[z].kind == 'Z' && cells[z].belongs_to(other(owner))) return z;
  }
  return std::nullopt;
}

std::optional<Square> paralyser_of(const Grid<Cell>& cells, Square square) {
  if (cells[square].kind == 'X' || cells[square].kind == 'H') return std::nullopt;
  return beekeeper_next_to(cells, square, player_of(cells[square]));
}

std::optional<Square> charger_of(const Grid<Cell>& cells, Square cart) {
  const Player owner = player_of(cells[cart]);
  std::optional<Square> found;
  cells.for_each_square([&](Square s) {
    const bool pawn = cells[s].kind == 'P' && cells[s].belongs_to(other(owner)) && s.row == middle_row;
    const bool machine = cells[s].kind == 'H' && cells[s].belongs_to(owner);
    if (!found && (pawn || machine)) found = s;
  });
  return found;
}

std::vector<Badge> list_badges(const Board& board) {
  const Grid<Cell>& cells = board.cells;
  std::vector<Badge> badges;
  cells.for_each_square([&](Square s) {
    if (cells[s].owner == Owner::nobody) return;
    if (paralyser_of(cells, s)) badges.push_back({s, BadgeKind::paralysed});
    if (cells[s].kind == 'X' && charger_of(cells, s)) badges.push_back({s, BadgeKind::charged});
    if (cells[s].kind == 'W') badges.push_back({s, BadgeKind::jet});
  });
  return badges;
}

// Positions that no game can lead to (rules 1.3 and 2): no piece is ever added to a side, and a Pawn
// or a King changes its kind the moment it comes to rest where it must.

namespace {

/// Kinds that come from the same pieces of the initial board, and how many of these a side has.
struct Stock {
  std::string_view kinds;
  int most;
  const char* name;  // translatable
};
constexpr std::array<Stock, 12> stocks = {{{"KW", 1, translatable("one King, with or without a Jet Pack")},
                                           {"PH", 7, translatable("seven Pawns and Time Machines together")},
                                           {"B", 2, translatable("two Bishops")},
                                           {"N", 2, translatable("two Knights")},
                                           {"R", 2, translatable("two Rooks")},
                                           {"S", 1, translatable("one Serpent")},
                                           {"OE", 1, translatable("one Old Woman or Grand Empress")},
                                           {"J", 1, translatable("one Prince Joey")},
                                           {"C", 1, translatable("one Catapult")},
                                           {"G", 2, translatable("two Gorillas")},
                                           {"X", 1, translatable("one Golf Cart")},
                                           {"Z", 1, translatable("one Beekeeper")}}};

}  // namespace

std::optional<Error> impossible(const Board& board) {
  for (const Player p : {Player::first, Player::second}) {
    for (const Stock& stock : stocks) {
      const int count = count_cells(board, [&](const Cell& cell) {
        return cell.belongs_to(p) && stock.kinds.find(cell.kind) != std::string_view::npos;
      });
      if (count <= stock.most) continue;
      return fail(phrase("{} has {} of the letters {}, but a side never has more than {}", phrase_of(side_name(p)),
                         count, stock.kinds, phrase_of(stock.name)))
          .value();
    }
    for (int col = 0; col < board_side; ++col) {
      const Cell& cell = board.cells[{col, far_row(p)}];
      if (!cell.belongs_to(p) || cell.kind != 'P') continue;
      const std::string square = fmt::format("{}{}", static_cast<char>('a' + col), far_row(p));
      return fail(p == Player::first
                      ? phrase("row {}, column {} ({}): a White Pawn here would have become a Time Machine", far_row(p),
                               col, square)
                      : phrase("row {}, column {} ({}): a Black Pawn here would have become a Time Machine", far_row(p),
                               col, square))
          .value();
    }
  }
  if (board.cells[jet_pack].kind == 'K') {
    return fail(phrase("row 5, column 5 (f5): a King here would have become a King with a Jet Pack (W)")).value();
  }
  return std::nullopt;
}

}  // namespace paika::wildebeest
