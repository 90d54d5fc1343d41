// Control groups, on folders that look like those of the kernel: both versions, delegation, leftovers.
#include "sandbox/cgroup.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/xattr.h>
#include <unistd.h>

#include "tests/support/files.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/must.hpp"

namespace paika::sandbox {
namespace {

namespace fs = std::filesystem;
using paika_tests::must;
using paika_tests::read_whole;
using paika_tests::TemporaryFolder;

void make_files(const fs::path& folder, const std::vector<std::string>& names, const std::string& text = "") {
  fs::create_directories(folder);
  for (const std::string& name : names) std::ofstream(folder / name) << text;
}

std::string group_name() { return fmt::format("paika-bot-{}", getpid()); }

std::string mount_line(const fs::path& at, const std::string& root, const std::string& type,
                       const std::string& options) {
  return fmt::format("31 23 0:28 {} {} rw,relatime shared:9 - {} cgroup rw,{}\n", root, at.string(), type, options);
}

TEST(Cgroups, version_1_has_a_folder_per_controller) {
  const TemporaryFolder root;
  const std::string own = "7:memory:/service/a\n6:pids:/\n5:cpu,cpuacct:/x\n0::/\n";
  const std::string mounts = mount_line(root.path() / "memory", "/service", "cgroup", "memory") +
                             mount_line(root.path() / "pids", "/", "cgroup", "pids") +
                             mount_line(root.path() / "cpu", "/", "cgroup", "cpu,cpuacct");
  const auto places = must(find_cgroup_places(own, mounts), "places");
  EXPECT_EQ(places.memory.folder, root / "memory/a");
  EXPECT_EQ(places.pids.folder, root / "pids");
  EXPECT_EQ(places.cpu.folder, root / "cpu/x");
  EXPECT_EQ(places.cpuacct.folder, root / "cpu/x");
  EXPECT_FALSE(places.memory.unified);
}

TEST(Cgroups, without_memory_and_processes_there_is_none) {
  EXPECT_FALSE(find_cgroup_places("0::/\n", ""));
  const TemporaryFolder root;
  make_files(root.path(), {"cgroup.subtree_control"}, "cpu io\n");
  EXPECT_FALSE(find_cgroup_places("0::/\n", mount_line(root.path(), "/", "cgroup2", "nsdelegate")));
}

TEST(Cgroups, version_2_limits_and_counts) {
  const TemporaryFolder root;
  make_files(root.path(), {"cgroup.subtree_control"}, "cpu io memory pids\n");
  const fs::path group = root.path() / group_name();
  make_files(group, {"memory.max", "memory.swap.max", "pids.max", "cpu.weight", "cgroup.procs"});
  make_files(group, {"cpu.stat"}, "usage_usec 1234\nuser_usec 1000\n");
  make_files(group, {"memory.events"}, "low 0\nmax 7\noom 1\noom_kill 0\n");
  make_files(group, {"pids.events"}, "max 0\n");
  const auto places =
      must(find_cgroup_places("0::/\n", mount_line(root.path(), "/", "cgroup2", "nsdelegate")), "places");
  const auto made = must(Cgroup::make(places, {1 << 20, 65, 10}), "group");
  EXPECT_EQ(read_whole((group / "memory.max").string()), "1048576");
  EXPECT_EQ(read_whole((group / "memory.swap.max").string()), "0");
  EXPECT_EQ(read_whole((group / "pids.max").string()), "65");
  EXPECT_EQ(read_whole((group / "cpu.weight").string()), "11");
  EXPECT_EQ(made.processor_time(), std::chrono::microseconds(1234));
  EXPECT_FALSE(made.ran_out_of_memory());
  EXPECT_FALSE(made.ran_out_of_processes());
  make_files(group, {"memory.events"}, "low 0\nmax 7\noom 1\noom_kill 2\n");
  make_files(group, {"pids.events"}, "max 3\n");
  EXPECT_TRUE(made.ran_out_of_memory());
  EXPECT_TRUE(made.ran_out_of_processes());
  ASSERT_TRUE(made.add(77));
  EXPECT_EQ(read_whole((group / "cgroup.procs").string()), "77");
  fs::remove_all(group);  // the files of the kernel would go with their folder
}

TEST(Cgroups, in_a_delegated_group_we_move_to_a_leaf) {
  const TemporaryFolder root;
  const fs::path own = root.path() / "paika.service";
  make_files(own, {"cgroup.procs"}, "");
  std::ofstream(own / "cgroup.procs") << "4\n";
  make_files(own, {"cgroup.subtree_control"}, "memory pids cpu\n");
  make_files(own / "paika-main", {"cgroup.procs"});
  const std::string mounts = mount_line(root.path(), "/", "cgroup2", "nsdelegate");
  if (setxattr(own.c_str(), "user.delegate", "1", 1, 0) != 0) GTEST_SKIP() << "NOT TESTED: no attributes of files here";
  const auto places = must(find_cgroup_places("0::/paika.service\n", mounts), "places");
  EXPECT_EQ(places.memory.folder, own.string());
  EXPECT_EQ(read_whole((own / "paika-main/cgroup.procs").string()), "4");
  // Controllers that are not there yet are asked for.
  make_files(own, {"cgroup.subtree_control"}, "memory pids\n");
  (void)find_cgroup_places("0::/paika.service\n", mounts);
  EXPECT_TRUE(read_whole((own / "cgroup.subtree_control").string()).starts_with("+cpu"));
  // Once there, the group above the leaf is the place.
  make_files(own, {"cgroup.subtree_control"}, "memory pids cpu\n");
  const auto later = must(find_cgroup_places("0::/paika.service/paika-main\n", mounts), "places");
  EXPECT_EQ(later.memory.folder, own.string());
}

TEST(Cgroups, leftovers_of_those_who_ended_are_removed) {
  const TemporaryFolder root;
  make_files(root.path(), {"cgroup.subtree_control"}, "memory pids\n");
  const fs::path old = root.path() / "paika-bot-999999999";
  const fs::path alive = root.path() / "paika-bot-1";
  for (const fs::path& folder : {old, alive}) fs::create_directory(folder);
  const fs::path group = root.path() / group_name();
  make_files(group, {"memory.max", "pids.max"});
  {
    const auto places = must(find_cgroup_places("0::/\n", mount_line(root.path(), "/", "cgroup2", "")), "places");
    const auto made = must(Cgroup::make(places, {1 << 20, 65, 0}), "group");
    EXPECT_FALSE(fs::exists(old));
    EXPECT_TRUE(fs::exists(alive));
    fs::remove_all(group);
  }
}

}  // namespace
}  // namespace paika::sandbox
