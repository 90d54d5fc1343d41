#include "play/openings.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include "base/check.hpp"
#include "engine/engine.hpp"
#include "play/start.hpp"

namespace paika::play {

namespace {

constexpr int tries_per_demand = 200;
constexpr int tries_per_turn = 12;
/// Of the turns of a position no more than this are chosen from: a few positions have very many.
constexpr std::size_t max_turns_looked_at = 2000;
constexpr std::uint64_t nodes_of_a_look = 2000;

std::vector<Turn> turns_of(const Session& session) {
  std::vector<Turn> turns;
  session.for_each_turn([&](const ListedTurn& turn) {
    turns.push_back(turn.steps);
    return turns.size() < max_turns_looked_at;
  });
  return turns;
}

}  // namespace

Openings::Openings(GamePtr game, std::string start, int plies, std::uint64_t seed, Filter good)
    : game_(std::move(game)),
      start_(std::move(start)),
      plies_(plies),
      random_(mix64(seed + 1)),
      good_(std::move(good)) {}

std::vector<std::string> Openings::next() {
  for (;;) {
    int longest = 0;
    std::vector<std::string> opening;
    for (int i = 0; i < tries_per_demand; ++i) {
      if (try_once(opening)) return opening;
      longest = std::max(longest, static_cast<int>(opening.size()));
    }
    if (good_) {
      good_ = {};
    } else if (longest < plies_) {
      plies_ = longest;
    } else {
      fresh_ = false;
    }
  }
}

bool Openings::try_once(std::vector<std::string>& opening) {
  opening.clear();
  const std::unique_ptr<Session> session = known_start(*game_, start_);
  while (static_cast<int>(opening.size()) < plies_) {
    if (!play_one(*session, opening)) return false;
  }
  const bool is_new = !seen_.contains(session->key());
  if (fresh_ && !is_new) return false;
  seen_.insert(session->key());
  return true;
}

bool Openings::play_one(Session& session, std::vector<std::string>& opening) {
  const std::vector<Turn> turns = turns_of(session);
  if (turns.empty()) return false;
  for (int i = 0; i < tries_per_turn; ++i) {
    const Turn& turn = turns[random_.index(turns.size())];
    std::string text = session.notation().turn_text(session.board(), turn);
    session.play(turn);
    if (!session.outcome().over() && (!good_ || good_(session))) {
      opening.push_back(std::move(text));
      return true;
    }
    session.undo();
  }
  return false;
}

Openings::Filter balanced(GamePtr game, int most) {
  SearchSettings settings;
  settings.hash_mb = 1;
  const std::shared_ptr<Engine> engine = game->engine(settings);
  return [engine, most, keep = std::move(game)](const Session& session) {
    engine->forget();
    SearchLimits limits;
    limits.nodes = nodes_of_a_look;
    const Decision decision = engine->think(session, limits);
    return decision.info.lines.empty() || std::abs(decision.info.lines.front().score) <= most;
  };
}

}  // namespace paika::play
