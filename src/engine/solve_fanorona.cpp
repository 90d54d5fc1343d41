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
  if (points > Space::most_points) {
    return fail("{} has {} points; tables are made for boards of at most {}", fanorona::canonical_spec(*options),
                points, Space::most_points);
  }
  return options;
}

/// The same game without its limit, which the table does not know.
std::string label_of(fanorona::Options options) {
  options.limit = 0;
  return fanorona::canonical_spec(options);
}

}  // namespace

Result<std::string> fanorona_table_label(std::string_view spec) { return solvable_options(spec).map(label_of); }

Result<std::unique_ptr<Solver>> open_fanorona_solver(std::string_view spec) {
  const auto options = solvable_options(spec);
  if (!options) return tl::unexpected(options.error());
  const int limit = options->limit;
  return std::make_unique<TypedSolver<Space>>(
      label_of(*options), fanorona::make_face(*options), std::make_unique<const Space>(*options),
      [limit](const Board& board) {
        if (limit == 0) return Value::most_turns;
        return static_cast<int>(std::clamp<std::int64_t>(limit - board.counters[0], 0, Value::most_turns));
      });
}

}  // namespace paika
