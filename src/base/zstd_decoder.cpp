#include "base/zstd_decoder.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <vector>

namespace paika {

namespace {

// Numbers in parentheses are sections of RFC 8878.

using Bytes = std::span<const std::uint8_t>;

constexpr int highest_bit(std::uint32_t number) noexcept { return static_cast<int>(std::bit_width(number)) - 1; }

/// Bytes taken from the front; once too many were asked for, ok() is false and zeros come.
class Source {
 public:
  explicit Source(Bytes bytes) noexcept : rest_(bytes) {}

  [[nodiscard]] bool ok() const noexcept { return ok_; }
  [[nodiscard]] Bytes rest() const noexcept { return rest_; }
  [[nodiscard]] Bytes take(std::size_t count) noexcept {
    ok_ = ok_ && count <= rest_.size();
    if (!ok_) return {};
    const Bytes taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }
  [[nodiscard]] std::uint32_t number(std::size_t bytes) noexcept {
    std::uint32_t found = 0;
    int shift = 0;
    for (const std::uint8_t byte : take(bytes)) {
      found |= static_cast<std::uint32_t>(byte) << shift;
      shift += 8;
    }
    return found;
  }

 private:
  Bytes rest_;
  bool ok_ = true;
};

/// The `count` bits from bit `at` on, the lowest first, up to 32; bits outside the bytes are 0.
std::uint32_t bits_at(Bytes bytes, std::ptrdiff_t at, int count) noexcept {
  if (at < 0) {
    if (at + count <= 0) return 0;
    return bits_at(bytes, 0, static_cast<int>(at + count)) << -at;
  }
  const auto first = static_cast<std::size_t>(at) / 8;
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 5 && first + i < bytes.size(); ++i) {
    word |= static_cast<std::uint64_t>(bytes[first + i]) << (8 * i);
  }
  return static_cast<std::uint32_t>((word >> (at % 8)) & ((std::uint64_t{1} << count) - 1));
}

/// A stream of bits that is read from its end (4.1): the highest set bit of the last byte marks where it begins.
class BackwardBits {
 public:
  explicit BackwardBits(Bytes bytes) noexcept : bytes_(bytes) {
    if (bytes.empty() || bytes.back() == 0) {
      broken_ = true;
    } else {
      at_ = 8 * static_cast<std::ptrdiff_t>(bytes.size() - 1) + highest_bit(bytes.back());
    }
  }

  [[nodiscard]] std::uint32_t peek(int count) const noexcept { return bits_at(bytes_, at_ - count, count); }
  void skip(int count) noexcept { at_ -= count; }
  [[nodiscard]] std::uint32_t take(int count) noexcept {
    skip(count);
    return bits_at(bytes_, at_, count);
  }
  [[nodiscard]] bool overrun() const noexcept { return broken_ || at_ < 0; }
  /// Every bit has been read, and no more.
  [[nodiscard]] bool at_end() const noexcept { return !broken_ && at_ == 0; }

 private:
  Bytes bytes_;
  std::ptrdiff_t at_ = 0;
  bool broken_ = false;
};

// ---- Finite state entropy (4.1) ----

constexpr std::size_t max_fse_symbols = 53;
constexpr int max_fse_log = 9;

/// How often each symbol occurs of 2^log times; -1: less than once.
struct Distribution {
  int log = 0;
  std::size_t symbols = 0;
  std::array<std::int16_t, max_fse_symbols> counts{};
};

class FseTable {
 public:
  FseTable() = default;
  /// A single symbol that takes no bits.
  explicit FseTable(std::uint8_t symbol) noexcept : filled_(true) { states_[0] = {symbol, 0, 0}; }

  [[nodiscard]] bool build(const Distribution& given) noexcept {
    const std::uint32_t size = 1U << given.log;
    std::array<std::uint32_t, max_fse_symbols> next{};
    std::uint32_t high = size;
    for (std::size_t s = 0; s < given.symbols; ++s) {
      if (given.counts[s] != -1) continue;
      if (high == 0) return false;
      states_[--high].symbol = static_cast<std::uint8_t>(s);
      next[s] = 1;
    }
    const std::uint32_t step = (size >> 1) + (size >> 3) + 3;
    std::uint32_t at = 0;
    for (std::size_t s = 0; s < given.symbols; ++s) {
      if (given.counts[s] <= 0) continue;
      next[s] = static_cast<std::uint32_t>(given.counts[s]);
      for (int i = 0; i < given.counts[s]; ++i) {
        states_[at].symbol = static_cast<std::uint8_t>(s);
        do at = (at + step) & (size - 1);
        while (at >= high && high > 0);
      }
    }
    if (at != 0) return false;
    for (std::uint32_t i = 0; i < size; ++i) {
      const std::uint32_t number = next[states_[i].symbol]++;
      const int bits = given.log - highest_bit(number);
      states_[i].bits = static_cast<std::uint8_t>(bits);
      states_[i].base = static_cast<std::uint16_t>((number << bits) - size);
    }
    log_ = given.log;
    filled_ = true;
    return true;
  }

  [[nodiscard]] bool filled() const noexcept { return filled_; }
  [[nodiscard]] std::uint32_t begin(BackwardBits& bits) const noexcept { return bits.take(log_); }
  [[nodiscard]] std::uint8_t symbol(std::uint32_t state) const noexcept { return states_[state].symbol; }
  [[nodiscard]] std::uint32_t next(std::uint32_t state, BackwardBits& bits) const noexcept {
    return states_[state].base + bits.take(states_[state].bits);
  }

 private:
  struct State {
    std::uint8_t symbol;
    std::uint8_t bits;
    std::uint16_t base;
  };
  int log_ = 0;
  bool filled_ = false;
  std::array<State, std::size_t{1} << max_fse_log> states_{};
};

/// Reads a distribution (4.1.1) from the front of the source.
bool read_distribution(Source& source, int max_log, std::size_t max_symbols, Distribution& found) {
  const Bytes bytes = source.rest();
  std::ptrdiff_t at = 0;
  const auto take = [&](int count) {
    const std::uint32_t bits = bits_at(bytes, at, count);
    at += count;
    return bits;
  };
  found = {};
  found.log = static_cast<int>(take(4)) + 5;
  if (found.log > max_log) return false;
  int remaining = 1 << found.log;
  while (remaining > 0) {
    if (found.symbols >= max_symbols) return false;
    const int width = highest_bit(static_cast<std::uint32_t>(remaining) + 1) + 1;
    auto value = static_cast<int>(take(width));
    const int low_mask = (1 << (width - 1)) - 1;
    const int threshold = (1 << width) - 1 - (remaining + 1);
    if ((value & low_mask) < threshold) {
      --at;  // a small one takes a bit less
      value &= low_mask;
    } else if (value > low_mask) {
      value -= threshold;
    }
    const int count = value - 1;
    remaining -= count < 0 ? 1 : count;
    found.counts[found.symbols++] = static_cast<std::int16_t>(count);
    if (count != 0) continue;
    for (std::uint32_t zeros = 3; zeros == 3;) {
      zeros = take(2);
      if (found.symbols + zeros > max_symbols) return false;
      found.symbols += zeros;
    }
  }
  if (remaining != 0) return false;
  (void)source.take(static_cast<std::size_t>(at + 7) / 8);
  return source.ok();
}

// ---- Huffman codes (4.2) ----

class HuffmanTable {
 public:
  static constexpr int max_bits = 11;
  static constexpr std::size_t max_symbols = 256;

  [[nodiscard]] bool filled() const noexcept { return bits_ != 0; }

  /// Reads the description of the codes from the front of the source.
  [[nodiscard]] bool read(Source& source) {
    std::array<std::uint8_t, max_symbols> weights{};
    std::size_t count = 0;
    const std::uint32_t header = source.number(1);
    if (header >= 128) {
      count = header - 127;
      const Bytes nibbles = source.take((count + 1) / 2);
      if (!source.ok()) return false;
      for (std::size_t i = 0; i < count; ++i) {
        weights[i] = static_cast<std::uint8_t>(i % 2 == 0 ? nibbles[i / 2] >> 4 : nibbles[i / 2] & 15U);
      }
    } else if (!read_packed_weights(source.take(header), weights, count)) {
      return false;
    }
    return source.ok() && build(weights, count);
  }

  /// Decodes a stream that holds exactly out.size() symbols.
  [[nodiscard]] bool decode(Bytes stream, std::span<std::uint8_t> out) const noexcept {
    BackwardBits bits(stream);
    for (std::uint8_t& symbol : out) {
      if (bits.overrun()) return false;
      const Code code = codes_[bits.peek(bits_)];
      symbol = code.symbol;
      bits.skip(code.bits);
    }
    return bits.at_end();
  }

 private:
  struct Code {
    std::uint8_t symbol;
    std::uint8_t bits;
  };

  /// Two states take turns until the bits have run out (4.2.1.2).
  [[nodiscard]] static bool read_packed_weights(Bytes packed, std::array<std::uint8_t, max_symbols>& weights,
                                                std::size_t& count) {
    constexpr int max_weights_log = 6;
    Source source(packed);
    Distribution distribution;
    FseTable table;
    if (!read_distribution(source, max_weights_log, max_bits + 2, distribution) || !table.build(distribution)) {
      return false;
    }
    BackwardBits bits(source.rest());
    std::array<std::uint32_t, 2> states{};
    for (std::uint32_t& state : states) state = table.begin(bits);
    if (bits.overrun()) return false;
    for (std::size_t turn = 0;; turn ^= 1U) {
      if (count + 2 > max_symbols - 1) return false;
      weights[count++] = table.symbol(states[turn]);
      states[turn] = table.next(states[turn], bits);
      if (!bits.overrun()) continue;
      weights[count++] = table.symbol(states[turn ^ 1U]);
      return true;
    }
  }

  /// The last weight follows from the others: all codes together fill the tree.
  [[nodiscard]] bool build(std::array<std::uint8_t, max_symbols>& weights, std::size_t count) noexcept {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (weights[i] > max_bits + 1) return false;
      if (weights[i] > 0) sum += 1U << (weights[i] - 1);
    }
    if (sum == 0) return false;
    const int bits = highest_bit(sum) + 1;
    const std::uint32_t left = (1U << bits) - sum;
    if (bits > max_bits || !std::has_single_bit(left)) return false;
    weights[count++] = static_cast<std::uint8_t>(highest_bit(left) + 1);
    std::size_t at = 0;
    for (int weight = 1; weight <= bits; ++weight) {
      for (std::size_t symbol = 0; symbol < count; ++symbol) {
        if (weights[symbol] != weight) continue;
        const Code code{static_cast<std::uint8_t>(symbol), static_cast<std::uint8_t>(bits + 1 - weight)};
        const std::size_t end = at + (std::size_t{1} << (weight - 1));
        for (; at < end; ++at) codes_[at] = code;
      }
    }
    bits_ = bits;
    return true;
  }

  int bits_ = 0;
  std::array<Code, std::size_t{1} << max_bits> codes_{};
};

// ---- Sequences (3.1.1.3.2) ----

/// What a code stands for: a number from `base` on, with so many more bits.
struct CodeRange {
  std::uint32_t base;
  std::uint8_t bits;
};

/// The codes up to `plain` stand for themselves plus `offset`; the others for ranges with so many bits, one after the
/// other.
template <std::size_t Count, std::size_t Ranges>
constexpr std::array<CodeRange, Count> code_ranges(std::uint32_t offset, const std::array<std::uint8_t, Ranges>& bits) {
  std::array<CodeRange, Count> found{};
  std::uint32_t base = offset;
  for (std::size_t i = 0; i < Count; ++i) {
    const std::uint8_t width = i < Count - Ranges ? std::uint8_t{0} : bits[i - (Count - Ranges)];
    found[i] = {base, width};
    base += 1U << width;
  }
  return found;
}

constexpr auto literal_lengths = code_ranges<36>(
    0, std::to_array<std::uint8_t>({1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}));
constexpr auto match_lengths = code_ranges<53>(
    3, std::to_array<std::uint8_t>({1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}));
static_assert(literal_lengths[24].base == 48 && literal_lengths[35].base == 65536);
static_assert(match_lengths[42].base == 99 && match_lengths[52].base == 65539);

/// One of the three kinds of codes of a sequence.
struct CodeKind {
  Distribution usual;
  int max_log;
  std::size_t max_symbols;
};

template <std::size_t Count>
constexpr Distribution distribution(int log, const std::array<std::int16_t, Count>& counts) {
  Distribution found;
  found.log = log;
  found.symbols = Count;
  std::copy(counts.begin(), counts.end(), found.counts.begin());
  return found;
}

constexpr CodeKind literal_codes{
    distribution(6, std::to_array<std::int16_t>({4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1,  1,  2,  2,
                                                 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1})),
    9, literal_lengths.size()};
constexpr CodeKind offset_codes{
    distribution(5, std::to_array<std::int16_t>(
                        {1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1})),
    8, 32};
constexpr CodeKind match_codes{
    distribution(6, std::to_array<std::int16_t>({1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1,  1,  1,  1,  1,  1,  1, 1,
                                                 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,  1,  1,  1,  1,  1,  1, 1,
                                                 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1})),
    9, match_lengths.size()};

/// Reads the table of one kind as the two bits of `mode` say.
bool read_codes(Source& source, const CodeKind& kind, unsigned mode, FseTable& table) {
  Distribution found;
  switch (mode) {
    case 0: return table.build(kind.usual);
    case 1: {
      const std::uint32_t symbol = source.number(1);
      if (!source.ok() || symbol >= kind.max_symbols) return false;
      table = FseTable(static_cast<std::uint8_t>(symbol));
      return true;
    }
    case 2: return read_distribution(source, kind.max_log, kind.max_symbols, found) && table.build(found);
    default: return table.filled();
  }
}

class Decoder {
 public:
  explicit Decoder(std::span<std::uint8_t> out) noexcept : out_(out) {}

  [[nodiscard]] bool decode(Bytes frame) {
    Source source(frame);
    if (!read_header(source)) return false;
    for (bool last = false; !last;) {
      const std::uint32_t header = source.number(3);
      last = (header & 1U) != 0;
      const std::uint32_t size = header >> 3;
      if (!source.ok() || size > max_block) return false;
      switch (header >> 1 & 3U) {
        case 0:
          if (!append(source.take(size))) return false;
          break;
        case 1:
          if (!append_same(static_cast<std::uint8_t>(source.number(1)), size)) return false;
          break;
        case 2:
          if (!compressed_block(Source(source.take(size)))) return false;
          break;
        default: return false;
      }
      if (!source.ok()) return false;
    }
    return source.rest().empty() && done_ == out_.size();
  }

 private:
  static constexpr std::uint32_t max_block = 1U << 17;

  /// (3.1.1.1)
  [[nodiscard]] bool read_header(Source& source) const {
    constexpr std::uint32_t magic = 0xfd2fb528;
    if (source.number(4) != magic) return false;
    const std::uint32_t descriptor = source.number(1);
    const bool single = (descriptor & 32U) != 0;
    const bool has_checksum = (descriptor & 4U) != 0;
    const bool has_dictionary = (descriptor & 3U) != 0;
    if ((descriptor & 8U) != 0 || has_checksum || has_dictionary) return false;
    if (!single) (void)source.take(1);
    constexpr std::array<std::size_t, 4> size_bytes = {0, 2, 4, 8};
    const std::size_t bytes =
        single ? std::max<std::size_t>(size_bytes[descriptor >> 6], 1) : size_bytes[descriptor >> 6];
    const std::uint64_t size = source.number(std::min<std::size_t>(bytes, 4)) + (bytes == 2 ? 256U : 0U);
    const bool too_long = bytes == 8 && source.number(4) != 0;
    return source.ok() && !too_long && (bytes == 0 || size == out_.size());
  }

  [[nodiscard]] bool append(Bytes bytes) noexcept {
    if (bytes.size() > out_.size() - done_) return false;
    std::copy(bytes.begin(), bytes.end(), out_.begin() + static_cast<std::ptrdiff_t>(done_));
    done_ += bytes.size();
    return true;
  }
  [[nodiscard]] bool append_same(std::uint8_t byte, std::size_t count) noexcept {
    if (count > out_.size() - done_) return false;
    std::fill_n(out_.begin() + static_cast<std::ptrdiff_t>(done_), count, byte);
    done_ += count;
    return true;
  }
  [[nodiscard]] bool append_match(std::size_t offset, std::size_t length) noexcept {
    if (offset == 0 || offset > done_ || length > out_.size() - done_) return false;
    for (const std::size_t end = done_ + length; done_ < end; ++done_) out_[done_] = out_[done_ - offset];
    return true;
  }

  [[nodiscard]] bool compressed_block(Source source) { return read_literals(source) && read_sequences(source); }

  /// (3.1.1.3.1)
  [[nodiscard]] bool read_literals(Source& source) {
    if (source.rest().empty()) return false;
    const unsigned type = source.rest()[0] & 3U;
    const unsigned format = source.rest()[0] >> 2 & 3U;
    if (type >= 2) return read_coded_literals(source, format, type == 2);
    std::uint32_t size = 0;
    switch (format) {
      case 1: size = source.number(2) >> 4; break;
      case 3: size = source.number(3) >> 4; break;
      default: size = source.number(1) >> 3;
    }
    if (size > max_block) return false;
    if (type == 0) {
      const Bytes plain = source.take(size);
      literals_.assign(plain.begin(), plain.end());
    } else {
      literals_.assign(size, static_cast<std::uint8_t>(source.number(1)));
    }
    return source.ok();
  }

  [[nodiscard]] bool read_coded_literals(Source& source, unsigned format, bool with_table) {
    const int width = format <= 1 ? 10 : format == 2 ? 14 : 18;
    const Bytes header = source.take(format <= 1 ? 3 : format + 2);
    const std::uint32_t size = bits_at(header, 4, width);
    const std::uint32_t coded = bits_at(header, 4 + width, width);
    Source streams(source.take(coded));
    if (!source.ok() || size > max_block) return false;
    if (with_table ? !huffman_.read(streams) : !huffman_.filled()) return false;
    literals_.resize(size);
    if (format == 0) return huffman_.decode(streams.rest(), literals_);
    return decode_streams(streams);
  }

  /// Four streams, each with a quarter of the literals (3.1.1.3.1.6).
  [[nodiscard]] bool decode_streams(Source& streams) {
    std::array<std::size_t, 3> sizes{};
    for (std::size_t& size : sizes) size = streams.number(2);
    const std::size_t quarter = (literals_.size() + 3) / 4;
    if (3 * quarter > literals_.size()) return false;
    std::span<std::uint8_t> left(literals_);
    for (const std::size_t size : sizes) {
      const Bytes stream = streams.take(size);
      if (!streams.ok() || !huffman_.decode(stream, left.first(quarter))) return false;
      left = left.subspan(quarter);
    }
    return huffman_.decode(streams.rest(), left);
  }

  [[nodiscard]] bool read_sequences(Source& source) {
    std::uint32_t count = source.number(1);
    if (count == 255) {
      count = source.number(2) + 0x7f00;
    } else if (count >= 128) {
      count = ((count - 128) << 8) + source.number(1);
    }
    if (!source.ok()) return false;
    if (count == 0) return source.rest().empty() && append(literals_);
    const std::uint32_t modes = source.number(1);
    if (!source.ok() || (modes & 3U) != 0) return false;
    if (!read_codes(source, literal_codes, modes >> 6, literal_table_) ||
        !read_codes(source, offset_codes, modes >> 4 & 3U, offset_table_) ||
        !read_codes(source, match_codes, modes >> 2 & 3U, match_table_)) {
      return false;
    }
    return run_sequences(source.rest(), count);
  }

  [[nodiscard]] bool run_sequences(Bytes stream, std::uint32_t count) {
    BackwardBits bits(stream);
    std::uint32_t literal_state = literal_table_.begin(bits);
    std::uint32_t offset_state = offset_table_.begin(bits);
    std::uint32_t match_state = match_table_.begin(bits);
    Bytes literals(literals_);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (bits.overrun()) return false;
      const int offset_bits = offset_table_.symbol(offset_state);
      const CodeRange match = match_lengths[match_table_.symbol(match_state)];
      const CodeRange literal = literal_lengths[literal_table_.symbol(literal_state)];
      if (offset_bits > 31) return false;
      const std::uint32_t offset_value = (1U << offset_bits) + bits.take(offset_bits);
      const std::uint32_t match_length = match.base + bits.take(match.bits);
      const std::uint32_t literal_length = literal.base + bits.take(literal.bits);
      if (literal_length > literals.size() || !append(literals.first(literal_length))) return false;
      literals = literals.subspan(literal_length);
      if (!append_match(offset_of(offset_value, literal_length == 0), match_length)) return false;
      if (i + 1 == count) break;
      literal_state = literal_table_.next(literal_state, bits);
      match_state = match_table_.next(match_state, bits);
      offset_state = offset_table_.next(offset_state, bits);
    }
    return bits.at_end() && append(literals);
  }

  /// Values up to 3 are offsets used before (3.1.1.5), of which the latest comes first.
  [[nodiscard]] std::size_t offset_of(std::uint32_t value, bool no_literals) noexcept {
    constexpr std::uint32_t repeats = 3;
    std::size_t which = repeats - 1;  // the one that makes way
    std::size_t offset = value - repeats;
    if (value <= repeats) {
      const std::size_t asked = value - 1 + (no_literals ? 1 : 0);
      offset = asked < repeats ? recent_[asked] : recent_[0] - 1;
      which = std::min<std::size_t>(asked, repeats - 1);
    }
    std::copy_backward(recent_.begin(), recent_.begin() + static_cast<std::ptrdiff_t>(which),
                       recent_.begin() + static_cast<std::ptrdiff_t>(which) + 1);
    recent_[0] = offset;
    return offset;
  }

  std::span<std::uint8_t> out_;
  std::size_t done_ = 0;
  std::vector<std::uint8_t> literals_;
  HuffmanTable huffman_;
  FseTable literal_table_;
  FseTable offset_table_;
  FseTable match_table_;
  std::array<std::size_t, 3> recent_ = {1, 4, 8};
};

}  // namespace

bool decode_zstd(std::span<const std::uint8_t> frame, std::span<std::uint8_t> out) {
  return Decoder(out).decode(frame);
}

}  // namespace paika
