#include "tournament/folder_pack.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "play/autosave.hpp"
#include "tests/support/must.hpp"

namespace paika::tournament {

namespace {

namespace fs = std::filesystem;
using paika_tests::must;

class FolderPack : public testing::Test {
 protected:
  FolderPack() {
    std::string name = (fs::temp_directory_path() / "paika pack XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~FolderPack() override {
    std::error_code error;
    fs::remove_all(folder_, error);
  }

  fs::path folder_;
};

}  // namespace

TEST_F(FolderPack, comes_out_as_it_went_in) {
  fs::create_directories(folder_ / "in" / "deep er");
  std::ofstream(folder_ / "in" / "bot.py") << "print(1)\nx 5 y\n";
  std::ofstream(folder_ / "in" / "deep er" / " odd name") << std::string(1000, '\0');
  fs::permissions(folder_ / "in" / "bot.py", fs::perms::owner_all);
  const std::string pack = must(pack_folder((folder_ / "in").string()), "pack");
  ASSERT_TRUE(unpack_folder(pack, (folder_ / "out").string()));
  EXPECT_EQ(must(play::read_whole_file((folder_ / "out" / "bot.py").string()), "file"), "print(1)\nx 5 y\n");
  EXPECT_EQ(fs::file_size(folder_ / "out" / "deep er" / " odd name"), 1000U);
  const auto mode = fs::status(folder_ / "out" / "bot.py").permissions();
  EXPECT_EQ(mode & fs::perms::owner_all, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(must(pack_folder((folder_ / "out").string()), "again"), pack);
  EXPECT_FALSE(unpack_folder(pack, (folder_ / "out").string())) << "it is there already";
}

TEST_F(FolderPack, a_name_that_is_too_long_is_refused) {
  const std::string out = (folder_ / "out").string();
  for (const std::string& name : {std::string(300, 'n'), "a/" + std::string(300, 'n'), std::string(300, 'n') + "/a"}) {
    const auto unpacked = unpack_folder("paika-folder 1\nf 1 good\nxf 1 " + name + "\nx", out);
    EXPECT_FALSE(unpacked) << name;
    EXPECT_FALSE(fs::exists(out)) << "nothing is left";
  }
}

TEST_F(FolderPack, links_are_kept_if_they_are_wanted) {
  fs::create_directories(folder_ / "in" / "lib");
  std::ofstream(folder_ / "in" / "lib" / "so.1") << "code";
  fs::create_symlink("so.1", folder_ / "in" / "lib" / "so");
  fs::create_symlink("/nowhere", folder_ / "in" / "broken");
  const std::string pack = must(pack_folder((folder_ / "in").string(), Links::kept), "pack");
  EXPECT_TRUE(check_pack(pack));
  ASSERT_TRUE(unpack_folder(pack, (folder_ / "out").string()));
  EXPECT_EQ(fs::read_symlink(folder_ / "out" / "lib" / "so"), "so.1");
  EXPECT_EQ(must(play::read_whole_file((folder_ / "out" / "lib" / "so").string()), "file"), "code");
  EXPECT_EQ(fs::read_symlink(folder_ / "out" / "broken"), "/nowhere");
  EXPECT_EQ(must(pack_folder((folder_ / "out").string(), Links::kept), "again"), pack);
}

TEST_F(FolderPack, nothing_is_written_through_a_link) {
  const std::string out = (folder_ / "out").string();
  const std::string up = "l 2 up\n..";
  for (const std::string& pack :
       {up + "f 1 up/x\nx", "f 1 up/x\nx" + up, up + "l 1 up/x\ny", "l 1 up/x\ny" + up, up + up, "f 1 up\nx" + up,
        up + "f 1 up/a/b\nx", std::string("l 0 empty\n"), std::string("l 3 odd\na\0b", 11)}) {
    EXPECT_FALSE(unpack_folder("paika-folder 1\n" + pack, out)) << pack;
    EXPECT_FALSE(fs::exists(out)) << "nothing is left";
    EXPECT_FALSE(fs::exists(folder_ / "x")) << pack;
  }
}

TEST_F(FolderPack, nothing_leads_out) {
  fs::create_directories(folder_ / "in");
  fs::create_symlink("/etc/passwd", folder_ / "in" / "link");
  EXPECT_FALSE(pack_folder((folder_ / "in").string()));
  const std::string out = (folder_ / "out").string();
  for (const std::string name : {"../x", "/etc/x", "a/../../x", "a//b", ".", "", "a/", "./a"}) {
    const auto unpacked = unpack_folder("paika-folder 1\nf 1 good\nxf 1 " + name + "\nx", out);
    EXPECT_FALSE(unpacked) << name;
    EXPECT_FALSE(fs::exists(out)) << "nothing is left";
  }
  for (const std::string pack :
       {"", "nonsense", "paika-folder 1\nf", "paika-folder 1\nf 9 a\nx", "paika-folder 1\nq 1 a\nx",
        "paika-folder 1\nf -1 a\nx", "paika-folder 1\nf 1 a\nxf 1 a\nx"}) {
    EXPECT_FALSE(unpack_folder(pack, out)) << pack;
    EXPECT_FALSE(fs::exists(out)) << "nothing is left";
  }
  EXPECT_FALSE(fs::exists(folder_ / "x"));
}

}  // namespace paika::tournament
