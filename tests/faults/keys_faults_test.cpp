// The file of keys under fault injection: whatever fails, a whole file is there, and the key that signed goes on
// signing.
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/sso/tool_keys.hpp"
#include "server/store/secrets.hpp"
#include "tests/faults/injection.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/must.hpp"

namespace paika::server {
namespace {

constexpr WallTime first_day = 1'800'000'000'000;
constexpr WallTime rotation_day = first_day + WallTime{90} * 86'400'000;

TEST(KeysUnderFaults, a_rotation_that_fails_loses_no_key) {
  ASSERT_TRUE(start_secrets());
  const paika_tests::TemporaryFolder folder;
  const std::string made = folder / "made";  // once: it takes a while
  ASSERT_TRUE(ToolKeys::open(made, first_day));
  const auto faults = paika_tests::for_each_fault([&](std::uint64_t number) {
    const std::string path = folder / "keys";
    std::filesystem::copy_file(made, path, std::filesystem::copy_options::overwrite_existing);
    ToolKeys keys = paika_tests::must(ToolKeys::open(path, first_day), path);
    const std::string kid = keys.current(first_day).kid();
    bool met = false;
    {
      const paika_tests::ArmedFault armed(paika_tests::FaultKind::io, number);
      const bool rotated = keys.rotate(rotation_day).has_value();
      met = paika_tests::ArmedFault::was_met();
      EXPECT_EQ(rotated, !met);
    }
    EXPECT_EQ(keys.current(rotation_day).kid(), kid);
    // What is on the disk is whole, and the next try succeeds.
    EXPECT_EQ(paika_tests::must(ToolKeys::open(path, first_day), path).current(rotation_day).kid(), kid);
    EXPECT_TRUE(keys.rotate(rotation_day));
    EXPECT_EQ(keys.public_set()["keys"].size(), 2U);
    return met;
  });
  EXPECT_GE(faults, 4U);  // opened, synced, renamed, and the folder
}

}  // namespace
}  // namespace paika::server
