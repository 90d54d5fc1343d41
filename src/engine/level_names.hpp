// Level names: what the engine's levels are called and how they play, for people who choose an opponent.
#pragma once

#include <array>
#include <string_view>

#include "rules/search_traits.hpp"

namespace paika {

struct LevelName {
  std::string_view name;         // English; phrase_of() translates it
  std::string_view description;  // likewise
};

/// The names of all levels, the weakest first.
[[nodiscard]] const std::array<LevelName, full_level>& level_names();
/// The name of a level, from weakest_level to full_level.
[[nodiscard]] const LevelName& level_name(int level);

}  // namespace paika
