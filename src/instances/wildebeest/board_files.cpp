#include <utility>

#include "base/text.hpp"
#include "games/wildebeest/board_file.hpp"
#include "games/wildebeest/layout.hpp"
#include "games/wildebeest/rules.hpp"
#include "instances/wildebeest/module.hpp"

namespace paika::wildebeest {

namespace {

Result<WrittenBoard> parse(std::string_view text) {
  return parse_board_file(text, LastLine::may_stop).map([](BoardFile&& file) {
    return WrittenBoard{std::move(file.board), std::move(file.integers)};
  });
}

Result<WrittenBoard> parse_any(std::string_view text) {
  if (trimmed(text).find('\n') != std::string_view::npos) return parse(text);
  auto board = parse_board_line(text);
  if (!board) return tl::unexpected(board.error());
  WrittenBoard written{std::move(*board), {}};
  for (std::size_t i = 0; i < written.integers.size(); ++i) {
    written.integers[i] = fmt::to_string(written.board.counters[i]);
  }
  return written;
}

std::string text(const WrittenBoard& written) { return board_file_text(written.board, written.integers); }

std::map<std::string, std::string> successors(const Game& game, const Board& board) {
  const auto options = read_options(game.notation().spec());
  PAIKA_CHECK(options.has_value());
  const BitboardRules rules(*options);
  const Position before = rules.from_board(board);
  std::map<std::string, std::string> all;
  rules.for_each_successor(before, [&](const auto& move) {
    all.emplace(board_line_text(rules.to_board(rules.play(before, move))),
                game.notation().turn_text(board, rules.to_turn(before, move)));
    return true;
  });
  return all;
}

Board strewn(Random& random) {
  Board board;
  board.cells = Grid<Cell>(board_side, board_side);
  board.to_move = random.one_in(2) ? Player::first : Player::second;
  board.counters = {static_cast<std::int64_t>(random.below(60'000)), 60'000,
                    static_cast<std::int64_t>(random.below(100))};
  const std::uint64_t one_in = 2 + random.below(8);
  board.cells.for_each_square([&](Square s) {
    board.cells[s] = {Owner::nobody, empty_sign(s)};
    if (!random.one_in(one_in)) return;
    const char kind = piece_letters[random.index(piece_letters.size())];
    board.cells[s] = {random.one_in(2) ? Owner::first : Owner::second, kind};
  });
  return board;
}

}  // namespace

const BoardFiles board_files{.board_lines = 12,  // the side to move and the rows
                             .parse = parse,
                             .parse_any = parse_any,
                             .text = text,
                             .successors = successors,
                             .strewn = strewn};

}  // namespace paika::wildebeest
