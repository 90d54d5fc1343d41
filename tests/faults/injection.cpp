#include "tests/faults/injection.hpp"

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>
#include <zstd.h>

namespace paika_tests {

namespace {

constexpr std::uint64_t limit = 1'000'000;  // of operations in one attempt: more is a test without an end

std::atomic<bool> armed = false;
std::atomic<int> paused = 0;
std::atomic<FaultKind> armed_kind = FaultKind::io;
std::atomic<std::uint64_t> wanted = 0;
std::atomic<std::uint64_t> counted = 0;
std::atomic<bool> keeps_failing = false;

}  // namespace

bool fault_is_due(FaultKind kind) noexcept {
  if (!armed.load() || paused.load() > 0 || armed_kind.load() != kind) return false;
  const std::uint64_t number = ++counted;
  return number == wanted.load() || (keeps_failing.load() && number > wanted.load());
}

ArmedFault::ArmedFault(FaultKind kind, std::uint64_t number, bool all_after) noexcept {
  armed_kind = kind;
  wanted = number;
  counted = 0;
  keeps_failing = all_after;
  armed = true;
}

ArmedFault::~ArmedFault() { armed = false; }

bool ArmedFault::was_met() noexcept { return counted.load() >= wanted.load(); }

FaultsPaused::FaultsPaused() noexcept { ++paused; }
FaultsPaused::~FaultsPaused() { --paused; }

std::uint64_t for_each_fault(const std::function<bool(std::uint64_t number)>& attempt, std::uint64_t step) {
  std::uint64_t number = 1;
  for (; attempt(number); number += step) {
    if (number > limit) std::abort();
  }
  return number - 1;
}

}  // namespace paika_tests

// ---- What fails ----

using paika_tests::fault_is_due;
using paika_tests::FaultKind;

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the linker's names
extern "C" {

int __real_open(const char* path, int flags, ...);
ssize_t __real_pwrite(int file, const void* bytes, size_t count, off_t offset);
int __real_fsync(int file);
int __real_rename(const char* from, const char* to);
void* __real_mmap(void* address, size_t length, int protection, int flags, int file, off_t offset);
ZSTD_CCtx* __real_ZSTD_createCCtx();
size_t __real_ZSTD_compress2(ZSTD_CCtx* context, void* out, size_t out_size, const void* in, size_t in_size);

int __wrap_open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  if (fault_is_due(FaultKind::io)) {
    errno = EIO;
    return -1;
  }
  return __real_open(path, flags, mode);
}

ssize_t __wrap_pwrite(int file, const void* bytes, size_t count, off_t offset) {
  if (!fault_is_due(FaultKind::io)) return __real_pwrite(file, bytes, count, offset);
  // The worst of a full disk: a part is there, and nobody knows how much.
  if (count > 1) (void)!__real_pwrite(file, bytes, count / 2, offset);
  errno = ENOSPC;
  return -1;
}

int __wrap_fsync(int file) {
  if (!fault_is_due(FaultKind::io)) return __real_fsync(file);
  errno = EIO;
  return -1;
}

int __wrap_rename(const char* from, const char* to) {
  if (!fault_is_due(FaultKind::io)) return __real_rename(from, to);
  errno = EIO;
  return -1;
}

void* __wrap_mmap(void* address, size_t length, int protection, int flags, int file, off_t offset) {
  if (!fault_is_due(FaultKind::memory)) return __real_mmap(address, length, protection, flags, file, offset);
  errno = ENOMEM;
  return MAP_FAILED;
}

ZSTD_CCtx* __wrap_ZSTD_createCCtx() { return fault_is_due(FaultKind::memory) ? nullptr : __real_ZSTD_createCCtx(); }

size_t __wrap_ZSTD_compress2(ZSTD_CCtx* context, void* out, size_t out_size, const void* in, size_t in_size) {
  if (!fault_is_due(FaultKind::memory)) return __real_ZSTD_compress2(context, out, out_size, in, in_size);
  return static_cast<size_t>(-64);  // ZSTD_error_memory_allocation
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

// All forms of new and delete lead to these.
void* operator new(std::size_t size) {
  if (void* memory = fault_is_due(FaultKind::memory) ? nullptr : std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  const std::size_t whole = (size + step - 1) / step * step;
  if (void* memory = fault_is_due(FaultKind::memory) ? nullptr : std::aligned_alloc(step, whole == 0 ? step : whole)) {
    return memory;
  }
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
