// Abalone's bitboard rules: two sets of pieces, moves found for whole sets at once.
//
// For one direction, all pieces that may be chosen are found together. `back` of a set is where one
// must stand to look at a member of it; chains of pieces are followed backwards from the square that
// a line moves into (or from the edge it pushes off) to the pieces that start the line.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/bits.hpp"
#include "base/check.hpp"
#include "base/device.hpp"
#include "base/hash.hpp"
#include "board/shape.hpp"
#include "games/abalone/game.hpp"
#include "rules/concepts.hpp"

namespace paika::abalone {

template <class Shape>
class BitboardRules {
 public:
  using Set = typename Shape::Set;

  struct Position {
    std::array<Set, 2> pieces{};  // Black's, White's
    std::uint64_t key = 0;
    Player to_move = Player::first;

    friend constexpr bool operator==(const Position&, const Position&) = default;
  };

  /// A line that moves: only its two ends and the border of the two colours change.
  struct Move {
    std::uint16_t from = 0;      // the chosen piece
    std::uint8_t direction = 0;  // as in Direction
    std::uint8_t own = 0;        // own pieces that move, k in the rules
    std::uint8_t pushed = 0;     // opposing pieces that move, j in the rules
    std::uint8_t captures = 0;   // 1 if the last of them leaves the board

    friend constexpr bool operator==(const Move&, const Move&) = default;
  };

  explicit BitboardRules(const Options& options) : options_(options), shape_(options.cols, options.rows) {
    for (const Direction d : all_directions) edges_[at(d)] = shape_.edge(d);
  }

  [[nodiscard]] PAIKA_HD const Options& options() const noexcept { return options_; }
  [[nodiscard]] PAIKA_HD const Shape& shape() const noexcept { return shape_; }
  /// The squares from which a step in direction `d` leaves the board.
  [[nodiscard, gnu::always_inline]] constexpr Set edge(Direction d) const noexcept {
    if constexpr (Shape::is_fixed) {
      return Shape{}.edge(d);
    } else {
      return edges_[at(d)];
    }
  }
  /// The longest line of squares in direction `d`.
  [[nodiscard]] constexpr int length(Direction d) const noexcept {
    if (is_diagonal(d)) return std::min(shape_.rows(), shape_.cols());
    return col_step(d) == 0 ? shape_.rows() : shape_.cols();
  }

  [[nodiscard]] Position initial() const {
    const int top = 0;
    const int bottom = options_.rows - 1;
    const int right = options_.cols - 1;
    Position p;
    for (int row = top + 1; row <= bottom; ++row) p.pieces[0].set(shape_.index({0, row}));
    for (int col = 0; col < right; ++col) p.pieces[0].set(shape_.index({col, bottom}));
    for (int row = top; row < bottom; ++row) p.pieces[1].set(shape_.index({right, row}));
    for (int col = 1; col <= right; ++col) p.pieces[1].set(shape_.index({col, top}));
    p.key = key_from_scratch(p);
    return p;
  }

  [[nodiscard]] PAIKA_HD Player to_move(const Position& p) const noexcept { return p.to_move; }
  [[nodiscard]] std::uint64_t key(const Position& p) const noexcept { return p.key; }

  /// How many pieces `player` has lost (3.1).
  [[nodiscard]] PAIKA_HD int lost(const Position& p, Player player) const noexcept {
    return pieces_each(options_) - p.pieces[at(player)].count();
  }

  [[nodiscard]] PAIKA_HD Outcome outcome(const Position& p) const noexcept {
    for (const Player loser : {Player::first, Player::second}) {
      if (lost(p, loser) >= options_.captures) return decided_against(loser, EndReason::captures);
    }
    if (can_move(sides_of(p), Directions{})) return {};
    return decided_against(p.to_move, EndReason::trapped);
  }

  template <class Visit>
  PAIKA_HD bool for_each_turn(const Position& p, Visit&& visit) const {
    if (captures_made(p)) return true;
    const Sides s = sides_of(p);
    if (options_.must && count_all<true>(s, Directions{}) != 0) return visit_all<true>(s, visit, Directions{});
    return visit_all<false>(s, visit, Directions{});
  }

  [[nodiscard]] PAIKA_HD std::uint64_t count_turns(const Position& p) const noexcept {
    if (captures_made(p)) return 0;
    const Sides s = sides_of(p);
    if (options_.must) {
      if (const auto captures = count_all<true>(s, Directions{}); captures != 0) return captures;
    }
    return count_all<false>(s, Directions{});
  }

  /// The turns that capture.
  template <class Visit>
  PAIKA_HD bool for_each_capture(const Position& p, Visit&& visit) const {
    return captures_made(p) || visit_all<true>(sides_of(p), visit, Directions{});
  }

  /// True if the piece on `from` may be chosen for direction `d` without a capture, by all the rules.
  /// Requires that section 2 allows it.
  [[nodiscard]] PAIKA_HD bool may_move(const Position& p, int from, Direction d) const noexcept {
    const Sides s = sides_of(p);
    if (options_.must && count_all<true>(s, Directions{}) != 0) return false;
    if (!s.chosen.test(from)) return false;
    const Set stuck = s.own & ~s.movers;
    for (int place = from; s.own.test(place); place += shape_.delta(d)) {
      if (stuck.test(place)) return false;
      if (edge(d).test(place)) break;
    }
    return true;
  }

  [[nodiscard]] Position play(const Position& p, const Move& m) const noexcept {
    const int delta = shape_.delta(static_cast<Direction>(m.direction));
    const int border = m.from + m.own * delta;
    const std::size_t us = at(p.to_move);
    const std::size_t them = us ^ 1;
    Position next = moved(p, m);
    next.key ^= keys[us][index(m.from)] ^ keys[us][index(border)] ^ side_key;
    if (m.pushed != 0) next.key ^= keys[them][index(border)];
    if (m.pushed != 0 && m.captures == 0) next.key ^= keys[them][index(border + m.pushed * delta)];
    return next;
  }
  /// As play(), for whoever needs no key: that of `p` stays.
  [[nodiscard]] PAIKA_HD Position moved(const Position& p, const Move& m) const noexcept {
    const int delta = shape_.delta(static_cast<Direction>(m.direction));
    const int border = m.from + m.own * delta;
    const std::size_t us = at(p.to_move);
    const std::size_t them = us ^ 1;
    Position next = p;
    next.pieces[us].reset(m.from);
    next.pieces[us].set(border);
    if (m.pushed != 0) {
      next.pieces[them].reset(border);
      if (m.captures == 0) next.pieces[them].set(border + m.pushed * delta);
    }
    next.to_move = other(p.to_move);
    return next;
  }

  [[nodiscard]] std::uint64_t key_from_scratch(const Position& p) const noexcept {
    std::uint64_t key = p.to_move == Player::first ? 0 : side_key;
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      for_each_bit(p.pieces[side], [&](int i) { key ^= keys[side][index(i)]; });
    }
    return key;
  }

  [[nodiscard]] Position from_board(const Board& board) const {
    Position p;
    board.cells.for_each_square([&](Square s) {
      if (board.cells[s].owner == Owner::first) p.pieces[0].set(shape_.index(s));
      if (board.cells[s].owner == Owner::second) p.pieces[1].set(shape_.index(s));
    });
    p.to_move = board.to_move;
    p.key = key_from_scratch(p);
    return p;
  }

  [[nodiscard]] Board to_board(const Position& p) const {
    Board board;
    board.cells = Grid<Cell>(shape_.cols(), shape_.rows());
    for (const Player player : {Player::first, Player::second}) {
      for_each_bit(p.pieces[at(player)], [&](int i) { board.cells[shape_.square(i)] = piece_of(player); });
    }
    board.to_move = p.to_move;
    return board;
  }

  [[nodiscard]] Turn to_turn(const Position& /*p*/, const Move& m) const {
    const Square from = shape_.square(m.from);
    return {{StepKind::from, from}, {StepKind::to, step(from, static_cast<Direction>(m.direction))}};
  }

  [[nodiscard]] Move from_turn(const Position& p, const Turn& turn) const {
    const Square from = turn[0].square;
    const auto direction = direction_to(from, turn[1].square);
    PAIKA_CHECK(direction.has_value());
    return move_of(sides_of(p), shape_.index(from), *direction);
  }

  /// The same board with the other side to move, as if the side to move could do nothing.
  [[nodiscard]] Position passed(const Position& p) const noexcept {
    Position q = p;
    q.to_move = other(p.to_move);
    q.key ^= side_key;
    return q;
  }

  [[nodiscard]] Position transform(const Position& p, Symmetry symmetry) const {
    Position q;
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      q.pieces[symmetry.swap_players ? side ^ 1 : side] = mapped(shape_, p.pieces[side], symmetry.map);
    }
    q.to_move = symmetry.swap_players ? other(p.to_move) : p.to_move;
    q.key = key_from_scratch(q);
    return q;
  }

 private:
  /// The board as the player to move sees it.
  struct Sides {
    Set own;
    Set theirs;
    Set empty;
    Set movers;  // own pieces that may be in a moving line
    Set chosen;  // own pieces that may be chosen, as far as freezing goes
  };

  using Directions = std::integer_sequence<unsigned char, 0, 1, 2, 3, 4, 5, 6, 7>;

  static constexpr std::uint64_t plane = 0x200;
  static constexpr std::array<std::array<std::uint64_t, Shape::max_size>, 2> keys = {
      hash_keys<Shape::max_size>(plane), hash_keys<Shape::max_size>(plane + 1)};
  static constexpr std::uint64_t side_key = hash_key(plane + 2, 0);

  static constexpr std::size_t at(Player p) noexcept { return static_cast<std::size_t>(p); }
  static constexpr std::size_t at(Direction d) noexcept { return static_cast<std::size_t>(d); }
  static constexpr std::size_t index(int i) noexcept { return static_cast<std::size_t>(i); }

  /// The squares that look at a member of `set`, `steps` away in direction D. It does not know the
  /// board's edges: the caller keeps only squares that have so many squares before them.
  template <Direction D>
  [[nodiscard, gnu::always_inline]] constexpr Set back(const Set& set, int steps = 1) const noexcept {
    constexpr bool grows = row_step(D) > 0 || (row_step(D) == 0 && col_step(D) > 0);
    const int by = steps * shape_.delta(D);
    if constexpr (grows) {
      return set >> by;
    } else {
      return set << -by;
    }
  }
  /// The reverse of back: the squares `steps` away in direction D, all on the board.
  template <Direction D>
  [[nodiscard, gnu::always_inline]] constexpr Set ahead(const Set& set, int steps) const noexcept {
    return back<opposite(D)>(set, steps);
  }

  [[nodiscard]] PAIKA_HD bool captures_made(const Position& p) const noexcept {
    return lost(p, Player::first) >= options_.captures || lost(p, Player::second) >= options_.captures;
  }

  [[nodiscard]] PAIKA_HD Outcome decided_against(Player player, EndReason reason) const noexcept {
    return Outcome::win(options_.misere ? player : other(player), reason);  // 4.1
  }

  [[nodiscard]] PAIKA_HD Sides sides_of(const Position& p) const noexcept {
    Sides s;
    s.own = p.pieces[at(p.to_move)];
    s.theirs = p.pieces[at(other(p.to_move))];
    s.empty = shape_.all() & ~(s.own | s.theirs);
    s.movers = s.own;
    s.chosen = s.own;
    if (options_.freeze != Freeze::off) {
      s.chosen &= ~frozen(s, Directions{});
      // 2.2: all own pieces of a line from the chosen one on move, so one frozen piece stops it.
      if (options_.freeze == Freeze::strict) s.movers = s.chosen;
    }
    return s;
  }

  /// Pieces of `pushers` from which a line outnumbers the `count` pieces that start at `first` (2.4).
  template <Direction D>
  [[nodiscard]] PAIKA_HD Set outnumbering(const Set& pushers, const Set& first, int count) const noexcept {
    Set line = pushers & back<D>(first);
    for (int i = 0; i < count && (Shape::is_fixed || line.any()); ++i) line = pushers & back<D>(line);
    return line;
  }

  /// The own pieces that may be chosen for direction D.
  template <Direction D, bool CapturesOnly>
  [[nodiscard]] PAIKA_HD Set choosable(const Sides& s) const noexcept {
    const Set outer = edge(D);
    const Set movers = s.movers & ~outer;  // 2.3: no own piece leaves the board
    const Set theirs = s.theirs & ~outer;
    Set line;
    Set first = s.theirs & outer;  // the first of j pieces that could be pushed, now for j = 1
    if constexpr (!CapturesOnly) {
      const Set before_empty = back<D>(s.empty);
      line = movers & before_empty;
      first |= theirs & before_empty;
    }
    const int room = length(D);
    for (int j = 1; 2 * j < room && (Shape::is_fixed || first.any()); ++j) {
      line |= outnumbering<D>(movers, first, j);
      first = theirs & back<D>(first);
    }
    // Every piece further back in an own row may be chosen too: doubling steps along the row.
    Set through = movers;
    for (int reach = 1; reach < room - 1; reach *= 2) {
      line |= through & back<D>(line, reach);
      through &= back<D>(through, reach);
    }
    return line & s.chosen;
  }

  /// 4.2: the own pieces that the opponent could push in direction D.
  template <Direction D>
  [[nodiscard]] PAIKA_HD Set pushable(const Sides& s) const noexcept {
    const Set outer = edge(D);
    const Set pushers = s.theirs & ~outer;
    const Set own = s.own & ~outer;
    Set first = (s.own & outer) | (own & back<D>(s.empty));
    Set pushed;
    const int room = length(D);
    for (int j = 1; 2 * j < room && (Shape::is_fixed || first.any()); ++j) {
      const Set line = outnumbering<D>(pushers, first, j);
      if (Shape::is_fixed || line.any()) {
        for (int i = 1; i <= j; ++i) pushed |= ahead<D>(line, j + i);
      }
      first = own & back<D>(first);
    }
    return pushed;
  }

  template <unsigned char... Ds>
  [[nodiscard]] PAIKA_HD Set frozen(const Sides& s, std::integer_sequence<unsigned char, Ds...>) const noexcept {
    return (pushable<static_cast<Direction>(Ds)>(s) | ...);
  }

  template <bool CapturesOnly, unsigned char... Ds>
  [[nodiscard]] PAIKA_HD std::uint64_t count_all(const Sides& s,
                                                 std::integer_sequence<unsigned char, Ds...>) const noexcept {
    return static_cast<std::uint64_t>((choosable<static_cast<Direction>(Ds), CapturesOnly>(s).count() + ...));
  }

  template <unsigned char... Ds>
  [[nodiscard]] PAIKA_HD bool can_move(const Sides& s, std::integer_sequence<unsigned char, Ds...>) const noexcept {
    return (choosable<static_cast<Direction>(Ds), false>(s).any() || ...);
  }

  template <bool CapturesOnly, class Visit, unsigned char... Ds>
  PAIKA_HD bool visit_all(const Sides& s, Visit& visit, std::integer_sequence<unsigned char, Ds...>) const {
    return (visit_direction<static_cast<Direction>(Ds), CapturesOnly>(s, visit) && ...);
  }

  template <Direction D, bool CapturesOnly, class Visit>
  PAIKA_HD bool visit_direction(const Sides& s, Visit& visit) const {
    for (Set rest = choosable<D, CapturesOnly>(s); rest.any();) {
      if (!visit(move_of(s, rest.pop_lowest(), D))) return false;
    }
    return true;
  }

  /// The move of the piece on `from` in direction `d`. Requires that it is legal.
  [[nodiscard]] PAIKA_HD Move move_of(const Sides& s, int from, Direction d) const noexcept {
    const int delta = shape_.delta(d);
    Move m{.from = static_cast<std::uint16_t>(from), .direction = static_cast<std::uint8_t>(d)};
    int place = from;
    for (; s.own.test(place); place += delta) ++m.own;
    const Set outer = edge(d);
    for (; m.captures == 0 && s.theirs.test(place); place += delta) {
      ++m.pushed;
      if (outer.test(place)) m.captures = 1;
    }
    return m;
  }

  Options options_;
  Shape shape_;
  std::array<Set, 8> edges_{};
};

static_assert(Rules<BitboardRules<FixedShape<4, 4>>>);
static_assert(Rules<BitboardRules<RuntimeShape<128>>>);

}  // namespace paika::abalone
