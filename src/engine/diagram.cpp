#include "engine/diagram.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "rules/spec.hpp"

namespace paika {

std::string diagram(const GameFace& face, const Board& board) {
  const Coordinates& names = face.coordinates();
  const int last = std::max(names.row_number(0), names.row_number(board.cells.rows() - 1));
  const std::size_t width = fmt::format("{}", last).size();
  std::string out(width + 1, ' ');
  for (int col = 0; col < board.cells.cols(); ++col) out += fmt::format(" {}", names.column_letter(col));
  out += '\n';
  for (int row = 0; row < board.cells.rows(); ++row) {
    out += fmt::format("{:>{}} ", names.row_number(row), width);
    for (int col = 0; col < board.cells.cols(); ++col) out += fmt::format(" {}", face.glyph(board.cells[{col, row}]));
    out += '\n';
  }
  return out;
}

std::string effect_line(const GameFace& face, const Effect& effect) {
  const Coordinates& names = face.coordinates();
  std::string line(name(effect.kind));
  if (effect.from || effect.to) line += fmt::format(" {}", face.glyph(effect.piece));
  if (effect.from) line += fmt::format(" {}", names.name(*effect.from));
  if (effect.from && effect.to) line += " to";
  if (effect.to) line += fmt::format(" {}", names.name(*effect.to));
  if (effect.cause) line += fmt::format(" by {}", names.name(*effect.cause));
  return fmt::format("{} ({})", line, effect.clause);
}

Phrase refusal_phrase(const GameFace& face, const Refusal& refusal) {
  return phrase("{} ({} {})", refusal.message, rules_document(face), refusal.clause);
}

Phrase ending_phrase(const GameFace& face, const Board& board, const Outcome& outcome) {
  const Ending ending = face.ending(board, outcome);
  return phrase("{} ({} {})", ending.sentence, rules_document(face), ending.clause);
}

std::string refusal_sentence(const GameFace& face, const Refusal& refusal, const Catalogue& catalogue) {
  return catalogue.say(refusal_phrase(face, refusal));
}

std::string ending_sentence(const GameFace& face, const Board& board, const Outcome& outcome,
                            const Catalogue& catalogue) {
  return catalogue.say(ending_phrase(face, board, outcome));
}

std::string rules_document(const GameFace& face) { return fmt::format("docs/rules/{}.md", spec_name(face.spec())); }

}  // namespace paika
