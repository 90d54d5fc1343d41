// Looking at single turns of a reference game, for the tests of this folder.
#pragma once

#include <set>
#include <string>

#include "tests/reference/reference.hpp"

namespace paika_reference {

/// The move texts of all legal turns; a turn listed twice shows up twice.
inline std::multiset<std::string> turns(const ReferenceGame& game, const std::string& position) {
  std::multiset<std::string> texts;
  for (const Successor& s : game.successors(position)) texts.insert(s.turn);
  return texts;
}

/// The position after the turn, or "illegal".
inline std::string after(const ReferenceGame& game, const std::string& position, const std::string& turn) {
  for (const Successor& s : game.successors(position)) {
    if (s.turn == turn) return s.position;
  }
  return "illegal";
}

}  // namespace paika_reference
