// The short fuzzing run of the fast suite: seeded mutations of good inputs, no special compiler.
#include <algorithm>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "tests/fuzz/targets.hpp"

namespace paika::fuzz {
namespace {

char random_byte(paika::Random& random) {
  // Mostly characters that mean something to some parser.
  static constexpr std::string_view telling = "abcdefghijkmwxsXOSAWPF0123456789-./(), *#+=:;\n";
  if (random.one_in(8)) return static_cast<char>(random.below(256));
  return telling[random.index(telling.size())];
}

void change_once(paika::Random& random, std::string& text, const std::vector<std::string>& seeds) {
  const std::size_t at = random.index(text.size() + 1);
  switch (random.below(6)) {
    case 0: text.insert(at, 1, random_byte(random)); break;
    case 1:
      if (at < text.size()) text[at] = random_byte(random);
      break;
    case 2: text.erase(at, 1 + random.below(4)); break;
    case 3: text.insert(at, text.substr(std::min(at, text.size() / 2), random.below(20))); break;
    case 4: {
      const std::string& other = seeds[random.index(seeds.size())];
      text = text.substr(0, at) + other.substr(std::min(other.size(), random.index(other.size() + 1)));
      break;
    }
    default:
      if (at + 1 < text.size()) std::swap(text[at], text[at + 1]);
  }
}

class ShortFuzz : public testing::TestWithParam<Target> {};

TEST_P(ShortFuzz, no_mutation_breaks_a_property) {
  const Target& target = GetParam();
  const std::vector<std::string> seeds = target.seeds();
  ASSERT_FALSE(seeds.empty());
  for (const std::string& seed : seeds) target.run(seed);
  target.run("");
  target.run(std::string(2'000'000, 'a'));
  target.run(std::string(2'000'000, '\0'));
  paika::Random random(42);
  for (int i = 0; i < target.rounds; ++i) {
    std::string text = seeds[random.index(seeds.size())];
    for (std::uint64_t changes = 1 + random.below(4); changes > 0; --changes) change_once(random, text, seeds);
    target.run(text);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, ShortFuzz, testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace paika::fuzz
