// Folders of programs out of a queue: fetched once, believed only by their hash, and gone when nobody needs them.
#include "tournament/folder_cache.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "tests/support/folder.hpp"
#include "tournament/order.hpp"

namespace paika::tournament {
namespace {

namespace fs = std::filesystem;

struct FolderCacheTest : testing::Test {
  paika_tests::TemporaryFolder folder;
  std::string place = folder / "cache";
  std::string pack = "paika-folder 1\nf 1 a\nx";
  int fetched = 0;
  std::function<std::optional<std::string>(const std::string&)> fetch = [this](const std::string&) {
    ++fetched;
    return std::optional(pack);
  };
};

TEST_F(FolderCacheTest, a_pack_is_fetched_once) {
  FolderCache cache(place);
  const auto first = cache.get(sha256_hex(pack), fetch);
  ASSERT_TRUE(first);
  EXPECT_TRUE(fs::exists(**first + "/a"));
  EXPECT_EQ(**cache.get(sha256_hex(pack), fetch), **first);
  EXPECT_EQ(fetched, 1);
}

TEST_F(FolderCacheTest, what_is_not_what_its_hash_says_is_not_unpacked) {
  FolderCache cache(place);
  EXPECT_FALSE(cache.get(sha256_hex("other"), fetch));
  EXPECT_FALSE(cache.get(sha256_hex(pack), [](const std::string&) { return std::nullopt; }));
  EXPECT_TRUE(fs::is_empty(place));
}

TEST_F(FolderCacheTest, what_nobody_uses_goes) {
  FolderCache cache(place, std::chrono::seconds(0));
  auto held = cache.get(sha256_hex(pack), fetch);
  const std::string where = **held;
  cache.tidy();
  EXPECT_TRUE(fs::exists(where)) << "it is used";
  held = cache.get(sha256_hex(pack), fetch);
  held->reset();
  cache.tidy();
  EXPECT_FALSE(fs::exists(where));
  EXPECT_TRUE(cache.get(sha256_hex(pack), fetch)) << "it is fetched again";
  EXPECT_EQ(fetched, 2);
}

TEST_F(FolderCacheTest, what_was_there_before_is_removed) {
  fs::create_directories(place + "/old");
  FolderCache cache(place);
  EXPECT_TRUE(fs::is_empty(place));
}

}  // namespace
}  // namespace paika::tournament
