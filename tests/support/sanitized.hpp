// What the sanitizers cost, where a test counts something that they add to.
#pragma once

#include <cstdint>

namespace paika_tests {

/// Bytes that a sandbox's process 1, which is ours and counts as the bot's, takes more than a plain one: the address
/// sanitizer's shadow and its lists of freed memory.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::uint64_t sanitizer_bytes = std::uint64_t{128} << 20U;
#else
inline constexpr std::uint64_t sanitizer_bytes = 0;
#endif

/// A limit for a bot's memory: so many MiB, and what the sanitizers add.
[[nodiscard]] constexpr std::uint64_t memory_limit(std::uint64_t mebibytes) {
  return (mebibytes << 20U) + sanitizer_bytes;
}

}  // namespace paika_tests
