#include "solve/decompressor.hpp"

#include <new>
#include <zstd.h>

namespace paika {

struct Decompressor::State {
  struct Free {
    void operator()(ZSTD_DCtx* freed) const noexcept { ZSTD_freeDCtx(freed); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> context;
};

Decompressor::Decompressor() : state_(new State{std::unique_ptr<ZSTD_DCtx, State::Free>(ZSTD_createDCtx())}) {
  if (!state_->context) throw std::bad_alloc();
}

Decompressor::Decompressor(Decompressor&& other) noexcept = default;
Decompressor& Decompressor::operator=(Decompressor&& other) noexcept = default;
Decompressor::~Decompressor() = default;

bool Decompressor::run(Bytes frame, std::span<std::uint8_t> out) {
  return ZSTD_decompressDCtx(state_->context.get(), out.data(), out.size(), frame.data(), frame.size()) == out.size();
}

}  // namespace paika
