#include "engine/registry.hpp"

#include <array>

#include "base/text.hpp"
#include "engine/open.hpp"
#include "games/abalone/game.hpp"
#include "games/fanorona/game.hpp"
#include "games/othello/game.hpp"
#include "games/wildebeest/game.hpp"

namespace paika {

namespace {

struct RegistryEntry {
  const GameInfo& (*info)();
  Result<GamePtr> (*open)(std::string_view spec);
  /// Where a position's text says what a spec leaves open; null where it never does.
  std::string (*spec_for_position)(std::string_view spec, std::string_view position);
};

constexpr std::array entries = {
    RegistryEntry{fanorona::info, open_fanorona, nullptr},
    RegistryEntry{abalone::info, open_abalone, nullptr},
    RegistryEntry{othello::info, open_othello, othello::spec_for_position},
    RegistryEntry{wildebeest::info, open_wildebeest, nullptr},
};

Result<const RegistryEntry*> find_entry(std::string_view given) {
  std::vector<std::string> names;
  std::vector<std::string> words;
  for (const RegistryEntry& entry : entries) {
    const GameInfo& info = entry.info();
    if (answers_to(info, given)) return &entry;
    names.push_back(info.name);
    words.push_back(info.name);
    words.insert(words.end(), info.aliases.begin(), info.aliases.end());
  }
  return fail(phrase("there is no game {}; the games are {}", with_suggestion(in_quotes(given), given, words),
                     and_names(names)));
}

}  // namespace

std::vector<const GameInfo*> all_games() {
  std::vector<const GameInfo*> games;
  for (const RegistryEntry& entry : entries) games.push_back(&entry.info());
  return games;
}

Result<const GameInfo*> find_game(std::string_view name) {
  const auto entry = find_entry(name);
  if (!entry) return tl::unexpected(entry.error());
  return &(*entry)->info();
}

Result<GamePtr> open_game(std::string_view spec) { return open_game_for(spec, {}); }

Result<GamePtr> open_game_for(std::string_view spec, std::string_view position) {
  const std::string_view clean = trimmed(spec);
  const auto entry = find_entry(spec_name(clean));
  if (!entry) return tl::unexpected(entry.error());
  const auto narrowed = (*entry)->spec_for_position;
  return (*entry)->open(narrowed == nullptr ? std::string(clean) : narrowed(clean, position));
}

}  // namespace paika
