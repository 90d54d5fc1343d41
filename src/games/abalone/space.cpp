#include "games/abalone/space.hpp"

namespace paika::abalone {

namespace {

/// More positions than this, up to symmetry, no machine we know of can hold.
constexpr double max_positions = 1e12;

/// About how many positions there are up to symmetry.
double positions(const Options& options) {
  const int squares = options.rows * options.cols;
  const int most = pieces_each(options);
  double sum = 0;
  for (int own = most - options.captures + 1; own <= most; ++own) {
    for (int others = most - options.captures + 1; others <= most; ++others) {
      sum += static_cast<double>(choose(squares, own)) * static_cast<double>(choose(squares - own, others));
    }
  }
  return sum / (options.rows == options.cols ? 8 : 4);
}

}  // namespace

Result<void> can_number(const Options& options) {
  const int squares = options.rows * options.cols;
  if (squares > SubsetRanks::max_squares) {
    return fail("{} has {} squares; tables are made for boards of at most {}", canonical_spec(options), squares,
                SubsetRanks::max_squares);
  }
  if (const double count = positions(options); count > max_positions) {
    return fail("{} has about {:.1e} positions up to symmetry, too many for a table", canonical_spec(options), count);
  }
  return {};
}

}  // namespace paika::abalone
