#include "tools/tune/play.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "base/random.hpp"

namespace paika::tune {

namespace {

GamePlan plan_of(const PlayPlan& plan, std::size_t i) {
  GamePlan game = plan.game;
  const std::size_t opening = plan.paired ? i / 2 : i;
  game.seed = mix64(plan.seed * 0x9e3779b97f4a7c15ULL + opening);
  game.a_begins = i % 2 == 0;
  return game;
}

/// Elo from a mean score, kept finite.
double elo_of(double score) {
  constexpr double tiny = 1e-3;
  const double s = std::clamp(score, tiny, 1 - tiny);
  return -400 * std::log10(1 / s - 1);
}

}  // namespace

std::vector<PlayedGame> play(const std::vector<Pairing>& pairings, const PlayPlan& plan,
                             const std::function<void(int done)>& tell) {
  std::vector<PlayedGame> games(static_cast<std::size_t>(plan.games));
  std::atomic<std::size_t> next{0};
  std::atomic<int> done{0};
  const auto work = [&] {
    std::vector<std::unique_ptr<Duel>> duels(pairings.size());
    for (std::size_t i = next++; i < games.size(); i = next++) {
      const std::size_t which = (plan.paired ? i / 2 : i) % pairings.size();
      const Pairing& pairing = pairings[which];
      if (!duels[which]) duels[which] = pairing.arena->duel(pairing.a, pairing.b);
      games[i] = duels[which]->play(plan_of(plan, i));
      ++done;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < plan.threads; ++i) threads.emplace_back(work);
    while (tell && done < plan.games) {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      tell(done);
    }
  }
  return games;
}

MatchResult judge(const std::vector<PlayedGame>& games) {
  MatchResult out;
  double sum = 0;
  double squares = 0;
  const std::size_t pairs = games.size() / 2;
  for (const PlayedGame& game : games) ++(game.score > 0.75 ? out.wins : game.score < 0.25 ? out.losses : out.draws);
  for (std::size_t i = 0; i < pairs; ++i) {
    const double score = (games[2 * i].score + games[2 * i + 1].score) / 2;
    sum += score;
    squares += score * score;
  }
  const double n = static_cast<double>(std::max<std::size_t>(pairs, 1));
  const double mean = sum / n;
  const double deviation = std::sqrt(std::max(squares / n - mean * mean, 0.0) / n);
  constexpr double sides = 1.96;
  out.elo = elo_of(mean);
  out.error = (elo_of(mean + sides * deviation) - elo_of(mean - sides * deviation)) / 2;
  return out;
}

}  // namespace paika::tune
