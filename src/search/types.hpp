// What is asked of a search and what it answers, for every game: limits, switches, scores.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rules/search_traits.hpp"

namespace paika {

using Milliseconds = std::chrono::milliseconds;

// ---- Scores ----
//
// A score is for the side to move. Evaluations are below evaluation_bound; a win in n plies is
// win_score - n, a loss in n plies is n - win_score.

inline constexpr int win_score = 1'000'000;
inline constexpr int longest_win = 10'000;  // plies
inline constexpr int infinite_score = win_score + 1;

[[nodiscard]] constexpr int win_in(int plies) noexcept { return win_score - plies; }
[[nodiscard]] constexpr int loss_in(int plies) noexcept { return plies - win_score; }
[[nodiscard]] constexpr bool is_win(int score) noexcept { return score >= win_score - longest_win; }
[[nodiscard]] constexpr bool is_loss(int score) noexcept { return score <= longest_win - win_score; }
// A win that a table tells of without its distance is below all others and above every evaluation, the less the later
// the position is reached.
inline constexpr int table_win_score = 600'000;
static_assert(table_win_score - longest_win > evaluation_bound && table_win_score < win_score - longest_win);
/// True for wins of either kind, and for losses.
[[nodiscard]] constexpr bool is_won(int score) noexcept { return score > evaluation_bound; }
[[nodiscard]] constexpr bool is_lost(int score) noexcept { return score < -evaluation_bound; }
/// Plies to the end for a score that is a win or a loss.
[[nodiscard]] constexpr int plies_to(int score) noexcept { return win_score - (score < 0 ? -score : score); }

// ---- Limits ----

/// A player's clock for the whole game, as it stands when the search starts.
struct GameClock {
  Milliseconds left{0};
  Milliseconds increment{0};
  int moves_to_go = 0;  // turns until new time comes; 0: it must last for the whole game
};

/// When to stop; the first limit reached does. None at all: search until told to stop.
struct SearchLimits {
  std::optional<int> depth;
  std::optional<std::uint64_t> nodes;
  std::optional<Milliseconds> move_time;  // never overstepped
  std::optional<GameClock> clock;         // shared out over the moves of a game
};

// ---- Switches ----

/// Parts of the search that can be switched off, to measure what they are worth.
struct SearchFeatures {
  bool table = true;  // the transposition table
  bool quiescence = true;
  bool reductions = true;
  bool null_move = true;  // where the game allows it at all
  bool futility = true;   // likewise
  bool probcut = true;    // likewise
  bool aspiration = true;
  bool ordering = true;  // killers, history and countermoves
  bool tuned = true;     // tuned evaluation, else the plain one
  bool endings = true;   // exact endings where the game has a solver, or tables of endgames

  friend bool operator==(const SearchFeatures&, const SearchFeatures&) = default;
};

struct FeatureName {
  std::string_view name;
  bool SearchFeatures::* member;
};

/// The names of the switches, for settings on the command line and in the protocol.
inline constexpr std::array<FeatureName, 10> feature_names = {{{"futility", &SearchFeatures::futility},
                                                               {"probcut", &SearchFeatures::probcut},
                                                               {"table", &SearchFeatures::table},
                                                               {"quiescence", &SearchFeatures::quiescence},
                                                               {"reductions", &SearchFeatures::reductions},
                                                               {"null_move", &SearchFeatures::null_move},
                                                               {"aspiration", &SearchFeatures::aspiration},
                                                               {"ordering", &SearchFeatures::ordering},
                                                               {"tuned", &SearchFeatures::tuned},
                                                               {"endings", &SearchFeatures::endings}}};

inline constexpr int max_search_threads = 256;
inline constexpr int max_lines = 500;
inline constexpr int max_hash_mb = 65'536;

struct SearchSettings {
  int threads = 1;  // 0: no thread is started, the caller searches alone
  int hash_mb = 64;
  int lines = 1;                  // how many best turns to report (multi-PV)
  int level = full_level;         // below full_level the search is limited and its choice is human
  std::optional<LevelPlan> plan;  // in place of the level's own, to find out how strong it would be
  std::uint64_t seed = 0;         // of the choices of the levels below full_level
  SearchFeatures features;
  /// Where tables of perfect play are looked for; empty: none are used. The engine plays from a table instead of
  /// searching where it can; searches look up what they come to if a game has tables of endgames.
  std::string tables;
  /// The opening book (engine/opening_book.hpp): "on", the one that the program has for the game; "off"; or a file.
  /// Nothing: nobody has said anything, and there is none unless whoever asks knows better.
  std::optional<std::string> book;
  bool book_shown_only = false;  // no move is taken from the book, but what it says of moves is told
};

}  // namespace paika
