#include "engine/registry.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "engine/open.hpp"
#include "games/abalone/game.hpp"
#include "games/fanorona/game.hpp"
#include "games/othello/game.hpp"
#include "games/wildebeest/game.hpp"

namespace paika {

namespace {

struct Entry {
  const GameInfo& (*info)();
  Result<GamePtr> (*open)(std::string_view spec);
};

constexpr std::array entries = {
    Entry{fanorona::info, open_fanorona},
    Entry{abalone::info, open_abalone},
    Entry{othello::info, open_othello},
    Entry{wildebeest::info, open_wildebeest},
};

bool answers_to(const GameInfo& info, std::string_view name) {
  return info.name == name || std::find(info.aliases.begin(), info.aliases.end(), name) != info.aliases.end();
}

Result<const Entry*> find_entry(std::string_view given) {
  const std::string name = lowered(given.substr(0, 64));
  std::vector<std::string> names;
  std::vector<std::string> words;
  for (const Entry& entry : entries) {
    const GameInfo& info = entry.info();
    if (given.size() <= 64 && answers_to(info, name)) return &entry;
    names.push_back(info.name);
    words.push_back(info.name);
    words.insert(words.end(), info.aliases.begin(), info.aliases.end());
  }
  const auto meant = nearest(given, words);
  return fail("there is no game {}{}; the games are {}", in_quotes(given),
              meant ? fmt::format(" (did you mean {}?)", *meant) : "", listed(names, "and"));
}

}  // namespace

std::vector<const GameInfo*> all_games() {
  std::vector<const GameInfo*> games;
  for (const Entry& entry : entries) games.push_back(&entry.info());
  return games;
}

Result<const GameInfo*> find_game(std::string_view name) {
  const auto entry = find_entry(name);
  if (!entry) return tl::unexpected(entry.error());
  return &(*entry)->info();
}

Result<GamePtr> open_game(std::string_view spec) {
  const std::string_view clean = trimmed(spec);
  const auto entry = find_entry(spec_name(clean));
  if (!entry) return tl::unexpected(entry.error());
  return (*entry)->open(clean);
}

}  // namespace paika
