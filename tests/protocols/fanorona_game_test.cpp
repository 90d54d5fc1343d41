// Games of the class protocol between two of ours, over a pair of sockets; chains that are made full.
#include "protocols/fanorona_game.hpp"

#include <future>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "base/random.hpp"
#include "protocols/fanorona_full_chains.hpp"
#include "tests/play/puppets.hpp"
#include "tests/support/session.hpp"

namespace paika::protocols {
namespace {

std::pair<Socket, Socket> socket_pair() {
  std::array<int, 2> ends{};
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()), 0);
  return {Socket(ends[0]), Socket(ends[1])};
}

/// Plays by chance.
paika_tests::Puppet player(std::uint64_t seed) {
  auto random = std::make_shared<Random>(seed);
  return paika_tests::Puppet("chance",
                             [random](const play::GameSoFar& game, const play::Allowance&,
                                      const std::stop_token&) -> tl::expected<play::Choice, play::Failed> {
                               std::string chosen;
                               std::uint64_t count = 0;
                               game.session.for_each_turn([&](const ListedTurn& turn) {
                                 if (random->one_in(++count)) chosen = turn.text;
                                 return count < 500;
                               });
                               return play::Choice{chosen, {}, 0};
                             });
}

/// Both reports of a game, the server's first.
std::pair<ClassReport, ClassReport> play_both(const ClassGame& game, play::GamePlayer& server, play::GamePlayer& client,
                                              bool full_chains = false) {
  auto [here, there] = socket_pair();
  auto client_side = std::async(std::launch::async, [&client, full_chains, end = std::move(there)]() mutable {
    ClassPeer peer(std::move(end));
    const auto told = be_greeted(peer, {}, {});
    EXPECT_TRUE(told);
    return play_class_game(peer, ClassRole::client, *told, *open_class_game(*told), {client, {}, full_chains}, {}, {});
  });
  ClassPeer peer(std::move(here));
  EXPECT_TRUE(greet(peer, game, {}, {}));
  ClassReport report =
      play_class_game(peer, ClassRole::server, game, *open_class_game(game), {server, {}, full_chains}, {}, {});
  return {std::move(report), client_side.get()};
}

TEST(ClassGames, both_ends_know_the_same_game) {
  std::uint64_t seed = 1;
  for (const ClassGame& game : {ClassGame{3, 3, Player::second, 0}, ClassGame{3, 3, Player::first, 2000},
                                ClassGame{5, 3, Player::second, 2000}, ClassGame{1, 1, Player::first, 0}}) {
    auto white = player(seed++);
    auto black = player(seed++);
    const auto [server, client] = play_both(game, white, black);
    EXPECT_FALSE(server.broke_off) << server.sentence;
    EXPECT_FALSE(client.broke_off) << client.sentence;
    EXPECT_EQ(server.game.record.result, client.game.record.result);
    EXPECT_NE(server.game.record.result.verdict, Verdict::ongoing);
    ASSERT_EQ(server.game.record.turns.size(), client.game.record.turns.size());
    for (std::size_t i = 0; i < server.game.record.turns.size(); ++i) {
      EXPECT_EQ(server.game.record.turns[i].text, client.game.record.turns[i].text);
    }
  }
}

TEST(ClassGames, a_player_that_fails_here_loses_there) {
  paika_tests::Puppet broken("broken",
                             [](const auto&, const auto&, const auto&) -> tl::expected<play::Choice, play::Failed> {
                               return tl::unexpected(play::Failed{play::Failure::crash, "it has ended"});
                             });
  auto good = player(3);
  const auto [server, client] = play_both({5, 5, Player::second, 0}, broken, good);
  EXPECT_TRUE(server.broke_off);
  EXPECT_EQ(server.game.record.result.verdict, Verdict::second_wins);
  EXPECT_EQ(client.game.record.result.verdict, Verdict::second_wins);
  EXPECT_EQ(client.game.record.result.remark, "the server said WINNER");
  auto white = player(4);
  const auto [host, guest] = play_both({5, 5, Player::second, 0}, white, broken);
  EXPECT_EQ(host.game.record.result.verdict, Verdict::first_wins);
  EXPECT_EQ(host.game.record.result.remark, "the client said WINNER");
  EXPECT_EQ(guest.game.record.result.verdict, Verdict::first_wins);
}

TEST(FullChains, no_chain_stops_early) {
  const auto session = paika_tests::session_at("fanorona:9x5", "bbb.bbbbb/b.bb..bbb/..b...bw./ww.wwwwww/wwwwwwwww w 7");
  int longer = 0;
  session->for_each_turn([&](const ListedTurn& turn) {
    const Turn full = full_chain(*session, turn.steps);
    EXPECT_FALSE(session->refuse(full)) << turn.text;
    EXPECT_EQ(full_chain(*session, full), full);
    EXPECT_TRUE(std::equal(turn.steps.begin(), turn.steps.end(), full.begin()));
    longer += full.size() > turn.steps.size() ? 1 : 0;
    // No legal turn goes on from a full one.
    session->for_each_turn([&](const ListedTurn& other) {
      const bool goes_on =
          other.steps.size() > full.size() && std::equal(full.begin(), full.end(), other.steps.begin());
      EXPECT_FALSE(goes_on) << turn.text << " could go on as " << other.text;
      return !goes_on;
    });
    return true;
  });
  EXPECT_GT(longer, 0) << "the position has chains that stop early";
}

TEST(FullChains, are_played) {
  auto white = player(5);
  auto black = player(6);
  const auto [server, client] = play_both({5, 5, Player::second, 0}, white, black, true);
  EXPECT_FALSE(server.broke_off) << server.sentence;
  const auto session = paika_tests::session_at("fanorona:5x5");
  for (const play::RecordedTurn& turn : server.game.record.turns) {
    const auto read = session->read_turn(turn.text);
    ASSERT_TRUE(read);
    EXPECT_EQ(full_chain(*session, *read), *read);
    session->play(*read);
  }
}

}  // namespace
}  // namespace paika::protocols
