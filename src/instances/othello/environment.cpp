#include "instances/othello/environment.hpp"

#include "games/othello/actions.hpp"
#include "games/othello/instances.hpp"
#include "instances/typed_environment.hpp"

namespace paika::othello {

Result<std::unique_ptr<BatchEnvironment>> open_environment(std::string_view spec, const EnvironmentSettings& settings) {
  const auto options = read_options(spec);
  if (!options) return tl::unexpected(options.error());
  const bool repetition = make_notation(*options)->repetition_draws();
  return with_rules(*options, [&]<class Shape>(const BitboardRules<Shape>& rules) {
    return Result<std::unique_ptr<BatchEnvironment>>(
        std::make_unique<TypedEnvironment<BitboardActions<Shape>>>(rules, settings, repetition));
  });
}

}  // namespace paika::othello
