#include "tournament/runner.hpp"

#include <system_error>
#include <thread>
#include <vector>

namespace paika::tournament {

namespace {

void work(const TournamentPlan& plan, Coordinator& coordinator, const std::string& logs, const std::stop_token& stop) {
  while (const auto fixture = coordinator.take(stop)) {
    const auto game = play_job(make_job(plan, *fixture), logs, stop);
    if (!game) coordinator.give_up(game.error());
    if (game && *game) {
      coordinator.finish(**game);
    } else {
      coordinator.give_back(fixture->id);
    }
    if (stop.stop_requested()) return;
  }
}

}  // namespace

void run_games(const TournamentPlan& plan, Coordinator& coordinator, int threads, const std::string& logs,
               const std::stop_token& stop) {
  std::vector<std::jthread> workers;
  try {
    while (static_cast<int>(workers.size()) < threads) {
      workers.emplace_back([&] { work(plan, coordinator, logs, stop); });
    }
  } catch (const std::system_error& error) {
    // Those threads that there are do the work.
    if (workers.empty() && threads > 0)
      coordinator.give_up({fmt::format("no thread can be started: {}", error.what())});
  }
  coordinator.wait_until_over(stop);
}

}  // namespace paika::tournament
