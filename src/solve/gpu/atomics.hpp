// Changes of memory that several threads make at once, by the same names on the host and on a GPU. None of them orders
// other accesses.
#pragma once

#include <cstdint>
#if !defined(__CUDA_ARCH__)
#include <algorithm>
#include <atomic>
#endif

#include "base/device.hpp"

namespace paika::gpu {

#if defined(__CUDA_ARCH__)

using Wide = unsigned long long;  // what CUDA calls 64 bits

template <class T>
__device__ inline T atomic_load(const T& at) noexcept {
  return *static_cast<const volatile T*>(&at);
}
__device__ inline void atomic_store(std::uint32_t& at, std::uint32_t value) noexcept {
  *static_cast<volatile std::uint32_t*>(&at) = value;
}
/// Each returns what was there before.
__device__ inline std::uint32_t atomic_min(std::uint32_t& at, std::uint32_t value) noexcept {
  return atomicMin(&at, value);
}
__device__ inline std::uint32_t atomic_max(std::uint32_t& at, std::uint32_t value) noexcept {
  return atomicMax(&at, value);
}
__device__ inline std::uint32_t atomic_subtract(std::uint32_t& at, std::uint32_t value) noexcept {
  return atomicSub(&at, value);
}
__device__ inline void atomic_or(std::uint64_t& at, std::uint64_t value) noexcept {
  atomicOr(reinterpret_cast<Wide*>(&at), static_cast<Wide>(value));
}
__device__ inline void atomic_add(std::uint64_t& at, std::uint64_t value) noexcept {
  atomicAdd(reinterpret_cast<Wide*>(&at), static_cast<Wide>(value));
}
__device__ inline void atomic_min(std::uint64_t& at, std::uint64_t value) noexcept {
  atomicMin(reinterpret_cast<Wide*>(&at), static_cast<Wide>(value));
}

#else

template <class T>
PAIKA_HD T atomic_load(const T& at) noexcept {
  return std::atomic_ref(const_cast<T&>(at)).load(std::memory_order_relaxed);
}
PAIKA_HD inline void atomic_store(std::uint32_t& at, std::uint32_t value) noexcept {
  std::atomic_ref(at).store(value, std::memory_order_relaxed);
}
template <class T>
PAIKA_HD T atomic_min(T& at, T value) noexcept {
  const std::atomic_ref<T> word(at);
  T old = word.load(std::memory_order_relaxed);
  while (value < old && !word.compare_exchange_weak(old, value, std::memory_order_relaxed)) {
  }
  return old;
}
PAIKA_HD inline std::uint32_t atomic_max(std::uint32_t& at, std::uint32_t value) noexcept {
  const std::atomic_ref word(at);
  std::uint32_t old = word.load(std::memory_order_relaxed);
  while (value > old && !word.compare_exchange_weak(old, value, std::memory_order_relaxed)) {
  }
  return old;
}
PAIKA_HD inline std::uint32_t atomic_subtract(std::uint32_t& at, std::uint32_t value) noexcept {
  return std::atomic_ref(at).fetch_sub(value, std::memory_order_relaxed);
}
PAIKA_HD inline void atomic_or(std::uint64_t& at, std::uint64_t value) noexcept {
  std::atomic_ref(at).fetch_or(value, std::memory_order_relaxed);
}
PAIKA_HD inline void atomic_add(std::uint64_t& at, std::uint64_t value) noexcept {
  std::atomic_ref(at).fetch_add(value, std::memory_order_relaxed);
}

#endif

}  // namespace paika::gpu
