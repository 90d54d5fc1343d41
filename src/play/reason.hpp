// Why games end, in a few words for people: the reasons of the rules, and those that records add.
#pragma once

#include <string_view>

#include "base/phrase.hpp"
#include "play/game_player.hpp"
#include "play/record.hpp"
#include "rules/notation.hpp"

namespace paika::play {

/// A failure in a few words: "out of time".
[[nodiscard]] Phrase failure_phrase(Failure failure);

/// The reason of a GameResult in a few words; a word that is not known, as it is.
[[nodiscard]] Phrase reason_phrase(std::string_view reason);

/// A result that is not one of the rules as a sentence: "White has run out of time: Black wins." For one of the rules
/// Notation::ending has the words.
[[nodiscard]] Phrase result_phrase(const Notation& notation, const GameResult& result);

}  // namespace paika::play
