#include "solve/table_writer.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <zstd.h>

#include "base/check.hpp"
#include "base/text.hpp"
#include "solve/table_storage.hpp"

namespace paika {

namespace {

/// Part of the format in so far as another level gives other bytes for the same tier.
constexpr int compression_level = 12;

/// How many positions are gathered for each thread before they are compressed: enough to make starting a
/// thread nothing, and a few megabytes at most.
constexpr std::size_t positions_per_thread = std::size_t{1} << 20;

/// The numbers of codes in a dictionary.
class Numbering {
 public:
  explicit Numbering(std::span<const std::uint16_t> dictionary) : codes_(dictionary.begin(), dictionary.end()) {
    for (std::size_t i = 0; i < codes_.size(); ++i) numbers_[codes_[i]] = static_cast<std::uint16_t>(i);
  }
  [[nodiscard]] std::uint16_t number(std::uint16_t code) const noexcept {
    const std::uint16_t number = numbers_[code];
    PAIKA_CHECK(number < codes_.size() && codes_[number] == code);  // every code that occurs was announced
    return number;
  }
  [[nodiscard]] std::span<const std::uint16_t> codes() const noexcept { return codes_; }
  [[nodiscard]] std::uint32_t position_bytes() const noexcept {
    return position_bytes_for(static_cast<std::uint32_t>(codes_.size()));
  }

 private:
  std::vector<std::uint16_t> codes_;
  std::vector<std::uint16_t> numbers_ = std::vector<std::uint16_t>(std::size_t{1} << 16);
};

/// One thread's means of packing blocks, and what it has counted.
class Packer {
 public:
  Packer(const Numbering& numbering, const SectionHeader& header)
      : numbering_(&numbering),
        raw_(std::size_t{header.block_positions} * numbering.position_bytes()),
        packed_(ZSTD_compressBound(raw_.size())),
        counts_(numbering.codes().size()),
        context_(ZSTD_createCCtx()) {
    if (!context_) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, compression_level);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_contentSizeFlag, 1);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 0);
  }

  /// Packs one block into `out`, which has room for its numbers as they are; the offset is left to be filled in. The
  /// kind is unknown if there was no memory for it.
  [[nodiscard]] BlockEntry pack(std::span<const std::uint16_t> codes, std::uint8_t* out) noexcept {
    if (std::ranges::all_of(codes, [&](std::uint16_t code) { return code == codes[0]; })) {
      const std::uint16_t number = numbering_->number(codes[0]);
      counts_[number] += codes.size();
      return {0, 0, BlockKind::one_value, number};
    }
    const std::size_t width = numbering_->position_bytes();
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const std::uint16_t number = numbering_->number(codes[i]);
      ++counts_[number];
      if (width == 1) {
        raw_[i] = static_cast<std::uint8_t>(number);
      } else {
        put_little_endian(raw_.data() + 2 * i, number);
      }
    }
    const Bytes raw = Bytes(raw_).first(codes.size() * width);
    const std::size_t size = ZSTD_compress2(context_.get(), packed_.data(), packed_.size(), raw.data(), raw.size());
    if (ZSTD_isError(size) != 0) return {0, 0, BlockKind::unknown, 0};
    const bool is_smaller = size < raw.size();
    const Bytes stored = is_smaller ? Bytes(packed_).first(size) : raw;
    std::ranges::copy(stored, out);
    return {0, checksum32(stored), is_smaller ? BlockKind::compressed : BlockKind::raw,
            static_cast<std::uint32_t>(stored.size())};
  }

  /// The same into two bits a position.
  [[nodiscard]] BlockEntry pack_tight(std::span<const std::uint16_t> codes, std::uint8_t* out) noexcept {
    const std::size_t bytes = (codes.size() + 3) / 4;
    std::fill_n(out, bytes, std::uint8_t{0});
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const std::uint16_t number = numbering_->number(codes[i]);
      ++counts_[number];
      out[i / 4] = static_cast<std::uint8_t>(out[i / 4] | number << (2 * (i % 4)));
    }
    return {0, checksum32({out, bytes}), BlockKind::raw, static_cast<std::uint32_t>(bytes)};
  }

  [[nodiscard]] std::span<const std::uint64_t> counts() const noexcept { return counts_; }

 private:
  struct Free {
    void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
  };

  const Numbering* numbering_;
  std::vector<std::uint8_t> raw_;
  std::vector<std::uint8_t> packed_;
  std::vector<std::uint64_t> counts_;
  std::unique_ptr<ZSTD_CCtx, Free> context_;
};

}  // namespace

void CodeSet::add(std::span<const std::uint16_t> codes) noexcept {
  for (const std::uint16_t code : codes) seen_[code] = 1;
}

void CodeSet::add(const CodeSet& other) noexcept {
  for (std::size_t code = 0; code < seen_.size(); ++code) seen_[code] |= other.seen_[code];
}

std::vector<std::uint16_t> CodeSet::sorted() const {
  std::vector<std::uint16_t> codes;
  for (std::size_t code = 0; code < seen_.size(); ++code) {
    if (seen_[code] != 0) codes.push_back(static_cast<std::uint16_t>(code));
  }
  return codes;
}

/// Positions are gathered in `waiting`; when there are enough, all threads pack them block by block, and the
/// blocks go to the file in their order. Header and index come last, into the room left for them.
struct SectionWriter::State {
  State(PartFile part, std::string_view tier_name, std::uint64_t positions, std::span<const std::uint16_t> dictionary,
        const SectionOptions& options)
      : file(std::move(part)), name(tier_name), numbering(dictionary), threads(options.threads) {
    header.name_bytes = static_cast<std::uint32_t>(name.size());
    header.distinct = static_cast<std::uint32_t>(dictionary.size());
    header.position_bytes = options.packed ? 0 : numbering.position_bytes();
    header.block_positions = options.block_positions;
    header.positions = positions;
    static_assert(positions_per_thread % max_block_positions == 0);  // batches end where blocks end
    const std::uint64_t batch = std::uint64_t{positions_per_thread} * options.threads;
    // A tier smaller than a batch needs no more room than it has positions.
    waiting_max = static_cast<std::size_t>(std::min(batch, positions));
    waiting.reserve(waiting_max);
    packed.resize(header.bytes_of(waiting_max));
    for (unsigned i = 0; i < options.threads; ++i) packers.emplace_back(numbering, header);
    file.leave_hole_until(blocks_offset());
  }

  [[nodiscard]] std::uint64_t blocks_offset() const noexcept {
    return header.index_offset() + header.blocks() * BlockEntry::bytes;
  }

  [[nodiscard]] std::vector<BlockEntry> pack_waiting();
  [[nodiscard]] Result<void> write_waiting();
  [[nodiscard]] Result<void> write_front();

  PartFile file;
  std::string name;
  Numbering numbering;
  SectionHeader header;
  std::vector<Packer> packers;
  std::size_t threads;
  std::size_t waiting_max = 0;
  std::vector<std::uint16_t> waiting;
  std::vector<std::uint8_t> packed;
  std::uint64_t appended = 0;
  std::uint64_t blocks_bytes = 0;
  ByteSink index;
  RunningChecksum blocks_sum;
};

/// Packs each waiting block where its numbers would stand in `packed`, which is room enough.
std::vector<BlockEntry> SectionWriter::State::pack_waiting() {
  const std::size_t size = header.block_positions;
  std::vector<BlockEntry> entries(static_cast<std::size_t>(block_count(waiting.size(), header.block_positions)));
  std::atomic<std::size_t> next{0};
  const auto work = [&](Packer& packer) {
    for (std::size_t i = next.fetch_add(1); i < entries.size(); i = next.fetch_add(1)) {
      const std::size_t first = i * size;
      const std::size_t count = std::min(size, waiting.size() - first);
      const auto codes = std::span<const std::uint16_t>(waiting).subspan(first, count);
      std::uint8_t* out = packed.data() + header.bytes_of(first);
      entries[i] = header.is_packed() ? packer.pack_tight(codes, out) : packer.pack(codes, out);
    }
  };
  std::vector<std::jthread> helpers;
  try {
    helpers.reserve(threads);
    const std::size_t wanted = std::min(threads, entries.size());
    for (std::size_t i = 1; i < wanted; ++i) helpers.emplace_back(work, std::ref(packers[i]));
  } catch (const std::system_error&) {
    threads = helpers.size() + 1;  // the system has no more to give: those that run do it all
  }
  work(packers[0]);
  helpers.clear();
  return entries;
}

Result<void> SectionWriter::State::write_waiting() {
  std::size_t from = 0;
  std::size_t end = 0;
  for (BlockEntry& entry : pack_waiting()) {
    if (entry.kind == BlockKind::unknown) return fail("no memory is left to compress the tier {}", in_quotes(name));
    entry.offset = blocks_bytes + end;
    index.put(entry.encoded());
    std::copy_n(packed.begin() + static_cast<std::ptrdiff_t>(from), entry.length(),
                packed.begin() + static_cast<std::ptrdiff_t>(end));
    from += header.bytes_of(header.block_positions);
    end += entry.length();
  }
  waiting.clear();
  const Bytes bytes = Bytes(packed).first(end);
  blocks_bytes += end;
  blocks_sum.add(bytes);
  return file.append(bytes);
}

Result<void> SectionWriter::State::write_front() {
  std::vector<std::uint64_t> counts(numbering.codes().size());
  for (const Packer& packer : packers) {
    std::ranges::transform(counts, packer.counts(), counts.begin(), std::plus<>());
  }
  PAIKA_CHECK(std::ranges::find(counts, 0U) == counts.end());  // every announced code occurred
  ByteSink texts;
  texts.put(name);
  for (const std::uint16_t code : numbering.codes()) texts.put(code);
  header.statistics = statistics_of(numbering.codes(), counts);
  header.section_bytes = blocks_offset() + blocks_bytes;
  header.dictionary_checksum = checksum64(texts.bytes());
  header.index_checksum = checksum64(index.bytes());
  header.blocks_checksum = blocks_sum.value();
  if (auto written = file.write_at(SectionHeader::bytes, texts.bytes()); !written) return written;
  if (auto written = file.write_at(header.index_offset(), index.bytes()); !written) return written;
  return file.write_at(0, header.encoded());
}

SectionWriter::SectionWriter(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
SectionWriter::SectionWriter(SectionWriter&& other) noexcept = default;
SectionWriter& SectionWriter::operator=(SectionWriter&& other) noexcept = default;
SectionWriter::~SectionWriter() = default;

Result<SectionWriter> SectionWriter::create(const std::string& path, std::string_view tier_name,
                                            std::uint64_t positions, std::span<const std::uint16_t> dictionary,
                                            SectionOptions options) {
  PAIKA_CHECK(!tier_name.empty() && tier_name.size() <= max_tier_name_bytes);
  PAIKA_CHECK(options.threads > 0 && is_block_size(options.block_positions));
  PAIKA_CHECK(dictionary.empty() == (positions == 0));
  PAIKA_CHECK(!options.packed || dictionary.size() <= max_packed_values);
  PAIKA_CHECK(std::ranges::adjacent_find(dictionary, std::greater_equal<>()) == dictionary.end());
  for (const std::uint16_t code : dictionary) PAIKA_CHECK(Value::from_code(code).is_proper());
  auto file = PartFile::create(path);
  if (!file) return tl::unexpected(std::move(file).error());
  return SectionWriter(std::make_unique<State>(*std::move(file), tier_name, positions, dictionary, options));
}

Result<void> SectionWriter::append(std::span<const std::uint16_t> codes) {
  State& state = *state_;
  PAIKA_CHECK(codes.size() <= state.header.positions - state.appended);
  state.appended += codes.size();
  while (!codes.empty()) {
    const std::size_t count = std::min(codes.size(), state.waiting_max - state.waiting.size());
    state.waiting.insert(state.waiting.end(), codes.begin(), codes.begin() + static_cast<std::ptrdiff_t>(count));
    codes = codes.subspan(count);
    if (state.waiting.size() < state.waiting_max) break;
    if (auto written = state.write_waiting(); !written) return written;
  }
  return {};
}

Result<void> SectionWriter::finish() {
  State& state = *state_;
  PAIKA_CHECK(state.appended == state.header.positions);
  if (auto written = state.write_waiting(); !written) return written;
  if (auto written = state.write_front(); !written) return written;
  return state.file.commit();
}

const TierStatistics& SectionWriter::statistics() const noexcept { return state_->header.statistics; }

}  // namespace paika
