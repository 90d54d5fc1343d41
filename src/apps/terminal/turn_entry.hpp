// TurnEntry: entering a turn step by step, through the tree of the legal turns (engine/turn_tree.hpp).
//
// The state is the steps chosen so far; from it follow the steps that can come next. Nothing here knows a
// screen.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/turn_tree.hpp"

namespace paika::terminal {

class TurnEntry {
 public:
  /// So many turns are listed at the most.
  static constexpr std::size_t standard_bound = TurnTree::standard_bound;

  /// Nothing to choose.
  TurnEntry() = default;
  /// For the position of the session as it is now; the session is asked again only until its next turn and
  /// must live as long.
  explicit TurnEntry(const Session& session, std::size_t bound = standard_bound);

  /// The steps chosen so far.
  [[nodiscard]] const Turn& prefix() const noexcept { return prefix_; }
  /// The steps that can follow, without repetition, in the order of the game's list.
  [[nodiscard]] const Turn& choices() const noexcept { return next_.steps; }
  /// True if the steps chosen so far are a legal turn: the player may stop here.
  [[nodiscard]] bool complete() const noexcept { return next_.complete; }
  /// True if complete and nothing can follow.
  [[nodiscard]] bool finished() const noexcept { return complete() && choices().empty(); }
  /// True if there may be choices that are not listed; they can be typed.
  [[nodiscard]] bool cut() const noexcept { return next_.cut; }
  [[nodiscard]] bool empty() const noexcept { return prefix_.empty() && choices().empty(); }

  /// The squares that the next step can name.
  [[nodiscard]] std::vector<Square> targets() const;
  /// The squares of the steps chosen so far.
  [[nodiscard]] std::vector<Square> chosen_squares() const;
  /// The choice with this square; nothing if there is none.
  [[nodiscard]] std::optional<Step> choice_at(Square square) const;
  /// The choice of this kind; nothing if there is none, or several.
  [[nodiscard]] std::optional<Step> choice_of(StepKind kind) const;

  /// Takes a step, and the way of capturing with it where there is only one. False, and nothing changes, if it
  /// is no choice.
  bool choose(const Step& step);
  /// Takes back the last choice, with the steps that followed from it; false if there is none.
  bool back();
  /// Takes back all.
  void clear();

 private:
  void look() { next_ = tree_.following(prefix_); }

  TurnTree tree_;
  Turn prefix_;
  std::vector<std::size_t> lengths_;  // of the prefix before each choice
  Following next_;
};

}  // namespace paika::terminal
