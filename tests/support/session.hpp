// Opening games that a test takes for granted: it fails with the reason if one does not open.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/registry.hpp"
#include "tests/support/must.hpp"

namespace paika_tests {

inline paika::GamePtr must_open(std::string_view spec) { return must(paika::open_game(spec), spec); }

/// A session of the spec's game at a position's text; "start" is the first one.
inline std::unique_ptr<paika::Session> session_at(std::string_view spec, std::string_view position = "start") {
  const paika::GamePtr game = must_open(spec);
  return position == "start" ? game->start() : must(game->start_from_text(position), position);
}

}  // namespace paika_tests
