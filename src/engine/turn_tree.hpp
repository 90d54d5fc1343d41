// TurnTree: the legal turns of a position as the tree of their steps (rules/turn.hpp).
//
// Some positions of Fanorona have more turns than anybody can list: then a number of them is looked at, and what
// could be missing is found by asking the rules about single steps. So the steps that can come next are known
// everywhere in the tree, at a price that does not depend on how many turns there are.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "engine/game.hpp"

namespace paika {

/// What can follow some first steps of a turn.
struct Following {
  bool complete = false;  // the first steps are a legal turn: the player may stop here
  Turn steps;             // that can come next, without repetition; those of the game's list in its order
  bool cut = false;       // there may be more that are not among them
};

class TurnTree {
 public:
  /// So many turns are listed at the most.
  static constexpr std::size_t standard_bound = 20'000;

  /// Of no position: nothing can be played.
  TurnTree() = default;
  /// For the position of the session as it is now; the session is asked again only until its next turn and
  /// must live as long.
  explicit TurnTree(const Session& session, std::size_t bound = standard_bound);

  /// What can follow `prefix`; nothing if no turn begins so.
  [[nodiscard]] Following following(const Turn& prefix) const;

  /// Calls visit for each legal turn that begins with `prefix`, once, in a stable order, until it returns false;
  /// returns false if it was stopped. Requires !cut() or whole().
  bool for_each_turn(const Turn& prefix, const std::function<bool(const Turn&)>& visit) const;

  /// True if there are more turns than were listed.
  [[nodiscard]] bool cut() const noexcept { return cut_; }
  /// True if nothing is missing nevertheless: the rules can be asked instead of the list.
  [[nodiscard]] bool whole() const noexcept { return !cut_ || lines_; }

 private:
  void look_at_list(const Turn& prefix, Following& found) const;
  void ask_the_rules(const Turn& prefix, Following& found) const;
  [[nodiscard]] bool legal(const Turn& prefix, const Turn& more) const;
  [[nodiscard]] bool leads_somewhere(const Turn& prefix, const Step& step) const;
  bool walk(Turn& prefix, const std::function<bool(const Turn&)>& visit) const;

  const Session* session_ = nullptr;
  Board board_;
  std::vector<Turn> turns_;  // legal turns; all of them unless cut_
  bool cut_ = false;
  bool lines_ = false;  // the board has points and lines
};

}  // namespace paika
