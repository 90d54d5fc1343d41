// TierValues: the values of finished tiers, in a byte or two a place, for the tiers above them and for checking.
#pragma once

#include <cstdint>

#include "base/device.hpp"
#include "base/random.hpp"
#include "rules/tier_index.hpp"
#include "solve/value.hpp"

namespace paika::gpu {

/// One tier. A tier of at most 256 distinct values has numbers of its dictionary, another one codes.
struct TierValues {
  const std::uint8_t* small = nullptr;
  const std::uint16_t* large = nullptr;
  const std::uint16_t* dictionary = nullptr;

  [[nodiscard]] PAIKA_HD std::uint16_t code(std::uint64_t index) const noexcept {
    return small != nullptr ? dictionary[small[index]] : large[index];
  }
};

/// All tiers; points to memory that somebody else holds.
struct AllValues {
  const TierValues* tiers = nullptr;
  [[nodiscard]] PAIKA_HD Value operator()(TierIndex place) const noexcept {
    return Value::from_code(tiers[place.tier].code(place.index));
  }
};

/// What a place adds to the checksum of its tier, which is the sum over all its places modulo 2^64: so it can be summed
/// in any order.
[[nodiscard]] constexpr std::uint64_t checksum_term(std::uint64_t index, std::uint16_t code) noexcept {
  return mix64((index << 16 | code) + 0x9e3779b97f4a7c15ULL);
}

}  // namespace paika::gpu
