#include "apps/terminal/entry.hpp"

#include <algorithm>
#include <array>

namespace paika::terminal {

namespace {

bool begins_with(const Turn& turn, const Turn& prefix) {
  return turn.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), turn.begin());
}

/// The ways a step of a Fanorona stone can go on without a square.
constexpr std::array without_square = {StepKind::approach, StepKind::withdraw};

}  // namespace

Entry::Entry(const Session& session, std::size_t bound) : session_(&session), board_(session.board()) {
  session.for_each_turn([&](const ListedTurn& turn) {
    cut_list_ = turns_.size() == bound;
    if (!cut_list_) turns_.push_back(turn.steps);
    return !cut_list_;
  });
  look();
}

void Entry::look() {
  choices_.clear();
  complete_ = false;
  cut_ = cut_list_;
  if (session_ == nullptr) return;
  look_at_list();
  if (cut_list_) ask_the_rules();
}

void Entry::look_at_list() {
  for (const Turn& turn : turns_) {
    if (!begins_with(turn, prefix_)) continue;
    if (turn.size() == prefix_.size()) {
      complete_ = true;
    } else {
      add_choice(turn[prefix_.size()]);
    }
  }
}

/// Only on boards with lines: there a step goes to a neighbour, and a turn may end after every capture, so
/// that two steps more decide whether anything follows.
void Entry::ask_the_rules() {
  const Grid<Cell>& cells = board_.cells;
  const bool lines = cells.cols() > 1 ? face_joins({0, 0}, {1, 0}) : cells.rows() > 1 && face_joins({0, 0}, {0, 1});
  if (!lines) return;
  complete_ = !prefix_.empty() && legal({});
  const auto offer = [&](const Step& step) {
    if (std::find(choices_.begin(), choices_.end(), step) == choices_.end() && leads_somewhere(step)) add_choice(step);
  };
  if (prefix_.empty()) {
    cells.for_each_square([&](Square s) {
      if (cells[s].belongs_to(board_.to_move)) offer({StepKind::from, s});
    });
  } else {
    for (const Direction d : all_directions) {
      const auto at = last_square();
      if (at && face_joins(*at, step(*at, d))) offer({StepKind::to, step(*at, d)});
    }
    for (const StepKind kind : without_square) offer({kind, {}});
    offer({StepKind::sacrifice, {}});
  }
  cut_ = false;
}

bool Entry::face_joins(Square a, Square b) const { return session_->face().joined(a, b); }

std::optional<Square> Entry::last_square() const {
  const auto found = std::find_if(prefix_.rbegin(), prefix_.rend(), [](const Step& s) { return has_square(s.kind); });
  return found == prefix_.rend() ? std::nullopt : std::optional(found->square);
}

bool Entry::legal(const Turn& more) const {
  Turn turn = prefix_;
  turn.insert(turn.end(), more.begin(), more.end());
  return !session_->refuse(turn);
}

bool Entry::leads_somewhere(const Step& step) const {
  if (legal({step})) return true;
  if (step.kind == StepKind::to) {
    return std::any_of(without_square.begin(), without_square.end(),
                       [&](StepKind k) { return legal({step, {k, {}}}); });
  }
  if (step.kind != StepKind::from) return false;
  if (legal({step, {StepKind::sacrifice, {}}})) return true;
  return std::any_of(all_directions.begin(), all_directions.end(), [&](Direction d) {
    const Step to{StepKind::to, paika::step(step.square, d)};
    if (!face_joins(step.square, to.square)) return false;
    return legal({step, to}) || legal({step, to, {StepKind::approach, {}}}) ||
           legal({step, to, {StepKind::withdraw, {}}});
  });
}

void Entry::add_choice(const Step& step) {
  if (std::find(choices_.begin(), choices_.end(), step) == choices_.end()) choices_.push_back(step);
}

std::vector<Square> Entry::targets() const {
  std::vector<Square> squares;
  for (const Step& step : choices_) {
    if (has_square(step.kind)) squares.push_back(step.square);
  }
  return squares;
}

std::vector<Square> Entry::chosen_squares() const {
  std::vector<Square> squares;
  for (const Step& step : prefix_) {
    if (has_square(step.kind)) squares.push_back(step.square);
  }
  return squares;
}

std::optional<Step> Entry::choice_at(Square square) const {
  const auto found = std::find_if(choices_.begin(), choices_.end(),
                                  [&](const Step& step) { return has_square(step.kind) && step.square == square; });
  return found == choices_.end() ? std::nullopt : std::optional(*found);
}

std::optional<Step> Entry::choice_of(StepKind kind) const {
  const auto of_kind = [&](const Step& step) { return step.kind == kind; };
  const auto found = std::find_if(choices_.begin(), choices_.end(), of_kind);
  if (found == choices_.end() || std::count_if(choices_.begin(), choices_.end(), of_kind) > 1) return std::nullopt;
  return *found;
}

bool Entry::choose(const Step& step) {
  if (std::find(choices_.begin(), choices_.end(), step) == choices_.end()) return false;
  lengths_.push_back(prefix_.size());
  prefix_.push_back(step);
  look();
  // Only how to capture follows by itself: a sacrifice or a fling is never made for the player.
  const auto is_capture = [](const Step& s) { return s.kind == StepKind::approach || s.kind == StepKind::withdraw; };
  while (!complete_ && choices_.size() == 1 && is_capture(choices_.front())) {
    prefix_.push_back(choices_.front());
    look();
  }
  return true;
}

bool Entry::back() {
  if (lengths_.empty()) return false;
  prefix_.resize(lengths_.back());
  lengths_.pop_back();
  look();
  return true;
}

void Entry::clear() {
  prefix_.clear();
  lengths_.clear();
  look();
}

}  // namespace paika::terminal
