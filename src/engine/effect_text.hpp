// Effect text: what a turn did, as sentences for people in their language; and why the computer likes a position.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/catalogue.hpp"
#include "engine/engine.hpp"
#include "rules/notation.hpp"

namespace paika {

/// A sentence for each effect, in their order: "Black's Serpent on d4 poisons White's Rook on d5".
/// Requires the effects of a turn that is legal on the board `before`.
[[nodiscard]] std::vector<Phrase> effect_phrases(const Notation& notation, const Board& before,
                                                 std::span<const Effect> effects);

/// The same said in a language, each with its clause: "… (4.1)".
[[nodiscard]] std::vector<std::string> effect_sentences(const Notation& notation, const Board& before,
                                                        std::span<const Effect> effects,
                                                        const Catalogue& catalogue = {});

/// Why a turn ended the game: the sentences of the effects that did, "White's Prince Joey on f1 explodes: 10 pieces in
/// its row (5.4)"; none if no single piece decided it. Requires the outcome after a turn with these effects, over.
[[nodiscard]] std::vector<std::string> cause_sentences(const Notation& notation, const Board& before,
                                                       std::span<const Effect> effects, const Outcome& outcome,
                                                       const Catalogue& catalogue = {});

/// Who is to move, or how the game ended: "White to move".
[[nodiscard]] Phrase state_phrase(const Session& session);

/// The score of a line in a language: "+1.25", "win in 5", "win in at most 23"; "draw" if that is proven.
[[nodiscard]] std::string score_text(const InfoLine& line, const Catalogue& catalogue);

/// The weightiest reasons, at most so many: "mobility +0.80, corners -0.25"; "" if none has any weight.
[[nodiscard]] std::string reasons_text(std::vector<Reason> reasons, std::size_t most);

}  // namespace paika
