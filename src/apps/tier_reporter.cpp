#include "apps/tier_reporter.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace paika::apps {

Json tiers_json(std::span<const SolvedTier> tiers) {
  Json list = Json::array();
  for (const SolvedTier& tier : tiers) {
    const TierStatistics& s = tier.statistics;
    list.push_back({{"tier", tier.name},
                    {"positions", tier.positions},
                    {"wins", s.wins},
                    {"losses", s.losses},
                    {"draws", s.draws},
                    {"longest_win", s.longest_win},
                    {"longest_loss", s.longest_loss},
                    {"checksum", fmt::format("{:016x}", tier.checksum)}});
  }
  return list;
}

TierReporter::TierReporter(const std::string& label, std::uint64_t positions, bool json, std::FILE* out)
    : progress_("solving " + label), positions_(std::max<std::uint64_t>(positions, 1)), json_(json), out_(out) {}

void TierReporter::finished(const SolvedTier& tier) {
  done_ += tier.positions;
  if (json_) {
    tiers_.push_back(tier);
  } else {
    const TierStatistics& s = tier.statistics;
    progress_.wipe();
    fmt::print(out_,
               "tier {}: {} positions, won {}, lost {}, drawn {}, longest win {}, longest loss {}, checksum {:016x}\n",
               tier.name, tier.positions, s.wins, s.losses, s.draws, s.longest_win, s.longest_loss, tier.checksum);
    std::fflush(out_);
  }
  progress_.update(static_cast<double>(done_) / static_cast<double>(positions_));
}

void TierReporter::failed(std::string_view error, std::string_view device) {
  progress_.wipe();
  if (!json_) return;
  const Json gpu{{"name", device}, {"tiers", tiers_json(tiers_)}};
  fmt::print(out_, "{}\n", Json{{"error", error}, {"gpu", gpu}}.dump(2));
  std::fflush(out_);
}

}  // namespace paika::apps
