// OpeningBook: positions of one game with the moves that were looked at there and what they are worth
// (docs/book-format.md).
//
// A position is known by its canonical key (engine/canonical_keys.hpp), so that the images of a position under the
// game's symmetries are one, and a move by the position that it leads to. Nothing here depends on a game.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "engine/canonical_keys.hpp"
#include "engine/game.hpp"
#include "solve/table_bytes.hpp"

namespace paika {

/// How a book knows a move: a part of the canonical key of the position after it.
using MoveMark = std::uint32_t;
[[nodiscard]] constexpr MoveMark mark_of(std::uint64_t key) noexcept { return static_cast<MoveMark>(key); }

struct BookMove {
  MoveMark mark = 0;
  int score = 0;  // as the search of the position found it, for the side to move

  friend bool operator==(const BookMove&, const BookMove&) = default;
};

struct BookPosition {
  std::uint64_t key = 0;
  int value = 0;                // for the side to move, from all that the book holds behind the position
  int ply = 0;                  // moves from the start of the game, on the way by which it came into the book
  int depth = 0;                // of the search that found the scores
  std::vector<BookMove> moves;  // best score first; at least one

  friend bool operator==(const BookPosition&, const BookPosition&) = default;
};

/// The score that a move has whose reply is worth `value` to the one who replies: a win or loss is a move further away.
[[nodiscard]] int score_before(int value) noexcept;
/// A score as a book can hold it: large evaluations and distant wins are cut to what fits 16 bits.
[[nodiscard]] int bookable(int score) noexcept;

/// Immutable, so that any number of threads may read it.
class OpeningBook {
 public:
  static constexpr int max_ply = 0xffff;
  static constexpr int max_depth = 0xff;
  static constexpr std::size_t max_moves = 0xff;  // of a position

  /// Requires different keys, and of each position: 1 to max_moves moves with different marks, numbers within the
  /// bounds above, and scores that are bookable().
  OpeningBook(std::string spec, std::vector<BookPosition> positions);

  /// Reads a book's bytes; the error says what is wrong with them.
  [[nodiscard]] static Result<OpeningBook> parse(Bytes bytes);
  /// The bytes of the book; the same book always gives the same ones.
  [[nodiscard]] std::vector<std::uint8_t> bytes() const;

  [[nodiscard]] const std::string& spec() const noexcept { return spec_; }
  /// By their keys, ascending.
  [[nodiscard]] const std::vector<BookPosition>& positions() const noexcept { return positions_; }
  /// Null if the book does not hold the position.
  [[nodiscard]] const BookPosition* find(std::uint64_t key) const noexcept;
  /// What the move from `position` to the position `key` is worth to the one who makes it: by the book if it goes on
  /// there, else as it was searched; nothing if the book does not know it. Moves back to earlier positions do not
  /// count as going on.
  [[nodiscard]] std::optional<int> score(const BookPosition& position, std::uint64_t key) const noexcept;

 private:
  std::string spec_;
  std::vector<BookPosition> positions_;
};

using BookPtr = std::shared_ptr<const OpeningBook>;

/// The words for "the book that the program has" and "none" where a book is chosen; anything else is a file.
inline constexpr std::string_view builtin_book_name = "on";
inline constexpr std::string_view no_book_name = "off";

/// The book of data/ for a game, read once; null if there is none.
[[nodiscard]] BookPtr builtin_book(const std::string& spec);
/// The book in a file; an error if it cannot be read, is damaged, or is of another game.
[[nodiscard]] Result<BookPtr> read_book(const std::string& spec, const std::string& path);
/// Puts a book on the disk; the file is the old one or the new one, whole, whatever happens.
[[nodiscard]] Result<void> write_book(const OpeningBook& book, const std::string& path);
/// The book that `chosen` names: the built-in one, none, or a file; null if there is none.
[[nodiscard]] Result<BookPtr> choose_book(const std::string& spec, const std::string& chosen);

/// A legal move that a book knows.
struct KnownMove {
  Turn turn;
  std::string text;
  int score = 0;  // for the side that makes it
};

/// Looks positions up in a book. Not thread-safe.
class BookReader {
 public:
  /// Requires a book of the game that the notation is of.
  BookReader(BookPtr book, const Notation& notation) : book_(std::move(book)), keys_(notation) {}

  [[nodiscard]] const OpeningBook& book() const noexcept { return *book_; }
  /// Null if the book does not hold the position.
  [[nodiscard]] const BookPosition* find(const Session& session) { return book_->find(keys_.key(session.board())); }
  /// The moves that the book knows, best first; none if it does not hold the position or the game is over.
  [[nodiscard]] std::vector<KnownMove> moves(const Session& session);
  /// The best moves from a position as far as the book goes, at most `most` of them.
  [[nodiscard]] std::vector<KnownMove> line(const Session& session, std::size_t most);

 private:
  BookPtr book_;
  CanonicalKeys keys_;
};

}  // namespace paika
