// Measures how far the scores of deep searches are from those of shallow ones, for src/games/othello/probcut.cpp.
//
// Positions of a file of samples are searched to all depths up to a given one, nothing cut off. The logarithm of the
// error is fitted as a sum of three parts: one for the phase of the game, one for the shallow depth and one for the
// plies that the deep search is deeper.
#include <CLI/CLI.hpp>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <iterator>
#include <vector>

#include "base/random.hpp"
#include "games/othello/search_traits.hpp"
#include "sample.hpp"

namespace paika::othello {
namespace {

struct Settings {
  int size = 8;
  int depth = 8;
  int positions = 400;
  std::uint64_t seed = 1;
  std::string samples;
};

/// Sums of the squares of differences, by phase, shallow depth and plies between.
class Errors {
 public:
  explicit Errors(int depth) : depth_(static_cast<std::size_t>(depth)), cells_(phases * depth_ * depth_) {}

  void add(std::size_t phase, std::size_t shallow, std::size_t deep, double difference) {
    Cell& c = cell(phase, shallow, deep - shallow);
    c.squares += difference * difference;
    ++c.count;
  }

  /// Fits the three parts by turns: each is the mean of what the others leave.
  void fit() {
    const std::size_t n = std::max(phases, depth_ + 1);
    for (auto& part : parts_) part.assign(n, 0.0);
    for (int round = 0; round < 200; ++round) {
      for (std::size_t which = 0; which < parts_.size(); ++which) fit_part(which);
    }
  }

  void print() const {
    for (std::size_t phase = 0; phase < phases; ++phase) {
      for (std::size_t shallow = 0; shallow < depth_; ++shallow) {
        fmt::print("phase {} shallow {}:", phase, shallow);
        for (std::size_t gap = 1; gap + shallow <= depth_; ++gap) fmt::print(" {:.0f}", error(phase, shallow, gap));
        fmt::print("\n");
      }
    }
    // The parts, so that the first is an error in hundredths of a disc and the others are per mille of it.
    const double shallow_0 = parts_[1][0];
    const double gap_1 = parts_[2][1];
    std::vector<int> lists[3];
    for (std::size_t i = 0; i < phases; ++i) {
      lists[0].push_back(static_cast<int>(std::lround(std::exp(parts_[0][i] + shallow_0 + gap_1))));
    }
    for (std::size_t i = 0; i < depth_; ++i) {
      lists[1].push_back(static_cast<int>(std::lround(1000 * std::exp(parts_[1][i] - shallow_0))));
      lists[2].push_back(static_cast<int>(std::lround(1000 * std::exp(parts_[2][i + 1] - gap_1))));
    }
    fmt::print("by phase {}\nby shallow depth {}\nby plies between {}\n", fmt::join(lists[0], ", "),
               fmt::join(lists[1], ", "), fmt::join(lists[2], ", "));
  }

  static constexpr std::size_t phases = 8;

 private:
  struct Cell {
    double squares = 0;
    int count = 0;
  };
  static constexpr int min_count = 10;

  [[nodiscard]] Cell& cell(std::size_t phase, std::size_t shallow, std::size_t gap) {
    return cells_[(phase * depth_ + shallow) * depth_ + gap - 1];
  }
  [[nodiscard]] double error(std::size_t phase, std::size_t shallow, std::size_t gap) const {
    const Cell& c = cells_[(phase * depth_ + shallow) * depth_ + gap - 1];
    return c.count < min_count ? 0.0 : std::sqrt(c.squares / c.count);
  }

  void fit_part(std::size_t which) {
    std::vector<double> sums(parts_[which].size());
    std::vector<int> counts(parts_[which].size());
    for (std::size_t phase = 0; phase < phases; ++phase) {
      for (std::size_t shallow = 0; shallow < depth_; ++shallow) {
        for (std::size_t gap = 1; gap + shallow <= depth_; ++gap) {
          const double e = error(phase, shallow, gap);
          if (e <= 0) continue;
          const std::size_t at = which == 0 ? phase : which == 1 ? shallow : gap;
          const double others = parts_[0][phase] + parts_[1][shallow] + parts_[2][gap] - parts_[which][at];
          sums[at] += std::log(e) - others;
          ++counts[at];
        }
      }
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (counts[i] > 0) parts_[which][i] = sums[i] / counts[i];
    }
    // What was never seen is like its neighbour.
    for (std::size_t i = 1; i < sums.size(); ++i) {
      if (counts[i] == 0) parts_[which][i] = parts_[which][i - 1];
    }
    for (std::size_t i = sums.size() - 1; i-- > 0;) {
      if (counts[i] == 0) parts_[which][i] = parts_[which][i + 1];
    }
  }

  std::size_t depth_;
  std::vector<Cell> cells_;
  std::array<std::vector<double>, 3> parts_;
};

template <int Size>
void measure(const Settings& settings, const std::string& bytes) {
  using Shape = FixedShape<Size, Size>;
  using Set = typename Shape::Set;
  constexpr std::size_t length = Sample<Set>::bytes;
  const BitboardRules<Shape> rules(Options{Size});
  const Evaluator<Shape> evaluator(rules, Evaluation::tuned);
  ShallowSearch<Shape> search(rules, evaluator);
  Errors errors(settings.depth);
  Random random(settings.seed);
  std::uint64_t nodes = 0;
  for (int i = 0; i < settings.positions;) {
    const auto sample = read_sample<Set>(std::string_view(bytes).substr(random.index(bytes.size() / length) * length));
    const int pawns = (sample.own | sample.opponent).count();
    if (pawns >= Size * Size - settings.depth) continue;
    ++i;
    std::vector<int> scores;
    for (int depth = 0; depth <= settings.depth; ++depth) {
      scores.push_back(search.search(sample.own, sample.opponent, -1'000'000, 1'000'000, depth, false, nodes));
    }
    const auto phase = static_cast<std::size_t>(probcut_phase(Size * Size, pawns));
    for (std::size_t deep = 1; deep < scores.size(); ++deep) {
      for (std::size_t shallow = 0; shallow < deep; ++shallow) {
        errors.add(phase, shallow, deep, scores[deep] - scores[shallow]);
      }
    }
  }
  errors.fit();
  errors.print();
  fmt::print("size {} positions {} depth {} nodes {}\n", Size, settings.positions, settings.depth, nodes);
}

int run(int argc, char** argv) {
  Settings settings;
  CLI::App app("Measures by how much deep searches of Black & White differ from shallow ones.");
  app.add_option("--size", settings.size, "of the board")->check(CLI::IsMember({6, 8, 10}));
  app.add_option("--depth", settings.depth, "of the deepest search")->check(CLI::Range(2, 12));
  app.add_option("--positions", settings.positions, "how many");
  app.add_option("--seed", settings.seed, "which of the samples are taken");
  app.add_option("--samples", settings.samples, "a file that selfplay wrote")->required();
  CLI11_PARSE(app, argc, argv);
  std::ifstream file(settings.samples, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  if (bytes.size() < 1000) {
    fmt::print(stderr, "{} is not a file of samples\n", settings.samples);
    return 2;
  }
  if (settings.size == 6) measure<6>(settings, bytes);
  if (settings.size == 8) measure<8>(settings, bytes);
  if (settings.size == 10) measure<10>(settings, bytes);
  return 0;
}

}  // namespace
}  // namespace paika::othello

int main(int argc, char** argv) { return paika::othello::run(argc, argv); }
