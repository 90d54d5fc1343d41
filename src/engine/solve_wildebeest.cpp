#include "engine/typed_solver.hpp"
#include "games/wildebeest/game.hpp"
#include "games/wildebeest/space.hpp"

namespace paika {

namespace {

std::string label_of(const wildebeest::Options& options) {
  return fmt::format("{} of {} pieces", wildebeest::canonical_spec(options), wildebeest::table_pieces);
}

}  // namespace

Result<std::string> wildebeest_table_label(std::string_view spec) {
  return wildebeest::read_options(spec).map(label_of);
}

Result<std::unique_ptr<Solver>> open_wildebeest_solver(std::string_view spec) {
  const auto options = wildebeest::read_options(spec);
  if (!options) return tl::unexpected(options.error());
  return std::make_unique<TypedSolver<wildebeest::Space>>(
      label_of(*options), wildebeest::make_notation(*options),
      std::make_unique<const wildebeest::Space>(wildebeest::BitboardRules(*options), wildebeest::table_pieces),
      [](const Board&) { return Value::max_turns; });
}

}  // namespace paika
