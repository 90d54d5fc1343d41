// Decompressor: what unpacks the blocks of table files. Programs use libzstd; the engine in the browser has a decoder
// of its own (src/apps/wasm/decompressor.cpp).
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "solve/table_bytes.hpp"

namespace paika {

/// For one thread.
class Decompressor {
 public:
  /// Throws std::bad_alloc if there is no memory for it.
  Decompressor();
  Decompressor(Decompressor&& other) noexcept;
  Decompressor& operator=(Decompressor&& other) noexcept;
  ~Decompressor();

  /// Unpacks a zstd frame that holds exactly out.size() bytes; false if it does not.
  [[nodiscard]] bool run(Bytes frame, std::span<std::uint8_t> out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace paika
