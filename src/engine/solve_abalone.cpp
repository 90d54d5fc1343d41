#include "engine/typed_solver.hpp"
#include "games/abalone/game.hpp"
#include "games/abalone/instances.hpp"
#include "games/abalone/space.hpp"

namespace paika {

Result<std::unique_ptr<Solver>> open_abalone_solver(std::string_view spec) {
  const auto options = abalone::read_options(spec);
  if (!options) return tl::unexpected(options.error());
  if (auto fits = abalone::can_number(*options); !fits) return tl::unexpected(fits.error());
  // Fixed shapes where there are some; boards that can be numbered fit into one word.
  const auto build = [&](const auto& rules) -> std::unique_ptr<Solver> {
    using Shape = std::remove_cvref_t<decltype(rules.shape())>;
    if constexpr (Shape::max_size <= 64) {
      using Space = abalone::Space<Shape>;
      static_assert(GoesBack<Space>);
      return std::make_unique<TypedSolver<Space>>(abalone::canonical_spec(*options), abalone::make_face(*options),
                                                  std::make_unique<const Space>(rules),
                                                  [](const Board&) { return Value::most_turns; });
    }
    return nullptr;
  };
  return abalone::with_rules(*options, build);
}

}  // namespace paika
