// What a GPU does, run on the processor over small boards, against the solver of the processor.
#include <array>
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/solver.hpp"
#include "games/abalone/space.hpp"
#include "games/fanorona/space.hpp"
#include "solve/device_job.hpp"
#include "solve/gpu/host_machine.hpp"
#include "solve/gpu/typed_device.hpp"
#include "solve/job.hpp"
#include "solve/table_writer.hpp"
#include "solve/typed_space.hpp"
#include "tests/support/folder.hpp"

namespace paika {
namespace {

namespace fs = std::filesystem;

static_assert(GpuSpace<abalone::SpaceView<FixedShape<5, 5, std::uint32_t>>>);
static_assert(GpuSpace<abalone::SpaceView<RuntimeShape<64>>>);
static_assert(GpuSpace<fanorona::SpaceView<FixedShape<5, 5, std::uint32_t>>>);
static_assert(GpuSpace<fanorona::SpaceView<RuntimeShape<64>>>);
static_assert(GpuSpace<fanorona::SpaceView<FixedShape<9, 5>, SparsePairs>>);

/// A game small enough to be solved here: its numbering, and a device for it that is this processor.
struct SmallGame {
  std::string spec;
  std::unique_ptr<const SolveSpace> space;
  std::unique_ptr<TierDevice> device;
};

template <class Shape>
SmallGame small_abalone(const std::string& spec) {
  const auto options = *abalone::read_options(spec);
  using Device = gpu::TypedDevice<abalone::Space<Shape>, abalone::SpaceView<Shape>, gpu::HostMachine>;
  // Other shapes than the device's: numbers must not depend on them.
  return {
      spec,
      std::make_unique<TypedSpace<abalone::Space<RuntimeShape<64>>>>(abalone::BitboardRules<RuntimeShape<64>>(options)),
      std::make_unique<Device>(gpu::HostMachine{}, abalone::BitboardRules<Shape>(options))};
}

template <class Shape>
SmallGame small_fanorona(const std::string& spec) {
  auto options = *fanorona::read_options(spec);
  options.limit = 0;
  using Device = gpu::TypedDevice<fanorona::Space<Shape>, fanorona::SpaceView<Shape>, gpu::HostMachine>;
  return {spec, std::make_unique<TypedSpace<fanorona::Space<RuntimeShape<64>>>>(options),
          std::make_unique<Device>(gpu::HostMachine{}, options)};
}

/// The positions of few stones.
template <class Shape>
SmallGame small_endgames(const std::string& spec, int stones) {
  auto options = *fanorona::read_options(spec);
  options.limit = 0;
  using View = fanorona::SpaceView<Shape, SparsePairs>;
  using Device = gpu::TypedDevice<fanorona::Endgames<Shape>, View, gpu::HostMachine>;
  return {spec, std::make_unique<TypedSpace<fanorona::Endgames<RuntimeShape<64>>>>(options, stones),
          std::make_unique<Device>(gpu::HostMachine{}, options, stones)};
}

using Square3 = FixedShape<3, 3, std::uint32_t>;

std::vector<SmallGame> small_games() {
  std::vector<SmallGame> games;
  for (const char* options : {"captures=1", "captures=2", "captures=3,misere", "captures=2,freeze",
                              "captures=2,freeze=initiator,misere", "captures=2,must"}) {
    games.push_back(small_abalone<Square3>(std::string("abalone:3x3,") + options));
  }
  games.push_back(small_abalone<RuntimeShape<64>>("abalone:3x4,captures=1"));
  games.push_back(small_fanorona<Square3>("fanorona:3x3"));
  games.push_back(small_fanorona<Square3>("fanorona:3x3,sacrifice=off"));
  games.push_back(small_fanorona<RuntimeShape<64>>("fanorona:9x1"));
  games.push_back(small_endgames<FixedShape<9, 5>>("fanorona:9x5,sacrifice=off", 3));
  games.push_back(small_endgames<RuntimeShape<64>>("fanorona:5x3", 4));
  return games;
}

class GpuTest : public testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }
  static std::string bytes_of(const std::string& path) {
    const auto table = WholeStorage::map(path);
    EXPECT_TRUE(table) << path;
    return table ? std::string(as_text((*table)->bytes())) : "";
  }
  /// The table that the processor's solver makes.
  std::string solve_here(const SmallGame& game) {
    SolveSettings settings;
    settings.table = path("processor.table");
    settings.spec = game.spec;
    EXPECT_TRUE(solve_space(*game.space, settings)) << game.spec;
    return settings.table;
  }

  paika_tests::TemporaryFolder folder_;
};

TEST_F(GpuTest, WritesTheSameFile) {
  for (SmallGame& game : small_games()) {
    const std::string expected = solve_here(game);
    const DeviceSettings settings{.table = path("device.table"), .spec = game.spec, .sample = 1000};
    const auto report = solve_on_device(*game.space, *game.device, settings);
    ASSERT_TRUE(report) << game.spec << ": " << report.error().message;
    EXPECT_EQ(bytes_of(settings.table), bytes_of(expected)) << game.spec;
    EXPECT_EQ(report->sampled, 1000U);
    EXPECT_EQ(report->on_lines, 0U) << "no start was given";
    const auto table = ValueTable::open(expected);
    ASSERT_TRUE(table);
    EXPECT_EQ(report->verified, table->positions());
    for (std::size_t tier = 0; tier < report->tiers.size(); ++tier) {
      const TableSection& section = table->tiers()[tier];
      EXPECT_EQ(report->tiers[tier].name, section.name());
      EXPECT_TRUE(report->tiers[tier].statistics == section.statistics());
      EXPECT_EQ(report->tiers[tier].checksum, *tier_checksum(section));
    }
    fs::remove(settings.table);
    fs::remove(expected);
  }
}

/// A device that fails when it is asked for a tier.
class FailingDevice final : public TierDevice {
 public:
  FailingDevice(TierDevice& device, std::uint32_t at) : device_(device), at_(at) {}
  [[nodiscard]] std::string name() const override { return device_.name(); }
  [[nodiscard]] DevicePlan plan() const override { return device_.plan(); }
  void limit_memory(std::uint64_t bytes) override { device_.limit_memory(bytes); }
  [[nodiscard]] std::uint64_t parked() const override { return device_.parked(); }
  void offer(std::uint32_t tier, TableSection section) override { device_.offer(tier, std::move(section)); }
  [[nodiscard]] const DeviceTimes& times() const override { return device_.times(); }
  [[nodiscard]] Result<TierSummary> solve(std::uint32_t tier) override {
    if (tier == at_) return fail("the device caught fire");
    ++solved;
    return device_.solve(tier);
  }
  [[nodiscard]] Result<void> load(std::uint32_t tier, const TableSection& section) override {
    ++loaded;
    return device_.load(tier, section);
  }
  [[nodiscard]] Result<void> read(std::uint32_t tier, std::uint64_t first, std::span<std::uint16_t> codes) override {
    return device_.read(tier, first, codes);
  }
  [[nodiscard]] Result<std::vector<Value>> fetch(std::span<const TierIndex> places) override {
    return device_.fetch(places);
  }
  [[nodiscard]] Result<CheckedTier> verify(std::uint32_t tier) override { return device_.verify(tier); }

  std::uint32_t solved = 0;
  std::uint32_t loaded = 0;

 private:
  TierDevice& device_;
  std::uint32_t at_;
};

TEST_F(GpuTest, LosesNothingThatWasFinished) {
  const SmallGame game = small_abalone<Square3>("abalone:3x3,captures=3");
  const std::string expected = solve_here(game);
  const DeviceSettings settings{.table = path("device.table"), .spec = game.spec, .sample = 100};
  FailingDevice failing(*game.device, 2);
  const auto failed = solve_on_device(*game.space, failing, settings);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "the device caught fire");
  EXPECT_EQ(failing.solved, 2U);
  // Another device goes on, and so does the processor.
  const SmallGame again = small_abalone<Square3>("abalone:3x3,captures=3");
  FailingDevice working(*again.device, again.space->tiers());
  ASSERT_TRUE(solve_on_device(*game.space, working, settings));
  EXPECT_EQ(working.loaded, 2U);
  EXPECT_EQ(bytes_of(settings.table), bytes_of(expected));
}

TEST_F(GpuTest, ReportsEachTierBeforeTheNextOneMayFail) {
  const SmallGame game = small_abalone<Square3>("abalone:3x3,captures=3");
  const auto whole = solve_on_device(*game.space, *game.device, {.spec = game.spec, .sample = 100});
  ASSERT_TRUE(whole);
  const SmallGame again = small_abalone<Square3>("abalone:3x3,captures=3");
  FailingDevice failing(*again.device, 2);
  std::vector<SolvedTier> known;  // without a table nothing else is kept
  const DeviceSettings settings{
      .spec = game.spec, .sample = 100, .on_tier = [&](const SolvedTier& tier) { known.push_back(tier); }};
  ASSERT_FALSE(solve_on_device(*game.space, failing, settings));
  ASSERT_EQ(known.size(), 2U);
  for (std::size_t tier = 0; tier < known.size(); ++tier) {
    EXPECT_EQ(known[tier].name, whole->tiers[tier].name);
    EXPECT_TRUE(known[tier].statistics == whole->tiers[tier].statistics);
    EXPECT_EQ(known[tier].checksum, whole->tiers[tier].checksum);
  }
}

TEST_F(GpuTest, ReportsEachTierBeforeItIsStopped) {
  const SmallGame game = small_abalone<Square3>("abalone:3x3,captures=3");
  std::stop_source enough;
  int known = 0;
  const DeviceSettings settings{.spec = game.spec, .stop = enough.get_token(), .on_tier = [&](const SolvedTier&) {
                                  if (++known == 2) enough.request_stop();
                                }};
  const auto stopped = solve_on_device(*game.space, *game.device, settings);
  ASSERT_FALSE(stopped);
  EXPECT_TRUE(stopped.error().message.starts_with("stopped after 2 of ")) << stopped.error().message;
  EXPECT_EQ(known, 2);
}

/// A device that answers one value wrong when it is fetched, or that is told of a wrong value by its check.
TEST_F(GpuTest, FindsAWrongValue) {
  const SmallGame game = small_abalone<Square3>("abalone:3x3,captures=1");
  ASSERT_TRUE(game.device->solve(0));
  const auto right = game.device->verify(0);
  ASSERT_TRUE(right);
  EXPECT_EQ(right->wrong, 0U);
  // A table in which index 7 is worth something else, loaded as if it had been solved.
  std::vector<std::uint16_t> codes(game.space->size(0));
  ASSERT_TRUE(game.device->read(0, 0, codes));
  codes[7] = Value::win(9999).code();
  CodeSet set;
  set.add(codes);
  auto writer = SectionWriter::create(path("wrong.section"), game.space->tier_name(0), codes.size(), set.sorted());
  ASSERT_TRUE(writer && writer->append(codes) && writer->finish());
  const auto section = TableSection::open(path("wrong.section"));
  ASSERT_TRUE(section && game.device->load(0, *section));
  const auto wrong = game.device->verify(0);
  ASSERT_TRUE(wrong);
  EXPECT_GE(wrong->wrong, 1U);
  EXPECT_LE(wrong->first, 7U);
  const std::array<TierIndex, 1> place = {TierIndex{0, 7}};
  const auto found =
      game.space->check(place, [&](std::span<const TierIndex> asked) { return *game.device->fetch(asked); });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->in_table, Value::win(9999));
}

/// A device that answers one place wrong when it is asked for by the processor, and right in its own check.
class LyingDevice final : public TierDevice {
 public:
  LyingDevice(TierDevice& device, TierIndex place) : device_(device), place_(place) {}
  [[nodiscard]] std::string name() const override { return device_.name(); }
  [[nodiscard]] DevicePlan plan() const override { return device_.plan(); }
  void limit_memory(std::uint64_t bytes) override { device_.limit_memory(bytes); }
  [[nodiscard]] std::uint64_t parked() const override { return device_.parked(); }
  void offer(std::uint32_t tier, TableSection section) override { device_.offer(tier, std::move(section)); }
  [[nodiscard]] const DeviceTimes& times() const override { return device_.times(); }
  [[nodiscard]] Result<TierSummary> solve(std::uint32_t tier) override { return device_.solve(tier); }
  [[nodiscard]] Result<void> load(std::uint32_t tier, const TableSection& section) override {
    return device_.load(tier, section);
  }
  [[nodiscard]] Result<void> read(std::uint32_t tier, std::uint64_t first, std::span<std::uint16_t> codes) override {
    return device_.read(tier, first, codes);
  }
  [[nodiscard]] Result<std::vector<Value>> fetch(std::span<const TierIndex> places) override {
    auto values = device_.fetch(places);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i] == place_) (*values)[i] = Value::draw();
    }
    return values;
  }
  [[nodiscard]] Result<CheckedTier> verify(std::uint32_t tier) override { return device_.verify(tier); }

 private:
  TierDevice& device_;
  TierIndex place_;
};

TEST_F(GpuTest, ChecksEveryPositionOnTheBestLines) {
  const SmallGame game = small_fanorona<Square3>("fanorona:3x3,sacrifice=off");
  const auto options = *fanorona::read_options("fanorona:3x3,sacrifice=off,limit=0");
  const fanorona::Space<RuntimeShape<64>> space(options);
  // A place that best play comes to, three moves after the start, found with the rules and the table alone.
  const auto table = ValueTable::open(solve_here(game));
  ASSERT_TRUE(table);
  TableReader reader = table->reader(1 << 20);
  const auto value = [&](const auto& p) {
    const auto place = space.place(p);
    return place ? *table->lookup(reader, place->tier, place->index) : Value::loss(0);
  };
  auto p = space.rules().initial();
  for (int ply = 0; ply < 3; ++ply) {
    auto best = p;
    space.rules().for_each_turn(p, [&](const auto& m) {
      const auto next = space.rules().play(p, m);
      if (before(value(next)) == value(p)) best = next;
      return true;
    });
    ASSERT_NE(best.moves, p.moves);
    p = best;
  }
  const DeviceSettings settings{
      .spec = game.spec, .sample = 0, .start = space.rules().to_board(space.rules().initial())};
  const auto report = solve_on_device(*game.space, *game.device, settings);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_GE(report->on_lines, 12U) << "the first player wins in 11";
  SmallGame again = small_fanorona<Square3>("fanorona:3x3,sacrifice=off");
  LyingDevice lying(*again.device, *space.place(p));
  const auto found = solve_on_device(*again.space, lying, settings);
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("does not follow from its moves"), std::string::npos) << found.error().message;
}

// The real thing, where there is one.
TEST_F(GpuTest, WritesTheSameFileOnAGpu) {
  for (const char* spec : {"abalone:3x3,captures=2", "abalone:4x4,freeze", "abalone:4x4,misere,must", "fanorona:5x3",
                           "fanorona:5x3,sacrifice=off", "fanorona:3x3"}) {
    const auto solver = open_solver(spec);
    ASSERT_TRUE(solver) << spec;
    const auto device = (*solver)->open_device();
    if (!device) GTEST_SKIP() << device.error().message;
    const auto report = (*solver)->solve_on(**device, {.table = path("device.table"), .sample = 10000});
    ASSERT_TRUE(report) << spec << ": " << report.error().message;
    ASSERT_TRUE((*solver)->solve({.table = path("processor.table")})) << spec;
    EXPECT_EQ(bytes_of(path("device.table")), bytes_of(path("processor.table"))) << spec;
    fs::remove(path("device.table"));
    fs::remove(path("processor.table"));
  }
}

TEST_F(GpuTest, PlansItsMemory) {
  const SmallGame game = small_abalone<Square3>("abalone:3x3,captures=2");
  const DevicePlan plan = game.device->plan();
  std::uint64_t positions = 0;
  for (std::uint32_t tier = 0; tier < game.space->tiers(); ++tier) positions += game.space->size(tier);
  EXPECT_EQ(plan.values, positions);
  EXPECT_GT(plan.working, 4 * game.space->size(1));
  EXPECT_TRUE(plan.fits());
}

/// The smallest memory that a game fits into: its other tiers are parked.
void limit_tightly(TierDevice& device) {
  const DevicePlan plan = device.plan();
  device.limit_memory(plan.peak + plan.fixed);
}

TEST_F(GpuTest, ParksTiersInTheirFiles) {
  std::uint64_t parked = 0;
  for (SmallGame& game : small_games()) {
    const std::string expected = solve_here(game);
    limit_tightly(*game.device);
    ASSERT_TRUE(game.device->plan().fits()) << game.spec;
    const DeviceSettings settings{.table = path("device.table"), .spec = game.spec, .sample = 1000};
    const auto report = solve_on_device(*game.space, *game.device, settings);
    ASSERT_TRUE(report) << game.spec << ": " << report.error().message;
    EXPECT_EQ(bytes_of(settings.table), bytes_of(expected)) << game.spec;
    EXPECT_EQ(report->sampled, 1000U);
    parked += game.device->parked();
    fs::remove(settings.table);
    fs::remove(expected);
  }
  EXPECT_GT(parked, 0U);
}

TEST_F(GpuTest, ParksTiersInTheHostsMemory) {
  std::uint64_t parked = 0;
  std::vector<SmallGame> roomy = small_games();
  std::size_t number = 0;
  for (SmallGame& game : small_games()) {
    limit_tightly(*game.device);
    const auto start = game.space->board({game.space->tiers() - 1, 0});
    const DeviceSettings settings{.spec = game.spec, .sample = 1000, .start = start};
    const auto report = solve_on_device(*game.space, *game.device, settings);
    ASSERT_TRUE(report) << game.spec << ": " << report.error().message;
    EXPECT_GT(report->on_lines, 0U) << game.spec;
    const SmallGame& other = roomy[number++];
    const auto unlimited = solve_on_device(*other.space, *other.device, {.spec = other.spec, .sample = 0});
    ASSERT_TRUE(unlimited) << game.spec;
    for (std::size_t tier = 0; tier < report->tiers.size(); ++tier) {
      EXPECT_EQ(report->tiers[tier].checksum, unlimited->tiers[tier].checksum) << game.spec << " " << tier;
    }
    EXPECT_EQ(other.device->parked(), 0U);
    parked += game.device->parked();
  }
  EXPECT_GT(parked, 0U);
}

TEST_F(GpuTest, RefusesATierThatDoesNotFit) {
  const SmallGame game = small_abalone<Square3>("abalone:3x3,captures=2");
  const DevicePlan plan = game.device->plan();
  game.device->limit_memory(plan.peak + plan.fixed - 1);
  EXPECT_FALSE(game.device->plan().fits());
  const auto report = solve_on_device(*game.space, *game.device, {.spec = game.spec});
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message.find("at the same time"), std::string::npos) << report.error().message;
}

}  // namespace
}  // namespace paika
