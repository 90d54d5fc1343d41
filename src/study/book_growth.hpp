// Growing an opening book by searches, on several threads; and searching positions of a book again.
#pragma once

#include <functional>
#include <stop_token>

#include "study/book_graph.hpp"

namespace paika::study {

struct BookGrowth {
  std::size_t moves = 4;          // that a new position gets
  std::uint64_t nodes = 500'000;  // of the search of a position, for each of its moves
  double loss_weight = 2;         // a piece given away costs as much as so many moves
  std::size_t max_positions = 0;  // the book has then; 0: no limit
  Milliseconds time{0};           // after which no search begins any more; 0: no limit
  int threads = 1;
  int hash_mb = 16;  // of each thread
};

/// Lets the book grow until a limit is reached, nothing is left to be searched, or `stop` is requested; searches that
/// are under way then are dropped. `on_added` is called by one thread at a time after each position. Every search
/// begins with an empty table, so that what a position is worth depends on nothing before it. May throw std::bad_alloc.
void grow_book(const GamePtr& game, BookGraph& graph, const BookGrowth& growth,
               const std::function<void(BookGraph&)>& on_added, const std::stop_token& stop);

/// How far the scores of positions differ from those that a search to the depth of the book finds now.
struct BookSample {
  std::size_t positions = 0;
  double mean = 0;  // in hundredths of a piece
  int largest = 0;
  std::string where;  // the position with the largest difference
};

/// Searches `count` positions of the graph again, chosen by `seed`, or all if it has fewer. Wins and losses count as 20
/// pieces.
[[nodiscard]] BookSample sample_book(const GamePtr& game, const BookGraph& graph, std::size_t count, std::uint64_t seed,
                                     const std::stop_token& stop);

}  // namespace paika::study
