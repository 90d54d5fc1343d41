#include "apps/terminal/turn_entry.hpp"

#include <algorithm>

#include "apps/terminal/words.hpp"

namespace paika::terminal {

TurnEntry::TurnEntry(const Session& session, std::size_t bound) : tree_(session, bound) { look(); }

std::vector<Square> TurnEntry::targets() const { return squares_of(choices()); }

std::vector<Square> TurnEntry::chosen_squares() const { return squares_of(prefix_); }

std::optional<Step> TurnEntry::choice_at(Square square) const {
  const auto found = std::find_if(choices().begin(), choices().end(),
                                  [&](const Step& step) { return has_square(step.kind) && step.square == square; });
  return found == choices().end() ? std::nullopt : std::optional(*found);
}

std::optional<Step> TurnEntry::choice_of(StepKind kind) const {
  const auto of_kind = [&](const Step& step) { return step.kind == kind; };
  const auto found = std::find_if(choices().begin(), choices().end(), of_kind);
  if (found == choices().end() || std::count_if(choices().begin(), choices().end(), of_kind) > 1) return std::nullopt;
  return *found;
}

bool TurnEntry::choose(const Step& step) {
  if (std::find(choices().begin(), choices().end(), step) == choices().end()) return false;
  lengths_.push_back(prefix_.size());
  prefix_.push_back(step);
  look();
  // Only how to capture follows by itself: a sacrifice or a fling is never made for the player.
  const auto is_capture = [](const Step& s) { return s.kind == StepKind::approach || s.kind == StepKind::withdraw; };
  while (!complete() && choices().size() == 1 && is_capture(choices().front())) {
    prefix_.push_back(choices().front());
    look();
  }
  return true;
}

bool TurnEntry::back() {
  if (lengths_.empty()) return false;
  prefix_.resize(lengths_.back());
  lengths_.pop_back();
  look();
  return true;
}

void TurnEntry::clear() {
  prefix_.clear();
  lengths_.clear();
  look();
}

}  // namespace paika::terminal
