// What all tests of Fanorona need: a game from its spec, asked through text.
#pragma once

#include "games/abalone/instances.hpp"
#include "tests/support/game.hpp"

namespace paika::abalone::testing {

using Game = paika_tests::TestGame<read_options>;
using paika_tests::contains;
using paika_tests::Texts;

/// The options of a spec that must be right.
inline Options options_of(const std::string& spec) { return Game(spec).options(); }

}  // namespace paika::abalone::testing
