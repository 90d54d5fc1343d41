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

Phrase reason_phrase(EndReason reason) {
  switch (reason) {
    case EndReason::none: return phrase("not finished");
    case EndReason::eliminated: return phrase("no piece left");
    case EndReason::captures: return phrase("captures");
    case EndReason::trapped: return phrase("no legal move");
    case EndReason::move_limit: return phrase("move limit");
    case EndReason::repetition: return phrase("third repetition");
    case EndReason::board_full: return phrase("board full");
    case EndReason::blocked: return phrase("both sides blocked");
    case EndReason::king_lost: return phrase("king lost");
    case EndReason::kings_lost: return phrase("both kings lost");
    case EndReason::empty_board: return phrase("empty board");
  }
  return {};
}

}  // namespace paika
