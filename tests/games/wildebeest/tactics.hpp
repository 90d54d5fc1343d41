// Small Wildebeest positions with one winning turn each: a king is lost in every way the rules know.
//
// Pieces as in support.hpp. In each of them exactly one turn of the side to move takes the opposing
// king and keeps the own one; search_traits_test.cpp checks that by the rules.
#pragma once

#include <array>
#include <string_view>

#include "rules/player.hpp"

namespace paika::wildebeest::testing {

struct Tactic {
  std::string_view about;
  std::string_view pieces;
  Player to_move = Player::first;
  std::string_view wins;
};

inline constexpr std::array<Tactic, 13> tactics = {{
    {"2: a Rook captures along its row", "Kf0 Rc10 kh10 pa8 nk6", Player::first, "c10h10"},
    {"2: a King with a Jet Pack captures as a Bishop", "Wf5 kj9 ph9 rb0", Player::first, "f5j9"},
    {"2: a Pawn captures diagonally forward", "Kc4 kk9 pd5 ra10", Player::second, "d5c4"},
    {"3.2: a Gorilla pushes a piece onto the king", "Kf0 Ge8 pe9 ke10 ra4 Nj2", Player::first, "e8e9"},
    {"4.1: a Serpent steps next to the king", "Kf0 Sc8 ka10 rh3", Player::first, "c8b9"},
    {"4.1: an Empress poisons a king that Gorillas hide", "Kf0 Ee3 kk10 gj10 gj9 rh1", Player::first, "e3k9"},
    {"3.1 and 4.1: a flung Serpent lands next to the king", "Kf0 Sb2 Cc3 kk9 ra5", Player::first, "Fb2j10"},
    {"5.1: a new Time Machine charges the cart", "Kf0 Xc0 Ph9 kc6 rj4", Player::first, "h9h10"},
    {"5.2: a charged cart drives into the king's column", "Kf0 Xc0 Hh10 kd6 rj4", Player::first, "c0d0"},
    {"5.1: an opposing Pawn is pushed to the middle row", "Kf0 Xc0 kc8 Gh7 ph6 rj4", Player::first, "h7h6"},
    {"5.3 and 4.1: a Serpent rides the pads", "Kf0 Sa2 kk8 rh1", Player::first, "a2b3"},
    {"5.4: Joey makes his row five", "Kf0 Je8 Pd9 pa9 pj9 pk9 kd10 rh1", Player::first, "e8e9"},
    {"5.4: a Pawn enters the row of the opposing Joey", "Kf0 Pa8 je9 ke10 pg9 ph9 pi9 rh1", Player::first, "a8a9"},
}};

}  // namespace paika::wildebeest::testing
