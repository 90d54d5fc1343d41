// The environments of Fanorona for programs that learn.
#include "games/fanorona/actions.hpp"
#include "games/fanorona/instances.hpp"
#include "instances/environments.hpp"
#include "instances/typed_environment.hpp"

namespace paika::fanorona {

Result<std::unique_ptr<BatchEnvironment>> open_environment(std::string_view spec, const EnvironmentSettings& settings) {
  return open_typed_environment<BitboardActions>(read_options(spec), settings);
}

}  // namespace paika::fanorona
