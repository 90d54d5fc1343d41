#include "engine/typed_solver.hpp"
#include "games/abalone/game.hpp"
#include "games/abalone/instances.hpp"
#include "games/abalone/space.hpp"

namespace paika {

namespace {

/// The options of a spec whose positions can be numbered.
Result<abalone::Options> solvable_options(std::string_view spec) {
  auto options = abalone::read_options(spec);
  if (!options) return options;
  if (auto fits = abalone::can_number(*options); !fits) return tl::unexpected(fits.error());
  return options;
}

}  // namespace

Result<std::string> abalone_table_label(std::string_view spec) {
  return solvable_options(spec).map(landscape<abalone::Options>).map(abalone::canonical_spec);
}

Result<std::unique_ptr<Solver>> open_abalone_solver(std::string_view spec) {
  const auto options = solvable_options(spec);
  if (!options) return tl::unexpected(options.error());
  // 1.2 and 2.1 make no difference between columns and rows.
  const abalone::Options of_table = landscape(*options);
  // Fixed shapes where there are some; boards that can be numbered fit into one word.
  const auto build = [&](const auto& rules) -> std::unique_ptr<Solver> {
    using Shape = std::remove_cvref_t<decltype(rules.shape())>;
    if constexpr (Shape::max_size <= 64) {
      using Space = abalone::Space<Shape>;
      static_assert(GoesBack<Space>);
      return std::make_unique<TypedSolver<Space>>(abalone::canonical_spec(of_table), abalone::make_notation(of_table),
                                                  std::make_unique<const Space>(rules),
                                                  [](const Board&) { return Value::max_turns; });
    }
    return nullptr;
  };
  return abalone::with_rules(of_table, build);
}

}  // namespace paika
