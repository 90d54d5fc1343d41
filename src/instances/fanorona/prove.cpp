#include "base/hash.hpp"
#include "games/fanorona/game.hpp"
#include "games/fanorona/rules.hpp"
#include "instances/fanorona/module.hpp"
#include "instances/typed_prover.hpp"

namespace paika::fanorona {

namespace {

/// With a limit of moves (3.2), the same board with another number of moves left is another position.
struct KeyWithLimit {
  bool limited;
  template <class R>
  [[nodiscard]] std::uint64_t operator()(const R& rules, const typename R::Position& p) const {
    if (!limited) return rules.key(p);
    return rules.key(p) ^ hash_key(0x104, static_cast<std::uint64_t>(rules.moves_left(p)));
  }
};

}  // namespace

Result<ProofReport> prove(const Session& session, const ProofRequest& request) {
  const auto options = read_options(session.notation().spec());
  if (!options) return tl::unexpected(options.error());
  const auto with = [&](const auto& rules) {
    return prove_with(session, rules, request, KeyWithLimit{options->limit != 0}, NoProbe{});
  };
  if (options->cols == 5 && options->rows == 5) return with(BitboardRules<FixedShape<5, 5>>(*options));
  if (options->cols * options->rows <= 64) return with(BitboardRules<RuntimeShape<64>>(*options));
  return with(BitboardRules<RuntimeShape<169>>(*options));
}

}  // namespace paika::fanorona
