#include "games/wildebeest/names.hpp"

#include <array>

#include "base/check.hpp"
#include "games/wildebeest/notation.hpp"

namespace paika::wildebeest {

namespace {

struct Names {
  char kind;
  const char* bare;
  const char* certain;
  const char* any;
  const char* owned;
};

constexpr std::array<Names, piece_letters.size()> names = {{
    {'K', translatable("King"), translatable("the King"), translatable("a King"), translatable<2>("{}'s King on {}")},
    {'W', translatable("King with a Jet Pack"), translatable("the King with a Jet Pack"),
     translatable("a King with a Jet Pack"), translatable<2>("{}'s King with a Jet Pack on {}")},
    {'P', translatable("Pawn"), translatable("the Pawn"), translatable("a Pawn"), translatable<2>("{}'s Pawn on {}")},
    {'B', translatable("Bishop"), translatable("the Bishop"), translatable("a Bishop"),
     translatable<2>("{}'s Bishop on {}")},
    {'N', translatable("Knight"), translatable("the Knight"), translatable("a Knight"),
     translatable<2>("{}'s Knight on {}")},
    {'R', translatable("Rook"), translatable("the Rook"), translatable("a Rook"), translatable<2>("{}'s Rook on {}")},
    {'S', translatable("Serpent"), translatable("the Serpent"), translatable("a Serpent"),
     translatable<2>("{}'s Serpent on {}")},
    {'O', translatable("Old Woman"), translatable("the Old Woman"), translatable("an Old Woman"),
     translatable<2>("{}'s Old Woman on {}")},
    {'E', translatable("Grand Empress"), translatable("the Grand Empress"), translatable("a Grand Empress"),
     translatable<2>("{}'s Grand Empress on {}")},
    {'J', translatable("Prince Joey"), translatable("the Prince Joey"), translatable("a Prince Joey"),
     translatable<2>("{}'s Prince Joey on {}")},
    {'C', translatable("Catapult"), translatable("the Catapult"), translatable("a Catapult"),
     translatable<2>("{}'s Catapult on {}")},
    {'G', translatable("Gorilla"), translatable("the Gorilla"), translatable("a Gorilla"),
     translatable<2>("{}'s Gorilla on {}")},
    {'X', translatable("Golf Cart"), translatable("the Golf Cart"), translatable("a Golf Cart"),
     translatable<2>("{}'s Golf Cart on {}")},
    {'H', translatable("Time Machine"), translatable("the Time Machine"), translatable("a Time Machine"),
     translatable<2>("{}'s Time Machine on {}")},
    {'Z', translatable("Beekeeper"), translatable("the Beekeeper"), translatable("a Beekeeper"),
     translatable<2>("{}'s Beekeeper on {}")},
}};

const Names& names_of(char kind) {
  const std::size_t place = piece_letters.find(kind);
  PAIKA_CHECK(place != std::string_view::npos);
  return names.at(place);
}

}  // namespace

Phrase kind_name(char kind) { return phrase_of(names_of(kind).bare); }
Phrase the_kind(char kind) { return phrase_of(names_of(kind).certain); }
Phrase any_kind(char kind) { return phrase_of(names_of(kind).any); }

Phrase piece_on(const Cell& piece, const std::string& square) {
  return phrase_of(names_of(piece.kind).owned, phrase_of(side_name(player_of(piece))), square);
}

}  // namespace paika::wildebeest
