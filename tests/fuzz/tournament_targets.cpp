#include "tests/fuzz/tournament_targets.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <sys/socket.h>

#include "tests/fuzz/checks.hpp"
#include "tournament/job.hpp"
#include "tournament/plan_file.hpp"
#include "tournament/wire.hpp"

namespace paika::fuzz {

namespace {

using tournament::FinishedGame;
using tournament::GameJob;
using tournament::JobPlayer;
using tournament::read_finished;
using tournament::read_job;
using tournament::Wire;

std::string text_of(const tournament::Json& json) {
  return json.dump(-1, ' ', true, tournament::Json::error_handler_t::replace);
}

/// The two ends of a connection.
std::pair<protocols::Socket, protocols::Socket> connection() {
  std::array<int, 2> ends{};
  PAIKA_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) == 0);
  return {protocols::Socket(ends[0]), protocols::Socket(ends[1])};
}

/// A connection whose other end has sent the bytes and says no more.
template <class Greet>
void greet_after(std::string_view bytes, Greet greet) {
  auto [near, far] = connection();
  // What the connection does not take now is more than a handshake may be.
  static_cast<void>(send(far.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
  shutdown(far.number(), SHUT_WR);
  Wire wire(std::move(near));
  const auto greeted = greet(wire);
  PAIKA_CHECK(!greeted);
  check_message(greeted.error().message);
}

}  // namespace

void run_tournament_plan(std::string_view bytes) {
  const auto entries = tournament::read_plan_text(bytes, "/nowhere/plan.toml");
  if (!entries) return check_message(entries.error().message);
  const auto plan = tournament::build_plan(*entries);
  if (!plan) return check_message(plan.error().message);
  PAIKA_CHECK(plan->players.size() >= 2 && plan->players.size() <= tournament::max_players && !plan->games.empty());
  PAIKA_CHECK(games_of_pairing(*plan) > 0);
  PAIKA_CHECK(tournament::difference(plan_json(*plan), tournament::Json::parse(text_of(plan_json(*plan)))).empty());
}

std::vector<std::string> tournament_plan_seeds() {
  return {
      "[tournament]\nname = \"Class\"\nsystem = \"swiss\"\ngames = [\"othello:6x6\", \"abalone\"]\nrounds = 1\nlegs = "
      "2\nseed = 7\nopenings = 4\nbalance = 100\nmax_turns = 200\nsettings = \"nodes=20,hash=1\"\n\n[[player]]\nname = "
      "\"a\"\nengine = \"\"\n\n[[player]]\nname = \"b\"\nbot = \"python3 bot.py\"\nprotocol = \"ugi\"\n",
      "[tournament]\ngames = \"fanorona:5x5\"\nsystem = \"knockout\"\ntime = \"100ms\"\ntie_break = \"lot\"\n[limits]\n"
      "memory = \"256M\"\nprocesses = 8\n[workers]\nlisten = \"127.0.0.1:0\"\nsecret = \"secret\"\n[[player]]\nplayer "
      "= \"engine:depth=2\"\nname='x'\nowner = \"o\"\n[[player]]\nplayer = \"bot:./b\"\nfolder = \"bots\"\nname = "
      "\"y\"",
      "[tournament]\nopenings = \"list.txt\"\ngames = [\"othello\"]\n[[player]]\nname = \"\\u00e9\"\nengine = "
      "\"level=1\"\n[[player]]\nname = \"\\\"\"\nengine = \"level=2\"\n",
      "[[player]]\nname = \"a\"\nengine = \"\"\nfolder = \"" + std::string(300, 'x') + "\"\n"};
}

void run_wire(std::string_view bytes) {
  constexpr std::string_view secret = "a secret of 24 bytes....";
  const auto deadline = [] { return std::chrono::steady_clock::now() + tournament::greet_timeout; };
  greet_after(bytes, [&](Wire& wire) { return wire.greet_worker(secret, "1", deadline()); });
  greet_after(bytes, [&](Wire& wire) { return wire.greet_coordinator(secret, "1", "name", deadline()); });
}

std::vector<std::string> wire_seeds() {
  const std::string digits(64, 'a');
  return {R"({"nonce":")" + digits + R"(","proof":")" + digits + R"(","version":"1","name":"w"})" + "\n",
          R"({"paika_tournament":1,"version":"1","nonce":")" + digits + "\"}\n{\"proof\":\"" + digits + "\"}\n",
          "{\"error\":\"the secret is wrong\"}\n", digits + " {\"say\":\"ready\"}\n"};
}

void run_worker_message(std::string_view bytes) {
  const tournament::Json json = tournament::Json::parse(bytes, nullptr, false);
  if (json.is_discarded()) return;
  static_cast<void>(tournament::text_in(json, "say"));
  if (const auto job = read_job(json)) {
    const auto again = read_job(tournament::Json::parse(text_of(to_json(*job))));
    PAIKA_CHECK(again && text_of(to_json(*again)) == text_of(to_json(*job)));
  } else {
    check_message(job.error().message);
  }
  if (const auto game = read_finished(json)) {
    const auto again = read_finished(tournament::Json::parse(text_of(to_json(*game))));
    PAIKA_CHECK(again && *again == *game);
    PAIKA_CHECK(tournament::log_name(game->id, game->players[0]).find('/') == std::string::npos);
  } else {
    check_message(game.error().message);
  }
}

std::vector<std::string> worker_message_seeds() {
  GameJob job;
  job.id = "r1.t1.g1";
  job.spec = "othello:6x6";
  job.opening = {"c2", "b2"};
  job.max_turns = 100;
  job.settings = "nodes=20";
  job.players = {JobPlayer{"a", "engine:", protocols::BotProtocol::ugi, ""},
                 JobPlayer{"b", "bot:./b", protocols::BotProtocol::nboard, ""}};
  FinishedGame game;
  game.id = job.id;
  game.spec = job.spec;
  game.players = {"engine", "bot:x y"};
  game.verdict = Verdict::first_wins;
  game.reason = "time";
  game.failure = "time";
  game.record =
      "paika-record 1\nspec othello:6x6\nfirst engine\nsecond bot:x y\nturn c2\nturn b2 time=120us\nresult first_wins "
      "time\nend\n";
  game.sides[0] = {1, 100, 100, 5, "a.log"};
  return {text_of(to_json(job)), text_of(to_json(game)), R"({"say":"need","hash":"00"})", "[]"};
}

}  // namespace paika::fuzz
