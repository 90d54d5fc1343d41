#include "solve/remote_table.hpp"

#include <set>
#include <utility>

#include "base/text.hpp"

namespace paika {

namespace {

/// For blocks that have been unpacked.
constexpr std::size_t reader_bytes = std::size_t{4} << 20;

}  // namespace

/// The pieces of the file that have come, and those that are missing.
class RemoteTable::Pieces final : public TableStorage {
 public:
  Pieces(std::string_view name, std::uint64_t size) : TableStorage(in_quotes(name)), size_(size) {}

  [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }
  [[nodiscard]] Result<Bytes> read(std::uint64_t offset, std::uint64_t size) const override {
    if (offset > size_ || size > size_ - offset) {
      return fail("the file {} has {} bytes: there are no {} from byte {} on", name(), size_, size, offset);
    }
    const ByteRange wanted{offset, size};
    if (const auto found = pieces_.find(wanted); found != pieces_.end()) return Bytes(found->second);
    missing_.insert(wanted);
    return fail("{} bytes of the file {} have not come yet", size, name());
  }

  void supply(std::uint64_t offset, std::vector<std::uint8_t> bytes) {
    const ByteRange range{offset, bytes.size()};
    if (pieces_.emplace(range, std::move(bytes)).second) held_ += range.size;
  }
  [[nodiscard]] std::vector<ByteRange> take_missing() {
    const std::set<ByteRange> missing = std::exchange(missing_, {});
    return {missing.begin(), missing.end()};
  }
  [[nodiscard]] std::uint64_t held() const noexcept { return held_; }

 private:
  std::uint64_t size_;
  std::map<ByteRange, std::vector<std::uint8_t>> pieces_;
  std::uint64_t held_ = 0;
  mutable std::set<ByteRange> missing_;
};

RemoteTable::RemoteTable(std::string name, std::uint64_t size, std::string checksum)
    : name_(std::move(name)),
      checksum_(std::move(checksum)),
      pieces_(std::make_shared<Pieces>(name_, size)),
      reader_(reader_bytes) {}

std::uint64_t RemoteTable::size() const noexcept { return pieces_->size(); }

std::vector<ByteRange> RemoteTable::take_missing() { return pieces_->take_missing(); }

void RemoteTable::supply(std::uint64_t offset, std::vector<std::uint8_t> bytes) {
  pieces_->supply(offset, std::move(bytes));
}

std::uint64_t RemoteTable::held() const noexcept { return pieces_->held(); }

void RemoteTable::forget() {
  sections_.clear();
  header_.reset();
  pieces_ = std::make_shared<Pieces>(name_, pieces_->size());
}

Result<const TableSection*> RemoteTable::section(std::uint32_t tier) {
  if (const auto known = sections_.find(tier); known != sections_.end()) return &known->second;
  if (!header_) {
    auto header = TableHeader::read(*pieces_);
    if (!header) return tl::unexpected(std::move(header).error());
    if (!checksum_.empty() && checksum_text(header->checksum()) != checksum_) {
      return fail("the file {} has another checksum than it was announced with", pieces_->name());
    }
    header_ = *std::move(header);
  }
  if (tier >= header_->tiers.size()) return fail("the file {} has no tier {}", pieces_->name(), tier);
  auto section = open_tier(pieces_, *header_, tier);
  if (!section) return tl::unexpected(std::move(section).error());
  return &sections_.emplace(tier, *std::move(section)).first->second;
}

Result<Value> RemoteTable::lookup(TierIndex place) {
  const auto tier = section(place.tier);
  if (!tier) return tl::unexpected(tier.error());
  return (*tier)->value(reader_, place.index);
}

}  // namespace paika
