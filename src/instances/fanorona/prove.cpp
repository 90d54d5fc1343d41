#include <utility>

#include "base/hash.hpp"
#include "games/fanorona/game.hpp"
#include "games/fanorona/rules.hpp"
#include "instances/fanorona/endgames.hpp"
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

/// Asks the table of positions with few stones.
class EndgameProver {
 public:
  explicit EndgameProver(const EndgameTable& table) : table_(table), reader_(table.reader()) {}

  template <class Position>
  [[nodiscard]] ProbeAnswer operator()(const Position& p, Player attacker) const {
    if ((p.own | p.opp | p.block).count() > table_.max_stones()) return ProbeAnswer::unknown;
    const StoneSets sets{p.own.words[0], p.opp.words[0], p.block.words[0], p.moves};
    const auto value = table_.value(reader_, sets);
    if (!value) return ProbeAnswer::unknown;
    if (!(p.mover == attacker ? value->is_win() : value->is_loss())) return ProbeAnswer::attacker_does_not_win;
    const int left = table_.turns_left(sets);
    if (left >= Value::max_turns) return ProbeAnswer::attacker_wins;
    if (!value->has_distance()) return ProbeAnswer::unknown;
    return value->turns() <= left ? ProbeAnswer::attacker_wins : ProbeAnswer::attacker_does_not_win;
  }

 private:
  const EndgameTable& table_;
  mutable TableReader reader_;  // looking up changes only which blocks are at hand
};

}  // namespace

Result<ProofReport> prove(const Session& session, const ProofRequest& request) {
  const auto options = read_options(session.notation().spec());
  if (!options) return tl::unexpected(options.error());
  const auto with = [&](const auto& rules, auto probe) {
    return prove_with(session, rules, request, KeyWithLimit{options->limit != 0}, std::move(probe));
  };
  // Tables of endgames are of boards that fit into a word.
  const auto table = request.tables.empty() ? nullptr : EndgameTable::find(*options, request.tables);
  if (table) return with(BitboardRules<RuntimeShape<64>>(*options), EndgameProver(*table));
  if (options->cols == 5 && options->rows == 5) return with(BitboardRules<FixedShape<5, 5>>(*options), NoProbe{});
  if (options->cols * options->rows <= 64) return with(BitboardRules<RuntimeShape<64>>(*options), NoProbe{});
  return with(BitboardRules<RuntimeShape<169>>(*options), NoProbe{});
}

}  // namespace paika::fanorona
