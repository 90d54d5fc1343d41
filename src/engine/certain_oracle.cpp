// Oracles that need tables, apart from the others: the engine in the browser has no tables.
#include <utility>

#include "engine/move_value.hpp"

namespace paika {

Oracle table_oracle(std::shared_ptr<TableBook> book) {
  return [book = std::move(book)](const Session& session) -> Result<std::vector<OracleTurn>> {
    const auto turns = book->turns(session);
    if (!turns) return tl::unexpected(turns.error());
    std::vector<OracleTurn> judged;
    if (!*turns) return judged;
    for (const ValuedTurn& turn : **turns) judged.push_back({turn.text, move_value(turn.value)});
    return judged;
  };
}

Result<Oracle> certain_oracle(const Game& game, const SearchSettings& settings, int max_empty,
                              const std::stop_token& stop) {
  if (solved_by_search(game)) return ending_oracle(game, settings, max_empty, stop);
  if (settings.tables.empty()) return Oracle{};
  auto book = TableBook::open(game.notation().spec(), settings.tables);
  if (!book) return tl::unexpected(book.error());
  return *book ? table_oracle(std::move(*book)) : Oracle{};
}

}  // namespace paika
