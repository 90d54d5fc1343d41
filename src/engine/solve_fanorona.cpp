#include "engine/typed_solver.hpp"
#include "games/fanorona/game.hpp"
#include "games/fanorona/space.hpp"

namespace paika {

namespace {

using Space = fanorona::Space<RuntimeShape<64>>;
static_assert(GoesBack<Space>);

/// The options of a spec whose positions can be numbered.
Result<fanorona::Options> solvable_options(std::string_view spec) {
  auto options = fanorona::read_options(spec);
  if (!options) return options;
  const int points = options->cols * options->rows;
  if (points > Space::max_points) {
    return fail("{} has {} points; tables are made for boards of at most {}", fanorona::canonical_spec(*options),
                points, Space::max_points);
  }
  return options;
}

/// The game of the table: without the limit, which a table does not know, and landscape: 1.3 and 2 make no difference
/// between columns and rows, and the start (1.2) is one position of many.
fanorona::Options table_options(fanorona::Options options) {
  options.limit = 0;
  return landscape(options);
}

}  // namespace

Result<std::string> fanorona_table_label(std::string_view spec) {
  return solvable_options(spec).map(table_options).map(fanorona::canonical_spec);
}

Result<std::unique_ptr<Solver>> open_fanorona_solver(std::string_view spec) {
  const auto options = solvable_options(spec);
  if (!options) return tl::unexpected(options.error());
  const int limit = options->limit;
  const fanorona::Options of_table = table_options(*options);
  return std::make_unique<TypedSolver<Space>>(
      fanorona::canonical_spec(of_table), fanorona::make_notation(of_table), std::make_unique<const Space>(of_table),
      [limit](const Board& board) {
        if (limit == 0) return Value::max_turns;
        return static_cast<int>(std::clamp<std::int64_t>(limit - board.counters[0], 0, Value::max_turns));
      });
}

}  // namespace paika
