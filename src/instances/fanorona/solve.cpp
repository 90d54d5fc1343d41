#include "engine/table_solver.hpp"
#include "games/fanorona/game.hpp"
#include "games/fanorona/space.hpp"
#include "instances/fanorona/device.hpp"
#include "instances/fanorona/module.hpp"
#include "instances/fanorona/numbering.hpp"
#include "solve/typed_space.hpp"

namespace paika::fanorona {

namespace {

using TableSpace = Space<RuntimeShape<64>>;
static_assert(GoesBack<TableSpace> && GoesBack<Endgames<FixedShape<9, 5>>>);

std::unique_ptr<const SolveSpace> endgame_space(const Options& options, int stones) {
  if (options.cols == 9 && options.rows == 5) {
    return std::make_unique<const TypedSpace<Endgames<FixedShape<9, 5>>>>(options, stones);
  }
  return std::make_unique<const TypedSpace<Endgames<RuntimeShape<64>>>>(options, stones);
}

/// A solver of a table for games with these options, of which only the limit is not the table's.
std::unique_ptr<Solver> solver_of(std::string label, const Options& options, std::unique_ptr<const SolveSpace> space,
                                  OpenDevice open_device) {
  return make_table_solver(std::move(label), make_notation(table_options(options)), std::move(space),
                           turns_left_within(options.limit), std::move(open_device));
}

}  // namespace

Result<std::unique_ptr<Solver>> open_solver(std::string_view spec, int stones) {
  const auto options = solvable_options(spec, stones);
  if (!options) return tl::unexpected(options.error());
  const Options of_table = table_options(*options);
  std::unique_ptr<const SolveSpace> space =
      stones == 0 ? std::make_unique<const TypedSpace<TableSpace>>(of_table) : endgame_space(of_table, stones);
  return solver_of(table_label(of_table, stones), *options, std::move(space),
                   [of_table, stones] { return open_device(of_table, stones); });
}

}  // namespace paika::fanorona
