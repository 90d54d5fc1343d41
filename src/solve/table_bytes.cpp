#include "solve/table_bytes.hpp"

#include <new>

#define XXH_INLINE_ALL  // NOLINT(readability-identifier-naming): xxhash.h names it
#include <xxhash.h>

namespace paika {

/// What xxhash keeps; it wants more alignment than plain new gives.
struct RunningChecksum::State {
  XXH3_state_t* xxh = nullptr;
};

void RunningChecksum::Free::operator()(State* state) const noexcept {
  XXH3_freeState(state->xxh);
  delete state;
}

RunningChecksum::RunningChecksum() : state_(new State) {
  state_->xxh = XXH3_createState();
  if (state_->xxh == nullptr) throw std::bad_alloc();
  XXH3_64bits_reset(state_->xxh);
}

void RunningChecksum::add(Bytes bytes) noexcept {
  if (!bytes.empty()) XXH3_64bits_update(state_->xxh, bytes.data(), bytes.size());
}

std::uint64_t RunningChecksum::value() const noexcept { return XXH3_64bits_digest(state_->xxh); }

std::string_view as_text(Bytes bytes) noexcept { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

Bytes bytes_of(std::string_view text) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::uint64_t checksum64(Bytes bytes) noexcept { return XXH3_64bits(bytes.data(), bytes.size()); }

std::uint32_t checksum32(Bytes bytes) noexcept { return static_cast<std::uint32_t>(checksum64(bytes)); }

}  // namespace paika
