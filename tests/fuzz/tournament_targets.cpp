#include "tests/fuzz/tournament_targets.hpp"

#include <nlohmann/json.hpp>

#include "tests/fuzz/checks.hpp"
#include "tournament/order.hpp"
#include "tournament/plan_file.hpp"

namespace paika::fuzz {

namespace {

using tournament::FinishedGame;
using tournament::GameJob;
using tournament::JobPlayer;
using tournament::order_text;
using tournament::read_order;
using tournament::read_result;
using tournament::result_text;
using tournament::sha256_hex;

std::string text_of(const tournament::Json& json) {
  return json.dump(-1, ' ', true, tournament::Json::error_handler_t::replace);
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
      "2\nseed = 7\nopenings = 4\nbalance = 100\nmax_moves = 200\nsettings = \"nodes=20,hash=1\"\n\n[[player]]\nname = "
      "\"a\"\nengine = \"\"\n\n[[player]]\nname = \"b\"\nbot = \"python3 bot.py\"\nprotocol = \"ugi\"\n",
      "[tournament]\ngames = \"fanorona:5x5\"\nsystem = \"knockout\"\ntime = \"100ms\"\ntie_break = \"lot\"\n[limits]\n"
      "memory = \"256M\"\nprocesses = 8\n[workers]\ndatabase = \"queue.db\"\n[[player]]\nplayer "
      "= \"engine:depth=2\"\nname='x'\nowner = \"o\"\n[[player]]\nplayer = \"bot:./b\"\nfolder = \"bots\"\nname = "
      "\"y\"",
      "[[to\u010dnmn",
      "[tournament]\nopenings = \"list.txt\"\ngames = [\"othello\"]\n[[player]]\nname = \"\\u00e9\"\nengine = "
      "\"level=1\"\n[[player]]\nname = \"\\\"\"\nengine = \"level=2\"\n",
      "[[player]]\nname = \"a\"\nengine = \"\"\nfolder = \"" + std::string(300, 'x') + "\"\n"};
}

void run_game_order(std::string_view bytes) {
  if (const auto order = read_order(bytes)) {
    const auto again = read_order(order_text(*order));
    PAIKA_CHECK(again && order_text(*again) == order_text(*order));
  } else {
    check_message(order.error().message);
  }
  if (const auto played = read_result(bytes)) {
    const auto again = read_result(result_text(*played));
    PAIKA_CHECK(again && again->game == played->game && again->logs == played->logs);
    PAIKA_CHECK(played->game.sides[0].log.find('/') == std::string::npos);
  } else {
    check_message(played.error().message);
  }
}

std::vector<std::string> game_order_seeds() {
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
      "paika-record 1\nspec othello:6x6\nfirst engine\nsecond bot:x y\nmove c2\nmove b2 time=120us\nresult first_wins "
      "time\nend\n";
  game.sides[0] = {1, 100, 100, 5, "a.log"};
  return {order_text({job, {sha256_hex("x"), ""}}), result_text({game, {"log", ""}}), text_of(to_json(job)),
          R"({"job":{"id":"a","spec":"othello","start":"","opening":[],"number":1e24}})", "{}"};
}

}  // namespace paika::fuzz
