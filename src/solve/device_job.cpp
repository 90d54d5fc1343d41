#include "solve/device_job.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "base/random.hpp"
#include "solve/gpu/tier_values.hpp"
#include "solve/packing.hpp"
#include "solve/table_section.hpp"
#include "solve/table_writer.hpp"
#include "solve/work_folder.hpp"

namespace paika {

namespace {

class DeviceJob {
 public:
  DeviceJob(const SolveSpace& space, TierDevice& device, const DeviceSettings& settings)
      : space_(space), device_(device), settings_(settings) {}

  [[nodiscard]] Result<DeviceReport> run() {
    const DevicePlan plan = device_.plan();
    if (!plan.fits()) {
      return fail("{} needs {} bytes of {}'s memory at the same time, and {} are free", settings_.spec,
                  plan.peak + plan.fixed, device_.name(), plan.free);
    }
    std::optional<WorkFolder> folder;
    if (!settings_.table.empty()) {
      auto opened = WorkFolder::open(settings_.table + ".work", settings_.spec);
      if (!opened) return tl::unexpected(opened.error());
      folder.emplace(std::move(*opened));
    }
    std::vector<std::string> sections;
    for (std::uint32_t tier = 0; tier < space_.tiers(); ++tier) {
      if (settings_.stop.stop_requested()) return fail("stopped after {} of {} tiers", tier, space_.tiers());
      const std::string section = folder ? folder->path(tier, "section") : "";
      if (auto done = have_tier(tier, section); !done) return tl::unexpected(done.error());
      sections.push_back(section);
    }
    if (auto checked = check_sample(); !checked) return tl::unexpected(checked.error());
    if (auto checked = check_lines(); !checked) return tl::unexpected(checked.error());
    if (folder) {
      auto made =
          assemble_from(*folder, settings_.table, settings_.spec, sections, settings_.distances, settings_.threads);
      if (!made) return tl::unexpected(made.error());
      folder->remove();
    }
    return std::move(report_);
  }

 private:
  static constexpr std::uint64_t piece = std::uint64_t{1} << 22;  // positions handed over at once
  static constexpr std::uint64_t sample_piece = std::uint64_t{1} << 15;

  /// Takes the tier from its section file, or solves it and writes one, if there are to be files.
  [[nodiscard]] Result<void> have_tier(std::uint32_t tier, const std::string& section) {
    SolvedTier solved{.name = space_.tier_name(tier), .positions = space_.size(tier)};
    if (!section.empty() && WorkFolder::exists(section)) {
      auto opened = TableSection::open(section);
      if (!opened) return tl::unexpected(opened.error());
      if (opened->name() != solved.name || opened->positions() != solved.positions) {
        return fail("{} holds another tier ({}) than expected ({}); remove the folder to start over", section,
                    opened->name(), solved.name);
      }
      if (auto loaded = device_.load(tier, *opened); !loaded) return loaded;
      auto checksum = tier_checksum(*opened);
      if (!checksum) return tl::unexpected(checksum.error());
      solved.statistics = opened->statistics();
      solved.checksum = *checksum;
    } else {
      const auto summary = device_.solve(tier);
      if (!summary) return tl::unexpected(summary.error());
      solved.statistics = summary->statistics();
      solved.checksum = summary->checksum;
      if (settings_.verify) {
        if (auto right = verify(tier); !right) return right;
      }
      if (!section.empty()) {
        if (auto written = write_section(tier, section, summary->dictionary); !written) return written;
        auto opened = TableSection::open(section);
        if (!opened) return tl::unexpected(opened.error());
        device_.offer(tier, *std::move(opened));
      }
    }
    if (settings_.on_tier) settings_.on_tier(solved);
    report_.tiers.push_back(std::move(solved));
    return {};
  }

  [[nodiscard]] Result<void> verify(std::uint32_t tier) {
    const auto checked = device_.verify(tier);
    if (!checked) return tl::unexpected(checked.error());
    if (checked->wrong != 0) {
      return fail("{} of {} values of tier {} do not follow from their moves, the first one that of index {}",
                  checked->wrong, space_.size(tier), space_.tier_name(tier), checked->first);
    }
    report_.verified += space_.size(tier);
    return {};
  }

  [[nodiscard]] Result<void> write_section(std::uint32_t tier, const std::string& path,
                                           const std::vector<std::uint16_t>& dictionary) {
    const std::uint64_t size = space_.size(tier);
    auto writer = SectionWriter::create(path, space_.tier_name(tier), size, dictionary,
                                        {.threads = static_cast<unsigned>(settings_.threads)});
    if (!writer) return tl::unexpected(writer.error());
    std::vector<std::uint16_t> codes;
    for (std::uint64_t first = 0; first < size; first += piece) {
      codes.resize(std::min(piece, size - first));
      if (auto read = device_.read(tier, first, codes); !read) return read;
      if (auto written = writer->append(codes); !written) return written;
    }
    return writer->finish();
  }

  /// Fetches values from the device; an error stays in fetched_.
  [[nodiscard]] auto fetching() {
    return [this](std::span<const TierIndex> asked) {
      auto values = device_.fetch(asked);
      if (values) return std::move(*values);
      fetched_ = tl::unexpected(values.error());
      return std::vector<Value>(asked.size());
    };
  }

  /// Derives the values of random positions, of every tier in proportion to its size, on this processor.
  [[nodiscard]] Result<void> check_sample() {
    std::vector<std::uint64_t> ends;
    std::uint64_t all = 0;
    for (std::uint32_t tier = 0; tier < space_.tiers(); ++tier) ends.push_back(all += space_.size(tier));
    Random random(1);
    for (std::uint64_t left = all == 0 ? 0 : settings_.sample; left != 0;) {
      if (settings_.stop.stop_requested()) return fail("stopped while values were being checked");
      std::vector<TierIndex> places(std::min(left, sample_piece));
      for (TierIndex& place : places) {
        const std::uint64_t number = random.below(all);
        const auto tier = std::upper_bound(ends.begin(), ends.end(), number) - ends.begin();
        place.tier = static_cast<std::uint32_t>(tier);
        place.index = number - (ends[static_cast<std::size_t>(tier)] - space_.size(place.tier));
      }
      if (auto right = check(places); !right) return right;
      report_.sampled += places.size();
      left -= places.size();
    }
    return {};
  }

  /// Derives the values of all positions that best play of both sides can lead to from the start, as far as there is
  /// room: what is printed of the start rests on them.
  [[nodiscard]] Result<void> check_lines() {
    const auto first = settings_.start ? space_.place(*settings_.start) : std::nullopt;
    if (!first) return {};
    std::vector<TierIndex> places = {*first};
    std::set<std::pair<std::uint32_t, std::uint64_t>> met = {{first->tier, first->index}};
    while (!places.empty()) {
      if (settings_.stop.stop_requested()) return fail("stopped while values were being checked");
      if (auto right = check(places); !right) return right;
      report_.on_lines += places.size();
      std::vector<TierIndex> next = space_.best_next(places, fetching());
      if (!fetched_) return fetched_;
      std::erase_if(next, [&](TierIndex place) {
        return met.size() >= settings_.max_on_lines || !met.emplace(place.tier, place.index).second;
      });
      places = std::move(next);
    }
    return {};
  }

  [[nodiscard]] Result<void> check(std::span<const TierIndex> places) {
    const auto wrong = space_.check(places, fetching());
    if (!fetched_) return fetched_;
    if (!wrong) return {};
    return fail("the value of tier {}, index {} does not follow from its moves", space_.tier_name(wrong->place.tier),
                wrong->place.index);
  }

  const SolveSpace& space_;
  TierDevice& device_;
  const DeviceSettings& settings_;
  DeviceReport report_;
  Result<void> fetched_;
};

}  // namespace

Result<DeviceReport> solve_on_device(const SolveSpace& space, TierDevice& device, const DeviceSettings& settings) {
  return DeviceJob(space, device, settings).run();
}

Result<std::uint64_t> tier_checksum(const TableSection& section) {
  std::uint64_t sum = 0;
  TableReader reader(std::size_t{1} << 20, 2 * std::size_t{default_block_positions});
  auto read = section.for_each_piece(reader, [&](std::uint64_t first, std::span<const std::uint16_t> codes) {
    for (std::uint64_t i = 0; i < codes.size(); ++i) sum += gpu::checksum_term(first + i, codes[i]);
  });
  if (!read) return tl::unexpected(read.error());
  return sum;
}

}  // namespace paika
