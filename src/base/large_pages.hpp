// LargePages: an allocator for arrays that are read at random places.
//
// A table of gigabytes read here and there misses the processor's small list of pages at almost every access. In pages
// of 2 MiB the list reaches 512 times as far (docs/performance.md has the difference).
#pragma once

#include <cstddef>
#include <limits>
#include <new>
#include <vector>

namespace paika {

/// Memory in large pages where the system has them. Throws std::bad_alloc if there is none.
[[nodiscard]] void* allocate_pages(std::size_t bytes);
void free_pages(void* at, std::size_t bytes) noexcept;

template <class T>
struct LargePages {
  // NOLINTNEXTLINE(readability-identifier-naming): the standard library asks for this name
  using value_type = T;

  LargePages() noexcept = default;
  template <class U>
  explicit(false) LargePages(const LargePages<U>& /*other*/) noexcept {}

  [[nodiscard]] T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(allocate_pages(count * sizeof(T)));
  }
  void deallocate(T* at, std::size_t count) noexcept { free_pages(at, count * sizeof(T)); }

  friend bool operator==(LargePages /*a*/, LargePages /*b*/) noexcept { return true; }
};

/// An array of many elements that are looked up in no order.
template <class T>
using BigVector = std::vector<T, LargePages<T>>;

}  // namespace paika
