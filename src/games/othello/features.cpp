#include "games/othello/features.hpp"

#include <algorithm>

#include "base/data.hpp"
#include "base/text.hpp"

namespace paika::othello {

Result<FeatureWeights> read_feature_weights(std::string_view file) {
  // A line: the weights of one feature at the knots, then its name.
  FeatureWeights weights{};
  std::array<bool, feature_names.size()> seen{};
  for (std::string_view line : split(file, '\n')) {
    line = trimmed(line);
    if (line.empty() || line.starts_with('#')) continue;
    std::array<int, feature_knots> numbers{};
    for (int& number : numbers) {
      const auto word = take_word(line);
      const auto value = parse_int(word);
      if (!value || *value < -32'768 || *value > 32'767) return fail("{} is not a weight", in_quotes(word));
      number = static_cast<int>(*value);
    }
    line = trimmed(line);
    const auto name = std::find(feature_names.begin(), feature_names.end(), line);
    if (name == feature_names.end()) return fail("{} is not a feature", in_quotes(line));
    const auto feature = static_cast<std::size_t>(name - feature_names.begin());
    seen[feature] = true;
    for (std::size_t knot = 0; knot < feature_knots; ++knot) weights[knot][feature] = numbers[knot];
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (!seen[i]) return fail("the weights of {} are missing", in_quotes(feature_names[i]));
  }
  return weights;
}

const FeatureWeights* built_in_feature_weights() {
  static const Result<FeatureWeights> weights = read_feature_weights(data_file("othello-any.weights"));
  return weights ? &*weights : nullptr;
}

}  // namespace paika::othello
