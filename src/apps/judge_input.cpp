#include "apps/judge_input.hpp"

#include "apps/tables_input.hpp"

namespace paika::apps {

Result<Judge> open_judge(const Game& game, const std::string& asked_folder, int most_empty) {
  if (solved_by_search(game)) {
    auto search = ExactSearch::open(game, 1, SearchSettings().hash_mb);
    if (!search) return tl::unexpected(search.error());
    return judge_by_search(std::move(*search), most_empty);
  }
  auto book = open_book(game.notation().spec(), asked_folder);
  if (!book) return tl::unexpected(book.error());
  return judge_by_table(std::move(*book));
}

}  // namespace paika::apps
