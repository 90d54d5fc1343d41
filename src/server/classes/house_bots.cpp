#include "server/classes/house_bots.hpp"

#include <array>
#include <string_view>

namespace paika::server {

namespace {

struct HouseBot {
  std::string_view name;
  std::string_view settings;
  double rating;
};

/// A plan is depth, positions, moves and temperature (search/level.hpp): all moves alike, or the best after one turn.
/// Their tables are small: a ladder plays many games at once.
constexpr std::array<HouseBot, 6> all = {{{"House random", "plan=1/2000/500/1000,hash=1", 600},
                                          {"House level 1", "level=1,hash=1", 800},
                                          {"House greedy", "plan=1/2000/1/0,hash=1", 1000},
                                          {"House level 3", "level=3,hash=1", 1200},
                                          {"House level 5", "level=5,hash=4", 1500},
                                          {"House level 7", "level=7,hash=4", 1800}}};

/// Where they stand is known, but not for every game alike.
constexpr double house_deviation = 150;

}  // namespace

std::vector<BotRow> house_bots(WallTime now) {
  std::vector<BotRow> rows;
  for (const HouseBot& bot : all) {
    BotRow row;
    row.name = bot.name;
    row.protocol = house_protocol;
    row.run = bot.settings;
    row.state = BotState::accepted;
    row.created = now;
    row.rating.value = bot.rating;
    row.rating.deviation = house_deviation;
    rows.push_back(row);
  }
  return rows;
}

}  // namespace paika::server
