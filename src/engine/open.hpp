// How each game is opened from a spec; one translation unit a game instantiates its templates.
#pragma once

#include <memory>
#include <string_view>

#include "engine/game.hpp"
#include "engine/typed_engine.hpp"
#include "engine/typed_game.hpp"

namespace paika {

Result<GamePtr> open_fanorona(std::string_view spec);
Result<GamePtr> open_abalone(std::string_view spec);
Result<GamePtr> open_othello(std::string_view spec);
Result<GamePtr> open_wildebeest(std::string_view spec);

/// Reads the options, then lets `with_rules(options, f)` choose the Rules type to build the game on;
/// `TraitsOf<R>` is what the computer player knows of it.
template <template <class> class TraitsOf, class ReadOptions, class MakeNotation, class WithRules>
[[nodiscard]] Result<GamePtr> open_typed(std::string_view spec, const GameInfo& info, ReadOptions&& read_options,
                                         MakeNotation&& make_notation, WithRules&& with_rules) {
  const auto options = read_options(spec);
  if (!options) return tl::unexpected(options.error());
  return with_rules(*options, [&](const auto& rules) -> GamePtr {
    using R = std::remove_cvref_t<decltype(rules)>;
    return std::make_shared<const TypedGame<TraitsOf<R>>>(info, make_notation(*options), rules);
  });
}

}  // namespace paika
