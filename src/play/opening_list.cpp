#include "play/opening_list.hpp"

#include "base/text.hpp"
#include "engine/registry.hpp"

namespace paika::play {

namespace {

/// The column of a line that holds the position.
std::string_view position_column(std::string_view line) {
  const auto columns = split(line, '\t');
  return trimmed(columns.size() == 1 ? columns[0] : columns[1]);
}

/// Adds the position of a line; the first one tells which game it is.
Result<void> take(OpeningList& list, std::string_view spec, std::string_view line) {
  const std::string_view position = position_column(line);
  if (position.empty()) return fail("there is no position: an opening is written as POSITION or MOVES<TAB>POSITION");
  if (!list.game) {
    auto game = open_game_for(spec, position);
    if (!game) return tl::unexpected(game.error());
    list.game = std::move(*game);
  }
  const auto session = list.game->start_from_text(position);
  if (!session) return fail("bad position for {}: {}", list.game->notation().spec(), session.error().message);
  if ((*session)->outcome().over()) return fail("the game is over in {}", in_quotes(position, 100));
  list.starts.push_back((*session)->position_text());
  return {};
}

}  // namespace

Result<OpeningList> read_opening_list(std::string_view spec, std::string_view text) {
  // A spec that is wrong in itself is no fault of the first line.
  if (const auto game = open_game(spec); !game) return tl::unexpected(game.error());
  OpeningList list;
  int number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    const std::string_view words = trimmed(line);
    if (words.empty() || words.front() == '#') continue;
    if (const auto taken = take(list, spec, line); !taken) return fail("line {}: {}", number, taken.error().message);
  }
  if (list.starts.empty()) return fail("there is no opening in it: give one position per line");
  return list;
}

}  // namespace paika::play
