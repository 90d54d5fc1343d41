#include "engine/game.hpp"

#include <utility>

#include "engine/book_engine.hpp"
#include "engine/table_engine.hpp"

namespace paika {

std::unique_ptr<Engine> Game::engine(const SearchSettings& settings) const {
  auto found = searcher(settings);
  if (!settings.tables.empty()) found = with_tables(*this, std::move(found), settings);
  return settings.book ? with_book(*this, std::move(found), settings) : std::move(found);
}

Result<std::unique_ptr<Session>> Game::start_from_text(std::string_view position) const {
  const auto board = notation().parse_position(position);
  if (!board) return tl::unexpected(board.error());
  return start_from(*board);
}

std::optional<Refusal> Session::refuse(const Turn& turn) const {
  const Board now = board();
  if (const Outcome result = outcome(); result.over()) {
    const Ending ending = notation().ending(now, result);
    return Refusal{phrase("the game is over: {}", ending.sentence), ending.clause, {}};
  }
  return notation().refuse(now, turn);
}

tl::expected<Turn, Refusal> Session::read_turn(std::string_view text) const {
  auto turn = notation().parse_turn(board(), text);
  if (!turn) return turn;
  if (auto refusal = refuse(*turn)) return tl::unexpected(std::move(*refusal));
  return turn;
}

tl::expected<Turn, Refusal> Session::try_play(std::string_view text) {
  auto turn = read_turn(text);
  if (turn) play(*turn);
  return turn;
}

}  // namespace paika
