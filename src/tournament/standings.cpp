#include "tournament/standings.hpp"

#include <algorithm>
#include <tuple>

#include "tournament/ratings.hpp"

namespace paika::tournament {

namespace {

/// Gathers the rows by the plan's players.
class CrossTable {
 public:
  CrossTable(const TournamentPlan& plan, const Schedule& schedule) : plan_(plan), schedule_(schedule) {
    const std::size_t n = plan.players.size();
    rows_.resize(n);
    cells_.assign(n, std::vector<Cell>(n));
    for (std::size_t i = 0; i < n; ++i) {
      rows_[i].player = i;
      numbers_[plan.players[i].name] = i;
    }
  }

  void count(const FinishedGame& game) {
    const auto first = numbers_.find(game.players[0]);
    const auto second = numbers_.find(game.players[1]);
    if (first == numbers_.end() || second == numbers_.end()) return;
    const std::array players = {first->second, second->second};
    for (std::size_t side = 0; side < 2; ++side) {
      const int points = side == 0 ? game.half_points() : 2 - game.half_points();
      Standing& row = rows_[players[side]];
      for (Cell* cell : {&row.all, &cells_[players[side]][players[1 - side]]}) {
        ++(points == 2 ? cell->wins : points == 1 ? cell->draws : cell->losses);
      }
      if (points == 0 && !game.failure.empty()) ++row.failures[game.failure];
      const SideReport& report = game.sides[side];
      row.turns += report.turns;
      row.average_ms += static_cast<double>(report.total_us) / 1000;
      row.slowest_ms = std::max(row.slowest_ms, static_cast<double>(report.slowest_us) / 1000);
    }
  }

  Standings finish() {
    count_rounds();
    for (Standing& row : rows_) {
      row.half_points = row.all.half_points() + 2 * row.byes * games_of_pairing(plan_);
      if (row.turns > 0) row.average_ms /= row.turns;
    }
    count_tie_breaks();
    rate();
    std::sort(rows_.begin(), rows_.end(), [this](const Standing& a, const Standing& b) { return key(a) < key(b); });
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rows_[i].place = i > 0 && tied(rows_[i - 1], rows_[i]) ? rows_[i - 1].place : static_cast<int>(i) + 1;
    }
    Standings standings{rows_, cells_};
    const Ratings ratings = ratings_of();
    for (std::size_t i = 0; i + 1 < rows_.size(); ++i) {
      standings.rows[i].superiority = ratings.superiority(rows_[i].player, rows_[i + 1].player);
    }
    return standings;
  }

 private:
  using Key = std::tuple<int, int, double, double, std::size_t>;

  /// Smaller is better. A Swiss is told apart by opponents first, everybody's meeting everybody by who was beaten.
  [[nodiscard]] Key key(const Standing& row) const {
    const bool swiss = plan_.system == System::swiss;
    const double buchholz = row.buchholz;
    return {-row.reached, -row.half_points, swiss ? -buchholz : -row.sonneborn, swiss ? -row.sonneborn : 0, row.player};
  }

  [[nodiscard]] bool tied(const Standing& a, const Standing& b) const {
    Key one = key(a);
    Key two = key(b);
    std::get<4>(one) = std::get<4>(two) = 0;
    return one == two;
  }

  void count_rounds() {
    for (const Pairing& pairing : schedule_.pairings()) {
      const bool knockout = plan_.system == System::knockout;
      // In a round robin everybody is free equally often: that is worth nothing.
      if (!pairing.b && plan_.system == System::swiss) ++rows_[pairing.a].byes;
      if (!knockout) continue;
      rows_[pairing.a].reached = pairing.round;
      if (pairing.b) rows_[*pairing.b].reached = pairing.round;
      if (const auto winner = schedule_.winner(pairing)) rows_[*winner].reached = pairing.round + 1;
    }
  }

  void count_tie_breaks() {
    for (const Pairing& pairing : schedule_.pairings()) {
      if (!pairing.b) continue;
      const bool begun = std::any_of(pairing.games.begin(), pairing.games.end(),
                                     [this](const Fixture& game) { return schedule_.results().contains(game.id); });
      if (!begun) continue;
      rows_[pairing.a].buchholz += rows_[*pairing.b].half_points;
      rows_[*pairing.b].buchholz += rows_[pairing.a].half_points;
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (std::size_t j = 0; j < rows_.size(); ++j) {
        rows_[i].sonneborn += cells_[i][j].half_points() * rows_[j].half_points / 4.0;
      }
    }
  }

  [[nodiscard]] Ratings ratings_of() const {
    std::vector<Encounter> encounters;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Cell& cell = cells_[i][j];
        if (cell.games() > 0) encounters.push_back({i, j, double(cell.games()), cell.half_points() / 2.0});
      }
    }
    return {rows_.size(), encounters};
  }

  void rate() {
    const Ratings ratings = ratings_of();
    for (Standing& row : rows_) {
      row.elo = ratings.elo(row.player);
      row.error = ratings.error(row.player);
    }
  }

  const TournamentPlan& plan_;
  const Schedule& schedule_;
  std::vector<Standing> rows_;
  std::vector<std::vector<Cell>> cells_;
  std::map<std::string, std::size_t> numbers_;
};

}  // namespace

Standings standings_of(const TournamentPlan& plan, const Schedule& schedule, const std::vector<FinishedGame>& games) {
  CrossTable table(plan, schedule);
  for (const FinishedGame& game : games) table.count(game);
  return table.finish();
}

}  // namespace paika::tournament
