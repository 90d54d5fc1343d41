#include "apps/terminal/words.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace paika::terminal {

namespace {

/// A piece and where it was or went: "c3", "N c4", "b2-c3".
std::string item(const Notation& notation, const Effect& effect) {
  const Coordinates& names = notation.coordinates();
  std::string text;
  if (effect.piece.owner != Owner::nobody && effect.piece.kind != piece_of(Player::first).kind) {
    text += fmt::format("{} ", notation.glyph(effect.piece));
  }
  if (effect.from) text += names.name(*effect.from);
  if (effect.from && effect.to) text += '-';
  if (effect.to) text += names.name(*effect.to);
  return text;
}

Phrase group_phrase(EffectKind kind, const std::string& items) {
  switch (kind) {
    case EffectKind::placed: return phrase("placed: {}", items);
    case EffectKind::moved: return phrase("moved: {}", items);
    case EffectKind::captured: return phrase("captured: {}", items);
    case EffectKind::pushed: return phrase("pushed: {}", items);
    case EffectKind::flung: return phrase("flung: {}", items);
    case EffectKind::poisoned: return phrase("poisoned: {}", items);
    case EffectKind::transformed: return phrase("transformed: {}", items);
    case EffectKind::swept: return phrase("swept away: {}", items);
    case EffectKind::teleported: return phrase("carried by a pad: {}", items);
    case EffectKind::exploded: return phrase("exploded: {}", items);
    case EffectKind::flipped: return phrase("turned over: {}", items);
    case EffectKind::sacrificed: return phrase("sacrificed: {}", items);
    case EffectKind::removed: return phrase("taken off the board: {}", items);
    case EffectKind::passed: break;
  }
  return phrase("passed");
}

}  // namespace

std::string player_words(const Catalogue& catalogue, const Notation& notation, Player player) {
  return catalogue.say(player_phrase(notation, player));
}

std::string count_words(const Catalogue& catalogue, const Notation& notation, const Board& board, Player player,
                        std::optional<int> at_start) {
  const int now = count_pieces(board, player);
  const int lost = at_start.value_or(now) - now;
  if (lost > 0) return catalogue.say(phrase("{}: {}, lost: {}", notation.pieces_word(), now, lost));
  return catalogue.say(phrase("{}: {}", notation.pieces_word(), now));
}

std::vector<std::string> fact_words(const Catalogue& catalogue, const Notation& notation, const Board& board) {
  std::vector<std::string> lines;
  for (const Phrase& fact : notation.facts(board)) lines.push_back(catalogue.say(fact));
  return lines;
}

std::vector<std::string> effect_words(const Catalogue& catalogue, const Notation& notation,
                                      std::span<const Effect> effects) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < effects.size();) {
    const Effect& first = effects[i];
    std::string items;
    for (; i < effects.size() && effects[i].kind == first.kind && effects[i].stage == first.stage; ++i) {
      items += (items.empty() ? "" : ", ") + item(notation, effects[i]);
    }
    lines.push_back(fmt::format("{} ({})", catalogue.say(group_phrase(first.kind, items)), first.clause));
  }
  return lines;
}

std::vector<Square> squares_of(const Turn& turn) {
  std::vector<Square> squares;
  for (const Step& step : turn) {
    if (has_square(step.kind)) squares.push_back(step.square);
  }
  return squares;
}

std::vector<Board> boards_between(const Notation& notation, const Board& before, std::span<const Effect> effects) {
  std::vector<Board> boards;
  for (std::size_t i = 1; i < effects.size(); ++i) {
    if (effects[i].stage == effects[i - 1].stage) continue;
    Board board = before;
    board.cells = replayed(before.cells, effects.first(i), [&](Square s) { return notation.empty_cell(s); });
    boards.push_back(std::move(board));
  }
  return boards;
}

}  // namespace paika::terminal
