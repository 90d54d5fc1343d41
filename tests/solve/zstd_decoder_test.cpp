// Frames that libzstd writes, at all levels, are read as libzstd reads them; damage is refused or harmless.
#include "base/zstd_decoder.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>
#include <zstd.h>

#include "base/random.hpp"

namespace paika {
namespace {

using Buffer = std::vector<std::uint8_t>;

/// Bytes of different kinds: noise, runs, repeats near and far, few symbols and many.
Buffer content(Random& random, std::size_t size) {
  const std::uint64_t kind = random.below(5);
  const std::uint64_t symbols = 1 + random.below(kind == 3 ? 255 : 40);
  Buffer bytes(size);
  for (std::size_t i = 0; i < size; ++i) {
    const auto fresh = static_cast<std::uint8_t>(random.below(symbols));
    switch (kind) {
      case 0: bytes[i] = fresh; break;
      case 1: bytes[i] = i > 0 && !random.one_in(8) ? bytes[i - 1] : fresh; break;
      case 2: bytes[i] = i > 20 && !random.one_in(30) ? bytes[i - 1 - random.below(20)] : fresh; break;
      case 3: bytes[i] = std::min(fresh, static_cast<std::uint8_t>(random.below(symbols))); break;
      default: bytes[i] = i >= 700 ? bytes[i - 700] : static_cast<std::uint8_t>(random.below(256));
    }
  }
  return bytes;
}

Buffer compressed(const Buffer& bytes, int level) {
  Buffer frame(ZSTD_compressBound(bytes.size()));
  frame.resize(ZSTD_compress(frame.data(), frame.size(), bytes.data(), bytes.size(), level));
  return frame;
}

TEST(ZstdDecoder, reads_what_libzstd_writes) {
  Random random(1);
  for (int i = 0; i < 400; ++i) {
    const Buffer bytes = content(random, 1 + random.below(i % 20 == 0 ? 300'000 : 8'192));
    const int level = static_cast<int>(random.below(22)) - 2;
    Buffer read(bytes.size());
    ASSERT_TRUE(decode_zstd(compressed(bytes, level), read)) << i << " level " << level;
    ASSERT_EQ(read, bytes) << i << " level " << level;
  }
}

TEST(ZstdDecoder, another_length_is_refused) {
  Random random(2);
  const Buffer bytes = content(random, 1'000);
  const Buffer frame = compressed(bytes, 12);
  for (const std::size_t size : {0U, 999U, 1'001U}) {
    Buffer read(size);
    EXPECT_FALSE(decode_zstd(frame, read)) << size;
  }
  for (std::size_t size = 0; size < frame.size(); ++size) {
    Buffer read(bytes.size());
    EXPECT_FALSE(decode_zstd(std::span(frame).first(size), read)) << size;
  }
}

TEST(ZstdDecoder, damage_stays_within_bounds) {
  Random random(3);
  for (int i = 0; i < 2'000; ++i) {
    Buffer frame = compressed(content(random, 1 + random.below(4'096)), 12);
    frame[random.index(frame.size())] ^= static_cast<std::uint8_t>(1U << random.below(8));
    Buffer read(4'096);
    static_cast<void>(decode_zstd(frame, read));  // whatever it says: sanitizers look on
  }
}

TEST(ZstdDecoder, frames_with_a_checksum_are_not_for_it) {
  const Buffer bytes(100, 7);
  Buffer frame(ZSTD_compressBound(bytes.size()));
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ASSERT_NE(context, nullptr);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  frame.resize(ZSTD_compress2(context, frame.data(), frame.size(), bytes.data(), bytes.size()));
  ZSTD_freeCCtx(context);
  Buffer read(bytes.size());
  EXPECT_FALSE(decode_zstd(frame, read));
}

}  // namespace
}  // namespace paika
