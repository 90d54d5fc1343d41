#include "server/explorer/postings.hpp"

#include <algorithm>
#include <optional>

namespace paika::server {

namespace {

constexpr std::size_t postings_per_block = 80;  // about a kilobyte

void put_number(std::string& out, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7U) out += static_cast<char>((number & 0x7fU) | 0x80U);
  out += static_cast<char>(number);
}

void put_tag_bytes(std::string& out, std::uint32_t tag) {
  for (unsigned i = 0; i < 4; ++i) out += static_cast<char>(tag >> (8 * i) & 0xffU);
}

/// Bytes being read; nothing once they have ended too early.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] bool done() const noexcept { return at_ == bytes_.size(); }
  [[nodiscard]] std::optional<std::uint64_t> number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
      if (done()) return std::nullopt;
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      number |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if (byte < 0x80) return number;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<std::uint32_t> tag() {
    if (bytes_.size() - at_ < 4) return std::nullopt;
    std::uint32_t tag = 0;
    for (unsigned i = 0; i < 4; ++i) tag |= std::uint32_t{static_cast<unsigned char>(bytes_[at_++])} << (8 * i);
    return tag;
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

tl::unexpected<Error> not_a_block() { return fail("a block of positions is damaged"); }

/// The end of the run of postings from `begin` that agree in `same`.
template <class Same>
std::size_t run_end(std::span<const Posting> postings, std::size_t begin, Same same) {
  std::size_t end = begin;
  while (end < postings.size() && same(postings[end], postings[begin])) ++end;
  return end;
}

/// Visits the postings of one position, or only goes past them.
Result<void> read_position(ByteReader& bytes, std::uint64_t key, const FunctionRef<void(const Posting&)>* visit) {
  const auto tags = bytes.number();
  if (!tags) return not_a_block();
  for (std::uint64_t t = 0; t < *tags; ++t) {
    const auto tag = bytes.tag();
    const auto count = bytes.number();
    if (!tag || !count) return not_a_block();
    std::uint64_t number = 0;
    for (std::uint64_t i = 0; i < *count; ++i) {
      const auto more = bytes.number();
      if (!more || number + *more > UINT32_MAX) return not_a_block();
      number += *more;
      if (visit != nullptr) (*visit)(Posting{key, *tag, static_cast<std::uint32_t>(number)});
    }
  }
  return {};
}

Result<void> read_keys(std::string_view block, const std::optional<std::uint64_t>& wanted,
                       FunctionRef<void(const Posting&)> visit) {
  ByteReader bytes(block);
  std::uint64_t key = 0;
  while (!bytes.done()) {
    const auto more = bytes.number();
    if (!more) return not_a_block();
    key += *more;
    if (wanted && key > *wanted) return {};
    if (auto read = read_position(bytes, key, !wanted || key == *wanted ? &visit : nullptr); !read) return read;
  }
  return {};
}

}  // namespace

std::size_t block_count(std::size_t postings) noexcept {
  return std::max<std::size_t>(1, postings / postings_per_block);
}

std::size_t block_of(std::uint64_t key, std::size_t blocks) noexcept {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::size_t>((static_cast<Wide>(key) * blocks) >> static_cast<unsigned>(key_bits));
}

std::string block_bytes(std::span<const Posting> postings) {
  std::string out;
  std::uint64_t last_key = 0;
  for (std::size_t at = 0; at < postings.size();) {
    const std::size_t position_end = run_end(postings, at, [](auto& a, auto& b) { return a.key == b.key; });
    put_number(out, postings[at].key - last_key);
    last_key = postings[at].key;
    std::size_t tags = 1;
    for (std::size_t i = at + 1; i < position_end; ++i) tags += postings[i].tag != postings[i - 1].tag ? 1 : 0;
    put_number(out, tags);
    while (at < position_end) {
      const std::size_t end =
          run_end(postings.first(position_end), at, [](auto& a, auto& b) { return a.tag == b.tag; });
      put_tag_bytes(out, postings[at].tag);
      put_number(out, end - at);
      for (std::uint32_t last = 0; at < end; ++at) {
        put_number(out, postings[at].visit - last);
        last = postings[at].visit;
      }
    }
  }
  return out;
}

Result<void> read_block(std::string_view bytes, FunctionRef<void(const Posting&)> visit) {
  return read_keys(bytes, std::nullopt, visit);
}

Result<void> read_block(std::string_view bytes, std::uint64_t key, FunctionRef<void(const Posting&)> visit) {
  return read_keys(bytes, key, visit);
}

}  // namespace paika::server
