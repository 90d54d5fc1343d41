// The scripts of tests/golden: a game, where it begins, and its turns.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"

namespace paika_tests {

struct Script {
  std::string about;
  std::string spec;
  std::string position = "start";
  std::vector<std::string> turns;
};

/// The header lines ("about:", "spec:", "position:") and the turns ("turn 1, White: c2c3A") of a file.
inline Script read_script(const std::string& text) {
  Script script;
  for (const auto line : paika::split(text, '\n')) {
    const auto value = [&](std::string_view key) -> std::optional<std::string> {
      if (!line.starts_with(key)) return std::nullopt;
      return std::string(line.substr(key.size()));
    };
    if (const auto about = value("about: ")) script.about = *about;
    if (const auto spec = value("spec: ")) script.spec = *spec;
    if (const auto position = value("from: ")) script.position = *position;
    if (line.starts_with("turn ")) script.turns.emplace_back(line.substr(line.find(": ") + 2));
  }
  return script;
}

}  // namespace paika_tests
