// The environments of Wildebeest for programs that learn.
#include "games/wildebeest/actions.hpp"
#include "instances/environments.hpp"
#include "instances/typed_environment.hpp"

namespace paika::wildebeest {

Result<std::unique_ptr<BatchEnvironment>> open_environment(std::string_view spec, const EnvironmentSettings& settings) {
  const auto options = read_options(spec);
  if (!options) return tl::unexpected(options.error());
  const bool repetition = make_notation(*options)->repetition_draws();
  return std::make_unique<TypedEnvironment<BitboardActions>>(BitboardRules(*options), settings, repetition);
}

}  // namespace paika::wildebeest
