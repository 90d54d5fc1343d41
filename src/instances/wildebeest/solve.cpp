#include "engine/table_solver.hpp"
#include "games/wildebeest/game.hpp"
#include "games/wildebeest/space.hpp"
#include "instances/wildebeest/module.hpp"
#include "solve/typed_space.hpp"

namespace paika::wildebeest {

namespace {

std::string label_of(const Options& options) {
  return fmt::format("{} of {} pieces", canonical_spec(options), table_pieces);
}

}  // namespace

Result<std::string> table_label(std::string_view spec) { return read_options(spec).map(label_of); }

Result<std::unique_ptr<Solver>> open_solver(std::string_view spec) {
  const auto options = read_options(spec);
  if (!options) return tl::unexpected(options.error());
  return make_table_solver(label_of(*options), make_notation(*options),
                           std::make_unique<const TypedSpace<Space>>(BitboardRules(*options), table_pieces));
}

}  // namespace paika::wildebeest
