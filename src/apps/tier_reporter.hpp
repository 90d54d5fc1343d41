// Reports each tier of a board as soon as a GPU has solved it.
//
// Without a table the report is all that is left of a tier, and a later one may fail. As text a tier is printed at
// once; as JSON it is part of the answer, and of the error if there is none.
#pragma once

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/progress.hpp"
#include "engine/json.hpp"
#include "solve/device_job.hpp"

namespace paika::apps {

[[nodiscard]] Json tiers_json(std::span<const SolvedTier> tiers);

class TierReporter {
 public:
  /// For a table called `label` of so many positions in all. `out` must outlive it.
  TierReporter(const std::string& label, std::uint64_t positions, bool json, std::FILE* out);

  void finished(const SolvedTier& tier);
  /// `device` cannot answer: reports what was finished, unless it is printed already.
  void failed(std::string_view error, std::string_view device);

 private:
  Progress progress_;
  std::uint64_t positions_;
  bool json_;
  std::FILE* out_;
  std::uint64_t done_ = 0;
  std::vector<SolvedTier> tiers_;
};

}  // namespace paika::apps
