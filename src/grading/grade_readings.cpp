// The ways to read the rules of a game: its options with all their values.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/text.hpp"
#include "engine/registry.hpp"
#include "grading/grade.hpp"
#include "rules/spec.hpp"

namespace paika::grading {

namespace {

/// The spec with another value of an option, which has the value `standing` in it.
std::string with_value(const std::string& spec, const std::string& key, const std::string& standing,
                       const std::string& value) {
  const std::string before = fmt::format("{}={}", key, standing);
  const std::string after = fmt::format("{}={}", key, value);
  if (const auto at = spec.find(before); at != std::string::npos) {
    return spec.substr(0, at) + after + spec.substr(at + before.size());
  }
  return fmt::format("{}{}{}", spec, spec.find(':') == std::string::npos ? ':' : ',', after);
}

/// The spec itself, then with each other value of the option.
std::vector<std::string> with_all_values(const std::string& spec, const GameInfo& info, const OptionInfo& option) {
  const auto given = read_spec(spec, info);
  const std::string standing = given ? given->value(option.key).value_or(option.standard) : option.standard;
  std::vector<std::string> all = {spec};
  for (const std::string& value : option.values) {
    if (value != standing) all.push_back(with_value(spec, option.key, standing, value));
  }
  return all;
}

Result<const OptionInfo*> find_option(const GameInfo& info, const std::string& key) {
  std::vector<std::string> known;
  for (const OptionInfo& option : info.options) {
    if (option.values.empty()) continue;
    if (option.key == key) return &option;
    known.push_back(option.key);
  }
  return fail("{} has no option {}{} that could be read in two ways; there {} {}", info.name, in_quotes(key),
              did_you_mean(key, known), known.size() == 1 ? "is" : "are",
              known.empty() ? "none" : listed(known, "and"));
}

}  // namespace

Result<std::vector<GamePtr>> readings_of(std::string_view spec, const std::vector<std::string>& options) {
  auto own = open_game(spec);
  if (!own) return tl::unexpected(own.error());
  std::vector<std::string> specs = {(*own)->notation().spec()};
  for (const std::string& key : options) {
    const auto option = find_option((*own)->info(), key);
    if (!option) return tl::unexpected(option.error());
    std::vector<std::string> more;
    for (const std::string& one : specs) {
      for (std::string& other : with_all_values(one, (*own)->info(), **option)) more.push_back(std::move(other));
    }
    specs = std::move(more);
  }
  std::vector<GamePtr> games;
  for (const std::string& one : specs) {
    auto game = open_game(one);
    if (!game) return tl::unexpected(game.error());
    games.push_back(std::move(*game));
  }
  return games;
}

}  // namespace paika::grading
