#include "engine/prover.hpp"

#include "engine/module.hpp"

namespace paika {

Result<ProofReport> prove(const Session& session, const ProofRequest& request) {
  if (session.outcome().over()) return fail("the game is over");
  const GameModule& module = module_of(session.game());
  if (module.prove != nullptr) return module.prove(session, request);
  const std::string_view name = module.info().name;
  if (module.exact_squares == 0) return fail("{} is not proven in this program", name);
  return fail("{} is not proven this way: paika solve without --proof solves it by exact search", name);
}

}  // namespace paika
