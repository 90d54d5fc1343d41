// Coverage-guided fuzzing of one target, the one that PAIKA_FUZZ_TARGET names; run by `./paika fuzz`. Without the
// variable the program lists the targets. One program for all of them: it is linked once.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "tests/fuzz/targets.hpp"

namespace {

const paika::fuzz::Target* named(std::string_view name) {
  const auto targets = paika::fuzz::targets();
  const auto found = std::ranges::find(targets, name, &paika::fuzz::Target::name);
  return found == targets.end() ? nullptr : &*found;
}

[[noreturn]] void list_targets() {
  for (const auto& target : paika::fuzz::targets()) std::puts(std::string(target.name).c_str());
  std::exit(0);
}

const paika::fuzz::Target& chosen() {
  const char* name = std::getenv("PAIKA_FUZZ_TARGET");
  if (name == nullptr) list_targets();
  const paika::fuzz::Target* target = named(name);
  if (target == nullptr) {
    std::fprintf(stderr, "there is no fuzz target '%s'; without PAIKA_FUZZ_TARGET the program lists them\n", name);
    std::exit(2);
  }
  return *target;
}

}  // namespace

/// Puts the target's good inputs into the folder PAIKA_FUZZ_CORPUS, for libFuzzer to start from.
extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  const paika::fuzz::Target& target = chosen();
  const char* folder = std::getenv("PAIKA_FUZZ_CORPUS");
  if (folder == nullptr) return 0;
  int number = 0;
  for (const std::string& seed : target.seeds()) {
    std::ofstream(std::filesystem::path(folder) / ("seed" + std::to_string(number++)), std::ios::binary) << seed;
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const paika::fuzz::Target& target = chosen();
  target.run({reinterpret_cast<const char*>(data), size});
  return 0;
}
