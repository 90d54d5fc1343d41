#include "engine/table_solver.hpp"
#include "games/abalone/game.hpp"
#include "games/abalone/instances.hpp"
#include "games/abalone/space.hpp"
#include "instances/abalone/device.hpp"
#include "instances/abalone/module.hpp"
#include "instances/abalone/numbering.hpp"
#include "solve/typed_space.hpp"

namespace paika::abalone {

Result<std::unique_ptr<Solver>> open_solver(std::string_view spec, int /*stones*/) {
  const auto options = solvable_options(spec);
  if (!options) return tl::unexpected(options.error());
  // 1.2 and 2.1 make no difference between columns and rows.
  const Options of_table = landscape(*options);
  // Fixed shapes where there are some; boards that can be numbered fit into one word.
  const auto build = [&]<class Shape>(const BitboardRules<Shape>& rules) -> std::unique_ptr<Solver> {
    if constexpr (Shape::max_size <= 64) {
      static_assert(GoesBack<Space<Shape>>);
      return make_table_solver(canonical_spec(of_table), make_notation(of_table),
                               std::make_unique<const TypedSpace<Space<Shape>>>(rules), {},
                               [of_table] { return open_device(of_table); });
    }
    return nullptr;
  };
  // The 4x5 board is worth a fixed shape here, where it is a tenth of the time, and nowhere else.
  if (of_table.cols == 5 && of_table.rows == 4) return build(BitboardRules<FixedShape<5, 4>>(of_table));
  return with_rules(of_table, build);
}

}  // namespace paika::abalone
