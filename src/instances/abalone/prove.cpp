#include "games/abalone/game.hpp"
#include "games/abalone/rules.hpp"
#include "instances/abalone/module.hpp"
#include "instances/typed_prover.hpp"

namespace paika::abalone {

Result<ProofReport> prove(const Session& session, const ProofRequest& request) {
  const auto options = read_options(session.notation().spec());
  if (!options) return tl::unexpected(options.error());
  const auto with = [&](const auto& rules) { return prove_with(session, rules, request, PlainKey{}, NoProbe{}); };
  if (options->rows == 4 && options->cols == 4) return with(BitboardRules<FixedShape<4, 4>>(*options));
  if (options->rows * options->cols <= 64) return with(BitboardRules<RuntimeShape<64>>(*options));
  return with(BitboardRules<RuntimeShape<max_rows * max_cols>>(*options));
}

}  // namespace paika::abalone
