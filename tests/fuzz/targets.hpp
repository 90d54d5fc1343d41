// What is fuzzed: every parser that reads text from outside. Each target takes any bytes, and aborts
// (PAIKA_CHECK) if a property breaks. libFuzzer and the short run in the suite share them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace paika::fuzz {

struct Target {
  std::string_view name;
  void (*run)(std::string_view bytes);
  /// Inputs worth starting from.
  std::vector<std::string> (*seeds)();
  /// Inputs of the short run: fewer where each takes files.
  int rounds = 20'000;
};

[[nodiscard]] std::span<const Target> targets();

}  // namespace paika::fuzz
