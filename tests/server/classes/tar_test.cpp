// Archives as the system's own tar reads them.
#include "server/classes/tar.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

#include "tests/support/files.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/must.hpp"

namespace paika_tests {

namespace {

using paika::server::tar_end;
using paika::server::tar_entries;

TEST(Tar, is_read_by_tar) {
  const TemporaryFolder folder;
  const std::string deep = std::string(70, 'd') + "/" + std::string(60, 'e') + "/" + std::string(90, 'f');
  const std::string binary = std::string("\0\1\2\xff", 4) + std::string(1000, 'x');
  const std::string archive = must(tar_entries({{"a.txt", "hello\n", 1'700'000'000}}), "first part") +
                              must(tar_entries({{"b/empty", "", 0}, {deep, binary, 1}}), "second part") + tar_end();
  EXPECT_EQ(archive.size() % 512, 0U);
  std::ofstream(folder / "x.tar", std::ios::binary) << archive;
  const std::string path = folder.path().string();
  ASSERT_EQ(std::system(fmt::format("cd '{}' && tar xf x.tar", path).c_str()), 0);
  EXPECT_EQ(read_whole(folder / "a.txt"), "hello\n");
  EXPECT_EQ(read_whole(folder / "b/empty"), "");
  EXPECT_EQ(read_whole(folder / deep), binary);
}

TEST(Tar, refuses_paths_that_do_not_fit) {
  EXPECT_FALSE(tar_entries({{std::string(101, 'a'), "", 0}}));
  EXPECT_TRUE(tar_entries({{std::string(100, 'a'), "", 0}}));
  EXPECT_FALSE(tar_entries({{std::string(160, 'a') + "/b", "", 0}}));
}

}  // namespace

}  // namespace paika_tests
