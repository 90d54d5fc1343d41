// DeviceArray: an array in the memory of a machine that runs bodies (solve/gpu/bodies.hpp).
#pragma once

#include <cstdint>
#include <memory>

namespace paika::gpu {

/// Empty if there was no memory. Its elements are read and written by bodies, and by the machine's copies.
template <class T>
class DeviceArray {
 public:
  DeviceArray() noexcept = default;
  DeviceArray(void* at, std::uint64_t size, void (*release)(void*)) noexcept
      : at_(at, release), size_(at == nullptr ? 0 : size) {}

  [[nodiscard]] T* data() const noexcept { return static_cast<T*>(at_.get()); }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  void reset() noexcept {
    at_.reset();
    size_ = 0;
  }

 private:
  static void nothing(void* /*at*/) {}
  std::unique_ptr<void, void (*)(void*)> at_{nullptr, nothing};
  std::uint64_t size_ = 0;
};

}  // namespace paika::gpu
