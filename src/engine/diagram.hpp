// Diagrams and sentences: a board and a turn's effects as plain ASCII text for people.
#pragma once

#include <string>
#include <vector>

#include "base/catalogue.hpp"
#include "rules/notation.hpp"

namespace paika {

/// The board with column letters above and row numbers beside it, a line a row, each ended by '\n'.
[[nodiscard]] std::string diagram(const Notation& notation, const Board& board);

/// The squares on which two boards of one size differ, row by row.
[[nodiscard]] std::vector<Square> differing_squares(const Board& a, const Board& b);

/// One effect as a terse line: "captured w c3 (2.1)". engine/effect_text.hpp has sentences.
[[nodiscard]] std::string effect_line(const Notation& notation, const Effect& effect);

/// A refusal as a sentence with its clause: "c2 is empty (docs/rules/fanorona.md 2.1)".
[[nodiscard]] std::string refusal_sentence(const Notation& notation, const Refusal& refusal,
                                           const Catalogue& catalogue = {});

/// The outcome of a finished game as a sentence with its clause. Requires outcome.over().
[[nodiscard]] std::string ending_sentence(const Notation& notation, const Board& board, const Outcome& outcome,
                                          const Catalogue& catalogue = {});

/// The same as phrases, to be said later or as a part of a longer sentence.
[[nodiscard]] Phrase refusal_phrase(const Notation& notation, const Refusal& refusal);
[[nodiscard]] Phrase ending_phrase(const Notation& notation, const Board& board, const Outcome& outcome);

/// The document that a clause number refers to: "docs/rules/fanorona.md".
[[nodiscard]] std::string rules_document(const Notation& notation);

}  // namespace paika
