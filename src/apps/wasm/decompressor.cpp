// Unpacking without libzstd, which is not there for this machine.
#include "solve/decompressor.hpp"

#include "base/zstd_decoder.hpp"

namespace paika {

struct Decompressor::State {};

Decompressor::Decompressor() = default;
Decompressor::Decompressor(Decompressor&& other) noexcept = default;
Decompressor& Decompressor::operator=(Decompressor&& other) noexcept = default;
Decompressor::~Decompressor() = default;

bool Decompressor::run(Bytes frame, std::span<std::uint8_t> out) { return decode_zstd(frame, out); }

}  // namespace paika
