#include "base/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace paika {

void check_failed(const char* condition, const char* file, int line) noexcept {
  std::fprintf(stderr, "paika: internal error: %s does not hold at %s:%d\n", condition, file, line);
  std::abort();
}

}  // namespace paika
