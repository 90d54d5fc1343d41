#include "tournament/schedule.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "tournament/swiss.hpp"

namespace paika::tournament {

namespace {

/// The seeds of a bracket from top to bottom, so that the best meet last: 0 3 1 2 for four.
std::vector<std::size_t> bracket(std::size_t size) {
  std::vector<std::size_t> seeds = {0};
  while (seeds.size() < size) {
    std::vector<std::size_t> next;
    for (const std::size_t seed : seeds) {
      next.push_back(seed);
      next.push_back(2 * seeds.size() - 1 - seed);
    }
    seeds = std::move(next);
  }
  return seeds;
}

/// Pairings by round and table.
bool earlier(const Pairing& one, const Pairing& two) {
  return one.round != two.round ? one.round < two.round : one.table < two.table;
}

}  // namespace

std::array<int, 2> half_points(const Pairing& pairing, const Results& results) {
  std::array<int, 2> points{};
  for (const Fixture& game : pairing.games) {
    const auto result = results.find(game.id);
    if (result == results.end()) continue;
    const std::size_t first = game.players[0] == pairing.a ? 0 : 1;
    points[first] += result->second;
    points[1 - first] += 2 - result->second;
  }
  return points;
}

Schedule::Schedule(const TournamentPlan& plan) : plan_(plan) {
  if (plan.system == System::round_robin || plan.system == System::double_round_robin) add_round_robin();
  if (plan.system == System::gauntlet) add_gauntlet();
  extend();
}

void Schedule::enter(const Results& results) {
  results_.insert(results.begin(), results.end());
  extend();
}

std::vector<const Fixture*> Schedule::open() const {
  std::vector<const Fixture*> games;
  for (const Pairing& pairing : pairings_) {
    for (const Fixture& game : pairing.games) {
      if (!results_.contains(game.id)) games.push_back(&game);
    }
  }
  return games;
}

std::size_t Schedule::expected_games() const {
  std::size_t games = 0;
  for (const Pairing& pairing : pairings_) games += pairing.games.size();
  const auto each = static_cast<std::size_t>(games_of_pairing(plan_));
  const std::size_t players = plan_.players.size();
  if (plan_.system == System::swiss) return players / 2 * static_cast<std::size_t>(plan_.rounds) * each;
  if (plan_.system != System::knockout) return games;
  std::size_t matches = 0;
  for (const Pairing& pairing : pairings_) matches += pairing.b ? 1 : 0;
  return games + (players - 1 - matches) * each;
}

bool Schedule::finished(const Pairing& pairing) const {
  return std::all_of(pairing.games.begin(), pairing.games.end(),
                     [this](const Fixture& game) { return results_.contains(game.id); });
}

void Schedule::extend() {
  if (plan_.system == System::swiss) {
    while (extend_swiss()) {
    }
  } else if (plan_.system == System::knockout) {
    while (extend_knockout()) {
    }
  }
  complete_ = std::all_of(pairings_.begin(), pairings_.end(), [this](const Pairing& p) { return finished(p); });
  if (plan_.system == System::swiss) complete_ = complete_ && pairings_.back().round == plan_.rounds;
  if (plan_.system == System::knockout) complete_ = complete_ && winner(pairings_.back()).has_value();
}

Fixture Schedule::game(const Pairing& pairing, int number, std::size_t spec, int leg, bool swapped) const {
  Fixture game;
  game.id = fmt::format("r{}.t{}.g{}.{}", pairing.round, pairing.table, number, plan_.games[spec]);
  game.round = pairing.round;
  game.table = pairing.table;
  game.spec = spec;
  game.players = {pairing.a, *pairing.b};
  if (swapped) std::swap(game.players[0], game.players[1]);
  // Two games in a row share their opening, with colours swapped.
  const std::uint64_t low = std::min(pairing.a, *pairing.b);
  const std::uint64_t high = std::max(pairing.a, *pairing.b);
  const auto half = static_cast<std::uint64_t>(leg / 2);
  game.opening = mix64(plan_.seed ^ mix64(low ^ mix64(high ^ mix64(spec ^ mix64(half + 1)))));
  return game;
}

Pairing Schedule::meet(int round, int table, std::size_t a, std::size_t b, int cycle) const {
  Pairing pairing{round, table, a, b, {}};
  for (std::size_t spec = 0; spec < plan_.games.size(); ++spec) {
    for (int i = 0; i < plan_.legs; ++i) {
      const int leg = cycle * plan_.legs + i;
      const bool shifted = plan_.legs % 2 != 0 && spec % 2 != 0;
      const int number = static_cast<int>(pairing.games.size()) + 1;
      pairing.games.push_back(game(pairing, number, spec, leg, (leg % 2 != 0) != shifted));
    }
  }
  return pairing;
}

/// The circle method; who begins is by Berger's rule, which leaves everybody's colours balanced within one.
void Schedule::add_round_robin() {
  const auto players = static_cast<int>(plan_.players.size());
  const int circle = players - 1 + players % 2;  // those who go round; an even number has one who stays
  const int cycles = plan_.system == System::double_round_robin ? 2 : 1;
  for (int round = 0; round < cycles * circle; ++round) {
    int table = 0;
    const int turn = round % circle;
    const auto add = [&](int a, int b) {
      pairings_.push_back(
          meet(round + 1, ++table, static_cast<std::size_t>(a), static_cast<std::size_t>(b), round / circle));
    };
    if (players % 2 == 0) {
      if (turn % 2 == 0) {
        add(turn, players - 1);
      } else {
        add(players - 1, turn);
      }
    } else {
      pairings_.push_back({round + 1, circle / 2 + 1, static_cast<std::size_t>(turn), std::nullopt, {}});
    }
    for (int i = 1; i <= circle / 2; ++i) {
      const int one = (turn + i) % circle;
      const int two = (turn - i + circle) % circle;
      const bool lower_begins = (one + two) % 2 != 0;
      if ((one < two) == lower_begins) {
        add(one, two);
      } else {
        add(two, one);
      }
    }
  }
  std::sort(pairings_.begin(), pairings_.end(), earlier);
}

void Schedule::add_gauntlet() {
  for (std::size_t i = 1; i < plan_.players.size(); ++i) {
    const int table = static_cast<int>(i);
    pairings_.push_back(i % 2 != 0 ? meet(1, table, 0, i) : meet(1, table, i, 0));
  }
}

bool Schedule::extend_swiss() {
  const int round = pairings_.empty() ? 0 : pairings_.back().round;
  if (round == plan_.rounds) return false;
  const auto each = games_of_pairing(plan_);
  std::vector<SwissPlayer> players(plan_.players.size());
  for (const Pairing& pairing : pairings_) {
    if (!finished(pairing)) return false;
    if (!pairing.b) {
      players[pairing.a].half_points += 2 * each;
      players[pairing.a].was_free = true;
      continue;
    }
    const auto points = half_points(pairing, results_);
    players[pairing.a].half_points += points[0];
    players[*pairing.b].half_points += points[1];
    players[pairing.a].met.push_back(*pairing.b);
    players[*pairing.b].met.push_back(pairing.a);
    for (const Fixture& game : pairing.games) {
      ++players[game.players[0]].balance;
      --players[game.players[1]].balance;
      players[game.players[0]].last = 1;
      players[game.players[1]].last = -1;
    }
  }
  int table = 0;
  for (const SwissPair& pair : swiss_round(players, each % 2 != 0, plan_.seed, round + 1)) {
    ++table;
    pairings_.push_back(pair.b ? meet(round + 1, table, pair.a, *pair.b)
                               : Pairing{round + 1, table, pair.a, std::nullopt, {}});
  }
  return true;
}

std::optional<std::size_t> Schedule::winner(const Pairing& pairing) const {
  if (!pairing.b) return pairing.a;
  if (!finished(pairing)) return std::nullopt;
  const auto points = half_points(pairing, results_);
  if (points[0] != points[1]) return points[0] > points[1] ? pairing.a : *pairing.b;
  const auto extra = static_cast<int>(pairing.games.size()) - games_of_pairing(plan_);
  if (extra < 2 * plan_.extra_pairs) return std::nullopt;
  if (plan_.tie_break == TieBreak::seed) return std::min(pairing.a, *pairing.b);
  const std::uint64_t lot = mix64(
      plan_.seed ^ mix64(static_cast<std::uint64_t>(pairing.round) * 1000 + static_cast<std::uint64_t>(pairing.table)));
  return (lot & 1) != 0 ? pairing.a : *pairing.b;
}

/// Two games more for a match that is even; false if it is decided or goes on.
bool Schedule::extend_match(Pairing& pairing) {
  if (!pairing.b || !finished(pairing) || winner(pairing)) return false;
  const int extra = (static_cast<int>(pairing.games.size()) - games_of_pairing(plan_)) / 2;
  const std::size_t spec = static_cast<std::size_t>(extra) % plan_.games.size();
  const int leg = plan_.legs + plan_.legs % 2 + 2 * extra;
  for (const int i : {0, 1}) {
    const int number = static_cast<int>(pairing.games.size()) + 1;
    pairing.games.push_back(game(pairing, number, spec, leg + i, i == 1));
  }
  return true;
}

bool Schedule::extend_knockout() {
  const std::size_t players = plan_.players.size();
  if (pairings_.empty()) {
    std::size_t size = 2;
    while (size < players) size *= 2;
    const auto seeds = bracket(size);
    for (std::size_t i = 0; i < size; i += 2) {
      const int table = static_cast<int>(i / 2) + 1;
      const std::size_t one = std::min(seeds[i], seeds[i + 1]);
      const std::size_t two = std::max(seeds[i], seeds[i + 1]);
      pairings_.push_back(two < players ? meet(1, table, one, two) : Pairing{1, table, one, std::nullopt, {}});
    }
    return true;
  }
  bool more = false;
  for (Pairing& pairing : pairings_) more = extend_match(pairing) || more;
  // The winners of two tables beside each other meet.
  std::vector<Pairing> next;
  for (std::size_t i = 0; i < pairings_.size(); ++i) {
    const Pairing& one = pairings_[i];
    if (one.table % 2 == 0) continue;
    const auto beside = std::find_if(pairings_.begin(), pairings_.end(), [&](const Pairing& other) {
      return other.round == one.round && other.table == one.table + 1;
    });
    if (beside == pairings_.end()) continue;
    const auto known = std::any_of(pairings_.begin(), pairings_.end(), [&](const Pairing& other) {
      return other.round == one.round + 1 && other.table == (one.table + 1) / 2;
    });
    const auto a = winner(one);
    const auto b = winner(*beside);
    if (!known && a && b) next.push_back(meet(one.round + 1, (one.table + 1) / 2, *a, *b));
  }
  more = more || !next.empty();
  pairings_.insert(pairings_.end(), next.begin(), next.end());
  std::sort(pairings_.begin(), pairings_.end(), earlier);
  return more;
}

}  // namespace paika::tournament
