#include "rules/outcome.hpp"

namespace paika {

std::string_view name(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::ongoing: return "ongoing";
    case Verdict::first_wins: return "first_wins";
    case Verdict::second_wins: return "second_wins";
    case Verdict::draw: return "draw";
  }
  return "";
}

std::string_view name(EndReason reason) noexcept {
  switch (reason) {
    case EndReason::none: return "none";
    case EndReason::eliminated: return "eliminated";
    case EndReason::captures: return "captures";
    case EndReason::trapped: return "trapped";
    case EndReason::move_limit: return "move_limit";
    case EndReason::repetition: return "repetition";
    case EndReason::board_full: return "board_full";
    case EndReason::blocked: return "blocked";
    case EndReason::king_lost: return "king_lost";
    case EndReason::kings_lost: return "kings_lost";
    case EndReason::empty_board: return "empty_board";
  }
  return "";
}

}  // namespace paika
