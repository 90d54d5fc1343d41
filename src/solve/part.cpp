#include "solve/part.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <vector>

#include "solve/table_bytes.hpp"
#include "solve/table_storage.hpp"

namespace paika {

namespace {

constexpr std::string_view part_magic = "PAIKAPRT";
constexpr std::uint32_t version = 1;

/// A state is read only by the program on the machine that wrote it, so its arrays stand as in memory.
template <class T>
[[nodiscard]] Bytes bytes_of(const BigVector<T>& array) {
  return {reinterpret_cast<const std::uint8_t*>(array.data()), array.size() * sizeof(T)};
}

[[nodiscard]] std::vector<std::uint8_t> header_of(int level, int highest, std::uint64_t size, std::uint64_t checksum) {
  ByteSink sink;
  sink.put(part_magic);
  sink.put(version);
  sink.put(static_cast<std::uint32_t>(level));
  sink.put(static_cast<std::uint32_t>(highest + 1));
  sink.put(size);
  sink.put(checksum);
  return std::move(sink).take();
}

}  // namespace

Result<void> Part::save(const std::string& path, int level) const {
  RunningChecksum sum;
  sum.add(header_of(level, highest(), size(), 0));
  const std::array<Bytes, 3> arrays = {bytes_of(codes_), bytes_of(open_), bytes_of(levels_)};
  for (const Bytes array : arrays) sum.add(array);
  auto file = PartFile::create(path);
  if (!file) return tl::unexpected(file.error());
  const std::vector<std::uint8_t> header = header_of(level, highest(), size(), sum.value());
  if (auto done = file->append(header); !done) return done;
  for (const Bytes array : arrays) {
    if (auto done = file->append(array); !done) return done;
  }
  return file->commit();
}

void Part::clear() noexcept {
  std::fill(codes_.begin(), codes_.end(), std::uint16_t{0});
  std::fill(open_.begin(), open_.end(), std::uint8_t{0});
  std::fill(levels_.begin(), levels_.end(), std::uint64_t{0});
  highest_.store(-1, std::memory_order_relaxed);
}

Result<int> Part::load(const std::string& path) {
  const auto storage = WholeStorage::map(path);
  if (!storage) return tl::unexpected(storage.error());
  ByteSource source((*storage)->bytes());
  const bool ours =
      as_text(source.take_bytes(part_magic.size())) == part_magic && source.take<std::uint32_t>() == version;
  const auto level = source.take<std::uint32_t>();
  const auto highest = source.take<std::uint32_t>();
  const auto places = source.take<std::uint64_t>();
  const auto checksum = source.take<std::uint64_t>();
  const std::uint64_t expected = size() * bytes_per_place + blocks() * sizeof(std::uint64_t);
  const bool fits = ours && source.ok() && places == size() && source.rest().size() == expected &&
                    level <= Value::max_turns && highest <= Value::max_turns + 1;
  if (!fits) return fail("{} is not the saved state of a tier of {} positions", (*storage)->name(), size());
  RunningChecksum sum;
  sum.add(header_of(static_cast<int>(level), static_cast<int>(highest) - 1, size(), 0));
  sum.add(source.rest());
  if (sum.value() != checksum) return fail("{} is damaged: its checksum does not match", (*storage)->name());
  const auto take = [&source](auto& array) {
    const Bytes bytes = source.take_bytes(array.size() * sizeof(array[0]));
    if (!bytes.empty()) std::memcpy(array.data(), bytes.data(), bytes.size());
  };
  take(codes_);
  take(open_);
  take(levels_);
  highest_.store(static_cast<int>(highest) - 1, std::memory_order_relaxed);
  return static_cast<int>(level);
}

}  // namespace paika
