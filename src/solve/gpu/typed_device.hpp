// TypedDevice: a space of one game on one kind of machine behind TierDevice.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
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
    free_at_first_ = machine_.free_memory();
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
    DevicePlan plan{.free = free_at_first_};
    std::uint64_t largest = 0;
    for (std::uint32_t tier = 0; tier < space_.tiers(); ++tier) {
      plan.values += space_.size(tier);
      largest = std::max(largest, space_.size(tier));
    }
    plan.working = largest * TierStates::bytes_per_place + TierStates::blocks(largest) * sizeof(std::uint64_t) +
                   array_bytes_ + set_aside;
    return plan;
  }

  [[nodiscard]] Result<TierSummary> solve(std::uint32_t tier) override {
    const std::uint64_t size = space_.size(tier);
    if (auto room = make_room(tier); !room) return tl::unexpected(room.error());
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
    Tier& kept = begin_tier(tier, {section.dictionary().begin(), section.dictionary().end()});
    TableReader reader(std::size_t{1} << 20, 2 * std::size_t{default_block_positions});
    std::vector<std::uint8_t> bytes;
    const std::vector<std::uint8_t> number_of = numbers(kept.dictionary);
    auto read = section.for_each_piece(reader, [&](std::uint64_t first, std::span<const std::uint16_t> codes) {
      if (kept.small.size() == 0) {
        machine_.upload(kept.large.data() + first, codes);
        return;
      }
      bytes.resize(codes.size());
      std::transform(codes.begin(), codes.end(), bytes.begin(), [&](std::uint16_t code) { return number_of[code]; });
      machine_.upload(kept.small.data() + first, std::span<const std::uint8_t>(bytes));
    });
    if (!read) return read;
    publish(tier);
    return machine_.status();
  }

  [[nodiscard]] Result<void> read(std::uint32_t tier, std::uint64_t first, std::span<std::uint16_t> codes) override {
    const Tier& kept = tiers_[tier];
    if (kept.small.size() == 0) {
      machine_.download(codes, kept.large.data() + first);
    } else {
      std::vector<std::uint8_t> bytes(codes.size());
      machine_.download(std::span<std::uint8_t>(bytes), kept.small.data() + first);
      std::transform(bytes.begin(), bytes.end(), codes.begin(), [&](std::uint8_t n) { return kept.dictionary[n]; });
    }
    return machine_.status();
  }

  [[nodiscard]] Result<std::vector<Value>> fetch(std::span<const TierIndex> places) override {
    const auto where = machine_.template allocate<TierIndex>(places.size());
    const auto there = machine_.template allocate<std::uint16_t>(places.size());
    std::vector<std::uint16_t> codes(places.size());
    if (ready()) {
      machine_.upload(where.data(), places);
      machine_.for_each(places.size(), FetchCodes{values(), where.data(), there.data()});
      machine_.download(std::span<std::uint16_t>(codes), static_cast<const std::uint16_t*>(there.data()));
    }
    if (auto fine = machine_.status(); !fine) return tl::unexpected(fine.error());
    std::vector<Value> found;
    for (const std::uint16_t code : codes) found.push_back(Value::from_code(code));
    return found;
  }

  [[nodiscard]] Result<CheckedTier> verify(std::uint32_t tier) override {
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
  /// For what the machine needs itself: pieces of work that overflow, its program.
  static constexpr std::uint64_t set_aside = std::uint64_t{2} << 30;

  struct Tier {
    std::vector<std::uint16_t> dictionary;
    DeviceArray<std::uint16_t> dictionary_there;
    DeviceArray<std::uint8_t> small;
    DeviceArray<std::uint16_t> large;
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

  /// Memory for working on a tier: as much as the largest takes, so that it is asked for once.
  [[nodiscard]] Result<void> make_room(std::uint32_t tier) {
    if (words_.size() < space_.size(tier)) {
      std::uint64_t largest = 0;
      for (std::uint32_t t = tier; t < space_.tiers(); ++t) largest = std::max(largest, space_.size(t));
      words_.reset();
      levels_.reset();
      words_ = machine_.template allocate<std::uint32_t>(largest);
      levels_ = machine_.template allocate<std::uint64_t>(TierStates::blocks(largest));
    }
    return machine_.status();
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
  std::uint64_t free_at_first_ = 0;
  std::uint64_t array_bytes_ = 0;
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
