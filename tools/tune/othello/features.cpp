// Fits the weights of the features (games/othello/features.hpp) for the sizes without patterns.
//
// Plays games against itself on several sizes: some turns by chance, then a search of fixed depth to
// the end. The weights are the least-squares fit of the scores, by normal equations with a small
// ridge, which are few enough to solve outright; then again with games played by these weights.
#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <vector>

#include "base/random.hpp"
#include "games/othello/instances.hpp"
#include "games/othello/search_traits.hpp"
#include "search/search.hpp"

namespace paika::othello {
namespace {

constexpr std::size_t unknowns = feature_knots * feature_names.size();
using Row = std::array<double, unknowns>;

/// Normal equations of a least-squares problem, summed up sample by sample.
class Equations {
 public:
  /// A sample that counts as `worth` samples.
  void add(const Row& row, double score, double worth) {
    for (std::size_t i = 0; i < unknowns; ++i) {
      for (std::size_t j = 0; j < unknowns; ++j) matrix_[i][j] += worth * row[i] * row[j];
      right_[i] += worth * row[i] * score;
    }
    squares_ += worth * score * score;
    worth_ += worth;
    ++count_;
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }

  /// The weights by Gaussian elimination (the matrix is positive definite with a ridge).
  [[nodiscard]] Row solve(double ridge) const {
    auto a = matrix_;
    Row x = right_;
    for (std::size_t i = 0; i < unknowns; ++i) a[i][i] += ridge;
    for (std::size_t i = 0; i < unknowns; ++i) {
      for (std::size_t k = i + 1; k < unknowns; ++k) {
        const double factor = a[k][i] / a[i][i];
        for (std::size_t j = i; j < unknowns; ++j) a[k][j] -= factor * a[i][j];
        x[k] -= factor * x[i];
      }
    }
    for (std::size_t i = unknowns; i-- > 0;) {
      for (std::size_t j = i + 1; j < unknowns; ++j) x[i] -= a[i][j] * x[j];
      x[i] /= a[i][i];
    }
    return x;
  }

  /// The root of the mean square error of weights, and of no weights at all; in discs of the 8x8 board.
  [[nodiscard]] std::array<double, 2> errors(const Row& weights) const {
    double sum = squares_;
    for (std::size_t i = 0; i < unknowns; ++i) {
      sum -= 2 * weights[i] * right_[i];
      for (std::size_t j = 0; j < unknowns; ++j) sum += weights[i] * matrix_[i][j] * weights[j];
    }
    return {std::sqrt(sum / worth_), std::sqrt(squares_ / worth_)};
  }

 private:
  std::array<Row, unknowns> matrix_{};
  Row right_{};
  double squares_ = 0;
  double worth_ = 0;
  std::uint64_t count_ = 0;
};

/// The values of a position in the form that is linear in the weights at the knots.
Row row_of(const FeatureValues& values, FeaturePhase phase, int size) {
  Row row{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i] * size / 8.0;
    row[phase.knot * feature_names.size() + i] = value * (256 - phase.fraction) / 256;
    row[(phase.knot + 1) * feature_names.size() + i] = value * phase.fraction / 256;
  }
  return row;
}

/// Plays games on one size and adds their positions.
template <class R>
void play_games(const R& rules, const FeatureWeights* weights, int games, int depth, Random& random,
                Equations& equations) {
  using Traits = BitboardTraits<typename R::ShapeType>;
  using Position = typename R::Position;
  using Move = typename R::Move;
  const Evaluator<typename R::ShapeType> evaluator(rules, nullptr, weights);
  SearchSettings settings;
  settings.hash_mb = 1;
  const Traits traits(rules, evaluator);
  Search<Traits> search(traits, settings);
  const int size = rules.shape().cols();
  SearchLimits limits;
  limits.depth = depth;
  // Errors grow with the length of an edge: without this the largest boards would decide alone.
  const double worth = 64.0 / (size * size);
  for (int game = 0; game < games; ++game) {
    Position p = rules.initial();
    const std::uint64_t by_chance = 4 + random.below(static_cast<std::uint64_t>(size * size / 2));
    std::vector<Position> seen;
    for (std::uint64_t ply = 0; !rules.outcome(p).over(); ++ply) {
      if (ply < by_chance && (ply < 4 || random.one_in(2))) {
        std::vector<Move> moves;
        rules.for_each_turn(p, [&](const Move& m) {
          moves.push_back(m);
          return true;
        });
        p = rules.play(p, moves[random.index(moves.size())]);
      } else {
        p = rules.play(p, search.run(p, {}, limits).move);
      }
      if (ply >= by_chance) seen.push_back(p);
    }
    const int score = traits.final_score(p) / 100;
    for (const Position& q : seen) {
      if (rules.outcome(q).over()) continue;
      const FeaturePhase phase = feature_phase((q.own | q.opponent).count(), size * size);
      equations.add(row_of(evaluator.feature_values(q.own, q.opponent), phase, size),
                    q.to_move == p.to_move ? score : -score, worth);
    }
  }
}

FeatureWeights rounded(const Row& row) {
  FeatureWeights weights{};
  for (std::size_t i = 0; i < unknowns; ++i) {
    weights[i / feature_names.size()][i % feature_names.size()] = static_cast<int>(std::lround(100 * row[i]));
  }
  return weights;
}

std::string file_text(const FeatureWeights& weights, const std::vector<std::string>& notes) {
  std::string text =
      "# Weights of the features of Black & White for sizes without patterns, in hundredths of a\n"
      "# disc of the 8x8 board, with 0, 1/4, 1/2, 3/4 and all of the board filled.\n";
  for (const std::string& note : notes) text += "# " + note + "\n";
  for (std::size_t i = 0; i < feature_names.size(); ++i) {
    for (std::size_t knot = 0; knot < feature_knots; ++knot) text += fmt::format("{:6}", weights[knot][i]);
    text += fmt::format("  {}\n", feature_names[i]);
  }
  return text;
}

int run(int argc, char** argv) {
  std::uint64_t seed = 1;
  int games = 200;
  int depth = 3;
  int rounds = 3;
  std::vector<int> sizes = {6, 10, 12, 14};
  std::string out;
  CLI::App app("Fits the weights of Black & White for the sizes without patterns.");
  app.add_option("--seed", seed);
  app.add_option("--games", games, "a size and round");
  app.add_option("--depth", depth)->check(CLI::Range(1, 10));
  app.add_option("--rounds", rounds)->check(CLI::Range(1, 10));
  app.add_option("--sizes", sizes)->delimiter(',')->check(CLI::Range(min_size, max_size));
  app.add_option("--out", out, "the weights file to write")->required();
  CLI11_PARSE(app, argc, argv);
  Random random(seed);
  FeatureWeights weights{};
  std::vector<std::string> notes = {
      fmt::format("tools/tune/othello/features --seed {} --games {} --depth {} --rounds {} --sizes {}", seed, games,
                  depth, rounds, fmt::join(sizes, ","))};
  for (int round = 0; round < rounds; ++round) {
    Equations equations;
    for (const int size : sizes) {
      with_rules(Options{size}, [&](const auto& rules) {
        play_games(rules, round == 0 ? nullptr : &weights, games, depth, random, equations);
      });
    }
    const Row row = equations.solve(100.0);
    weights = rounded(row);
    const auto [error, before] = equations.errors(row);
    notes.push_back(fmt::format("round {}: {} positions, rmse {:.2f} discs of {:.2f}", round + 1, equations.count(),
                                error, before));
    fmt::print("{}\n", notes.back());
    std::fflush(stdout);
  }
  if (!(std::ofstream(out) << file_text(weights, notes))) {
    fmt::print(stderr, "cannot write {}\n", out);
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace paika::othello

int main(int argc, char** argv) { return paika::othello::run(argc, argv); }
