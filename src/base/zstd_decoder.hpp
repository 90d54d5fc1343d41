// A decoder for zstd frames (RFC 8878), for programs that cannot link libzstd: the engine in the browser.
//
// It reads what the table writer makes: one frame without a dictionary and without zstd's own checksum. Nothing that it
// is given makes it read or write out of bounds.
#pragma once

#include <cstdint>
#include <span>

namespace paika {

/// Decodes a frame that holds exactly out.size() bytes. False if it is no such frame; `out` then holds anything.
[[nodiscard]] bool decode_zstd(std::span<const std::uint8_t> frame, std::span<std::uint8_t> out);

}  // namespace paika
