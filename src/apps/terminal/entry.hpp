// Entry: entering a turn step by step, through the prefix tree of the legal turns (rules/turn.hpp).
//
// The state is the steps chosen so far; from it follow the steps that can come next. Nothing here knows a
// screen. Some positions of Fanorona have more turns than anybody can list: then a number of them is looked
// at, and what could be missing is found by asking the rules about single steps.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/game.hpp"

namespace paika::terminal {

class Entry {
 public:
  /// So many turns are listed at the most.
  static constexpr std::size_t standard_bound = 20'000;

  /// Nothing to choose.
  Entry() = default;
  /// For the position of the session as it is now; the session is asked again only until its next turn and
  /// must live as long.
  explicit Entry(const Session& session, std::size_t bound = standard_bound);

  /// The steps chosen so far.
  [[nodiscard]] const Turn& prefix() const noexcept { return prefix_; }
  /// The steps that can follow, without repetition, in the order of the game's list.
  [[nodiscard]] const Turn& choices() const noexcept { return choices_; }
  /// True if the steps chosen so far are a legal turn: the player may stop here.
  [[nodiscard]] bool complete() const noexcept { return complete_; }
  /// True if complete and nothing can follow.
  [[nodiscard]] bool finished() const noexcept { return complete_ && choices_.empty(); }
  /// True if there may be choices that are not listed; they can be typed.
  [[nodiscard]] bool cut() const noexcept { return cut_; }
  [[nodiscard]] bool empty() const noexcept { return prefix_.empty() && choices_.empty(); }

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
  void look();
  void look_at_list();
  void ask_the_rules();
  void add_choice(const Step& step);
  [[nodiscard]] bool legal(const Turn& more) const;
  [[nodiscard]] bool face_joins(Square a, Square b) const;
  [[nodiscard]] std::optional<Square> last_square() const;
  [[nodiscard]] bool leads_somewhere(const Step& step) const;

  const Session* session_ = nullptr;
  Board board_;
  std::vector<Turn> turns_;  // legal turns; all of them unless cut_list_
  bool cut_list_ = false;
  Turn prefix_;
  std::vector<std::size_t> lengths_;  // of the prefix before each choice
  Turn choices_;
  bool complete_ = false;
  bool cut_ = false;
};

}  // namespace paika::terminal
