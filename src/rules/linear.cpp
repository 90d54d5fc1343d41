#include "rules/linear.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>

#include "base/check.hpp"
#include "base/data.hpp"
#include "base/text.hpp"

namespace paika {

namespace {

/// The whole of `text` as a decimal number that a weight may have.
std::optional<double> parse_weight(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc{} || end != text.data() + text.size() || std::abs(number) > max_weight) return {};
  return number;
}

/// Where `name` stands in `names`; their number if nowhere.
std::size_t place_of(std::string_view name, std::span<const std::string_view> names) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

Result<std::vector<Weight>> read_weights(std::string_view text, std::span<const std::string_view> names) {
  const std::vector<std::string> known(names.begin(), names.end());
  std::vector<std::optional<Weight>> found(names.size());
  int number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    line = trimmed(line);
    if (line.empty() || line.front() == '#') continue;
    const std::string_view name = take_word(line);
    const std::string_view opening = take_word(line);
    const std::string_view ending = take_word(line);
    const std::size_t place = place_of(name, names);
    if (place == names.size()) {
      return fail("line {}: no feature is called {}{}; the features are {}", number, in_quotes(name),
                  did_you_mean(name, known), listed(known, "and"));
    }
    if (found[place]) return fail("line {}: {} has weights already; give each feature once", number, name);
    const auto first = parse_weight(opening);
    const auto second = parse_weight(ending);
    if (!first || !second || !trimmed(line).empty()) {
      return fail("line {}: after {} come two decimal numbers, its weights for opening and ending, not {}", number,
                  name, in_quotes(fmt::format("{} {}{}", opening, ending, line)));
    }
    found[place] = weight(*first, *second);
  }
  std::vector<Weight> weights;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!found[i]) return fail("the weights of {} are missing", names[i]);
    weights.push_back(*found[i]);
  }
  return weights;
}

std::string weights_text(std::span<const Weight> weights, std::span<const std::string_view> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto shown = [](std::int32_t parts) { return static_cast<double>(parts) / weight_parts; };
    text += fmt::format("{:<16} {:>9.2f} {:>9.2f}\n", names[i], shown(weights[i].opening), shown(weights[i].ending));
  }
  return text;
}

std::vector<Weight> built_in_weights(std::string_view file, std::span<const std::string_view> names) {
  const std::string_view text = data_file(file);
  if (text.empty()) return {};
  auto weights = read_weights(text, names);
  PAIKA_CHECK(weights.has_value());
  return *weights;
}

}  // namespace paika
