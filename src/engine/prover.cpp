#include "engine/prover.hpp"

namespace paika {

Result<ProofReport> prove(const Session& session, const ProofRequest& request) {
  if (session.outcome().over()) return fail("the game is over");
  const std::string_view name = session.game().info().name;
  if (name == "abalone") return prove_abalone(session, request);
  if (name == "fanorona") return prove_fanorona(session, request);
  if (name == "wildebeest") return prove_wildebeest(session, request);
  return fail("{} is not proven this way: paika solve without --proof solves it by exact search", name);
}

}  // namespace paika
