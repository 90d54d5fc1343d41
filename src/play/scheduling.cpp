#include "play/scheduling.hpp"

#include <array>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

#include "base/text.hpp"

namespace paika::play {

std::optional<Scheduling> read_scheduling(int where, const std::string& path) {
  const int file = openat(where, path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::array<char, 96> bytes{};
  const ssize_t count = read(file, bytes.data(), bytes.size());
  close(file);
  std::string_view text(bytes.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  const auto ran = parse_int(take_word(text));
  const auto waited = parse_int(take_word(text));
  if (!ran || !waited || *ran < 0 || *waited < 0) return std::nullopt;
  const auto microseconds = [](std::int64_t nanoseconds) {
    return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::nanoseconds(nanoseconds));
  };
  return Scheduling{microseconds(*ran), microseconds(*waited)};
}

std::chrono::microseconds own_waiting() {
  const auto own = read_scheduling(AT_FDCWD, "/proc/thread-self/schedstat");
  return own ? own->waited : std::chrono::microseconds(0);
}

}  // namespace paika::play
