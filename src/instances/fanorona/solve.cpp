#include "engine/table_solver.hpp"
#include "games/fanorona/game.hpp"
#include "games/fanorona/space.hpp"
#include "instances/fanorona/device.hpp"
#include "instances/fanorona/endgames.hpp"
#include "instances/fanorona/module.hpp"
#include "solve/typed_space.hpp"

namespace paika::fanorona {

namespace {

using TableSpace = Space<RuntimeShape<64>>;
static_assert(GoesBack<TableSpace> && GoesBack<Endgames<FixedShape<9, 5>>>);

/// The options of a spec whose positions can be numbered, those of few stones or all.
template <class S>
Result<Options> solvable_options(std::string_view spec) {
  auto options = read_options(spec);
  if (!options) return options;
  const int points = options->cols * options->rows;
  if (points <= S::max_points) return options;
  if (S::few_stones) {
    return fail("{} has {} points; tables of few stones are made for boards of at most {}", canonical_spec(*options),
                points, S::max_points);
  }
  return fail("{} has {} points; tables of all positions are made for boards of at most {}{}", canonical_spec(*options),
              points, S::max_points,
              points <= Endgames<RuntimeShape<64>>::max_points ? ", and of few stones for this one (--stones 5)" : "");
}

std::unique_ptr<const SolveSpace> endgame_space(const Options& options, int stones) {
  if (options.cols == 9 && options.rows == 5) {
    return std::make_unique<const TypedSpace<Endgames<FixedShape<9, 5>>>>(options, stones);
  }
  return std::make_unique<const TypedSpace<Endgames<RuntimeShape<64>>>>(options, stones);
}

/// A solver of a table for games with these options, of which only the limit is not the table's.
std::unique_ptr<Solver> solver_of(std::string label, const Options& options, std::unique_ptr<const SolveSpace> space,
                                  OpenDevice open_device) {
  return make_table_solver(
      std::move(label), make_notation(table_options(options)), std::move(space),
      [limit = options.limit](const Board& board) { return turns_left(limit, board.counters[0]); },
      std::move(open_device));
}

}  // namespace

Result<std::string> table_label(std::string_view spec) {
  return solvable_options<TableSpace>(spec).map(table_options).map(canonical_spec);
}

Result<std::unique_ptr<Solver>> open_solver(std::string_view spec) {
  const auto options = solvable_options<TableSpace>(spec);
  if (!options) return tl::unexpected(options.error());
  const Options of_table = table_options(*options);
  return solver_of(canonical_spec(of_table), *options, std::make_unique<const TypedSpace<TableSpace>>(of_table),
                   [of_table] { return open_device(of_table, 0); });
}

Result<std::string> endgame_label(std::string_view spec, int stones) {
  const auto options = solvable_options<Endgames<RuntimeShape<64>>>(spec);
  if (!options) return tl::unexpected(options.error());
  return endgame_label(table_options(*options), stones);
}

Result<std::unique_ptr<Solver>> open_endgame_solver(std::string_view spec, int stones) {
  const auto options = solvable_options<Endgames<RuntimeShape<64>>>(spec);
  if (!options) return tl::unexpected(options.error());
  const Options of_table = table_options(*options);
  return solver_of(endgame_label(of_table, stones), *options, endgame_space(of_table, stones),
                   [of_table, stones] { return open_device(of_table, stones); });
}

}  // namespace paika::fanorona
