// Checks for our own bugs: conditions that no input can make false.
#pragma once

namespace paika {

/// Prints the broken condition with its place and aborts.
[[noreturn]] void check_failed(const char* condition, const char* file, int line) noexcept;

}  // namespace paika

/// Aborts with a message when `condition` is false, in every build type; on a GPU without one.
#if defined(__CUDA_ARCH__)
#define PAIKA_CHECK(condition) (static_cast<bool>(condition) ? void(0) : __trap())
#else
#define PAIKA_CHECK(condition) \
  (static_cast<bool>(condition) ? void(0) : ::paika::check_failed(#condition, __FILE__, __LINE__))
#endif
