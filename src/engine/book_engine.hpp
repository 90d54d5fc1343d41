// An engine that plays from an opening book where it can, and tells what the book thinks of the moves it searches.
#pragma once

#include <memory>

#include "engine/engine.hpp"

namespace paika {

/// The levels from this one on play from books.
inline constexpr int first_book_level = full_level - 1;
/// Moves of a book that are worse than the best by at most this, in hundredths of a piece, are as good to it: which one
/// is played, the seed decides.
inline constexpr int nearly_equal = 30;

/// An engine for `game` with the book that the settings choose; `searcher` itself if there is none. Under a limit of
/// time, which is how games are played, it answers from the book if it is of one of the upper levels and does not only
/// show it. Else it searches, and adds what the book says of its lines. A damaged book is as good as none.
[[nodiscard]] std::unique_ptr<Engine> with_book(const Game& game, std::unique_ptr<Engine> searcher,
                                                const SearchSettings& settings);

}  // namespace paika
