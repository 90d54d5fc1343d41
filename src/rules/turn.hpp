// Turn: everything a player does before the other is to move, as the list of steps that lead to it. People know it as
// a move, the only word on screens and in documents; the code says Turn, since it is the whole list and not one step.
// The legal turns of a position form a prefix tree of steps; every way of entering a move (mouse,
// keys, typing, speech) walks that tree. One turn may be a prefix of another (a chain that stops).
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "base/phrase.hpp"
#include "board/square.hpp"
#include "board/symmetry.hpp"

namespace paika {

enum class StepKind : unsigned char {
  place,      // put a new piece on `square`
  pass,       // do nothing; no square
  from,       // choose the piece on `square`
  to,         // go to `square`
  approach,   // of the two captures possible, take the one ahead; no square
  withdraw,   // … the one behind; no square
  sacrifice,  // give up the chosen piece; no square
  fling       // throw the chosen piece, instead of moving it; no square
};

inline constexpr std::array<StepKind, 8> all_step_kinds = {StepKind::place,     StepKind::pass,     StepKind::from,
                                                           StepKind::to,        StepKind::approach, StepKind::withdraw,
                                                           StepKind::sacrifice, StepKind::fling};

struct Step {
  StepKind kind = StepKind::pass;
  Square square{};  // {0, 0} for kinds that have no square

  friend constexpr bool operator==(const Step&, const Step&) = default;
};

using Turn = std::vector<Step>;

/// The word for a kind of step in JSON and messages: "place", "from", …
[[nodiscard]] std::string_view name(StepKind kind) noexcept;
/// The same for people, who may read another language.
[[nodiscard]] Phrase step_phrase(StepKind kind);
[[nodiscard]] constexpr bool has_square(StepKind kind) noexcept {
  return kind == StepKind::place || kind == StepKind::from || kind == StepKind::to;
}

/// False if a step carries a square although its kind has none: no legal turn has such a step.
[[nodiscard]] bool squares_fit_kinds(const Turn& turn) noexcept;

/// The turn with its squares moved by `map` on a board of cols x rows.
[[nodiscard]] Turn transformed(const Turn& turn, Dihedral map, int cols, int rows);

}  // namespace paika
