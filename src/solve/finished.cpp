#include "solve/finished.hpp"

#include <algorithm>

namespace paika {

namespace {

constexpr std::size_t min_reader_bytes = std::size_t{1} << 20;
constexpr std::size_t block_bytes = 2 * std::size_t{default_block_positions};

}  // namespace

FinishedTiers::FinishedTiers(std::uint32_t tiers, int workers) : sections_(tiers), unpacked_(tiers) {
  for (int i = 0; i < workers; ++i) readers_.emplace_back(min_reader_bytes, block_bytes);
}

void FinishedTiers::add(std::uint32_t tier, TableSection section) { sections_[tier] = std::move(section); }

std::uint64_t FinishedTiers::unpacked_bytes(std::uint32_t tier) const {
  return section(tier).positions() * position_bytes_for(static_cast<std::uint32_t>(section(tier).dictionary().size()));
}

Result<void> FinishedTiers::prepare(std::span<const std::uint32_t> wanted, std::uint64_t memory) {
  std::uint64_t left = memory;
  std::vector<bool> kept(sections_.size());
  for (const std::uint32_t tier : wanted) {
    const std::uint64_t bytes = unpacked_bytes(tier);
    if (bytes > left) continue;
    left -= bytes;
    kept[tier] = true;
  }
  for (std::uint32_t tier = 0; tier < sections_.size(); ++tier) {
    if (!kept[tier]) unpacked_[tier] = {};
  }
  for (const std::uint32_t tier : wanted) {
    if (!kept[tier] || !unpacked_[tier].dictionary.empty()) continue;
    if (auto done = unpack(tier); !done) return done;
  }
  const bool all = std::all_of(wanted.begin(), wanted.end(), [&](std::uint32_t tier) { return kept[tier]; });
  const std::size_t each =
      all ? min_reader_bytes
          : std::max<std::size_t>(min_reader_bytes, static_cast<std::size_t>(left) / readers_.size());
  for (TableReader& reader : readers_) reader = TableReader(each, block_bytes);
  return {};
}

Result<void> FinishedTiers::unpack(std::uint32_t tier) {
  const TableSection& from = section(tier);
  Unpacked& to = unpacked_[tier];
  to.dictionary.assign(from.dictionary().begin(), from.dictionary().end());
  const bool small = position_bytes_for(static_cast<std::uint32_t>(to.dictionary.size())) == 1;
  if (from.positions() == 0) return {};
  if (!small) {
    to.large.resize(from.positions());
    return from.read(readers_[0], 0, to.large);
  }
  std::vector<std::uint8_t> number_of(std::size_t{1} << 16);
  for (std::size_t i = 0; i < to.dictionary.size(); ++i) number_of[to.dictionary[i]] = static_cast<std::uint8_t>(i);
  to.small.resize(from.positions());
  auto done = from.for_each_piece(readers_[0], [&](std::uint64_t first, std::span<const std::uint16_t> codes) {
    std::transform(codes.begin(), codes.end(), to.small.begin() + static_cast<std::ptrdiff_t>(first),
                   [&](std::uint16_t code) { return number_of[code]; });
  });
  if (!done) to = {};
  return done;
}

Value FinishedTiers::read(TierIndex place, int worker) {
  const auto value = section(place.tier).value(readers_[static_cast<std::size_t>(worker)], place.index);
  if (value) return *value;
  const std::lock_guard lock(failure_mutex_);
  if (!failure_) failure_ = value.error();
  return Value::draw();
}

std::optional<Error> FinishedTiers::failure() const {
  const std::lock_guard lock(failure_mutex_);
  return failure_;
}

}  // namespace paika
