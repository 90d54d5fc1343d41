// Numbering: where the positions of one game stand in its table. All that reading a table needs to know of the game;
// the solver (engine/solver.hpp) can do more.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "rules/board.hpp"
#include "rules/tier_index.hpp"
#include "solve/value.hpp"

namespace paika {

/// Tables are of landscape boards, as wide as high or wider: a portrait one is a landscape one with columns and rows
/// exchanged, in games whose rules make no difference between them. The options of the board that lies.
template <class Options>
[[nodiscard]] Options landscape(Options options) {
  if (options.rows > options.cols) std::swap(options.rows, options.cols);
  return options;
}

/// How many turns the game's limit still allows on a board.
using TurnsLeft = std::function<int(const Board&)>;

class Numbering {
 public:
  /// `label` names the table. Without `turns_left` the game has no limit.
  Numbering(std::string label, TurnsLeft turns_left) : label_(std::move(label)), turns_left_(std::move(turns_left)) {}
  Numbering(const Numbering&) = delete;
  Numbering& operator=(const Numbering&) = delete;
  virtual ~Numbering() = default;

  /// What the table is of: the spec, without what the table does not depend on.
  [[nodiscard]] const std::string& label() const noexcept { return label_; }
  /// Where the board stands in the table; nothing if it is not in it (a finished game need not be).
  [[nodiscard]] std::optional<TierIndex> place(const Board& board) const { return number(of_table(board)); }
  /// What a value of the table is worth on this board with the game's limit of moves; nothing if that depends on a
  /// distance that the table does not tell.
  [[nodiscard]] std::optional<Value> within_limits(const Board& board, Value value) const;

 protected:
  /// The board of the table's game that a board asked for is.
  [[nodiscard]] static Board of_table(const Board& board);

 private:
  /// Where a landscape board stands.
  [[nodiscard]] virtual std::optional<TierIndex> number(const Board& board) const = 0;

  std::string label_;
  TurnsLeft turns_left_;
};

/// The numbering of a space of positions (solve/solvable.hpp).
template <class Space>
class SpaceNumbering final : public Numbering {
 public:
  template <class... Arguments>
  SpaceNumbering(std::string label, TurnsLeft turns_left, Arguments&&... arguments)
      : Numbering(std::move(label), std::move(turns_left)), space_(std::forward<Arguments>(arguments)...) {}

 private:
  [[nodiscard]] std::optional<TierIndex> number(const Board& board) const override {
    return space_.place(space_.rules().from_board(board));
  }

  Space space_;
};

/// A table of at most so few stones has no position in which both sides have one.
inline constexpr int min_table_stones = 2;

/// The label of the table for a spec, which costs nothing: looking for a table must not number a board's positions
/// first. With `stones`, that of the positions with at most so many. An error says why its boards cannot be solved by
/// such a table.
[[nodiscard]] Result<std::string> table_label(std::string_view spec, int stones = 0);
/// The numbering for a spec. The same errors as for table_label.
[[nodiscard]] Result<std::unique_ptr<Numbering>> open_numbering(std::string_view spec, int stones = 0);

/// A table that there can be for a spec.
struct TableKind {
  std::string label;
  int stones = 0;  // what open_numbering and open_solver are told
};
/// All of them, those that hold the most positions first; none if its boards are not solved by tables.
[[nodiscard]] std::vector<TableKind> table_kinds(std::string_view spec);

}  // namespace paika
