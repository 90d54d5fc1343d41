// Downloads of tables: whole and in ranges, the same bytes as in the file, and nothing else of the folder.
#include "server/api/table_files.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "engine/registry.hpp"
#include "engine/solver.hpp"
#include "engine/tables.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/must.hpp"

namespace paika::server {
namespace {

class TableFiles : public testing::Test {
 protected:
  static constexpr const char* spec = "abalone:3x3,captures=1";

  void SetUp() override {
    const auto solver = paika_tests::must(open_solver(spec), spec);
    const std::string path = table_path(folder_.path().string(), solver->label());
    SolveSettings settings;
    settings.table = path;
    ASSERT_TRUE(solver->solve(settings));
    name_ = std::filesystem::path(path).filename().string();
    std::ostringstream read;
    read << std::ifstream(path, std::ios::binary).rdbuf();
    content_ = read.str();
    ASSERT_GT(content_.size(), 100U);
  }

  struct Answer {
    Response head;
    std::string body;
    [[nodiscard]] std::string header(std::string_view name) const {
      for (const auto& [key, value] : head.headers) {
        if (key == name) return value;
      }
      return "";
    }
  };

  [[nodiscard]] Answer get(const std::string& name, const std::string& range = "", const std::string& other = "",
                           const std::string& value = "") const {
    Request request;
    if (!range.empty()) request.headers["range"] = range;
    if (!other.empty()) request.headers[other] = value;
    TableDownload download = download_table(folder_.path().string(), name, request);
    Answer answer{std::move(download.response), {}};
    while (download.next) {
      const auto piece = download.next();
      if (!piece) break;
      EXPECT_FALSE(piece->empty());
      answer.body += *piece;
    }
    return answer;
  }

  paika_tests::TemporaryFolder folder_;
  std::string name_;
  std::string content_;
};

TEST_F(TableFiles, come_whole) {
  const Answer answer = get(name_);
  EXPECT_EQ(answer.head.status, 200);
  EXPECT_EQ(answer.head.type, "application/octet-stream");
  EXPECT_EQ(answer.header("Accept-Ranges"), "bytes");
  EXPECT_TRUE(answer.body == content_);
}

TEST_F(TableFiles, are_listed_by_name_and_checksum) {
  const Json listed = tables_json(folder_.path().string()).at(0);
  EXPECT_EQ(listed.at("file"), name_);
  const std::string checksum = listed.at("checksum");
  EXPECT_EQ(checksum.size(), 16U);
  EXPECT_EQ(get(name_).header("ETag"), "\"" + checksum + "\"");
}

TEST_F(TableFiles, come_in_ranges) {
  const std::string all = std::to_string(content_.size());
  const Answer middle = get(name_, "bytes=10-29");
  EXPECT_EQ(middle.head.status, 206);
  EXPECT_EQ(middle.header("Content-Range"), "bytes 10-29/" + all);
  EXPECT_TRUE(middle.body == content_.substr(10, 20));
  EXPECT_TRUE(get(name_, "bytes=50-").body == content_.substr(50));
  EXPECT_TRUE(get(name_, "bytes=-7").body == content_.substr(content_.size() - 7));
  EXPECT_TRUE(get(name_, "bytes=90-99999999").body == content_.substr(90));
  EXPECT_EQ(get(name_, "bytes=-99999999").header("Content-Range"),
            "bytes 0-" + std::to_string(content_.size() - 1) + "/" + all);
  const Answer beyond = get(name_, "bytes=" + all + "-");
  EXPECT_EQ(beyond.head.status, 416);
  EXPECT_EQ(beyond.header("Content-Range"), "bytes */" + all);
}

TEST_F(TableFiles, ranges_without_sense_are_ignored) {
  for (const char* range : {"bytes=9-5", "bytes=-", "bytes=a-b", "lines=1-2", "bytes=1-2,4-5", "bytes=5", "bytes=+1-2",
                            "bytes=1-99999999999999999999999"}) {
    const Answer answer = get(name_, range);
    EXPECT_EQ(answer.head.status, 200) << range;
    EXPECT_TRUE(answer.body == content_) << range;
  }
}

TEST_F(TableFiles, have_distances_that_add_up) {
  const Json told = Json::parse(table_distances(folder_.path().string(), name_).body);
  const Json tier = tables_json(folder_.path().string()).at(0).at("tiers").at(0);
  const auto sum = [](const Json& list) {
    std::uint64_t all = 0;
    for (const Json& count : list) all += count.get<std::uint64_t>();
    return all;
  };
  EXPECT_EQ(sum(told.at("wins")), tier.at("wins"));
  EXPECT_EQ(sum(told.at("losses")), tier.at("losses"));
  EXPECT_EQ(told.at("draws"), tier.at("draws"));
  EXPECT_EQ(told.at("wins").size(), tier.at("longest_win").get<std::size_t>() + 1);
  EXPECT_GT(told.at("wins").back(), 0);
  EXPECT_EQ(told.at("wins").at(0), 0) << "nobody wins without a move";
  const Json longest = told.at("longest");
  EXPECT_EQ(longest.at("win_in"), tier.at("longest_win"));
  const auto book = paika_tests::must(TableBook::open(spec, folder_.path().string()), spec);
  const auto game = paika_tests::must(open_game(spec), spec);
  const auto session = paika_tests::must(game->start_from_text(longest.at("position").get<std::string>()), "position");
  EXPECT_EQ(paika_tests::must(book->value(*session), "value"), Value::win(longest.at("win_in")));
  EXPECT_EQ(table_distances(folder_.path().string(), "nothing.table").status, 404);
}

TEST_F(TableFiles, that_the_client_has_are_not_sent_again) {
  const std::string tag = get(name_).header("ETag");
  const Answer same = get(name_, "", "if-none-match", tag);
  EXPECT_EQ(same.head.status, 304);
  EXPECT_TRUE(same.body.empty());
  EXPECT_EQ(get(name_, "bytes=0-9", "if-range", tag).head.status, 206);
  EXPECT_TRUE(get(name_, "bytes=0-9", "if-range", "\"other\"").body == content_)
      << "the file is another one: all of it";
}

TEST_F(TableFiles, are_all_that_can_be_had) {
  std::ofstream(folder_.path() / "notes.txt") << "private";
  std::ofstream(folder_.path() / "broken.table") << "rubbish";
  std::ofstream(folder_.path() / ".hidden.table") << content_;
  const std::vector<std::string> names = {"notes.txt", "broken.table", ".hidden.table", "nothing.table", ".table",
                                          "",          "../" + name_,  "./" + name_,    "ABALONE.table"};
  for (const std::string& name : names) {
    const Answer answer = get(name);
    EXPECT_EQ(answer.head.status, 404) << name;
    EXPECT_EQ(answer.head.body.find(folder_.path().string()), std::string::npos) << "no path of the machine";
  }
  EXPECT_EQ(download_table("", name_, {}).response.status, 404) << "a server without tables";
}

}  // namespace
}  // namespace paika::server
