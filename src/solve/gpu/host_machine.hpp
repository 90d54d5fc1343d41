// HostMachine: runs what a GPU would, on this machine's processor, place after place. It is what tests use where there
// is no GPU: the bodies are the same.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "solve/gpu/device_array.hpp"
#include "solve/gpu/tier_states.hpp"

namespace paika::gpu {

class HostMachine {
 public:
  [[nodiscard]] static std::string name() { return "the processor"; }
  /// Memory that it needs beside what is allocated.
  static constexpr std::uint64_t set_aside = 0;
  /// Bytes of memory that are free.
  [[nodiscard]] static std::uint64_t free_memory() { return std::uint64_t{1} << 40; }
  /// The first error of any call; after one, no call does anything.
  [[nodiscard]] static Result<void> status() { return {}; }

  /// Elements that are all 0.
  template <class T>
  [[nodiscard]] DeviceArray<T> allocate(std::uint64_t size) {
    return {std::calloc(std::max<std::uint64_t>(size, 1), sizeof(T)), size, std::free};
  }
  template <class T>
  void upload(T* to, std::span<const T> from) {
    if (!from.empty()) std::memcpy(static_cast<void*>(to), from.data(), from.size_bytes());
  }
  template <class T>
  void download(std::span<T> to, const T* from) {
    if (!to.empty()) std::memcpy(static_cast<void*>(to.data()), from, to.size_bytes());
  }
  template <class T>
  void clear(T* at, std::uint64_t size) {
    std::memset(static_cast<void*>(at), 0, size * sizeof(T));
  }

  /// Runs a body for every place below `places` that it wants.
  template <class Body>
  void run(const Body& body, std::uint64_t places) {
    std::vector<typename Body::Item> items;
    const auto emit = [&items](const typename Body::Item& item) { items.push_back(item); };
    for (std::uint64_t index = 0; index < places; ++index) {
      if (index % TierStates::block == 0 && body.skips(index / TierStates::block)) {
        index += TierStates::block - 1;
        continue;
      }
      if (!body.wants(index)) continue;
      typename Body::Owner owner;
      body.begin(index, owner);
      for (int stage = 0; stage < Body::stages; ++stage) {
        body.generate(stage, owner, emit);
        while (!items.empty()) {
          const typename Body::Item item = items.back();
          items.pop_back();
          body.process(owner, item, emit);
        }
      }
      body.finish(index, owner);
    }
  }
  /// Calls f(i) for every i below `count`.
  template <class F>
  void for_each(std::uint64_t count, const F& f) {
    for (std::uint64_t i = 0; i < count; ++i) f(i);
  }
  /// The sum of f(i), modulo 2^64.
  template <class F>
  [[nodiscard]] std::uint64_t sum(std::uint64_t count, const F& f) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < count; ++i) sum += f(i);
    return sum;
  }
  /// How often each of the 65536 values of f(i) occurs.
  template <class F>
  [[nodiscard]] std::vector<std::uint64_t> histogram(std::uint64_t count, const F& f) {
    std::vector<std::uint64_t> counts(std::size_t{1} << 16);
    for (std::uint64_t i = 0; i < count; ++i) ++counts[f(i)];
    return counts;
  }
};

}  // namespace paika::gpu
