#include "server/room_games.hpp"

#include <cmath>
#include <fmt/format.h>

#include "base/text.hpp"
#include "server/room_reader.hpp"
#include "study/game_tree.hpp"

namespace paika::server {

std::string number_name(PersonId person) { return fmt::format("#{}", person); }

std::optional<PersonId> person_of_name(std::string_view name) {
  if (!name.starts_with('#')) return std::nullopt;
  return parse_int(name.substr(1));
}

std::optional<NewGame> game_of_room(Store& store, const RoomRow& row, PlayerNames names) {
  constexpr WallTime day_ms = 86'400'000;
  std::string fault;
  const auto read = read_room(store, row.id, fault);
  if (!read || !read->room->has_begun() || read->room->turns_played() == 0) return std::nullopt;
  NewGame game = new_game(study::tree_of(read->room->record(ServerTime(0))), row.id);
  game.day = static_cast<Day>(row.changed / day_ms);
  game.listed = row.listed;
  game.identity = row.id;  // two people may well play the same moves twice
  for (std::size_t side = 0; side < 2; ++side) {
    const bool numbered = names == PlayerNames::numbers && row.persons[side] != 0;
    game.players[side] = numbered ? number_name(row.persons[side]) : row.names[side];
    if (row.ratings[side]) game.ratings[side] = static_cast<int>(std::lround(row.ratings[side]->first));
  }
  return game;
}

}  // namespace paika::server
