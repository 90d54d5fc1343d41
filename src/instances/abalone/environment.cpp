// The environments of Abalone for programs that learn.
#include "games/abalone/actions.hpp"
#include "games/abalone/instances.hpp"
#include "instances/environments.hpp"
#include "instances/typed_environment.hpp"

namespace paika::abalone {

Result<std::unique_ptr<BatchEnvironment>> open_environment(std::string_view spec, const EnvironmentSettings& settings) {
  return open_typed_environment<BitboardActions>(read_options(spec), settings);
}

}  // namespace paika::abalone
