#include "apps/terminal/wake_up.hpp"

#include <cerrno>
#include <cstdint>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>

namespace paika::terminal {

WakeUp::WakeUp() : descriptor_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "cannot make a wake-up descriptor");
}

WakeUp::~WakeUp() { close(descriptor_); }

void WakeUp::wake() const noexcept {
  const int before = errno;
  const std::uint64_t one = 1;
  // A counter that is full wakes as well.
  [[maybe_unused]] const auto written = write(descriptor_, &one, sizeof one);
  errno = before;
}

void WakeUp::drain() const noexcept {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto taken = read(descriptor_, &count, sizeof count);
}

}  // namespace paika::terminal
