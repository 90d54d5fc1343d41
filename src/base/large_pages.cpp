#include "base/large_pages.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace paika {

#if defined(__linux__)

void* allocate_pages(std::size_t bytes) {
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  // Less than a large page, or a system without them: then it is ordinary memory.
  static_cast<void>(madvise(at, bytes, MADV_HUGEPAGE));
  return at;
}

void free_pages(void* at, std::size_t bytes) noexcept { munmap(at, bytes); }

#else

// A cache line is the most that anybody's elements are aligned to.
constexpr std::align_val_t alignment{64};

void* allocate_pages(std::size_t bytes) { return ::operator new(bytes, alignment); }
void free_pages(void* at, std::size_t bytes) noexcept { ::operator delete(at, bytes, alignment); }

#endif

}  // namespace paika
