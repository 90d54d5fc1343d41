// The environments of Othello for programs that learn.
#include "games/othello/actions.hpp"
#include "games/othello/instances.hpp"
#include "instances/environments.hpp"
#include "instances/typed_environment.hpp"

namespace paika::othello {

Result<std::unique_ptr<BatchEnvironment>> open_environment(std::string_view spec, const EnvironmentSettings& settings) {
  return open_typed_environment<BitboardActions>(read_options(spec), settings);
}

}  // namespace paika::othello
