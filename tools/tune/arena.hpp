// Arena: one game spec as the tuner sees it: players with weights, games between them, samples.
//
// The tuner works for every game whose evaluation is linear (src/rules/linear.hpp). What is typed by
// a game stays behind this interface, one translation unit a game.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "rules/linear.hpp"
#include "search/types.hpp"

namespace paika::tune {

/// What positions looked like and how their games ended, for the side to move. A row has two numbers
/// a feature: what its weight for the opening and its weight for the ending are multiplied with.
struct Samples {
  std::vector<float> rows;
  std::vector<float> results;  // 1 won, 1/2 drawn, 0 lost

  void append(const Samples& more) {
    rows.insert(rows.end(), more.rows.begin(), more.rows.end());
    results.insert(results.end(), more.results.begin(), more.results.end());
  }
};

struct Player {
  std::vector<Weight> weights;
  SearchParams params;
  SearchFeatures features;
  std::uint64_t nodes = 2000;  // a move
};

/// One game. Everything in it follows from the seed and the players.
struct GamePlan {
  std::uint64_t seed = 1;
  int min_random = 2;  // plies at random at the start, at least and at most
  int max_random = 8;
  int max_plies = 400;  // a longer game is a draw
  bool a_begins = true;
  bool sample = false;    // keep samples
  bool tactical = false;  // … also of positions with tactical turns
};

struct PlayedGame {
  double score = 0.5;  // for player a
  int plies = 0;
  Samples samples;
};

/// Two players who play games against each other, one at a time.
class Duel {
 public:
  Duel() = default;
  Duel(const Duel&) = delete;
  Duel& operator=(const Duel&) = delete;
  virtual ~Duel() = default;

  [[nodiscard]] virtual PlayedGame play(const GamePlan& plan) = 0;
};

class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  virtual ~Arena() = default;

  [[nodiscard]] virtual std::vector<std::string_view> feature_names() const = 0;
  [[nodiscard]] virtual std::string weights_file() const = 0;
  /// The player that the program has built in.
  [[nodiscard]] virtual Player player(Evaluation evaluation) const = 0;
  [[nodiscard]] virtual std::unique_ptr<Duel> duel(const Player& a, const Player& b) const = 0;
};

using OpenArena = Result<std::unique_ptr<Arena>>(std::string_view spec);

/// The arena of a spec: "fanorona:5x5", "abalone:4x4,misere".
[[nodiscard]] OpenArena open_arena;

}  // namespace paika::tune
