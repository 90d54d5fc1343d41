// The bitboard rules of Two-player Wildebeest: generation, play, outcome and key on sets of squares.
//
// There is one size, so nothing is a template over shapes. A position is kept three ways at once
// (what stands on each square, each side's squares, each kind's squares): generation works on the
// sets, play on the squares, and the after effects are skipped by a few tests of the kinds' sets.
// Boards with any number of pieces of any kind are handled (6.2).
#pragma once

#include <array>
#include <cstdint>

#include "games/wildebeest/game.hpp"
#include "games/wildebeest/tables.hpp"
#include "rules/concepts.hpp"

namespace paika::wildebeest {

struct Position {
  std::array<Code, at(squares)> on{};
  Player to_move = Player::first;
  std::array<Set, 2> sides{};
  std::array<Set, kinds_count> kinds{};
  std::uint64_t key = 0;
  std::array<std::int64_t, 3> counters{};

  [[nodiscard]] const Set& all(Kind kind) const noexcept { return kinds[at(kind)]; }
  [[nodiscard]] Set occupied() const noexcept { return sides[0] | sides[1]; }
  [[nodiscard]] Set kings() const noexcept { return all(Kind::king) | all(Kind::jet_king); }

  /// Puts a piece on an empty square.
  void put(int square, Code code) noexcept {
    on[at(square)] = code;
    sides[owner_of(code)].set(square);
    kinds[at(kind_of(code))].set(square);
    key ^= piece_keys[code][at(square)];
  }
  /// Empties a square, whatever stands there, and returns what stood there (0: nothing).
  Code take(int square) noexcept {
    const Code code = on[at(square)];
    on[at(square)] = 0;
    sides[owner_of(code)].reset(square);
    kinds[at(kind_of(code))].reset(square);
    key ^= piece_keys[code][at(square)];
    return code;
  }

  friend bool operator==(const Position&, const Position&) = default;
};

enum class MoveKind : std::uint8_t { move, push, fling };

struct Move {
  std::uint8_t from = 0;
  std::uint8_t to = 0;
  MoveKind kind = MoveKind::move;
  friend constexpr bool operator==(const Move&, const Move&) = default;
};

class BitboardRules {
 public:
  using Position = wildebeest::Position;
  using Move = wildebeest::Move;

  explicit BitboardRules(const Options& options) noexcept : options_(options) {}

  [[nodiscard]] const Options& options() const noexcept { return options_; }
  [[nodiscard]] Position initial() const;
  [[nodiscard]] Player to_move(const Position& p) const noexcept { return p.to_move; }
  [[nodiscard]] Outcome outcome(const Position& p) const;

  /// The legal turns of the game: none once a king is missing (6.1).
  template <class Visit>
  bool for_each_turn(const Position& p, Visit&& visit) const {
    return !both_kings_stand(p) || for_each_successor(p, visit);
  }
  /// 6.2: the turns that the pieces can make, whether or not the game is over.
  template <class Visit>
  bool for_each_successor(const Position& p, Visit&& visit) const {
    Visitor<Visit> visitor{visit};
    return generate(p, visitor);
  }
  [[nodiscard]] std::uint64_t count_turns(const Position& p) const {
    return both_kings_stand(p) ? count_successors(p) : 0;
  }
  [[nodiscard]] std::uint64_t count_successors(const Position& p) const;

  [[nodiscard]] Position play(const Position& p, const Move& m) const noexcept;
  /// 4.1: does any Serpent or Empress stand next to somebody it poisons? Between turns only with poison=once.
  [[nodiscard]] static bool somebody_poisoned(const Position& q) noexcept;

  [[nodiscard]] std::uint64_t key(const Position& p) const noexcept { return p.key; }
  [[nodiscard]] std::uint64_t key_from_scratch(const Position& p) const noexcept;
  /// Takes any well-formed board, also one that no game could lead to (6.2).
  [[nodiscard]] Position from_board(const Board& board) const;
  [[nodiscard]] Board to_board(const Position& p) const;
  [[nodiscard]] Turn to_turn(const Position& p, const Move& m) const;
  [[nodiscard]] Move from_turn(const Position& p, const Turn& turn) const;
  [[nodiscard]] Position transform(const Position& p, Symmetry symmetry) const;

 private:
  /// What the generator gives its moves to: all moves of one piece at once, or of all pawns that
  /// move by the same step. A sink returns false to stop.
  template <class Visit>
  struct Visitor {
    Visit& visit;
    bool targets(int from, Set to, MoveKind kind) {
      while (to.any()) {
        if (!visit(Move{static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to.pop_lowest()), kind})) {
          return false;
        }
      }
      return true;
    }
    bool pawns(Set to, int by) {
      while (to.any()) {
        const int square = to.pop_lowest();
        if (!visit(Move{static_cast<std::uint8_t>(square - by), static_cast<std::uint8_t>(square), MoveKind::move})) {
          return false;
        }
      }
      return true;
    }
  };
  struct Counter {
    std::uint64_t count = 0;
    bool targets(int /*from*/, const Set& to, MoveKind /*kind*/) noexcept { return add(to); }
    bool pawns(const Set& to, int /*by*/) noexcept { return add(to); }
    bool add(const Set& to) noexcept {
      count += static_cast<std::uint64_t>(to.count());
      return true;
    }
  };
  /// Stops at the first move.
  struct Finder {
    bool targets(int /*from*/, const Set& to, MoveKind /*kind*/) noexcept { return to.none(); }
    bool pawns(const Set& to, int /*by*/) noexcept { return to.none(); }
  };

  /// What generation asks again and again about a position, worked out once.
  struct View {
    Set own;
    Set opposing;
    Set occupied;
    Set empty;
    Set movers;   // own pieces that are not paralysed (3.3); carts and Time Machines are not asked
    Set allowed;  // where a move may end as far as swarm=forbid is concerned
    Set quiet;    // empty squares a move may end on
    Set targets;  // those, and opposing pieces that can be captured
  };

  [[nodiscard]] static bool both_kings_stand(const Position& p) noexcept {
    const Set kings = p.kings();
    return (kings & p.sides[0]).any() && (kings & p.sides[1]).any();
  }
  [[nodiscard]] View view_of(const Position& p) const noexcept;

  template <class Sink>
  bool generate(const Position& p, Sink& sink) const;
  template <class Sink>
  static bool pawn_moves(const Position& p, const View& v, Sink& sink);
  template <class Sink>
  static bool leaps(const Set& pieces, const SquareSets& where, const Set& targets, Sink& sink);
  template <class Sink>
  static bool slides(const Position& p, const View& v, Sink& sink);
  template <class Sink>
  bool gorilla_pushes(const Position& p, const View& v, Sink& sink) const;
  template <class Sink>
  static bool flings(const Position& p, const View& v, Sink& sink);
  [[nodiscard]] Set pushes_from(const Position& p, const View& v, int from) const noexcept;

  static void settle(Position& q, int square, Code code) noexcept;
  static void push(Position& q, const Move& m) noexcept;
  void after_effects(Position& q) const noexcept;
  void poison(Position& q) const noexcept;
  static void sweep(Position& q) noexcept;
  void teleport(Position& q) const noexcept;
  static void explode(Position& q, const Set& joeys) noexcept;

  Options options_;
};

static_assert(sizeof(Move) == 3);
static_assert(Rules<BitboardRules>);

inline BitboardRules::View BitboardRules::view_of(const Position& p) const noexcept {
  const auto us = at(p.to_move);
  View v;
  v.own = p.sides[us];
  v.opposing = p.sides[1 - us];
  v.occupied = v.own | v.opposing;
  v.empty = shape.all() & ~v.occupied;
  Set swarm;
  for_each_bit(p.all(Kind::beekeeper) & v.opposing, [&](int z) { swarm |= neighbours[at(z)]; });
  v.movers = v.own & ~swarm;
  // 3.3 asks after the move. That the move may capture a Beekeeper changes nothing here: a captured
  // Beekeeper's own square is in the swarm only because of another Beekeeper, which stays.
  v.allowed = options_.swarm == Swarm::forbid ? shape.all() & ~swarm : shape.all();
  v.quiet = v.empty & v.allowed;
  v.targets = (v.empty | (v.opposing & ~p.all(Kind::gorilla))) & v.allowed;
  return v;
}

template <class Sink>
[[gnu::always_inline]] inline bool BitboardRules::generate(const Position& p, Sink& sink) const {
  const View v = view_of(p);
  const Set steppers = p.all(Kind::king) | p.all(Kind::old_woman) | p.all(Kind::joey) | p.all(Kind::beekeeper);
  const Set walkers = p.all(Kind::serpent) | p.all(Kind::catapult) | p.all(Kind::gorilla);
  const Set leapers = p.all(Kind::knight) | p.all(Kind::empress);
  return pawn_moves(p, v, sink) && leaps(steppers & v.movers, neighbours, v.targets, sink) &&
         leaps(walkers & v.movers, neighbours, v.quiet, sink) &&
         leaps(leapers & v.movers, knight_leaps, v.targets, sink) &&
         leaps(p.all(Kind::cart) & v.own, cart_drives, v.targets, sink) && slides(p, v, sink) &&
         gorilla_pushes(p, v, sink) && flings(p, v, sink);
}

template <class Sink>
[[gnu::always_inline]] inline bool BitboardRules::pawn_moves(const Position& p, const View& v, Sink& sink) {
  const Set pawns = p.all(Kind::pawn) & v.movers;
  const Set not_left = pawns & ~shape.left();
  const Set not_right = pawns & ~shape.right();
  const Set prey = v.targets & v.opposing;
  if (p.to_move == Player::first) {
    const Set one = (pawns << board_side) & v.empty;
    const Set two = ((one & row_sets[2]) << board_side) & v.quiet;
    return sink.pawns(one & v.allowed, board_side) && sink.pawns(two, 2 * board_side) &&
           sink.pawns((not_left << (board_side - 1)) & prey, board_side - 1) &&
           sink.pawns((not_right << (board_side + 1)) & prey, board_side + 1);
  }
  const Set one = (pawns >> board_side) & v.empty;
  const Set two = ((one & row_sets[last_row - 2]) >> board_side) & v.quiet;
  return sink.pawns(one & v.allowed, -board_side) && sink.pawns(two, -2 * board_side) &&
         sink.pawns((not_right >> (board_side - 1)) & prey, 1 - board_side) &&
         sink.pawns((not_left >> (board_side + 1)) & prey, -board_side - 1);
}

template <class Sink>
[[gnu::always_inline]] inline bool BitboardRules::leaps(const Set& pieces, const SquareSets& where, const Set& targets,
                                                        Sink& sink) {
  for (Set rest = pieces; rest.any();) {
    const int from = rest.pop_lowest();
    if (!sink.targets(from, where[at(from)] & targets, MoveKind::move)) return false;
  }
  return true;
}

template <class Sink>
[[gnu::always_inline]] inline bool BitboardRules::slides(const Position& p, const View& v, Sink& sink) {
  const Set diagonal = p.all(Kind::bishop) | p.all(Kind::jet_king) | p.all(Kind::empress);
  for (Set rest = diagonal & v.movers; rest.any();) {
    const int from = rest.pop_lowest();
    if (!sink.targets(from, seen_diagonally(from, v.occupied) & v.targets, MoveKind::move)) return false;
  }
  const Set straight = p.all(Kind::rook) | p.all(Kind::empress);
  for (Set rest = straight & v.movers; rest.any();) {
    const int from = rest.pop_lowest();
    if (!sink.targets(from, seen_straight(from, v.occupied) & v.targets, MoveKind::move)) return false;
  }
  return true;
}

inline Set BitboardRules::pushes_from(const Position& p, const View& v, int from) const noexcept {
  const Set& gorillas = p.all(Kind::gorilla);
  Set pushes = pushable[at(from)] & v.occupied & ~gorillas;
  const bool forbid = options_.swarm == Swarm::forbid;
  if (!forbid && (second_neighbours[at(from)] & gorillas).none()) return pushes;
  const Set beekeepers = p.all(Kind::beekeeper) & v.opposing;
  for_each_bit(pushes, [&](int to) {
    const int beyond = 2 * to - from;
    // 3.3: a Beekeeper that the push captures no longer counts. (Nobody pushes an opposing
    // Beekeeper: next to one a Gorilla is paralysed.)
    const bool swarmed = forbid && (neighbours[at(to)] & beekeepers & ~Set::single(beyond)).any();
    if (gorillas.test(beyond) || swarmed) pushes.reset(to);
  });
  return pushes;
}

template <class Sink>
[[gnu::always_inline]] inline bool BitboardRules::gorilla_pushes(const Position& p, const View& v, Sink& sink) const {
  for (Set rest = p.all(Kind::gorilla) & v.movers; rest.any();) {
    const int from = rest.pop_lowest();
    if (!sink.targets(from, pushes_from(p, v, from), MoveKind::push)) return false;
  }
  return true;
}

template <class Sink>
[[gnu::always_inline]] inline bool BitboardRules::flings(const Position& p, const View& v, Sink& sink) {
  const Set landings = v.empty | (v.opposing & ~p.all(Kind::gorilla) & ~p.kings());
  for (Set catapults = p.all(Kind::catapult) & v.movers; catapults.any();) {
    const int catapult = catapults.pop_lowest();
    for (Set friends = neighbours[at(catapult)] & v.own & ~p.all(Kind::time_machine); friends.any();) {
      const int flung = friends.pop_lowest();
      const auto& ray = rays[at(direction_between(flung, catapult))];
      if (!sink.targets(flung, ray[at(catapult)] & landings, MoveKind::fling)) return false;
    }
  }
  return true;
}

inline std::uint64_t BitboardRules::count_successors(const Position& p) const {
  Counter counter;
  generate(p, counter);
  return counter.count;
}

/// Puts a piece down where it comes to rest; a Pawn on the far row and a King on the Jet Pack change (2).
inline void BitboardRules::settle(Position& q, int square, Code code) noexcept {
  const Kind kind = kind_of(code);
  if (kind == Kind::pawn && square / board_side == promotion_row(owner_of(code))) [[unlikely]] {
    code = code_of(Kind::time_machine, owner_of(code));
  }
  if (kind == Kind::king && square == jet_pack_index) [[unlikely]]
    code = code_of(Kind::jet_king, owner_of(code));
  q.put(square, code);
}

inline Position BitboardRules::play(const Position& p, const Move& m) const noexcept {
  Position q = p;
  if (m.kind == MoveKind::push) {
    push(q, m);
  } else {
    const Code code = q.take(m.from);
    q.take(m.to);
    settle(q, m.to, code);
  }
  after_effects(q);
  q.to_move = other(p.to_move);
  q.key ^= black_to_move_key;
  return q;
}

inline bool BitboardRules::somebody_poisoned(const Position& q) noexcept {
  const Set poisoners = q.all(Kind::serpent) | q.all(Kind::empress);
  const Set mortal = ~(q.all(Kind::cart) | q.all(Kind::time_machine));
  for (std::size_t side = 0; side < 2; ++side) {
    const Set victims = q.sides[1 - side] & mortal;
    for (Set rest = poisoners & q.sides[side]; rest.any();) {
      if ((neighbours[at(rest.pop_lowest())] & victims).any()) return true;
    }
  }
  return false;
}

inline void BitboardRules::after_effects(Position& q) const noexcept {
  // The second poison pass finds nobody new unless something has happened since the first began.
  bool disturbed = somebody_poisoned(q);
  if (disturbed) [[unlikely]]
    poison(q);
  if (((q.all(Kind::pawn) & row_sets[middle_row]) | q.all(Kind::time_machine)).any()) [[unlikely]] {
    sweep(q);
    disturbed = true;
  }
  if ((q.occupied() & pad_set).any()) [[unlikely]] {
    teleport(q);
    disturbed = true;
  }
  if (disturbed && options_.poison == Poison::twice && somebody_poisoned(q)) [[unlikely]]
    poison(q);
  Set exploding;
  for (Set rest = q.all(Kind::joey); rest.any();) {
    const int joey = rest.pop_lowest();
    if ((row_sets[at(joey / board_side)] & q.occupied()).count() % 5 == 0) exploding.set(joey);
  }
  if (exploding.any()) explode(q, exploding);
}

}  // namespace paika::wildebeest
