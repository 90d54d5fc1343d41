// Coverage-guided fuzzing of one target, chosen at compile time; run by `./paika fuzz`.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/fuzz/targets.hpp"

namespace {

const paika::fuzz::Target& chosen() {
  for (const auto& target : paika::fuzz::targets()) {
    if (target.name == PAIKA_FUZZ_TARGET) return target;
  }
  std::abort();
}

}  // namespace

/// Puts the target's good inputs into the folder PAIKA_FUZZ_CORPUS, for libFuzzer to start from.
extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  const char* folder = std::getenv("PAIKA_FUZZ_CORPUS");
  if (folder == nullptr) return 0;
  int number = 0;
  for (const std::string& seed : chosen().seeds()) {
    std::ofstream(std::filesystem::path(folder) / ("seed" + std::to_string(number++)), std::ios::binary) << seed;
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const paika::fuzz::Target& target = chosen();
  target.run({reinterpret_cast<const char*>(data), size});
  return 0;
}
