#include "engine/numbering.hpp"

#include "engine/module.hpp"

namespace paika {

Board Numbering::of_table(const Board& board) {
  const bool stands = board.cells.rows() > board.cells.cols();
  return stands ? transformed(board, {.map = Dihedral::transpose}) : board;
}

std::optional<Value> Numbering::within_limits(const Board& board, Value value) const {
  // docs/solving.md: who needs more turns than are left does not get there; the other side only
  // had to hold out, which the longest way allows.
  const int left = turns_left_ ? turns_left_(board) : Value::max_turns;
  if (left >= Value::max_turns) return value;
  if (!value.has_distance()) return std::nullopt;
  return value.turns() > left ? Value::draw() : value;
}

namespace {

Result<const GameModule*> find_solved(std::string_view spec, int stones) {
  auto module = find_module(spec_name(spec));
  if (module && (*module)->numbering == nullptr) {
    const std::string_view name = (*module)->info().name;
    if ((*module)->exact_squares == 0) return fail("{} is not solved by tables in this program", name);
    return fail("{} is not solved by tables: its positions never repeat, so it is solved by search", name);
  }
  if (module && stones != 0) {
    const int most = (*module)->max_stones;
    if (most == 0) return fail("{} has no tables of positions with few stones", (*module)->info().name);
    if (stones < min_table_stones || stones > most) {
      return fail("tables are made of positions with at most {} to {} stones, not {}", min_table_stones, most, stones);
    }
  }
  return module;
}

}  // namespace

Result<std::string> table_label(std::string_view spec, int stones) {
  const auto module = find_solved(spec, stones);
  if (!module) return tl::unexpected(module.error());
  return (*module)->table_label(spec, stones);
}

Result<std::unique_ptr<Numbering>> open_numbering(std::string_view spec, int stones) {
  const auto module = find_solved(spec, stones);
  if (!module) return tl::unexpected(module.error());
  return (*module)->numbering(spec, stones);
}

std::vector<TableKind> table_kinds(std::string_view spec) {
  std::vector<TableKind> kinds;
  const auto add = [&](int stones) {
    if (auto label = table_label(spec, stones)) kinds.push_back({std::move(*label), stones});
  };
  add(0);
  const auto module = find_module(spec_name(spec));
  for (int stones = module ? (*module)->max_stones : 0; stones >= min_table_stones; --stones) add(stones);
  return kinds;
}

}  // namespace paika
