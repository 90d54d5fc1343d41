#include "engine/registry.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/text.hpp"
#include "engine/module.hpp"

namespace paika {

const GameModule& module_of(const Game& game) {
  const auto modules = game_modules();
  const auto found = std::find_if(modules.begin(), modules.end(),
                                  [&](const GameModule& module) { return &module.info() == &game.info(); });
  PAIKA_CHECK(found != modules.end());
  return *found;
}

const BoardLook& look_of(const Notation& notation) {
  const auto module = find_module(spec_name(notation.spec()));
  PAIKA_CHECK(module.has_value());
  return (*module)->look;
}

Result<const GameModule*> find_module(std::string_view name) {
  std::vector<std::string> names;
  std::vector<std::string> words;
  for (const GameModule& module : game_modules()) {
    const GameInfo& info = module.info();
    if (answers_to(info, name)) return &module;
    names.push_back(info.name);
    words.push_back(info.name);
    words.insert(words.end(), info.aliases.begin(), info.aliases.end());
  }
  return fail(
      phrase("there is no game {}; the games are {}", with_suggestion(in_quotes(name), name, words), and_names(names)));
}

Result<GamePtr> open_game_with(bool GameModule::* property, int cols, int rows) {
  for (const GameModule& module : game_modules()) {
    if (module.*property) return module.open(fmt::format("{}:{}x{}", module.info().name, cols, rows));
  }
  return fail("this program has no such game");
}

std::vector<const GameInfo*> all_games() {
  std::vector<const GameInfo*> games;
  for (const GameModule& module : game_modules()) games.push_back(&module.info());
  return games;
}

Result<const GameInfo*> find_game(std::string_view name) {
  return find_module(name).map([](const GameModule* module) { return &module->info(); });
}

Result<GamePtr> open_game(std::string_view spec) { return open_game_for(spec, {}); }

Result<GamePtr> open_game_for(std::string_view spec, std::string_view position) {
  const std::string_view clean = trimmed(spec);
  const auto module = find_module(spec_name(clean));
  if (!module) return tl::unexpected(module.error());
  const auto narrowed = (*module)->spec_for_position;
  return (*module)->open(narrowed == nullptr ? std::string(clean) : narrowed(clean, position));
}

}  // namespace paika
