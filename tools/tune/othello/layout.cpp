// Writes the layout of the patterns as JSON, for train.py: it learns what C++ knows and repeats none of it.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "games/othello/pattern_weights.hpp"
#include "games/othello/patterns.hpp"

namespace paika::othello {
namespace {

std::string lists(const std::vector<std::vector<int>>& all) {
  std::vector<std::string> texts;
  for (const auto& list : all) texts.push_back(fmt::format("[{}]", fmt::join(list, ",")));
  return fmt::format("[{}]", fmt::join(texts, ","));
}

std::string pattern_json(const PatternLayout& layout, std::size_t pattern) {
  std::vector<std::vector<int>> places;
  for (const auto& place : layout.places()) {
    if (place.pattern == pattern) places.push_back(place.squares);
  }
  return fmt::format("{{\"name\": \"{}\", \"places\": {}, \"symmetries\": {}}}", layout.patterns()[pattern].name,
                     lists(places), lists(layout.symmetries(pattern)));
}

/// A board by chance, and the number of the weight of every place on it.
std::string check_json(const PatternLayout& layout, Random& random) {
  std::string board;
  for (int i = layout.size() * layout.size(); i > 0; --i) board += "-XO"[random.below(3)];
  std::vector<std::uint32_t> numbers;
  for (const auto& place : layout.places()) {
    std::size_t state = 0;
    for (std::size_t d = place.squares.size(); d-- > 0;) {
      state = 3 * state + std::string_view("-XO").find(board[static_cast<std::size_t>(place.squares[d])]);
    }
    numbers.push_back(layout.weight_numbers(place.pattern)[state]);
  }
  return fmt::format("{{\"board\": \"{}\", \"numbers\": [{}]}}", board, fmt::join(numbers, ","));
}

std::string layout_json(const PatternLayout& layout) {
  std::vector<std::string> patterns;
  for (std::size_t i = 0; i < layout.patterns().size(); ++i) patterns.push_back(pattern_json(layout, i));
  Random random(1);
  std::vector<std::string> checks;
  for (int i = 0; i < 4; ++i) checks.push_back(check_json(layout, random));
  return fmt::format(
      "{{\n\"size\": {}, \"knots\": {}, \"knot_step\": {}, \"phase_step\": {}, \"counts\": {}, \"count_values\": {},\n"
      "\"patterns\": [\n{}],\n\"checks\": [\n{}]\n}}\n",
      layout.size(), layout.knots(), layout.knot_step(), layout.phase_step(), count_names.size(), count_values,
      fmt::join(patterns, ",\n"), fmt::join(checks, ",\n"));
}

}  // namespace
}  // namespace paika::othello

int main(int argc, char** argv) {
  int size = 8;
  CLI::App app("Writes the layout of the patterns of Black & White, for train.py.");
  app.add_option("--size", size, "of the board")->check(CLI::IsMember({6, 8, 10}));
  CLI11_PARSE(app, argc, argv);
  fmt::print("{}", paika::othello::layout_json(*paika::othello::PatternLayout::of_size(size)));
  return 0;
}
