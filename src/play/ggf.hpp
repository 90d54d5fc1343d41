// GGF: the text in which Othello interfaces hand over a game: "(;GM[Othello]TY[8]BO[8 … *]B[F5]W[F6];)".
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "play/record.hpp"

namespace paika::play {

/// A move as GGF and NBoard write it: "F5", "F5/1.25/0.3"; a pass is "PA".
struct GgfMove {
  std::string text;                   // "f5" or "pass", as our rules read it
  std::chrono::milliseconds time{0};  // what it took its player; 0 if not told
  std::optional<int> score;           // in hundredths of a disc, as its player saw it
};

struct GgfGame {
  int size = 8;
  std::string position;                // where the game begins, as our rules read it
  std::array<std::string, 2> players;  // Black and White; empty: not told
  std::vector<GgfMove> moves;
  std::optional<std::chrono::milliseconds> time;  // of each player for the whole game
  std::string result;                             // RE as it is written; empty: not told
  std::string place;
  std::string date;
};

/// Reads a move with what follows it after a slash.
[[nodiscard]] Result<GgfMove> read_ggf_move(std::string_view text);

/// Reads the first game of the text. Whether its moves are legal is not looked at.
[[nodiscard]] Result<GgfGame> read_ggf(std::string_view text);
/// Reads all games of the text. An error names the game by its number.
[[nodiscard]] Result<std::vector<GgfGame>> read_ggf_games(std::string_view text);

/// A game as a record: its moves are checked, passes that are left out are put in. Its players are names, not what a
/// seat of ours could be. Place and date are notes.
[[nodiscard]] Result<GameRecord> record_of_ggf(const GgfGame& ggf);
/// The first game of the text as a record.
[[nodiscard]] Result<GameRecord> record_of_ggf(std::string_view text);

/// A record of Othello as GGF, on one line. An error if it is a record of another game.
[[nodiscard]] Result<std::string> ggf_text(const GameRecord& record, std::string_view place = "Paika",
                                           std::string_view date = {});

}  // namespace paika::play
