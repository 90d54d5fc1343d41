#include "tournament/swiss.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <tuple>

#include "base/random.hpp"
#include "tournament/matching.hpp"

namespace paika::tournament {

namespace {

// Costs by what counts: each unit is more than all that lies below it can come to in a round of 257 (129 pairs).
constexpr int max_order = 255;  // cost of the order within equal points
constexpr int max_points = 63;  // difference of points, squared
constexpr int max_colours = 3;
constexpr Cost points_unit = Cost{1} << 16;
constexpr Cost colours_unit = Cost{1} << 36;
constexpr Cost free_unit = Cost{1} << 46;
constexpr Cost again_unit = Cost{1} << 53;
constexpr int max_again = 7;

/// The players' places in an order by lot.
std::vector<std::size_t> lots(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(mix64(seed ^ 0x5377697373ULL));
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.index(i)]);
  std::vector<std::size_t> places(count);
  for (std::size_t i = 0; i < count; ++i) places[order[i]] = i;
  return places;
}

class Round {
 public:
  Round(const std::vector<SwissPlayer>& players, bool odd_games, std::uint64_t seed, int round)
      : players_(players), odd_games_(odd_games), seed_(seed), round_(round), lots_(lots(players.size(), seed)) {
    // Ranks within equal points, by lot.
    ranks_.resize(players.size());
    groups_.resize(players.size());
    for (std::size_t i = 0; i < players.size(); ++i) {
      for (std::size_t j = 0; j < players.size(); ++j) {
        if (players[j].half_points != players[i].half_points) continue;
        ++groups_[i];
        if (lots_[j] < lots_[i]) ++ranks_[i];
      }
    }
  }

  std::vector<SwissPair> pairs() {
    const std::size_t n = players_.size();
    const std::size_t size = n + n % 2;  // the last of an even number is the free place
    std::vector<std::vector<Cost>> costs(size, std::vector<Cost>(size, 0));
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < i; ++j) costs[i][j] = costs[j][i] = i == n ? free_cost(j) : cost(i, j);
    }
    const auto partners = cheapest_pairs(costs);
    std::vector<SwissPair> pairs;
    for (std::size_t i = 0; i < n; ++i) {
      if (partners[i] == n) pairs.push_back({i, std::nullopt});
      if (partners[i] < i) pairs.push_back(coloured(i, partners[i]));
    }
    std::sort(pairs.begin(), pairs.end(),
              [this](const SwissPair& one, const SwissPair& two) { return key(one) < key(two); });
    return pairs;
  }

 private:
  /// The order of tables: most points first, a free player last.
  [[nodiscard]] std::tuple<bool, int, int, std::size_t> key(const SwissPair& pair) const {
    if (!pair.b) return {true, 0, 0, pair.a};
    const int a = players_[pair.a].half_points;
    const int b = players_[*pair.b].half_points;
    return {false, -std::max(a, b), -(a + b), std::min(lots_[pair.a], lots_[*pair.b])};
  }

  [[nodiscard]] Cost free_cost(std::size_t i) const {
    int least = players_[i].half_points;
    for (const SwissPlayer& player : players_) {
      if (!player.was_free) least = std::min(least, player.half_points);
    }
    const Cost above = std::min(players_[i].half_points - least, max_points);
    return (players_[i].was_free ? again_unit : 0) + above * free_unit;
  }

  [[nodiscard]] Cost cost(std::size_t i, std::size_t j) const {
    const SwissPlayer& one = players_[i];
    const SwissPlayer& two = players_[j];
    const auto again = std::min<Cost>(std::count(one.met.begin(), one.met.end(), j), max_again);
    const Cost apart = std::min(std::abs(one.half_points - two.half_points), max_points);
    Cost order = 0;
    if (apart == 0) {
      const auto half = static_cast<Cost>(groups_[i] / 2);
      const Cost distance = std::abs(static_cast<Cost>(ranks_[i]) - static_cast<Cost>(ranks_[j]));
      order = std::min<Cost>(std::abs(distance - half), max_order);
    }
    return again * again_unit + (odd_games_ ? colours_cost(one, two) * colours_unit : 0) + apart * apart * points_unit +
           order;
  }

  /// By how much colours go beyond one game in the better way of dealing them.
  [[nodiscard]] static Cost colours_cost(const SwissPlayer& one, const SwissPlayer& two) {
    const auto beyond = [](const SwissPlayer& begins, const SwissPlayer& other) {
      return std::max(std::abs(begins.balance + 1) - 1, 0) + std::max(std::abs(other.balance - 1) - 1, 0);
    };
    return std::min({beyond(one, two), beyond(two, one), max_colours});
  }

  /// Who begins: whoever has begun less often; else whoever did not begin last; else by lot.
  [[nodiscard]] SwissPair coloured(std::size_t i, std::size_t j) const {
    const SwissPlayer& one = players_[i];
    const SwissPlayer& two = players_[j];
    if (one.balance != two.balance) return one.balance < two.balance ? SwissPair{i, j} : SwissPair{j, i};
    if (one.last != two.last) return one.last < two.last ? SwissPair{i, j} : SwissPair{j, i};
    const std::uint64_t lot = mix64(seed_ ^ mix64((static_cast<std::uint64_t>(round_) << 32) ^ (i << 16) ^ j));
    return (lot & 1) != 0 ? SwissPair{i, j} : SwissPair{j, i};
  }

  const std::vector<SwissPlayer>& players_;
  bool odd_games_;
  std::uint64_t seed_;
  int round_;
  std::vector<std::size_t> lots_;
  std::vector<std::size_t> ranks_;
  std::vector<std::size_t> groups_;
};

}  // namespace

std::vector<SwissPair> swiss_round(const std::vector<SwissPlayer>& players, bool odd_games, std::uint64_t seed,
                                   int round) {
  return Round(players, odd_games, seed, round).pairs();
}

}  // namespace paika::tournament
