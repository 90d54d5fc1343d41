// What is printed of solved tiers, as text and as JSON, when all goes well and when the device fails.
#include "apps/tier_reporter.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace paika::apps {
namespace {

/// A file in memory.
class Printed {
 public:
  [[nodiscard]] std::FILE* file() const { return file_.get(); }
  [[nodiscard]] std::string text() const { return {text_, size_}; }

  Printed() = default;
  Printed(const Printed&) = delete;
  Printed& operator=(const Printed&) = delete;
  ~Printed() {
    file_.reset();
    std::free(text_);
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{open_memstream(&text_, &size_), std::fclose};
};

SolvedTier tier(const std::string& name, std::uint64_t positions) {
  SolvedTier solved{.name = name, .positions = positions, .checksum = 0x1bc43};
  solved.statistics.wins = positions - 3;
  solved.statistics.losses = 2;
  solved.statistics.draws = 1;
  solved.statistics.longest_win = 7;
  solved.statistics.longest_loss = 6;
  return solved;
}

TEST(TierReporter, prints_each_tier_at_once) {
  const Printed printed;
  TierReporter reporter("a board", 30, false, printed.file());
  reporter.finished(tier("2-2", 10));
  const std::string first =
      "tier 2-2: 10 positions, won 7, lost 2, drawn 1, longest win 7, longest loss 6, checksum 000000000001bc43\n";
  EXPECT_EQ(printed.text(), first);
  reporter.finished(tier("3-2", 20));
  EXPECT_EQ(printed.text(), first +
                                "tier 3-2: 20 positions, won 17, lost 2, drawn 1, longest win 7, longest loss 6, "
                                "checksum 000000000001bc43\n");
}

TEST(TierReporter, a_failure_adds_nothing_to_text) {
  const Printed printed;
  TierReporter reporter("a board", 30, false, printed.file());
  reporter.finished(tier("2-2", 10));
  const std::string before = printed.text();
  reporter.failed("the device caught fire", "a device");
  EXPECT_EQ(printed.text(), before);
}

TEST(TierReporter, as_json_prints_nothing_before_the_answer) {
  const Printed printed;
  TierReporter reporter("a board", 30, true, printed.file());
  reporter.finished(tier("2-2", 10));
  std::fflush(printed.file());
  EXPECT_EQ(printed.text(), "");
}

TEST(TierReporter, as_json_a_failure_has_the_finished_tiers) {
  const Printed printed;
  TierReporter reporter("a board", 30, true, printed.file());
  reporter.finished(tier("2-2", 10));
  reporter.finished(tier("3-2", 20));
  reporter.failed("the device caught fire", "a device");
  const Json json = Json::parse(printed.text());
  EXPECT_EQ(json.at("error"), "the device caught fire");
  EXPECT_EQ(json.at("gpu").at("name"), "a device");
  const Json& tiers = json.at("gpu").at("tiers");
  ASSERT_EQ(tiers.size(), 2U);
  EXPECT_EQ(tiers[0], Json::parse(R"({"tier": "2-2", "positions": 10, "wins": 7, "losses": 2, "draws": 1,
                                      "longest_win": 7, "longest_loss": 6, "checksum": "000000000001bc43"})"));
  EXPECT_EQ(tiers[1].at("positions"), 20);
}

}  // namespace
}  // namespace paika::apps
