#include "engine/table_solver.hpp"
#include "games/wildebeest/game.hpp"
#include "games/wildebeest/space.hpp"
#include "instances/wildebeest/module.hpp"
#include "instances/wildebeest/numbering.hpp"
#include "solve/typed_space.hpp"

namespace paika::wildebeest {

Result<std::unique_ptr<Solver>> open_solver(std::string_view spec, int /*stones*/) {
  const auto options = read_options(spec);
  if (!options) return tl::unexpected(options.error());
  return make_table_solver(table_label(*options), make_notation(*options),
                           std::make_unique<const TypedSpace<Space>>(BitboardRules(*options), table_pieces));
}

}  // namespace paika::wildebeest
