#include "engine/turn_tree.hpp"

#include <algorithm>
#include <array>

#include "engine/board_lines.hpp"

namespace paika {

namespace {

bool begins_with(const Turn& turn, const Turn& prefix) {
  return turn.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), turn.begin());
}

void add_once(Turn& steps, const Step& step) {
  if (std::find(steps.begin(), steps.end(), step) == steps.end()) steps.push_back(step);
}

/// The ways a step of a Fanorona stone can go on without a square.
constexpr std::array without_square = {StepKind::approach, StepKind::withdraw};

/// The square that a turn has come to.
std::optional<Square> last_square(const Turn& prefix) {
  const auto found = std::find_if(prefix.rbegin(), prefix.rend(), [](const Step& s) { return has_square(s.kind); });
  return found == prefix.rend() ? std::nullopt : std::optional(found->square);
}

}  // namespace

TurnTree::TurnTree(const Session& session, std::size_t bound)
    : session_(&session), board_(session.board()), lines_(has_lines(session.notation())) {
  session.for_each_turn([&](const ListedTurn& turn) {
    cut_ = turns_.size() == bound;
    if (!cut_) turns_.push_back(turn.steps);
    return !cut_;
  });
}

Following TurnTree::following(const Turn& prefix) const {
  Following found;
  if (session_ == nullptr) return found;
  look_at_list(prefix, found);
  found.cut = !whole();
  if (cut_ && lines_) ask_the_rules(prefix, found);
  return found;
}

void TurnTree::look_at_list(const Turn& prefix, Following& found) const {
  for (const Turn& turn : turns_) {
    if (!begins_with(turn, prefix)) continue;
    if (turn.size() == prefix.size()) {
      found.complete = true;
    } else {
      add_once(found.steps, turn[prefix.size()]);
    }
  }
}

/// Only on boards with lines: there a step goes to a neighbour, and a turn may end after every capture, so
/// that two steps more decide whether anything follows.
void TurnTree::ask_the_rules(const Turn& prefix, Following& found) const {
  found.complete = !prefix.empty() && legal(prefix, {});
  const auto offer = [&](const Step& step) {
    const bool known = std::find(found.steps.begin(), found.steps.end(), step) != found.steps.end();
    if (!known && leads_somewhere(prefix, step)) found.steps.push_back(step);
  };
  if (prefix.empty()) {
    board_.cells.for_each_square([&](Square s) {
      if (board_.cells[s].belongs_to(board_.to_move)) offer({StepKind::from, s});
    });
    return;
  }
  const StepKind last = prefix.back().kind;
  if (last == StepKind::to) {
    for (const StepKind kind : without_square) offer({kind, {}});
    return;
  }
  for (const Direction d : all_directions) {
    const auto at = last_square(prefix);
    if (at && session_->notation().joined(*at, step(*at, d))) offer({StepKind::to, step(*at, d)});
  }
  if (last == StepKind::from) offer({StepKind::sacrifice, {}});
}

bool TurnTree::legal(const Turn& prefix, const Turn& more) const {
  Turn turn = prefix;
  turn.insert(turn.end(), more.begin(), more.end());
  return !session_->refuse(turn);
}

bool TurnTree::leads_somewhere(const Turn& prefix, const Step& step) const {
  if (legal(prefix, {step})) return true;
  if (step.kind == StepKind::to) {
    return std::any_of(without_square.begin(), without_square.end(),
                       [&](StepKind k) { return legal(prefix, {step, {k, {}}}); });
  }
  if (step.kind != StepKind::from) return false;
  if (legal(prefix, {step, {StepKind::sacrifice, {}}})) return true;
  return std::any_of(all_directions.begin(), all_directions.end(), [&](Direction d) {
    const Step to{StepKind::to, paika::step(step.square, d)};
    if (!session_->notation().joined(step.square, to.square)) return false;
    return legal(prefix, {step, to}) || legal(prefix, {step, to, {StepKind::approach, {}}}) ||
           legal(prefix, {step, to, {StepKind::withdraw, {}}});
  });
}

bool TurnTree::for_each_turn(const Turn& prefix, const std::function<bool(const Turn&)>& visit) const {
  if (cut_ && lines_) {
    Turn begun = prefix;
    return walk(begun, visit);
  }
  return std::all_of(turns_.begin(), turns_.end(),
                     [&](const Turn& turn) { return !begins_with(turn, prefix) || visit(turn); });
}

/// A turn before those that go on from it; no deeper than a turn has steps.
bool TurnTree::walk(Turn& prefix, const std::function<bool(const Turn&)>& visit) const {
  Following next;
  ask_the_rules(prefix, next);
  if (next.complete && !visit(prefix)) return false;
  for (const Step& step : next.steps) {
    prefix.push_back(step);
    const bool on = walk(prefix, visit);
    prefix.pop_back();
    if (!on) return false;
  }
  return true;
}

}  // namespace paika
