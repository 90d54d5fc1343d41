// GameTree: a game with its variations, comments and marks. One text format for all games writes it
// (study/tree_text.hpp).
//
// Nodes are numbered in the order in which they were added; node 0 is the start of the game, and every other node is
// the position after its move. The first child of a node continues the main line, the others are variations. A node
// has each move at most once. All moves of a tree are legal: only a TreeCursor adds them, and it asks the rules.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "engine/game.hpp"
#include "play/record.hpp"

namespace paika::study {

/// What an annotator thinks of a move: "!", "?", "!!", "??", "!?", "?!", numbered as in PGN ($1 to $6).
enum class MoveMark : unsigned char { none, good, mistake, brilliant, blunder, interesting, dubious };

/// "!" and so on; "" for none.
[[nodiscard]] std::string_view mark_text(MoveMark mark) noexcept;
[[nodiscard]] std::optional<MoveMark> mark_of(std::string_view text) noexcept;

enum class ShapeColour : unsigned char { green, red, blue, yellow };
[[nodiscard]] std::string_view name(ShapeColour colour) noexcept;
[[nodiscard]] std::optional<ShapeColour> colour_of(std::string_view text) noexcept;

/// Something drawn on the board: an arrow, or a circle if both squares are the same.
struct Shape {
  Square from;
  Square to;
  ShapeColour colour = ShapeColour::green;

  friend bool operator==(const Shape&, const Shape&) = default;
};

struct TreeNode {
  std::size_t parent = 0;  // node 0 is its own
  std::vector<std::size_t> children;
  std::string move;  // canonical; empty at node 0
  Turn turn;
  MoveMark mark = MoveMark::none;
  std::string comment;  // without blanks at its ends
  std::vector<Shape> shapes;
  std::optional<std::chrono::milliseconds> clock;  // left to the player of the move after it
  std::optional<std::chrono::microseconds> time;   // that the move took
  std::optional<int> score;                        // as its player saw it, for the side to move, in hundredths
  int depth = 0;                                   // of the search that gave the score; 0: not known

  friend bool operator==(const TreeNode&, const TreeNode&) = default;
};

/// A tag beyond those that every game has, such as Date or Note.
using Tag = std::pair<std::string, std::string>;

class GameTree {
 public:
  static constexpr std::size_t max_nodes = 200'000;
  static constexpr std::size_t max_comment = 65'536;  // bytes

  /// A game without moves. `start`: a position's text; empty: the game's own start.
  [[nodiscard]] static Result<GameTree> open(GamePtr game, std::string_view start = {});

  [[nodiscard]] const Game& game() const noexcept { return *game_; }
  [[nodiscard]] const GamePtr& game_ptr() const noexcept { return game_; }
  [[nodiscard]] std::string spec() const { return game_->notation().spec(); }
  /// The canonical text of the position it begins with; empty: the game's own start.
  [[nodiscard]] const std::string& start() const noexcept { return start_; }
  [[nodiscard]] std::unique_ptr<Session> session() const;

  [[nodiscard]] std::span<const TreeNode> nodes() const noexcept { return nodes_; }
  [[nodiscard]] const TreeNode& node(std::size_t index) const { return nodes_[index]; }
  /// The nodes of the main line, without node 0.
  [[nodiscard]] std::vector<std::size_t> main_line() const;
  /// How many moves lead to a node.
  [[nodiscard]] std::size_t ply(std::size_t node) const;
  [[nodiscard]] bool has_variations() const;

  // Annotations. Texts are made fit to be written: control characters become question marks.
  void set_mark(std::size_t node, MoveMark mark) { nodes_[node].mark = mark; }
  void set_comment(std::size_t node, std::string_view text);
  void add_shape(std::size_t node, const Shape& shape) { nodes_[node].shapes.push_back(shape); }
  void set_clock(std::size_t node, std::optional<std::chrono::milliseconds> left) { nodes_[node].clock = left; }
  void set_time(std::size_t node, std::optional<std::chrono::microseconds> time) { nodes_[node].time = time; }
  void set_score(std::size_t node, std::optional<int> score, int depth);

  void set_player(std::size_t side, std::string_view name);
  [[nodiscard]] const std::array<std::string, 2>& players() const noexcept { return players_; }
  /// Sets a tag of a name that is not yet there, or adds one more of it. Requires a name that is_tag_name() accepts.
  void add_tag(std::string_view name, std::string_view value);
  [[nodiscard]] const std::vector<Tag>& tags() const noexcept { return tags_; }
  /// The value of the first tag of that name; "" if there is none.
  [[nodiscard]] std::string_view tag(std::string_view name) const noexcept;

  /// How the main line ended; an error if its rules say otherwise (play/record.hpp).
  [[nodiscard]] Result<void> set_result(play::GameResult result);
  /// Sets what the rules say of the end of the main line.
  void set_result_by_rules();
  [[nodiscard]] const play::GameResult& result() const noexcept { return result_; }

  friend bool operator==(const GameTree& a, const GameTree& b) {
    return a.spec() == b.spec() && a.start_ == b.start_ && a.players_ == b.players_ && a.tags_ == b.tags_ &&
           a.result_ == b.result_ && a.nodes_ == b.nodes_;
  }

 private:
  friend class TreeCursor;
  explicit GameTree(GamePtr game) : game_(std::move(game)), nodes_(1) {}
  [[nodiscard]] std::unique_ptr<Session> session_at_end() const;

  GamePtr game_;
  std::string start_;
  std::array<std::string, 2> players_;
  std::vector<Tag> tags_;
  play::GameResult result_;
  std::vector<TreeNode> nodes_;
};

[[nodiscard]] bool is_tag_name(std::string_view name) noexcept;

/// A place in a tree with the position there, for walking and for adding moves. The tree outlives it.
class TreeCursor {
 public:
  explicit TreeCursor(GameTree& tree) : tree_(&tree), session_(tree.session()) {}

  [[nodiscard]] std::size_t node() const noexcept { return node_; }
  [[nodiscard]] const Session& session() const noexcept { return *session_; }
  /// Plays a move, in any form that the game reads; it becomes the last child unless it is there already. On an error
  /// nothing changes.
  [[nodiscard]] Result<void> play(std::string_view move);
  /// The same for a legal turn.
  [[nodiscard]] Result<void> play(const Turn& turn);
  /// Takes back a move; false at node 0.
  bool back();
  /// Goes back to a node on the way here and from there to a child of it.
  void go(std::size_t ancestor, std::size_t child);

 private:
  [[nodiscard]] std::optional<std::size_t> child(std::string_view move) const;

  GameTree* tree_;
  std::unique_ptr<Session> session_;
  std::size_t node_ = 0;
};

// ---- Records (play/record.hpp): a main line with what a match knows of it ----

[[nodiscard]] GameTree tree_of(const play::GameRecord& record);
/// The main line as a record. Tags that a record has no place for become notes, "Date: 2026-01-31".
[[nodiscard]] play::GameRecord record_of(const GameTree& tree);

}  // namespace paika::study
