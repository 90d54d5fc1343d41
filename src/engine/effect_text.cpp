#include "engine/effect_text.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

namespace paika {

namespace {

/// Tells effects one after the other; the boards around a stage say which pieces they are about.
class EffectWriter {
 public:
  EffectWriter(const Notation& notation, const Board& before)
      : notation_(notation), mover_(before.to_move), before_(before.cells), after_(before.cells) {}

  /// Effects of the next stage come now.
  void begin_stage(std::span<const Effect> stage) {
    before_ = std::move(after_);
    after_ = replayed(before_, stage, [this](Square s) { return notation_.empty_cell(s); });
  }

  [[nodiscard]] Phrase sentence(const Effect& e) const {
    switch (e.kind) {
      case EffectKind::placed: return phrase("{} plays on {}", owner(e), target(e));
      case EffectKind::moved: return phrase("{} moves to {}", piece(e), target(e));
      case EffectKind::captured: return e.cause ? phrase("{} captures {}", cause(e), piece(e)) : gone(e);
      case EffectKind::pushed: return phrase("{} pushes {} to {}", cause(e), piece(e), target(e));
      case EffectKind::flung: return phrase("{} flings {} to {}", cause(e), piece(e), target(e));
      case EffectKind::poisoned: return phrase("{} poisons {}", cause(e), piece(e));
      case EffectKind::transformed: return phrase("{} becomes a {}", piece(e), notation_.kind_phrase(e.piece));
      case EffectKind::swept:
        return e.to ? phrase("{} sweeps its column and stops on {}", piece(e), target(e))
                    : phrase("{} sweeps {} away", cause(e), piece(e));
      case EffectKind::teleported: return phrase("the pad sends {} to {}", piece(e), target(e));
      case EffectKind::exploded:
        return e.cause == e.from ? phrase("{} explodes: {} pieces in its row", piece(e), e.count)
                                 : phrase("{} explodes and destroys {}", cause(e), piece(e));
      case EffectKind::flipped: return phrase("{} now belongs to {}", piece(e), owner(e));
      case EffectKind::sacrificed: return phrase("{} is sacrificed and blocks its point", piece(e));
      case EffectKind::removed: return e.cause ? phrase("{} destroys {}", cause(e), piece(e)) : gone(e);
      case EffectKind::passed: return phrase("{} passes", player_phrase(notation_, mover_));
    }
    return {};
  }

 private:
  /// The piece on a square; if none was there when the stage began, the one that came there.
  [[nodiscard]] Phrase piece_at(Square s) const {
    const bool was_there = before_[s] != notation_.empty_cell(s);
    return notation_.piece_phrase(was_there ? before_[s] : after_[s], s);
  }
  [[nodiscard]] Phrase piece(const Effect& e) const { return piece_at(e.from ? *e.from : *e.to); }
  [[nodiscard]] Phrase cause(const Effect& e) const { return piece_at(*e.cause); }
  [[nodiscard]] Phrase owner(const Effect& e) const { return player_phrase(notation_, player_of(e.piece)); }
  [[nodiscard]] std::string target(const Effect& e) const { return notation_.coordinates().name(*e.to); }
  [[nodiscard]] Phrase gone(const Effect& e) const { return phrase("{} leaves the board", piece(e)); }

  const Notation& notation_;
  Player mover_;
  Grid<Cell> before_;
  Grid<Cell> after_;
};

}  // namespace

std::vector<Phrase> effect_phrases(const Notation& notation, const Board& before, std::span<const Effect> effects) {
  std::vector<Phrase> out;
  EffectWriter writer(notation, before);
  for (std::size_t begin = 0; begin < effects.size();) {
    std::size_t end = begin;
    while (end < effects.size() && effects[end].stage == effects[begin].stage) ++end;
    writer.begin_stage(effects.subspan(begin, end - begin));
    for (; begin < end; ++begin) out.push_back(writer.sentence(effects[begin]));
  }
  return out;
}

std::vector<std::string> effect_sentences(const Notation& notation, const Board& before,
                                          std::span<const Effect> effects, const Catalogue& catalogue) {
  std::vector<std::string> out;
  const std::vector<Phrase> phrases = effect_phrases(notation, before, effects);
  for (std::size_t i = 0; i < phrases.size(); ++i) {
    out.push_back(fmt::format("{} ({})", catalogue.say(phrases[i]), effects[i].clause));
  }
  return out;
}

std::vector<std::string> cause_sentences(const Notation& notation, const Board& before, std::span<const Effect> effects,
                                         const Outcome& outcome, const Catalogue& catalogue) {
  // Of several pieces of one side, the last one counts.
  std::vector<const Effect*> deciding;
  for (const Effect& effect : effects) {
    if (!notation.decides(effect, outcome)) continue;
    std::erase_if(deciding, [&](const Effect* e) { return e->piece.owner == effect.piece.owner; });
    deciding.push_back(&effect);
  }
  // And what set it off: the explosion of the piece that took another with it.
  const auto set_off = [&](const Effect& effect) {
    return std::any_of(deciding.begin(), deciding.end(), [&](const Effect* e) {
      return e->kind == effect.kind && e->stage == effect.stage && e->cause == effect.from &&
             effect.cause == effect.from;
    });
  };
  std::vector<std::string> all = effect_sentences(notation, before, effects, catalogue);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < effects.size(); ++i) {
    if (set_off(effects[i]) && !notation.decides(effects[i], outcome)) out.push_back(std::move(all[i]));
  }
  for (const Effect* e : deciding) out.push_back(std::move(all[static_cast<std::size_t>(e - effects.data())]));
  return out;
}

Phrase state_phrase(const Session& session) {
  const Board board = session.board();
  const Outcome outcome = session.outcome();
  if (outcome.over()) return session.notation().ending(board, outcome).sentence;
  return phrase("{} to move", player_phrase(session.notation(), board.to_move));
}

std::string score_text(const InfoLine& line, const Catalogue& catalogue) {
  const int plies = plies_to(line.score);
  if (is_win(line.score)) {
    return catalogue.say(line.at_most ? phrase("win in at most {}", plies) : phrase("win in {}", plies));
  }
  if (is_loss(line.score)) {
    return catalogue.say(line.at_most ? phrase("loss in at most {}", plies) : phrase("loss in {}", plies));
  }
  if (is_won(line.score)) return catalogue.say(phrase("win"));
  if (is_lost(line.score)) return catalogue.say(phrase("loss"));
  return line.exact && line.score == 0 ? catalogue.say(phrase("draw")) : score_text(line.score);
}

std::string reasons_text(std::vector<Reason> reasons, std::size_t most) {
  std::sort(reasons.begin(), reasons.end(),
            [](const Reason& a, const Reason& b) { return std::abs(a.value) > std::abs(b.value); });
  std::string text;
  for (std::size_t i = 0; i < std::min(reasons.size(), most) && reasons[i].value != 0; ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", reasons[i].name, score_text(reasons[i].value));
  }
  return text;
}

}  // namespace paika
