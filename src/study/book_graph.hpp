// BookGraph: an opening book as the graph of positions that it is, to be grown and verified.
//
// Growth is drop-out expansion (Lincke): the line to be continued next is the one that costs least, where every move
// costs one, and more the more it gives away. Lines of good moves thus become long, and bad moves are followed the
// less the worse they are. Values are negamax values of all that is known: a move that the book goes on with is worth
// what the position after it is, any other what its search said (Buro).
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/canonical_keys.hpp"
#include "engine/engine.hpp"
#include "engine/opening_book.hpp"

namespace paika::study {

/// A score as it counts when scores are compared: wins and losses as 20 pieces, so that lost lines are not followed
/// far.
[[nodiscard]] constexpr int comparable(int score) noexcept {
  constexpr int decisive = 2000;
  return score > decisive ? decisive : score < -decisive ? -decisive : score;
}

/// A position that is to be searched for the book.
struct BookTask {
  Board board;
  std::uint64_t key = 0;
  int ply = 0;
  int lines = 0;  // how many moves are to be searched; those that a symmetry makes alike are several
  int moves = 0;  // how many different ones the book is to know
};

/// Not thread-safe.
class BookGraph {
 public:
  /// The graph of a book for `game`; an error if it holds moves that are not legal, or positions that its moves do not
  /// lead to.
  [[nodiscard]] static Result<BookGraph> open(GamePtr game, const OpeningBook& book);

  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }
  [[nodiscard]] int longest_line() const noexcept { return static_cast<int>(by_ply_.size()) - 1; }
  /// What the start is worth to whoever moves first. Requires a book with positions.
  [[nodiscard]] int value();
  /// The book, with values from all that is known.
  [[nodiscard]] OpeningBook book();

  /// What is worth most to be searched now and is not being searched; nothing if there is no such position. A piece
  /// given away counts as much as `loss_weight` moves. A new position gets `moves` moves, a known one whose other
  /// moves may be better twice as many as it had.
  [[nodiscard]] std::optional<BookTask> next(std::size_t moves, double loss_weight);
  /// Takes what a search found for a task that next() gave.
  void add(const BookTask& task, const SearchInfo& info);
  /// Takes the task back: its search was broken off.
  void drop(const BookTask& task) { busy_.erase(task.key); }

  /// What is wrong with the values or the order of the book that this was opened with; nothing if they are right.
  [[nodiscard]] std::optional<std::string> contradiction();
  /// The board of a position that the book holds.
  [[nodiscard]] const Board& board_of(std::size_t number) const { return nodes_[number].board; }
  /// The book's position with that number, with the value it had when this was opened.
  [[nodiscard]] const BookPosition& position(std::size_t number) const { return nodes_[number].stored; }

 private:
  struct Edge {
    std::uint64_t key = 0;
    int score = 0;
    std::optional<std::size_t> child{};
    bool over = false;  // the game is
  };
  struct Node {
    Board board;
    BookPosition stored;
    int value = 0;
    std::size_t legal = 0;  // different positions that moves lead to
    std::vector<Edge> edges{};
  };
  /// A position that a move leads to.
  struct Successor {
    Board board;
    bool over = false;
  };
  struct Successors {
    std::unordered_map<std::uint64_t, Successor> by_key;
    std::size_t moves = 0;  // several may lead to the same position, up to symmetry
  };

  /// What may be searched next.
  struct Candidate {
    double cost = 0;
    std::size_t node = 0;
    std::uint64_t key = 0;  // of the position to be searched: the node's own for more of its moves, or one after it

    /// Of two that cost the same it is always the same one, whatever the order in which the book came to be.
    friend bool operator<(const Candidate& a, const Candidate& b) {
      return a.cost != b.cost ? a.cost < b.cost : a.key < b.key;
    }
  };

  explicit BookGraph(GamePtr game) : game_(std::move(game)), keys_(game_->notation()) {}

  [[nodiscard]] Successors successors(const Board& board);
  [[nodiscard]] Result<void> walk(const OpeningBook& book);
  /// Adds a node, and links it with what leads to it and with what it leads to.
  void insert(Node node);
  void link(std::size_t number);
  /// Gives a node the moves that a new search of it found.
  void replace(std::size_t number, const Node& found);
  [[nodiscard]] BookTask task(const Board& board, std::uint64_t key, int ply, std::size_t moves);
  /// True if the graph goes on with the edge: moves back to earlier positions do not count.
  [[nodiscard]] bool goes_on(const Node& node, const Edge& edge) const {
    return edge.child && nodes_[*edge.child].stored.ply > node.stored.ply;
  }
  [[nodiscard]] bool can_go_on(const Node& node, const Edge& edge) const {
    return !edge.over && node.stored.ply < OpeningBook::max_ply && !busy_.contains(edge.key);
  }
  [[nodiscard]] int score(const Node& node, const Edge& edge) const;
  [[nodiscard]] std::optional<Candidate> cheapest(double loss_weight) const;
  /// Brings all values up to date.
  void evaluate();
  [[nodiscard]] std::string place(const Node& node) const { return game_->notation().position_text(node.board); }

  GamePtr game_;
  CanonicalKeys keys_;
  std::deque<Node> nodes_;
  std::unordered_map<std::uint64_t, std::size_t> numbers_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> leading_to_;  // key: nodes with a move there
  std::vector<std::vector<std::size_t>> by_ply_;
  std::unordered_set<std::uint64_t> busy_;
  bool evaluated_ = false;
};

}  // namespace paika::study
