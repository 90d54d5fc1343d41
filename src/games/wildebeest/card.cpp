// What a player wants to know of a piece or a special square while playing, in a sentence or two (rules 1 to 5).
#include "games/wildebeest/notation.hpp"

namespace paika::wildebeest {

namespace {

RuleNote steps_and_captures() { return {phrase("Steps one square in any direction, and captures that way."), "2"}; }
RuleNote steps_without_capturing() {
  return {phrase("Steps one square in any direction onto an empty square; it never captures by moving."), "2"};
}
RuleNote poisons() {
  return {phrase("After every move it poisons all opposing pieces next to it, except Golf Carts and Time Machines."),
          "4.1"};
}

RuleNote pad_note(Pads pads) {
  if (pads == Pads::cycle)
    return {phrase("Transporter pad: after every move a piece here goes to the next pad."), "5.3"};
  return {phrase("Transporter pad: after every move a piece here goes to the diagonally opposite pad."), "5.3"};
}

std::vector<RuleNote> chess_card(char kind) {
  switch (kind) {
    case 'B': return {{phrase("Moves and captures as in chess: any distance diagonally."), "2"}};
    case 'N': return {{phrase("Moves and captures as in chess: two squares and one to the side, over anything."), "2"}};
    case 'R': return {{phrase("Moves and captures as in chess: any distance along rows and columns."), "2"}};
    case 'P':
      return {{phrase("Moves one square forward, two from its first row; captures diagonally forward."), "2"},
              {phrase("On the far row it becomes a Time Machine."), "2"},
              {phrase("On row 5 it charges the opposing Golf Carts."), "5.1"}};
    case 'K':
      return {steps_and_captures(),
              {phrase("A side without a king has lost."), "6.1"},
              {phrase("On the Jet Pack it becomes a King with a Jet Pack."), "2"}};
    case 'W':
      return {{phrase("Moves and captures like a bishop, and counts as a king."), "2"},
              {phrase("A side without a king has lost."), "6.1"}};
    default: return {};
  }
}

}  // namespace

std::vector<RuleNote> card_of(char kind, const Options& options) {
  switch (kind) {
    case 'S': return {steps_without_capturing(), poisons()};
    case 'O':
      return {steps_and_captures(),
              {phrase("When a Serpent poisons a friend next to her, the Serpent dies and she becomes a Grand Empress."),
               "4.3"}};
    case 'E': return {{phrase("Moves and captures like a queen and like a knight."), "2"}, poisons()};
    case 'J':
      return {
          steps_and_captures(),
          {phrase("Explodes when the number of pieces in its row is divisible by 5: it and everything next to it go."),
           "5.4"}};
    case 'C':
      return {steps_without_capturing(),
              {phrase("Flings a friend next to it straight over itself, any distance, onto an empty square or an "
                      "opposing piece."),
               "3.1"}};
    case 'G':
      return {
          {phrase("Steps one square; a piece in its way is pushed one square further and captures what stands there."),
           "3.2"},
          {phrase("Cannot be captured: only a sweep, an explosion or poison removes it."), "2"}};
    case 'X':
      return {
          {phrase("Moves and captures one square left or right, on rows 0 and 10 only."), "2"},
          {phrase("Charged by an opposing Pawn on row 5 or an own Time Machine, it sweeps its whole column."), "5.2"},
          {phrase("Cannot be poisoned or paralysed."), "2"}};
    case 'H':
      return {{phrase("Never moves; it charges the Golf Cart of its side."), "5.1"},
              {phrase("Cannot be poisoned, paralysed or flung."), "2"}};
    case 'Z':
      return {steps_and_captures(),
              {phrase("Opposing pieces next to it cannot move, except Golf Carts and Time Machines."), "3.3"}};
    case '*': return {pad_note(options.pads)};
    case '#': return {{phrase("Jet Pack: a King that comes to rest here moves like a bishop from then on."), "2"}};
    default: return chess_card(kind);
  }
}

}  // namespace paika::wildebeest
