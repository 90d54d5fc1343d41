// Which rules a turn exercises, read off its effects, and what paralysis forbids.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "games/wildebeest/notation.hpp"

namespace paika::wildebeest {

namespace {

enum Topic : std::size_t {
  plain,
  change,
  fling,
  push,
  paralysis,
  poison,
  second_poison,
  revenge,
  sweep,
  pads,
  explosion
};

constexpr std::array<RuleTopic, 11> topic_table = {{{"2", "moves and captures"},
                                                    {"2", "changes of kind"},
                                                    {"3.1", "fling"},
                                                    {"3.2", "push"},
                                                    {"3.3", "paralysis"},
                                                    {"4.1", "poison"},
                                                    {"4.1", "second poison pass"},
                                                    {"4.3", "Old Woman and Serpent"},
                                                    {"5.2", "sweep"},
                                                    {"5.3", "pads"},
                                                    {"5.4", "explosion"}}};

/// The topic of an effect; nothing if it is that of a plain move.
std::optional<Topic> topic_of(const Effect& effect) {
  if (effect.clause == "3.1") return fling;
  if (effect.clause == "3.2") return push;
  if (effect.clause == "4.1") return is_second_poison(effect) ? second_poison : poison;
  if (effect.clause == "4.3") return revenge;
  if (effect.clause == "5.1" || effect.clause == "5.2") return sweep;
  if (effect.clause == "5.3") return pads;
  if (effect.clause == "5.4") return explosion;
  if (effect.kind == EffectKind::transformed) return change;
  return std::nullopt;
}

std::vector<std::size_t> exercised(const Notation& notation, const Board& board, const Turn& turn) {
  std::array<bool, topic_table.size()> seen{};
  for (const Effect& effect : notation.effects(board, turn)) {
    if (const auto topic = topic_of(effect)) seen.at(*topic) = true;
  }
  std::vector<std::size_t> topics;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen.at(i)) topics.push_back(i);
  }
  return topics.empty() ? std::vector<std::size_t>{plain} : topics;
}

/// The board as it would be if its Beekeepers were Pawns, who paralyse nobody and can be captured alike.
Board without_bees(Board board) {
  board.cells.for_each_square([&](Square s) {
    if (board.cells[s].kind == 'Z' && board.cells[s].belongs_to(other(board.to_move))) board.cells[s].kind = 'P';
  });
  return board;
}

/// 3.3: turns that only a Beekeeper forbids.
std::vector<ForbiddenTurn> forbidden(const Notation& notation, const Board& board) {
  std::vector<ForbiddenTurn> all;
  const Board free = without_bees(board);
  if (free == board) return all;
  const auto consider = [&](const Turn& turn) {
    const auto refusal = notation.refuse(board, turn);
    if (!refusal || refusal->clause != "3.3" || notation.refuse(free, turn)) return;
    Board after = board;
    after.cells = replayed(std::move(after.cells), notation.effects(board, turn),
                           [&](Square s) { return notation.empty_cell(s); });
    after.to_move = other(board.to_move);
    all.push_back({paralysis, turn, std::move(after)});
  };
  board.cells.for_each_square([&](Square from) {
    if (!board.cells[from].belongs_to(board.to_move)) return;
    board.cells.for_each_square([&](Square to) {
      if (from == to) return;
      consider({{StepKind::from, from}, {StepKind::to, to}});
      consider({{StepKind::from, from}, {StepKind::fling, {}}, {StepKind::to, to}});
    });
  });
  return all;
}

int steps_between(Square a, Square b) { return std::max(std::abs(a.col - b.col), std::abs(a.row - b.row)); }

/// The fewest steps from a piece of the kinds to a square that `wanted(piece, square)` accepts.
template <class Wanted>
int fewest_steps(const Board& board, std::string_view kinds, Wanted&& wanted) {
  int fewest = board_side;
  board.cells.for_each_square([&](Square from) {
    const Cell piece = board.cells[from];
    if (piece.owner == Owner::nobody || kinds.find(piece.kind) == std::string_view::npos) return;
    board.cells.for_each_square([&](Square to) {
      if (wanted(piece, to)) fewest = std::min(fewest, steps_between(from, to));
    });
  });
  return fewest;
}

/// Games by chance seldom bring a Serpent to an Old Woman, a poisoner to a pad or a King to the Jet Pack.
int distance(const Board& board, std::size_t topic) {
  switch (topic) {
    case change: return fewest_steps(board, "K", [](const Cell&, Square to) { return to == jet_pack; });
    case second_poison: return fewest_steps(board, "SE", [](const Cell&, Square to) { return is_pad(to); });
    case poison:
    case revenge:
      return fewest_steps(board, "S", [&](const Cell& serpent, Square to) {
        const Cell& target = board.cells[to];
        return target.owner != Owner::nobody && target.owner != serpent.owner &&
               (topic == poison || target.kind == 'O');
      });
    default: return 0;
  }
}

}  // namespace

const RuleTopics rule_topics{
    .topics = topic_table, .exercised = exercised, .forbidden = forbidden, .distance = distance};

}  // namespace paika::wildebeest
