// What the pieces are called in sentences. Languages differ in articles and genders, so every form that a
// sentence needs is a phrase of its own.
#pragma once

#include "base/phrase.hpp"
#include "rules/board.hpp"

namespace paika::wildebeest {

/// "Rook" for 'R'. Requires one of piece_letters, like the next two.
[[nodiscard]] Phrase kind_name(char kind);
/// "the Rook": a certain one.
[[nodiscard]] Phrase the_kind(char kind);
/// "a Rook": any of them.
[[nodiscard]] Phrase any_kind(char kind);
/// "White's Rook on e1". Requires a piece.
[[nodiscard]] Phrase piece_on(const Cell& piece, const std::string& square);

}  // namespace paika::wildebeest
