// Bytes of table files: numbers in little-endian order on every machine, and checksums.
//
// Everything that a table file says is written and read through these, number by number, so that
// a file means the same everywhere and no length or offset is trusted before it was looked at.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace paika {

using Bytes = std::span<const std::uint8_t>;

/// The number in the first sizeof(T) bytes, the lowest byte first.
template <std::unsigned_integral T>
[[nodiscard]] constexpr T get_little_endian(const std::uint8_t* at) noexcept {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) number |= static_cast<std::uint64_t>(at[i]) << (8 * i);
  return static_cast<T>(number);
}

/// Writes `number` into sizeof(T) bytes, the lowest byte first.
template <std::unsigned_integral T>
constexpr void put_little_endian(std::uint8_t* at, T number) noexcept {
  for (std::size_t i = 0; i < sizeof(T); ++i) at[i] = static_cast<std::uint8_t>(std::uint64_t{number} >> (8 * i));
}

/// Bytes that grow at the end.
class ByteSink {
 public:
  template <std::unsigned_integral T>
  void put(T number) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bytes_.push_back(static_cast<std::uint8_t>(std::uint64_t{number} >> (8 * i)));
  }
  void put(Bytes bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void put(std::string_view text) { bytes_.insert(bytes_.end(), text.begin(), text.end()); }
  [[nodiscard]] Bytes bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::vector<std::uint8_t> take() && noexcept { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
};

/// Bytes that are read from the front; once too many were asked for, ok() is false and all that comes is zero.
class ByteSource {
 public:
  explicit ByteSource(Bytes bytes) noexcept : rest_(bytes) {}

  template <std::unsigned_integral T>
  [[nodiscard]] T take() noexcept {
    const Bytes bytes = take_bytes(sizeof(T));
    return bytes.empty() ? T{0} : get_little_endian<T>(bytes.data());
  }
  /// The next `count` bytes; none at all if fewer are left.
  [[nodiscard]] Bytes take_bytes(std::uint64_t count) noexcept {
    if (count > rest_.size()) {
      ok_ = false;
      rest_ = {};
      return {};
    }
    const Bytes taken = rest_.first(static_cast<std::size_t>(count));
    rest_ = rest_.subspan(static_cast<std::size_t>(count));
    return taken;
  }
  /// What has not been taken yet.
  [[nodiscard]] Bytes rest() const noexcept { return rest_; }
  [[nodiscard]] bool ok() const noexcept { return ok_; }

 private:
  Bytes rest_;
  bool ok_ = true;
};

/// The characters that the bytes are, and the other way round.
[[nodiscard]] std::string_view as_text(Bytes bytes) noexcept;
[[nodiscard]] Bytes bytes_of(std::string_view text) noexcept;

/// XXH3 with 64 bits.
[[nodiscard]] std::uint64_t checksum64(Bytes bytes) noexcept;

/// The lower half of checksum64.
[[nodiscard]] std::uint32_t checksum32(Bytes bytes) noexcept;

/// checksum64 of bytes that come piece by piece.
class RunningChecksum {
 public:
  /// Throws std::bad_alloc if there is no memory for it.
  RunningChecksum();
  void add(Bytes bytes) noexcept;
  [[nodiscard]] std::uint64_t value() const noexcept;

 private:
  struct State;
  struct Free {
    void operator()(State* state) const noexcept;
  };
  std::unique_ptr<State, Free> state_;
};

}  // namespace paika
