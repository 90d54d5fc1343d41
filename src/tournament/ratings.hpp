// Ratings: Elo of many players from all their games together, with errors.
//
// Bradley and Terry's model by maximum likelihood, draws as half points, and a weak prior: everybody has drawn one game
// against an average player, so that those who won or lost all stay finite. The average of all is 0.
#pragma once

#include <cstddef>
#include <vector>

namespace paika::tournament {

/// What two players made of their games.
struct Encounter {
  std::size_t a = 0;
  std::size_t b = 0;
  double games = 0;
  double points = 0;  // of a
};

class Ratings {
 public:
  Ratings(std::size_t players, const std::vector<Encounter>& encounters);

  [[nodiscard]] double elo(std::size_t player) const { return elo_[player]; }
  /// Half of the 95 % interval.
  [[nodiscard]] double error(std::size_t player) const;
  /// The likelihood that a is the stronger one.
  [[nodiscard]] double superiority(std::size_t a, std::size_t b) const;

 private:
  std::vector<double> elo_;
  std::vector<std::vector<double>> covariance_;  // in Elo
};

}  // namespace paika::tournament
