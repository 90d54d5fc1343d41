// The director of ladders on either engine, with workers that say what the test wants: results count once, nonsense
// never, and what is offered is little and fair.
#include "server/classes/ladder_director.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/classes/workshop.hpp"
#include "tests/server/classes/class_rows.hpp"
#include "tests/server/store/fixture.hpp"
#include "tournament/folder_pack.hpp"
#include "tournament/order.hpp"
#include "tournament/worker.hpp"

namespace paika_tests {

namespace {

namespace tournament = paika::tournament;
using paika::JobQueue;
using paika::TakenJob;
using paika::Verdict;
using server::BotId;
using server::BotState;
using server::ClassStore;
using server::LadderDirector;
using server::PersonId;

class LadderDirectorTest : public StoreTest {
 protected:
  [[nodiscard]] JobQueue open_queue() const {
    auto opened = JobQueue::open(queue_where);
    if (!opened) throw std::runtime_error(opened.error().message);
    return std::move(*opened);
  }
  [[nodiscard]] std::unique_ptr<LadderDirector> open_director() {
    auto reader = server::Store::open(path, server::Store::Mode::reader);
    if (!reader) throw std::runtime_error(reader.error().message);
    server::LadderDirectorDeps deps{
        "1",
        [this](const server::Writer::Job& job) {
          if (storage_fails) return false;
          job(*store);
          return true;
        },
        [this](std::string_view event, const paika::Json&) { events += std::string(event) + " "; },
        [this](BotId, std::string_view progress) { told = progress; }};
    return std::make_unique<LadderDirector>(open_queue(), std::move(*reader), std::move(deps), false);
  }

  void add_class(const std::string& id, PersonId teacher, const std::vector<PersonId>& students) {
    paika_tests::add_class(classes, id, teacher, students);
  }
  BotId add_bot(const std::string& class_id, PersonId person) {
    return paika_tests::add_bot(classes, class_id, person, R"([{"path":"bot","text":"#!/bin/sh\n"}])");
  }
  [[nodiscard]] std::optional<TakenJob> take() { return queue.take({"w", "1", {"bot", "game"}, ""}); }
  TakenJob must_take() {
    auto job = take();
    if (!job) throw std::runtime_error("nothing is offered");
    return *job;
  }
  void deliver(const TakenJob& job, const std::string& result) {
    EXPECT_TRUE(queue.finish(job, result));
    director->step(false);
  }
  /// What a worker delivers who likes the bot.
  std::string accepting() {
    const std::string pack = "paika-folder 1\nx 3 bot\nabc";
    const std::string hash = tournament::sha256_hex(pack);
    queue.add_file(LadderDirector::topic, hash, pack);
    return server::verdict_text({true, "fine", hash});
  }
  /// Two bots on the ladder; the job of their first game.
  TakenJob begin_game() {
    add_class("a", member("Teacher"), {member("Anna"), member("Bert")});
    for (const char* name : {"Anna", "Bert"}) bots.push_back(add_bot("a", store->person_named(name)->id));
    director->step(true);
    for (std::size_t i = 0; i < 2; ++i) deliver(must_take(), accepting());
    return must_take();
  }
  /// The game of a job, as an honest worker plays it.
  static tournament::PlayedGame played(const TakenJob& job) {
    auto order = tournament::read_order(job.order);
    if (!order) throw std::runtime_error(order.error().message);
    for (auto& player : order->job.players) {
      player.text = "engine:nodes=1,hash=1";
      player.folder = "";
    }
    const auto game = tournament::play_job(order->job, "", {});
    if (!game || !*game) throw std::runtime_error("it is not played");
    return {**game, {"what it said", ""}};
  }

  ClassStore classes{*store};
  std::string queue_where = on_postgresql() ? path : path + ".queue";
  JobQueue queue = open_queue();
  bool storage_fails = false;
  std::string events;
  std::string told;
  std::vector<BotId> bots;
  std::unique_ptr<LadderDirector> director = open_director();
  bool leads = director->lead();
};

TEST_F(LadderDirectorTest, one_directs_and_another_one_when_it_resigns) {
  EXPECT_TRUE(leads);
  const auto other = open_director();
  EXPECT_FALSE(other->lead());
  EXPECT_TRUE(director->lead());
  director->resign();
  EXPECT_TRUE(other->lead());
  EXPECT_FALSE(director->lead());
}

TEST_F(LadderDirectorTest, a_new_director_begins_anew_and_who_worked_for_the_old_one_is_told) {
  const TakenJob game = begin_game();
  director->resign();
  const auto other = open_director();
  ASSERT_TRUE(other->lead());
  EXPECT_FALSE(queue.renew(game));
  other->step(true);
  EXPECT_EQ(must_take().kind, "game");
}

TEST_F(LadderDirectorTest, a_bot_goes_through_its_states) {
  add_class("a", member("Teacher"), {member("Anna")});
  const BotId bot = add_bot("a", store->person_named("Anna")->id);
  director->step(true);
  EXPECT_EQ(classes.bot(bot)->state, BotState::waiting) << "nobody has taken it";
  const TakenJob job = must_take();
  const auto order = server::read_bot_order(job.order);
  ASSERT_TRUE(order);
  EXPECT_EQ(order->run, "./bot");
  EXPECT_EQ(queue.file(LadderDirector::topic, order->files), classes.bot_files(bot));
  director->step(false);
  EXPECT_EQ(classes.bot(bot)->state, BotState::building);
  EXPECT_TRUE(queue.renew(job, "$ make\n", server::checking_phase));
  director->step(false);
  EXPECT_EQ(classes.bot(bot)->state, BotState::checking);
  EXPECT_EQ(told, "$ make\n");
  EXPECT_EQ(director->work().at(0).kind, server::LadderWork::Kind::checking);
  deliver(job, accepting());
  EXPECT_EQ(classes.bot(bot)->state, BotState::accepted);
  EXPECT_EQ(classes.bot(bot)->report, "fine");
  EXPECT_EQ(director->counts().accepted, 1U);
  EXPECT_FALSE(director->is_busy());
}

TEST_F(LadderDirectorTest, nonsense_of_a_worker_is_not_believed_and_the_job_is_done_again) {
  add_class("a", member("Teacher"), {member("Anna")});
  const BotId bot = add_bot("a", store->person_named("Anna")->id);
  director->step(true);
  const std::string no_pack = "no pack";
  queue.add_file(LadderDirector::topic, tournament::sha256_hex(no_pack), no_pack);
  queue.set_file(LadderDirector::topic, std::string(64, 'a'), "paika-folder 1\n");
  const std::vector<std::string> lies = {"",
                                         "{}",
                                         "[1",
                                         R"({"accepted": 1, "report": "", "pack": ""})",
                                         server::verdict_text({true, "", ""}),
                                         server::verdict_text({true, "", std::string(64, 'b')}),
                                         server::verdict_text({true, "", std::string(64, 'a')}),
                                         server::verdict_text({true, "", tournament::sha256_hex(no_pack)})};
  for (const std::string& lie : lies) {
    deliver(must_take(), lie);
    EXPECT_NE(classes.bot(bot)->state, BotState::accepted) << lie;
  }
  EXPECT_EQ(director->counts().failures, lies.size());
  deliver(must_take(), server::verdict_text({false, "\033[2Jbad\xFF", ""}));
  EXPECT_EQ(classes.bot(bot)->state, BotState::refused);
  EXPECT_EQ(classes.bot(bot)->report.find('\033'), std::string::npos);
}

TEST_F(LadderDirectorTest, a_game_counts_once_and_only_if_it_is_the_one_that_was_due) {
  TakenJob job = begin_game();
  const tournament::PlayedGame honest = played(job);
  const auto with = [&](const std::function<void(tournament::FinishedGame&)>& change) {
    tournament::PlayedGame lie = honest;
    change(lie.game);
    return result_text(lie);
  };
  const std::vector<std::string> lies = {
      "nonsense",
      with([](auto& game) { game.id = "a.2.1"; }),
      with([](auto& game) { game.spec = "othello"; }),
      with([](auto& game) { std::swap(game.players[0], game.players[1]); }),
      with([](auto& game) { game.verdict = game.verdict == Verdict::draw ? Verdict::first_wins : Verdict::draw; }),
      with([](auto& game) { game.failure = "crash"; }),
      with([](auto& game) { game.record.replace(0, 5, "wrong"); })};
  for (const std::string& lie : lies) {
    deliver(job, lie);
    EXPECT_EQ(classes.count_games("a"), 0) << lie;
    job = must_take();
  }
  storage_fails = true;
  deliver(job, result_text(honest));
  EXPECT_EQ(classes.count_games("a"), 0);
  storage_fails = false;
  director->step(false);
  director->step(false);
  EXPECT_EQ(classes.count_games("a"), 1);
  EXPECT_EQ(classes.last_game("a")->turns > 4, true);
  EXPECT_EQ(classes.game("a", classes.last_game("a")->id)->logs[0], "what it said");
  const TakenJob second = must_take();
  EXPECT_NE(second.name, job.name) << "the other colours";
  deliver(second, result_text(played(second)));
  EXPECT_EQ(classes.count_games("a"), 2);
}

TEST_F(LadderDirectorTest, little_is_offered_ahead_and_it_is_put_in_order_again_when_something_comes) {
  std::vector<PersonId> students;
  for (int i = 0; i < 9; ++i) students.push_back(member("Student" + std::to_string(i)));
  add_class("a", member("Teacher"), students);
  for (const PersonId student : students) add_bot("a", student);
  director->step(true);
  EXPECT_EQ(queue.count_waiting(LadderDirector::topic), 2);
  const TakenJob first = must_take();
  director->step(false);
  EXPECT_EQ(queue.count_waiting(LadderDirector::topic), 2);
  // Somebody else's only bot goes before all that nobody has taken.
  add_class("b", member("Other"), {member("Late")});
  const BotId late = add_bot("b", store->person_named("Late")->id);
  director->step(true);
  EXPECT_EQ(must_take().name, server::job_name({server::LadderWork::Kind::building, "b", {late, 0}}));
  EXPECT_TRUE(queue.renew(first)) << "who works goes on";
}

TEST_F(LadderDirectorTest, a_bot_that_was_withdrawn_is_not_built_on) {
  add_class("a", member("Teacher"), {member("Anna")});
  const BotId bot = add_bot("a", store->person_named("Anna")->id);
  director->step(true);
  const TakenJob job = must_take();
  director->step(false);
  classes.set_bot_state(bot, BotState::refused, "withdrawn");
  director->step(true);
  EXPECT_FALSE(queue.renew(job));
  EXPECT_FALSE(director->is_busy());
  EXPECT_EQ(classes.bot(bot)->report, "withdrawn");
}

TEST_F(LadderDirectorTest, a_bot_whose_pack_is_gone_is_built_again) {
  const TakenJob game = begin_game();
  queue.give_back(game);
  queue.close(LadderDirector::topic);
  director->resign();
  director = open_director();
  ASSERT_TRUE(director->lead());
  director->step(true);
  EXPECT_EQ(must_take().kind, "bot");
}

TEST_F(LadderDirectorTest, jobs_that_the_queue_has_lost_are_offered_again) {
  const TakenJob game = begin_game();
  director->step(false);
  queue.clear(LadderDirector::topic);
  director->step(true);
  EXPECT_EQ(must_take().name, game.name);
  EXPECT_FALSE(queue.renew(game));
}

TEST_F(LadderDirectorTest, what_could_not_be_offered_is_offered_when_the_storage_is_back) {
  static_cast<void>(begin_game());
  queue.close(LadderDirector::topic);
  storage_fails = true;
  EXPECT_THROW(director->step(true), paika::StoreError) << "the bots are gone and cannot be built anew";
  storage_fails = false;
  director->step(true);
  EXPECT_EQ(must_take().kind, "bot");
}

TEST_F(LadderDirectorTest, a_verdict_on_a_bot_that_was_withdrawn_is_not_counted) {
  add_class("a", member("Teacher"), {member("Anna")});
  const BotId bot = add_bot("a", store->person_named("Anna")->id);
  director->step(true);
  const TakenJob job = must_take();
  director->step(false);
  classes.set_bot_state(bot, BotState::refused, "withdrawn");
  deliver(job, accepting());
  EXPECT_EQ(classes.bot(bot)->state, BotState::refused);
  EXPECT_EQ(director->counts().accepted, 0U);
  EXPECT_FALSE(director->is_busy());
}

TEST_F(LadderDirectorTest, the_job_to_direct_is_not_among_those_that_are_counted) {
  static_cast<void>(begin_game());
  const auto other = open_director();
  other->look();
  for (const auto& depth : other->queue_stats().depths) EXPECT_NE(depth.kind, "direct");
  ASSERT_FALSE(other->queue_stats().counts.empty());
  for (const auto& count : other->queue_stats().counts) EXPECT_NE(count.kind, "direct");
}

TEST(LadderJobs, names_say_what_they_are_about) {
  using server::LadderWork;
  const LadderWork game{LadderWork::Kind::playing, "abc", {3, 7}};
  const auto read = server::read_job_name(server::job_name(game));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kind, LadderWork::Kind::playing);
  EXPECT_EQ(read->class_id, "abc");
  EXPECT_EQ(read->bots, game.bots);
  EXPECT_EQ(server::read_job_name(server::job_name({LadderWork::Kind::building, "abc", {3, 0}}))->bots[0], 3);
  for (const char* name : {"", "lead", "bot abc", "bot abc x", "game abc 3", "game abc 3 x", "gift abc 3"}) {
    EXPECT_FALSE(server::read_job_name(name)) << name;
  }
}

}  // namespace

}  // namespace paika_tests
