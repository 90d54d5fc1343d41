// What a program is graded on: boards of several kinds, and the ways to read the rules.
//
// The same seed gives the same boards on every machine, whichever reading of disputed rules is asked for: they come
// from games by the standard reading.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "engine/game.hpp"

namespace paika::grading {

/// Where a board comes from.
enum class BoardKind : unsigned char {
  game,    // games of many kinds: openings, middle games and endings
  rules,   // games too, chosen so that every rule is put to the test
  strewn,  // pieces put anywhere: no game leads there
  given    // a file
};

inline constexpr std::array<BoardKind, 2> default_kinds = {BoardKind::game, BoardKind::rules};

/// "game", "rules", "strewn", "given".
[[nodiscard]] std::string_view name(BoardKind kind) noexcept;
/// Reads kinds that can be drawn, each word one or several with commas between them; default_kinds if there is none.
[[nodiscard]] Result<std::vector<BoardKind>> read_kinds(const std::vector<std::string>& words);

struct GradeBoard {
  std::string name;
  std::string text;  // of the position; a board file or a line
  BoardKind kind = BoardKind::given;
};

/// Draws so many boards, the kinds in turn. An error says that the game has no boards of a kind.
[[nodiscard]] Result<std::vector<GradeBoard>> draw_boards(const Game& game, std::span<const BoardKind> kinds, int count,
                                                          std::uint64_t seed);

/// The spec with every combination of values of the options named, itself first. An error names the option.
[[nodiscard]] Result<std::vector<GamePtr>> readings_of(std::string_view spec, const std::vector<std::string>& options);

/// A position of the game; for Wildebeest any well-formed board, also one that no game leads to.
[[nodiscard]] Result<Board> read_any_position(const Game& game, std::string_view text);

/// More successors than this are not graded.
inline constexpr std::size_t max_successors = 100'000;

/// The different positions that can follow one, each with the first turn that leads to it. For Wildebeest any
/// well-formed board has successors, also one with a king missing (docs/rules/wildebeest.md, 6.2). The error is that of
/// the text.
[[nodiscard]] Result<std::map<std::string, std::string>> successors_of(const Game& game, std::string_view position);

}  // namespace paika::grading
