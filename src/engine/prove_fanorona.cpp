#include "base/hash.hpp"
#include "engine/typed_prover.hpp"
#include "games/fanorona/game.hpp"
#include "games/fanorona/rules.hpp"

namespace paika {

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

Result<ProofReport> prove_fanorona(const Session& session, const ProofRequest& request) {
  const auto options = fanorona::read_options(session.notation().spec());
  if (!options) return tl::unexpected(options.error());
  const auto with = [&](const auto& rules) {
    return prove_with(session, rules, request, KeyWithLimit{options->limit != 0}, NoProbe{});
  };
  if (options->cols == 5 && options->rows == 5) return with(fanorona::BitboardRules<FixedShape<5, 5>>(*options));
  if (options->cols * options->rows <= 64) return with(fanorona::BitboardRules<RuntimeShape<64>>(*options));
  return with(fanorona::BitboardRules<RuntimeShape<169>>(*options));
}

}  // namespace paika
