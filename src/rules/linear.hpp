// Linear evaluations: a position as a few counted features, judged by one weight each.
//
// Fanorona, Abalone and Wildebeest count different things, but weigh them in the same way, keep the
// weights in the same kind of file (data/<game>.weights) and are tuned by the same program
// (tools/tune). A feature has two weights, for the opening and for the ending of a game; between
// them the phase of the position interpolates.
//
// A weights file is text: lines `# …` say where the weights come from, every other line is
// `feature opening ending` with decimal numbers. 100 is about one piece.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "rules/search_traits.hpp"

namespace paika {

/// What a feature is worth per unit, in sixteenths of a hundredth of a piece: small counts need finer
/// steps than the score has.
struct Weight {
  std::int32_t opening = 0;
  std::int32_t ending = 0;

  friend constexpr bool operator==(const Weight&, const Weight&) = default;
};

inline constexpr int weight_parts = 16;
inline constexpr double max_weight = 20'000;  // as written in a file

/// A weight from the numbers that a weights file would show.
[[nodiscard]] constexpr Weight weight(double opening, double ending) noexcept {
  const auto parts = [](double x) { return static_cast<std::int32_t>(x * weight_parts + (x < 0 ? -0.5 : 0.5)); };
  return {parts(opening), parts(ending)};
}
/// The same for the whole game.
[[nodiscard]] constexpr Weight weight(double both) noexcept { return weight(both, both); }

/// What is counted in a position, for the side to move: mostly own minus theirs.
template <std::size_t N>
struct Features {
  static constexpr int whole = 256;

  std::array<std::int32_t, N> values{};
  std::int32_t phase = 0;      // 0 at the opening to `whole` at the ending
  std::int32_t scale = whole;  // the part of the sum that counts: less than `whole` as a draw comes near
};

template <std::size_t N>
class LinearWeights {
 public:
  constexpr LinearWeights() = default;
  explicit constexpr LinearWeights(const std::array<Weight, N>& weights) {
    for (std::size_t i = 0; i < N; ++i) {
      opening_[i] = weights[i].opening;
      ending_[i] = weights[i].ending;
    }
  }

  [[nodiscard]] constexpr Weight operator[](std::size_t i) const { return {opening_[i], ending_[i]}; }

  /// The evaluation: antisymmetric in the features, and within the bounds that evaluations have.
  [[nodiscard]] constexpr int value(const Features<N>& f) const noexcept {
    std::int32_t opening = 0;
    std::int32_t ending = 0;
    for (std::size_t i = 0; i < N; ++i) {
      opening += f.values[i] * opening_[i];
      ending += f.values[i] * ending_[i];
    }
    return bounded(opening, ending, f);
  }

  /// The part of feature `i` in value(f), up to rounding.
  [[nodiscard]] constexpr int part(const Features<N>& f, std::size_t i) const noexcept {
    return bounded(f.values[i] * opening_[i], f.values[i] * ending_[i], f);
  }

  /// The evaluation in parts, for people; features that are zero are left out.
  [[nodiscard]] std::vector<Term> terms(const Features<N>& f, const std::array<std::string_view, N>& names) const {
    std::vector<Term> terms;
    for (std::size_t i = 0; i < N; ++i) {
      if (f.values[i] != 0) terms.push_back({names[i], part(f, i)});
    }
    return terms;
  }

 private:
  static constexpr int bounded(std::int64_t opening, std::int64_t ending, const Features<N>& f) noexcept {
    constexpr std::int64_t whole = Features<N>::whole;
    constexpr std::int64_t bound = evaluation_bound - 1;
    const std::int64_t sum = (opening * (whole - f.phase) + ending * f.phase) * f.scale;
    return static_cast<int>(std::clamp(sum / (whole * whole * weight_parts), -bound, bound));
  }

  std::array<std::int32_t, N> opening_{};
  std::array<std::int32_t, N> ending_{};
};

/// Reads the text of a weights file, which must give each of `names` once and nothing else.
[[nodiscard]] Result<std::vector<Weight>> read_weights(std::string_view text, std::span<const std::string_view> names);
/// The lines of a weights file that read_weights reads back, without comments.
[[nodiscard]] std::string weights_text(std::span<const Weight> weights, std::span<const std::string_view> names);

/// The weights of data/FILE, in the order of `names`; empty if there is no such file. Aborts if it is
/// malformed: it is built in, so that would be our own fault.
[[nodiscard]] std::vector<Weight> built_in_weights(std::string_view file, std::span<const std::string_view> names);

/// The weights of data/FILE for tuned evaluations; `plain` for plain ones or without such a file.
template <std::size_t N>
[[nodiscard]] LinearWeights<N> linear_weights(Evaluation evaluation, std::string_view file,
                                              const std::array<std::string_view, N>& names,
                                              const std::array<Weight, N>& plain) {
  if (evaluation == Evaluation::plain) return LinearWeights<N>(plain);
  const std::vector<Weight> read = built_in_weights(file, names);
  std::array<Weight, N> weights = plain;
  std::copy(read.begin(), read.end(), weights.begin());
  return LinearWeights<N>(weights);
}

/// Traits whose evaluation is linear, so that tools/tune can fit its weights:
/// `feature_names` (a constant array), `features(p)`, `weights()` and `set_weights(w)`, where
/// evaluate(p) is weights().value(features(p)); `weights_file()` names its file in data/.
template <class K>
concept LinearTraits = SearchTraits<K> && requires(K& k, const typename K::RulesType::Position& p) {
  { k.features(p) } -> std::same_as<Features<K::feature_names.size()>>;
  { k.weights() } -> std::convertible_to<LinearWeights<K::feature_names.size()>>;
  { k.weights_file() } -> std::convertible_to<std::string_view>;
  k.set_weights(k.weights());
};

}  // namespace paika
