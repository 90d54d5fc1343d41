// Sentences about a game in progress that both user interfaces say: who plays, how it ended, who leads, what is left.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/catalogue.hpp"
#include "engine/engine.hpp"
#include "play/live_game.hpp"

namespace paika::terminal {

/// A text from elsewhere (a program, a file's name) fit for the screen: control bytes become question marks.
[[nodiscard]] std::string printable(std::string_view text);

/// Who sits there: "human", "the computer, level 5", "bot:my_bot".
[[nodiscard]] std::string seat_words(const Catalogue& catalogue, const play::PlayerText& player);

/// For whom scores are told.
enum class View : bool { first_player, mover };

/// The score of a line that `mover` begins, and for whom it is: "+0.35 for White", "win in at most 9 for Black".
[[nodiscard]] std::string score_words(const Catalogue& catalogue, const Notation& notation, InfoLine line, Player mover,
                                      View view);

/// A refusal as a sentence with its clause.
[[nodiscard]] std::string refusal_words(const Catalogue& catalogue, const Notation& notation, const Refusal& refusal);

/// How a game ended that its rules did not end.
[[nodiscard]] std::string result_words(const Catalogue& catalogue, const Notation& notation,
                                       const play::GameResult& result);

/// How the game ended and who won, one sentence per line. Requires game.over().
[[nodiscard]] std::vector<std::string> end_words(const Catalogue& catalogue, const play::LiveGame& game);

/// Who leads, by what is on the board.
[[nodiscard]] std::string lead_words(const Catalogue& catalogue, const play::LiveGame& game);

/// What the game says beside its board now, a line each; times in whole seconds, for a person to read.
[[nodiscard]] std::vector<std::string> facts_in_play(const Catalogue& catalogue, const play::LiveGame& game);
/// How long facts_in_play() stays right while the side to move thinks; nothing if it does so until the next turn.
[[nodiscard]] std::optional<std::chrono::milliseconds> facts_hold(const play::LiveGame& game);

/// A time on a clock, rounded up: "1:02:05", "4:58", and below a minute "12.3".
[[nodiscard]] std::string clock_text(play::Microseconds left);

/// What a player has left, both limits where there are two: "4:58 (this move 12.3)"; "" without a limit of time.
[[nodiscard]] std::string time_words(const Catalogue& catalogue, const play::TimeLeft& left);

}  // namespace paika::terminal
