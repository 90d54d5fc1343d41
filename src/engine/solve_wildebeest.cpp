#include "engine/typed_solver.hpp"
#include "games/wildebeest/game.hpp"
#include "games/wildebeest/space.hpp"

namespace paika {

Result<std::unique_ptr<Solver>> open_wildebeest_solver(std::string_view spec) {
  const auto options = wildebeest::read_options(spec);
  if (!options) return tl::unexpected(options.error());
  // Two kings and one piece more: with four pieces a table would have a hundred times as many positions.
  constexpr int most_pieces = 3;
  return std::make_unique<TypedSolver<wildebeest::Space>>(
      fmt::format("{} of {} pieces", wildebeest::canonical_spec(*options), most_pieces),
      wildebeest::make_face(*options),
      std::make_unique<const wildebeest::Space>(wildebeest::FastRules(*options), most_pieces),
      [](const Board&) { return Value::most_turns; });
}

}  // namespace paika
