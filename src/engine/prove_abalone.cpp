#include "engine/typed_prover.hpp"
#include "games/abalone/game.hpp"
#include "games/abalone/rules.hpp"

namespace paika {

Result<ProofReport> prove_abalone(const Session& session, const ProofRequest& request) {
  const auto options = abalone::read_options(session.notation().spec());
  if (!options) return tl::unexpected(options.error());
  const auto with = [&](const auto& rules) { return prove_with(session, rules, request, PlainKey{}, NoProbe{}); };
  if (options->rows == 4 && options->cols == 4) return with(abalone::BitboardRules<FixedShape<4, 4>>(*options));
  if (options->rows * options->cols <= 64) return with(abalone::BitboardRules<RuntimeShape<64>>(*options));
  return with(abalone::BitboardRules<RuntimeShape<abalone::max_rows * abalone::max_cols>>(*options));
}

}  // namespace paika
