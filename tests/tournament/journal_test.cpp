#include "tournament/journal.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

#include "play/autosave.hpp"
#include "tests/tournament/plans.hpp"
#include "tournament/director.hpp"
#include "tournament/order.hpp"
#include "tournament/worker.hpp"

namespace paika::tournament {

namespace {

namespace fs = std::filesystem;
using paika_tests::must;
using paika_tests::plan_of;

class JournalTest : public testing::Test {
 protected:
  JournalTest() {
    std::string name = (fs::temp_directory_path() / "paika journal XXXXXX").string();
    folder_ = mkdtemp(name.data());
    path_ = folder_ + "/t.results";
  }
  ~JournalTest() override {
    std::error_code error;
    fs::remove_all(folder_, error);
  }

  void write(std::string_view bytes) const {
    std::ofstream file(path_, std::ios::binary | std::ios::trunc);
    file << bytes;
  }

  /// Plays what is left; returns the file's bytes.
  std::string play_all(const TournamentPlan& plan) {
    const auto journal = must(Journal::open(path_, plan), "journal");
    const auto director = must(Director::start(plan, *journal, queue(), settings()), "director");
    JobWorkerSettings worker;
    worker.version = "1";
    worker.topic = director->topic();
    worker.kinds[std::string(game_kind)] =
        game_worker({sandbox::Sandbox::none, {}, nullptr, folder_ + "/logs", std::map<std::string, ProgramFiles>()});
    worker.on_event = [](const JobEvent& event) { EXPECT_EQ(event.text, ""); };
    std::jthread working([&](const std::stop_token& stop) { static_cast<void>(work_on_jobs(queue(), worker, stop)); });
    director->run({});
    EXPECT_TRUE(director->complete());
    return must(play::read_whole_file(path_), "results");
  }

  [[nodiscard]] JobQueue queue() const { return must(JobQueue::open(folder_ + "/queue.db"), "queue"); }
  [[nodiscard]] DirectorSettings settings() const { return {path_, "1", folder_ + "/logs", false}; }

  std::string refused(const TournamentPlan& plan) {
    const auto journal = Journal::open(path_, plan);
    return journal ? "" : journal.error().message;
  }

  std::string folder_;
  std::string path_;
};

/// The games without what depends on the time they were played at.
std::vector<std::string> games_in(std::string_view bytes) {
  std::vector<std::string> games;
  const auto content = must(read_journal(bytes), "journal");
  for (const FinishedGame& game : content.games) {
    std::string turns;
    const auto records = must(play::parse_records(game.record), "record");
    for (const auto& turn : records.front().turns) turns += turn.text + " ";
    games.push_back(fmt::format("{} {} {} {}{}", game.id, game.players[0], game.players[1], turns, name(game.verdict)));
  }
  return games;
}

}  // namespace

TEST_F(JournalTest, cut_anywhere_it_goes_on_without_losing_or_repeating_a_game) {
  const auto plan = plan_of(System::round_robin, 3);
  const std::string whole = play_all(plan);
  const auto games = games_in(whole);
  ASSERT_EQ(games.size(), 3U);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto content = must(read_journal(std::string_view(whole).substr(0, size)), "cut");
    EXPECT_EQ(content.whole + content.torn, size);
    EXPECT_LE(content.games.size(), games.size());
  }
  for (std::size_t size = 0; size < whole.size(); size += 397) {
    write(std::string_view(whole).substr(0, size));
    EXPECT_EQ(games_in(play_all(plan)), games) << "cut after " << size << " bytes";
  }
}

TEST_F(JournalTest, any_other_damage_is_told) {
  const auto plan = plan_of(System::round_robin, 3);
  const std::string whole = play_all(plan);
  int told = 0;
  for (std::size_t at = 0; at < whole.size(); at += 41) {
    std::string bytes = whole;
    bytes[at] = bytes[at] == 'x' ? 'y' : 'x';
    const auto content = read_journal(bytes);
    // A line end that is gone joins two lines; the last one only leaves a torn line.
    if (content) {
      EXPECT_GT(content->torn, 0U) << "at " << at;
    } else {
      EXPECT_NE(content.error().message.find("line "), std::string::npos);
      ++told;
    }
  }
  EXPECT_GT(told, 10);
  write(whole.substr(whole.find('\n') + 1));
  EXPECT_NE(refused(plan).find("line 1: this is not the results file"), std::string::npos) << refused(plan);
  const std::size_t second = whole.find('\n') + 1;
  const std::string line = whole.substr(second, whole.find('\n', second) + 1 - second);
  write(whole + line);
  EXPECT_NE(refused(plan).find("is there twice"), std::string::npos);
}

TEST_F(JournalTest, another_plan_is_refused_with_the_difference) {
  play_all(plan_of(System::round_robin, 3));
  EXPECT_NE(refused(plan_of(System::round_robin, 3, 2)).find("legs was 1 and is 2"), std::string::npos);
  const std::string words = refused(plan_of(System::round_robin, 4));
  EXPECT_NE(words.find("players/3/name was \"nothing\" and is \"p3\""), std::string::npos) << words;
  auto same = plan_of(System::round_robin, 3);
  same.concurrency = 7;
  EXPECT_EQ(refused(same), "");
}

TEST_F(JournalTest, foreign_files_are_left_alone) {
  for (const std::string text : {"my poem\n", "my poem", "\n", "{}\n"}) {
    write(text);
    EXPECT_NE(refused(plan_of(System::round_robin, 3)), "") << text;
    EXPECT_EQ(must(play::read_whole_file(path_), "file"), text);
  }
}

TEST_F(JournalTest, one_at_a_time) {
  const auto plan = plan_of(System::round_robin, 3);
  const auto journal = must(Journal::open(path_, plan), "journal");
  EXPECT_NE(refused(plan).find("is in use"), std::string::npos);
}

TEST_F(JournalTest, a_result_counts_once) {
  const auto plan = plan_of(System::round_robin, 3);
  const auto journal = must(Journal::open(path_, plan), "journal");
  const auto director = must(Director::start(plan, *journal, queue(), settings()), "director");
  std::jthread directing([&](const std::stop_token& stop) { director->run(stop); });
  JobQueue jobs = queue();
  const auto take = [&] {
    std::optional<TakenJob> taken;
    while (!taken) taken = jobs.take({"far", "1", {std::string(game_kind)}, ""});
    return *taken;
  };
  const TakenJob taken = take();
  const GameOrder order = must(read_order(taken.order), "order");
  const auto game = must(play_job(order.job, folder_ + "/logs", {}), "game");
  ASSERT_TRUE(game);
  FinishedGame strange = *game;
  strange.id = "r9.t9.g9.othello:6x6";
  EXPECT_TRUE(jobs.finish(taken, result_text({strange, {}}))) << "the queue does not look";
  TakenJob again = take();
  while (again.name != taken.name) again = take();  // a result that is none is not entered: the game is due again
  EXPECT_FALSE(jobs.finish(taken, result_text({*game, {}}))) << "it is another one's by now";
  EXPECT_TRUE(jobs.finish(again, result_text({*game, {}})));
  while (director->ended_since(0).empty()) std::this_thread::yield();
  jobs.add({taken.topic, taken.name, taken.kind, "1", "the same once more", ""});
  TakenJob late = take();
  while (late.name != taken.name) late = take();
  EXPECT_TRUE(jobs.finish(late, result_text({*game, {}})));
  while (!jobs.done(taken.topic).empty()) std::this_thread::yield();
  EXPECT_EQ(must(read_journal_file(path_), "results").games.size(), 1U);
}

TEST_F(JournalTest, orders_and_results_that_make_no_sense_are_refused) {
  for (const char* text : {"", "5", "[]", "{}", R"({"job":5})", R"({"game":{}})"}) {
    EXPECT_FALSE(read_order(text)) << text;
    EXPECT_FALSE(read_result(text)) << text;
  }
  const auto plan = plan_of(System::round_robin, 2);
  const auto schedule = Schedule(plan);
  GameOrder order{make_job(plan, *schedule.open().front()), {}};
  order.job.players[0].folder = "/somewhere";
  EXPECT_EQ(must(read_order(order_text(order)), "order").job.players[0].folder, "") << "a path does not travel";
  order.hashes[1] = "../../etc";
  EXPECT_FALSE(read_order(order_text(order)));
  order.hashes[1] = sha256_hex("x");
  EXPECT_EQ(must(read_order(order_text(order)), "order").hashes, order.hashes);
}

TEST_F(JournalTest, finished_games_survive_json) {
  FinishedGame game;
  const auto plan = plan_of(System::round_robin, 2);
  const auto schedule = Schedule(plan);
  game = *must(play_job(make_job(plan, *schedule.open().front()), folder_ + "/logs", {}), "game");
  game.evidence = "a \"quoted\" thing";
  game.failure = "crash";
  game.worker = "w1";
  game.sides[1].max_over_us = -5;
  EXPECT_EQ(must(read_finished(to_json(game)), "finished"), game);
  const Json json = to_json(game);
  Json older = json;
  older["reason"] = "max_turns";
  EXPECT_EQ(must(read_finished(older), "finished").reason, "max_moves");
  for (const auto& item : json.items()) {
    Json broken = json;
    broken.erase(item.key());
    EXPECT_FALSE(read_finished(broken)) << item.key();
    broken[item.key()] = Json::array({1});
    EXPECT_FALSE(read_finished(broken)) << item.key();
  }
}

}  // namespace paika::tournament
