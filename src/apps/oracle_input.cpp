#include "apps/oracle_input.hpp"

#include "apps/tables_input.hpp"

namespace paika::apps {

Result<Oracle> open_oracle(const Game& game, const std::string& asked_folder, int max_empty) {
  if (solved_by_search(game)) {
    auto search = ExactSearch::open(game, 1, SearchSettings().hash_mb);
    if (!search) return tl::unexpected(search.error());
    return search_oracle(std::move(*search), max_empty);
  }
  auto book = open_book(game.notation().spec(), asked_folder);
  if (!book) return tl::unexpected(book.error());
  return table_oracle(std::move(*book));
}

}  // namespace paika::apps
