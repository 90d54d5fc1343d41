#include "engine/table_solver.hpp"
#include "games/fanorona/game.hpp"
#include "games/fanorona/space.hpp"
#include "instances/fanorona/device.hpp"
#include "instances/fanorona/module.hpp"
#include "solve/typed_space.hpp"

namespace paika::fanorona {

namespace {

using TableSpace = Space<RuntimeShape<64>>;
static_assert(GoesBack<TableSpace>);

/// The options of a spec whose positions can be numbered.
Result<Options> solvable_options(std::string_view spec) {
  auto options = read_options(spec);
  if (!options) return options;
  const int points = options->cols * options->rows;
  if (points > TableSpace::max_points) {
    return fail("{} has {} points; tables are made for boards of at most {}", canonical_spec(*options), points,
                TableSpace::max_points);
  }
  return options;
}

/// The game of the table: without the limit, which a table does not know, and landscape: 1.3 and 2 make no difference
/// between columns and rows, and the start (1.2) is one position of many.
Options table_options(Options options) {
  options.limit = 0;
  return landscape(options);
}

}  // namespace

Result<std::string> table_label(std::string_view spec) {
  return solvable_options(spec).map(table_options).map(canonical_spec);
}

Result<std::unique_ptr<Solver>> open_solver(std::string_view spec) {
  const auto options = solvable_options(spec);
  if (!options) return tl::unexpected(options.error());
  const int limit = options->limit;
  const Options of_table = table_options(*options);
  return make_table_solver(
      canonical_spec(of_table), make_notation(of_table), std::make_unique<const TypedSpace<TableSpace>>(of_table),
      [limit](const Board& board) {
        if (limit == 0) return Value::max_turns;
        return static_cast<int>(std::clamp<std::int64_t>(limit - board.counters[0], 0, Value::max_turns));
      },
      [of_table] { return open_device(of_table); });
}

}  // namespace paika::fanorona
