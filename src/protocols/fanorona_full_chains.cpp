#include "protocols/fanorona_full_chains.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace paika::protocols {

namespace {

bool captures(const Turn& turn) {
  return !turn.empty() && (turn.back().kind == StepKind::approach || turn.back().kind == StepKind::withdraw);
}

std::ptrdiff_t taken_by(const Session& session, const Turn& turn) {
  const auto effects = session.notation().effects(session.board(), turn);
  return std::count_if(effects.begin(), effects.end(),
                       [](const Effect& effect) { return effect.kind == EffectKind::captured; });
}

/// The next step that takes most; nothing if none is legal.
std::optional<Turn> one_more(const Session& session, const Turn& turn) {
  std::optional<Turn> best;
  std::ptrdiff_t most = 0;
  const Square at = turn[turn.size() - 2].square;
  for (const Direction d : all_directions) {
    const Square to = step(at, d);
    if (!session.notation().coordinates().contains(to)) continue;
    for (const StepKind kind : {StepKind::approach, StepKind::withdraw}) {
      Turn longer = turn;
      longer.push_back({StepKind::to, to});
      longer.push_back({kind, {}});
      if (session.refuse(longer)) continue;
      const auto taken = taken_by(session, longer);
      if (taken > most) {
        most = taken;
        best = std::move(longer);
      }
    }
  }
  return best;
}

}  // namespace

Turn full_chain(const Session& session, Turn turn) {
  while (captures(turn)) {
    auto longer = one_more(session, turn);
    if (!longer) break;
    turn = std::move(*longer);
  }
  return turn;
}

tl::expected<play::Choice, play::Failed> FullChains::choose(const play::GameSoFar& game,
                                                            const play::Allowance& allowance,
                                                            const std::stop_token& stop) {
  auto choice = player_.choose(game, allowance, stop);
  if (!choice) return choice;
  if (const auto turn = game.session.read_turn(choice->turn)) {
    choice->turn = game.session.notation().turn_text(game.session.board(), full_chain(game.session, *turn));
  }
  return choice;
}

}  // namespace paika::protocols
