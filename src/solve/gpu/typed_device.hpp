// TypedDevice: a space of one game on one kind of machine behind TierDevice.
//
// Values of finished tiers stay in the machine's memory while there is room. When there is not, those that the tier
// being solved does not need are parked, the ones that will be needed last first.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "solve/gpu/bodies.hpp"
#include "solve/gpu/device_array.hpp"
#include "solve/gpu/tier_device.hpp"

namespace paika::gpu {

/// `S` is the space with its arrays (it is built here, on the host), `View` the part of it that refers to them.
template <class S, class View, class Machine>
class TypedDevice final : public TierDevice {
 public:
  template <class... Arguments>
  explicit TypedDevice(Machine machine, Arguments&&... arguments)
      : machine_(std::move(machine)), space_(std::forward<Arguments>(arguments)...), tiers_(space_.tiers()) {
    free_ = machine_.free_memory();
    View view = space_;
    view.for_each_array([this](auto& array) { this->move_array(array); });
    view_ = machine_.template allocate<View>(1);
    if (ready()) machine_.upload(view_.data(), std::span<const View>(&view, 1));
    tier_values_ = machine_.template allocate<TierValues>(space_.tiers());
    highest_ = machine_.template allocate<std::uint32_t>(1);
  }

  [[nodiscard]] std::string name() const override { return machine_.name(); }
  [[nodiscard]] const DeviceTimes& times() const override { return times_; }

  [[nodiscard]] DevicePlan plan() const override {
    DevicePlan plan{.fixed = array_bytes_ + Machine::set_aside, .free = free_};
    for (std::uint32_t tier = 0; tier < space_.tiers(); ++tier) {
      const std::uint64_t size = space_.size(tier);
      std::uint64_t needed = working_bytes(size) + size;
      for (const std::uint32_t lower : space_.below(tier)) needed += space_.size(lower);
      plan.values += size;
      plan.working = std::max(plan.working, working_bytes(size));
      plan.peak = std::max(plan.peak, needed);
    }
    return plan;
  }
  void limit_memory(std::uint64_t bytes) override { free_ = std::min(free_, bytes); }
  [[nodiscard]] std::uint64_t parked() const override { return parked_; }

  [[nodiscard]] Result<TierSummary> solve(std::uint32_t tier) override {
    const std::uint64_t size = space_.size(tier);
    if (auto room = make_room(tier); !room) return tl::unexpected(room.error());
    if (auto there = bring_below(tier); !there) return tl::unexpected(there.error());
    machine_.clear(levels_.data(), TierStates::blocks(size));
    machine_.clear(highest_.data(), 1);
    const TierStates states(words_.data(), levels_.data(), highest_.data());
    timed(times_.look, [&] { machine_.run(Look<View>{view_.data(), values(), states, tier}, size); });
    timed(times_.expand, [&] {
      for (int level = 0; level < highest(); ++level)
        machine_.run(Expand<View>{view_.data(), states, tier, level}, size);
    });
    TierSummary summary;
    timed(times_.pack, [&] { summary = pack(tier, states); });
    if (auto fine = machine_.status(); !fine) return tl::unexpected(fine.error());
    return summary;
  }

  [[nodiscard]] Result<void> load(std::uint32_t tier, const TableSection& section) override {
    Tier kept;  // not there until a tier above needs it
    kept.dictionary.assign(section.dictionary().begin(), section.dictionary().end());
    kept.section = section;
    tiers_[tier] = std::move(kept);
    return {};
  }
  void offer(std::uint32_t tier, TableSection section) override { tiers_[tier].section = std::move(section); }

  [[nodiscard]] Result<void> read(std::uint32_t tier, std::uint64_t first, std::span<std::uint16_t> codes) override {
    const Tier& kept = tiers_[tier];
    if (!kept.there) return read_parked(kept, first, codes);
    if (kept.small.size() == 0) {
      machine_.download(codes, static_cast<const std::uint16_t*>(kept.large.data() + first));
    } else {
      std::vector<std::uint8_t> bytes(codes.size());
      machine_.download(std::span<std::uint8_t>(bytes), static_cast<const std::uint8_t*>(kept.small.data() + first));
      std::transform(bytes.begin(), bytes.end(), codes.begin(), [&](std::uint8_t n) { return kept.dictionary[n]; });
    }
    return machine_.status();
  }

  [[nodiscard]] Result<std::vector<Value>> fetch(std::span<const TierIndex> places) override {
    std::vector<std::uint16_t> codes(places.size());
    std::vector<TierIndex> asked;         // of the machine
    std::vector<std::size_t> asked_from;  // which they are of the places
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (tiers_[places[i].tier].there) {
        asked.push_back(places[i]);
        asked_from.push_back(i);
      } else if (auto read = read_parked(tiers_[places[i].tier], places[i].index, std::span(codes).subspan(i, 1));
                 !read) {
        return tl::unexpected(read.error());
      }
    }
    const std::vector<std::uint16_t> found = fetch_there(asked);
    if (auto fine = machine_.status(); !fine) return tl::unexpected(fine.error());
    for (std::size_t i = 0; i < asked.size(); ++i) codes[asked_from[i]] = found[i];
    std::vector<Value> values;
    for (const std::uint16_t code : codes) values.push_back(Value::from_code(code));
    return values;
  }

  [[nodiscard]] Result<CheckedTier> verify(std::uint32_t tier) override {
    if (!tiers_[tier].there) {
      clear_the_way(tier, space_.size(tier));
      if (auto back = bring(tier); !back) return tl::unexpected(back.error());
    }
    if (auto back = bring_below(tier); !back) return tl::unexpected(back.error());
    const auto there = machine_.template allocate<Wrong>(1);
    Wrong wrong;
    if (ready()) {
      machine_.upload(there.data(), std::span<const Wrong>(&wrong, 1));
      timed(times_.verify, [&] {
        machine_.run(Verify<View>{view_.data(), values(), tier, there.data()}, space_.size(tier));
        machine_.download(std::span<Wrong>(&wrong, 1), static_cast<const Wrong*>(there.data()));
      });
    }
    if (auto fine = machine_.status(); !fine) return tl::unexpected(fine.error());
    return CheckedTier{wrong.count, wrong.first};
  }

 private:
  struct Tier {
    std::vector<std::uint16_t> dictionary;
    // In the machine's memory, if it is there.
    bool there = false;
    DeviceArray<std::uint16_t> dictionary_there;
    DeviceArray<std::uint8_t> small;
    DeviceArray<std::uint16_t> large;
    // Parked: in a file, or in the host's memory, in the same form as on the machine.
    std::optional<TableSection> section;
    std::vector<std::uint8_t> small_here;
    std::vector<std::uint16_t> large_here;

    /// How much of the machine's memory it takes.
    [[nodiscard]] std::uint64_t bytes() const noexcept { return small.size() + 2 * large.size(); }
  };

  [[nodiscard]] bool ready() const { return machine_.status().has_value(); }
  [[nodiscard]] AllValues values() const { return {tier_values_.data()}; }

  /// Copies an array of the space to the machine and refers to it there.
  template <class T>
  void move_array(std::span<const T>& array) {
    auto there = machine_.template allocate<T>(array.size());
    if (!ready()) return;
    machine_.upload(there.data(), array);
    array = std::span<const T>(there.data(), array.size());
    array_bytes_ += array.size_bytes();
    arrays_.push_back(std::make_shared<DeviceArray<T>>(std::move(there)));
  }

  template <class Work>
  void timed(double& seconds, Work&& work) {
    const auto start = std::chrono::steady_clock::now();
    if (ready()) work();
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  [[nodiscard]] int highest() {
    std::uint32_t highest = 0;
    machine_.download(std::span<std::uint32_t>(&highest, 1), static_cast<const std::uint32_t*>(highest_.data()));
    PAIKA_CHECK(highest < Value::unknown_turns);
    return static_cast<int>(highest);
  }

  [[nodiscard]] static std::uint64_t working_bytes(std::uint64_t places) noexcept {
    return places * TierStates::bytes_per_place + TierStates::blocks(places) * sizeof(std::uint64_t);
  }

  /// Memory for working on a tier, and for its values.
  [[nodiscard]] Result<void> make_room(std::uint32_t tier) {
    const std::uint64_t size = space_.size(tier);
    // Where memory is short, what a larger tier took before is given back.
    if (words_.size() < size || (words_.size() > size && plan().parks())) {
      words_.reset();
      levels_.reset();
      clear_the_way(tier, working_bytes(size) + size);
      words_ = machine_.template allocate<std::uint32_t>(size);
      levels_ = machine_.template allocate<std::uint64_t>(TierStates::blocks(size));
    } else {
      clear_the_way(tier, size);
    }
    return machine_.status();
  }

  /// The first tier above `tier` that needs `lower`; the number of tiers if none does.
  [[nodiscard]] std::uint32_t next_use(std::uint32_t lower, std::uint32_t tier) const {
    for (std::uint32_t t = tier; t < space_.tiers(); ++t) {
      const auto below = space_.below(t);
      if (std::find(below.begin(), below.end(), lower) != below.end()) return t;
    }
    return space_.tiers();
  }

  /// Parks what `tier` does not need until `bytes` more have room, as far as that is possible.
  void clear_the_way(std::uint32_t tier, std::uint64_t bytes) {
    for (;;) {
      std::uint64_t used = array_bytes_ + Machine::set_aside + working_bytes(words_.size()) + bytes;
      std::optional<std::uint32_t> last;  // of those that can go, the one that is needed last
      std::uint32_t last_use = 0;
      for (std::uint32_t t = 0; t < space_.tiers(); ++t) {
        if (!tiers_[t].there) continue;
        used += tiers_[t].bytes();
        const std::uint32_t use = next_use(t, tier);
        if (t == tier || use == tier || (last && use <= last_use)) continue;
        last = t;
        last_use = use;
      }
      if (used <= free_ || !last || !ready()) return;
      park(*last);
    }
  }

  void park(std::uint32_t tier) {
    Tier& kept = tiers_[tier];
    parked_ += kept.bytes();
    if (!kept.section) {
      kept.small_here.resize(kept.small.size());
      kept.large_here.resize(kept.large.size());
      machine_.download(std::span<std::uint8_t>(kept.small_here), static_cast<const std::uint8_t*>(kept.small.data()));
      machine_.download(std::span<std::uint16_t>(kept.large_here),
                        static_cast<const std::uint16_t*>(kept.large.data()));
    }
    kept.small.reset();
    kept.large.reset();
    kept.dictionary_there.reset();
    kept.there = false;
  }

  /// Brings the tiers that `tier` needs to the machine.
  [[nodiscard]] Result<void> bring_below(std::uint32_t tier) {
    for (const std::uint32_t lower : space_.below(tier)) {
      if (tiers_[lower].there) continue;
      clear_the_way(tier, space_.size(tier) + space_.size(lower));
      if (auto back = bring(lower); !back) return back;
    }
    return {};
  }

  [[nodiscard]] Result<void> bring(std::uint32_t tier) {
    Tier& kept = begin_tier(tier, std::move(tiers_[tier].dictionary));
    if (kept.section) {
      if (auto read = upload_section(kept); !read) return read;
    } else if (ready()) {
      machine_.upload(kept.small.data(), std::span<const std::uint8_t>(kept.small_here));
      machine_.upload(kept.large.data(), std::span<const std::uint16_t>(kept.large_here));
      kept.small_here = {};
      kept.large_here = {};
    }
    publish(tier);
    return machine_.status();
  }

  [[nodiscard]] Result<void> upload_section(Tier& kept) {
    TableReader reader(std::size_t{1} << 20, 2 * std::size_t{default_block_positions});
    std::vector<std::uint8_t> bytes;
    const std::vector<std::uint8_t> number_of = numbers(kept.dictionary);
    return kept.section->for_each_piece(reader, [&](std::uint64_t first, std::span<const std::uint16_t> codes) {
      if (!ready()) return;
      if (kept.small.size() == 0) {
        machine_.upload(kept.large.data() + first, codes);
        return;
      }
      bytes.resize(codes.size());
      std::transform(codes.begin(), codes.end(), bytes.begin(), [&](std::uint16_t code) { return number_of[code]; });
      machine_.upload(kept.small.data() + first, std::span<const std::uint8_t>(bytes));
    });
  }

  [[nodiscard]] Result<void> read_parked(const Tier& kept, std::uint64_t first, std::span<std::uint16_t> codes) {
    if (kept.section) return kept.section->read(parked_reader_, first, codes);
    const auto at = static_cast<std::size_t>(first);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      codes[i] = kept.small_here.empty() ? kept.large_here[at + i] : kept.dictionary[kept.small_here[at + i]];
    }
    return {};
  }

  [[nodiscard]] std::vector<std::uint16_t> fetch_there(std::span<const TierIndex> places) {
    std::vector<std::uint16_t> codes(places.size());
    const auto where = machine_.template allocate<TierIndex>(places.size());
    const auto there = machine_.template allocate<std::uint16_t>(places.size());
    if (!ready() || places.empty()) return codes;
    machine_.upload(where.data(), places);
    machine_.for_each(places.size(), FetchCodes{values(), where.data(), there.data()});
    machine_.download(std::span<std::uint16_t>(codes), static_cast<const std::uint16_t*>(there.data()));
    return codes;
  }

  [[nodiscard]] static std::vector<std::uint8_t> numbers(const std::vector<std::uint16_t>& dictionary) {
    std::vector<std::uint8_t> number_of(std::size_t{1} << 16);
    if (dictionary.size() > 256) return number_of;
    for (std::size_t i = 0; i < dictionary.size(); ++i) number_of[dictionary[i]] = static_cast<std::uint8_t>(i);
    return number_of;
  }

  /// Makes room for the values of a tier with these codes.
  Tier& begin_tier(std::uint32_t tier, std::vector<std::uint16_t> dictionary) {
    Tier& kept = tiers_[tier];
    kept.dictionary = std::move(dictionary);
    kept.there = true;
    const std::uint64_t size = (space_.size(tier) + 3) / 4 * 4;  // they are packed four at a time
    if (kept.dictionary.size() <= 256) {
      kept.small = machine_.template allocate<std::uint8_t>(size);
    } else {
      kept.large = machine_.template allocate<std::uint16_t>(size);
    }
    kept.dictionary_there = machine_.template allocate<std::uint16_t>(kept.dictionary.size());
    if (ready()) machine_.upload(kept.dictionary_there.data(), std::span<const std::uint16_t>(kept.dictionary));
    return kept;
  }
  /// Shows the values of a tier to the bodies.
  void publish(std::uint32_t tier) {
    const Tier& kept = tiers_[tier];
    const TierValues values{kept.small.data(), kept.large.data(), kept.dictionary_there.data()};
    if (ready()) machine_.upload(tier_values_.data() + tier, std::span<const TierValues>(&values, 1));
  }

  [[nodiscard]] TierSummary pack(std::uint32_t tier, const TierStates& states) {
    TierSummary summary;
    const std::uint64_t size = space_.size(tier);
    const std::vector<std::uint64_t> counts = machine_.histogram(size, CodeAt{states});
    for (std::size_t code = 0; code < counts.size(); ++code) {
      if (counts[code] == 0) continue;
      summary.dictionary.push_back(static_cast<std::uint16_t>(code));
      summary.counts.push_back(counts[code]);
    }
    const Tier& kept = begin_tier(tier, summary.dictionary);
    if (!ready()) return summary;
    if (kept.small.size() != 0) {
      const std::vector<std::uint8_t> number_of = numbers(kept.dictionary);
      const auto there = machine_.template allocate<std::uint8_t>(number_of.size());
      machine_.upload(there.data(), std::span<const std::uint8_t>(number_of));
      machine_.for_each((size + 3) / 4, PackSmall{states, there.data(), kept.small.data(), size});
    } else {
      machine_.for_each(size, PackLarge{states, kept.large.data()});
    }
    publish(tier);
    const TierValues values{kept.small.data(), kept.large.data(), kept.dictionary_there.data()};
    summary.checksum = machine_.sum(size, ChecksumAt{values});
    return summary;
  }

  Machine machine_;
  S space_;
  std::uint64_t free_ = 0;  // at first, or the limit
  std::uint64_t array_bytes_ = 0;
  std::uint64_t parked_ = 0;
  TableReader parked_reader_{std::size_t{16} << 20, 2 * std::size_t{default_block_positions}};
  std::vector<std::shared_ptr<void>> arrays_;
  DeviceArray<View> view_;
  DeviceArray<TierValues> tier_values_;
  DeviceArray<std::uint32_t> highest_;
  DeviceArray<std::uint32_t> words_;
  DeviceArray<std::uint64_t> levels_;
  std::vector<Tier> tiers_;
  DeviceTimes times_;
};

}  // namespace paika::gpu
