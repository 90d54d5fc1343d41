// Space: the positions of Fanorona numbered for the solver: all of them on boards of at most 25 points, those of few
// stones on boards of at most 63.
//
// It fulfils the concepts Solvable and GoesBack (solve/solvable.hpp, a layer above games), for the game
// without a limit of moves: 3.2 counts moves, which a table of positions cannot, so a position that
// nobody can force is a draw (3.4). The colours have the same rules and only the side to move counts:
// the positions that come out have White to move and no move played. Positions in which a side has no
// stone are over (3.1) and not held; those of a player who cannot move (3.3) are.
//
// A position's number is that of the stones of the side to move and the others, by PairSpace or, of few stones, by
// SparsePairs. So the symmetries of the board are folded for all but the few positions in which the side that decides
// (to move, or with fewer stones) stands symmetrically. With a block (2.5) every number of a pair makes way for as many
// as there are points for the block.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/array_store.hpp"
#include "base/bit_count.hpp"
#include "base/check.hpp"
#include "base/device.hpp"
#include "base/gather.hpp"
#include "board/orbits.hpp"
#include "board/sparse_pairs.hpp"
#include "games/fanorona/rules.hpp"
#include "games/fanorona/steps_back.hpp"
#include "games/fanorona/tiers.hpp"
#include "rules/tier_index.hpp"

namespace paika::fanorona {

/// The numbering, with its arrays held by somebody else, perhaps in the memory of a GPU.
template <class Shape, class Pairs = PairSpace>
class SpaceView {
 public:
  using RulesType = BitboardRules<Shape>;
  using Position = typename RulesType::Position;
  using Move = typename RulesType::Move;

  static constexpr bool few_stones = std::is_same_v<Pairs, SparsePairs>;
  static constexpr int max_points = few_stones ? SmallSubsetRanks::max_squares : 2 * Tiers::max_stones + 1;
  static_assert(PairSpace::max_members >= Tiers::max_stones && SparsePairs::max_members <= Tiers::max_stones);

  /// All positions. Requires options that read_options could give, of a board of at most max_points; their limit
  /// does not count. Memory: 8 bytes for every set of a side's stones, 135 MB for 5x5 and
  /// 8 MB for 7x3.
  SpaceView(const Options& options, ArrayStore& store)
    requires(!few_stones)
      : SpaceView(options, stones_at_start(options), 2 * stones_at_start(options), stones_at_start(options), store) {}
  /// Those of at most `total` stones in all, 2 to SparsePairs::max_total, a block counted as one.
  SpaceView(const Options& options, int total, ArrayStore& store)
    requires few_stones
      : SpaceView(options, std::min(stones_at_start(options), total - 1), total, total, store) {}

  [[nodiscard]] PAIKA_HD const RulesType& rules() const noexcept { return rules_; }
  [[nodiscard]] std::uint32_t tiers() const noexcept { return tiers_.count(); }
  [[nodiscard]] std::uint64_t size(std::uint32_t tier) const noexcept { return tiers_.size(tier); }
  [[nodiscard]] std::uint64_t unfolded(std::uint32_t tier) const noexcept { return tiers_.unfolded(tier); }
  [[nodiscard]] std::string tier_name(std::uint32_t tier) const { return tiers_.name(tier); }
  [[nodiscard]] std::vector<std::uint32_t> below(std::uint32_t tier) const { return tiers_.below(tier); }

  [[nodiscard]] PAIKA_HD std::optional<TierIndex> place(const Position& p) const noexcept {
    const int own = p.own.count();
    const int opp = p.opp.count();
    const int blocks = p.block.count();
    if (own > stones_ || opp > stones_ || blocks > 1) return std::nullopt;
    const Tiers::Part& part = tiers_.part(own, opp, blocks > 0);
    if (part.tier == Tiers::nowhere) return std::nullopt;
    const typename Pairs::Pair pair{points(p.own), points(p.opp)};
    if (!part.block) return TierIndex{part.tier, part.first + pairs_.rank(pair, own, opp)};
    const typename Pairs::Folded folded = pairs_.fold(pair, own, opp);
    const Word taken = pairs_.maps().image(folded.map, pair.own | pair.other);
    const Word block = pairs_.maps().image(folded.map, points(p.block));
    const auto before = static_cast<std::uint64_t>(count_ones(~taken & (block - 1)));
    return TierIndex{part.tier, part.first + folded.number * part.block_points + before};
  }

  [[nodiscard]] std::optional<Position> position(TierIndex place) const noexcept {
    if (place.tier >= tiers() || place.index >= size(place.tier)) return std::nullopt;
    Position p = bare_position(place);
    p.key = rules_.key_from_scratch(p);
    return p;
  }

  /// Only a paika takes nothing off the board, and only if there was no block to take off (2.5).
  [[nodiscard]] bool stays(const Position& p, const Move& m) const noexcept {
    return m.kind == MoveKind::paika && p.block.none();
  }

  template <class Visit>
  void for_each_predecessor(TierIndex place, Visit&& visit) const {
    if (place.tier >= tiers() || place.index >= size(place.tier)) return;
    if (tiers_.part_at(place.tier, place.index).block) return;  // before its position is found: many are asked for
    const Position now = bare_position(place);
    for_each_undone(now, 0, [&](const Undone& undone) { for_each_source(place.tier, now, undone, visit); });
  }

  // For a GPU (solve/gpu/space.hpp has the contract).

  using Begun = typename RulesType::Begun;
  /// The stones of the side that stepped, as they stood before.
  struct Undone {
    typename Pairs::Word before;
  };
  static constexpr int undo_stages = 1;

  [[nodiscard]] PAIKA_HD Position bare_position(TierIndex place) const noexcept {
    const Tiers::Part& part = tiers_.part_at(place.tier, place.index);
    const std::uint64_t number = place.index - part.first;
    Position p;
    const typename Pairs::Pair pair =
        part.block ? put_block(p, number, part) : pairs_.unrank(number, part.own, part.opp);
    p.own = set_of(pair.own);
    p.opp = set_of(pair.other);
    return p;
  }

  template <class Emit>
  [[nodiscard]] PAIKA_HD std::uint32_t begin_leaving(const Position& p, Emit&& emit) const {
    if (rules_.decided(p)) return 0;
    std::uint32_t staying = 0;
    if (!rules_.begin_captures(p, emit)) {
      if (p.block.none()) {
        staying = rules_.count_paikas(p);
      } else {
        rules_.begin_paikas(p, emit);
      }
    }
    if (rules_.options().sacrifice) rules_.begin_sacrifices(p, emit);
    return staying;
  }
  template <class Emit>
  PAIKA_HD void begin_turns(const Position& p, Emit&& emit) const {
    if (rules_.decided(p)) return;
    if (!rules_.begin_captures(p, emit)) rules_.begin_paikas(p, emit);
    if (rules_.options().sacrifice) rules_.begin_sacrifices(p, emit);
  }
  template <class Emit>
  PAIKA_HD void lengthen(const Position& /*p*/, const Begun& turn, Emit&& emit) const {
    rules_.lengthen(turn, emit);
  }
  [[nodiscard]] PAIKA_HD Position after(const Position& p, const Begun& turn) const { return rules_.moved(p, turn); }

  /// Nobody plays a paika to a position with a block.
  template <class Emit>
  PAIKA_HD void for_each_undone(const Position& p, int /*stage*/, Emit&& emit) const {
    if (p.block.any()) return;
    steps_back_.find(points(p.own), points(p.opp), [&](Word before) { emit(Undone{before}); });
  }
  template <class Visit>
  PAIKA_HD void for_each_source(std::uint32_t /*tier*/, const Position& p, const Undone& undone, Visit&& visit) const {
    const typename Pairs::Target now = pairs_.target({points(p.own), points(p.opp)});
    const std::uint64_t first = tiers_.part(now.other_count, now.own_count, false).first;
    pairs_.for_each_source({undone.before, now.pair.own}, now.other_count, now.own_count, now,
                           [&](std::uint64_t number) { visit(first + number); });
  }

  template <class F>
  PAIKA_HD void for_each_array(F&& f) {
    pairs_.for_each_array(f);
  }

 private:
  using Set = typename Shape::Set;
  using Word = typename Pairs::Word;

  /// `pairs` is what the numbering of pairs is told of their size.
  SpaceView(const Options& options, int stones, int total, int pairs, ArrayStore& store)
      : rules_(without_limit(options)),
        stones_(stones),
        steps_back_(rules_.shape(), rules_.lines()),
        pairs_(options.cols, options.rows, pairs, store),
        tiers_(rules_.shape().size(), stones, total, options.sacrifice,
               [this](int own, int opp) { return pairs_.size(own, opp); }) {}

  [[nodiscard]] static int stones_at_start(const Options& options) noexcept {
    return (options.cols * options.rows - 1) / 2;  // 1.2
  }

  [[nodiscard]] static Options without_limit(Options options) {
    PAIKA_CHECK(options.cols * options.rows <= max_points);
    options.limit = 0;
    return options;
  }
  [[nodiscard]] PAIKA_HD static Word points(const Set& set) noexcept { return static_cast<Word>(set.words[0]); }
  [[nodiscard]] PAIKA_HD static Set set_of(Word points) noexcept {
    Set set;
    set.words[0] = static_cast<typename Set::Word>(points);
    return set;
  }

  /// Puts the block of number `number` into `p` and returns the stones.
  PAIKA_HD typename Pairs::Pair put_block(Position& p, std::uint64_t number, const Tiers::Part& part) const noexcept {
    const typename Pairs::Pair pair = pairs_.unrank(number / part.block_points, part.own, part.opp);
    const Word bit = Word{1} << number % part.block_points;
    if constexpr (few_stones) {
      p.block = set_of(opened_up(bit, pair.own | pair.other));
    } else {
      p.block = set_of(scattered32(bit, pairs_.maps().all() & ~(pair.own | pair.other)));
    }
    return pair;
  }

  RulesType rules_;
  int stones_;  // of a side at most
  StepsBack<Word> steps_back_;
  Pairs pairs_;
  Tiers tiers_;
};

/// The numbering and its arrays; the store comes first, for the view fills it.
template <class Shape, class Pairs = PairSpace>
class Space : private ArrayStore, public SpaceView<Shape, Pairs> {
 public:
  template <class... Size>
  explicit Space(const Options& options, Size... size)
      : SpaceView<Shape, Pairs>(options, size..., static_cast<ArrayStore&>(*this)) {}
};

/// The positions of few stones.
template <class Shape>
using Endgames = Space<Shape, SparsePairs>;

}  // namespace paika::fanorona
