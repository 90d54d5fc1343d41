#include "engine/diagram.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "rules/spec.hpp"

namespace paika {

std::string diagram(const Notation& notation, const Board& board) {
  const Coordinates& names = notation.coordinates();
  const int last = std::max(names.row_number(0), names.row_number(board.cells.rows() - 1));
  const std::size_t width = fmt::format("{}", last).size();
  std::string out(width + 1, ' ');
  for (int col = 0; col < board.cells.cols(); ++col) out += fmt::format(" {}", names.column_letter(col));
  out += '\n';
  for (int row = 0; row < board.cells.rows(); ++row) {
    out += fmt::format("{:>{}} ", names.row_number(row), width);
    for (int col = 0; col < board.cells.cols(); ++col)
      out += fmt::format(" {}", notation.glyph(board.cells[{col, row}]));
    out += '\n';
  }
  return out;
}

std::vector<Square> differing_squares(const Board& a, const Board& b) {
  std::vector<Square> all;
  a.cells.for_each_square([&](Square s) {
    if (a.cells[s] != b.cells[s]) all.push_back(s);
  });
  return all;
}

std::string effect_line(const Notation& notation, const Effect& effect) {
  const Coordinates& names = notation.coordinates();
  std::string line(name(effect.kind));
  if (effect.from || effect.to) line += fmt::format(" {}", notation.glyph(effect.piece));
  if (effect.from) line += fmt::format(" {}", names.name(*effect.from));
  if (effect.from && effect.to) line += " to";
  if (effect.to) line += fmt::format(" {}", names.name(*effect.to));
  if (effect.cause) line += fmt::format(" by {}", names.name(*effect.cause));
  return fmt::format("{} ({})", line, effect.clause);
}

Phrase refusal_phrase(const Notation& notation, const Refusal& refusal) {
  return phrase("{} ({} {})", refusal.message, rules_document(notation), refusal.clause);
}

Phrase ending_phrase(const Notation& notation, const Board& board, const Outcome& outcome) {
  const Ending ending = notation.ending(board, outcome);
  return phrase("{} ({} {})", ending.sentence, rules_document(notation), ending.clause);
}

std::string refusal_sentence(const Notation& notation, const Refusal& refusal, const Catalogue& catalogue) {
  return catalogue.say(refusal_phrase(notation, refusal));
}

std::string ending_sentence(const Notation& notation, const Board& board, const Outcome& outcome,
                            const Catalogue& catalogue) {
  return catalogue.say(ending_phrase(notation, board, outcome));
}

std::string rules_document(const Notation& notation) {
  return fmt::format("docs/rules/{}.md", spec_name(notation.spec()));
}

}  // namespace paika
