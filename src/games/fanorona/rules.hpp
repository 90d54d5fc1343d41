// BitboardRules: Fanorona on bitboards, for search, solver and perft.
//
// Captures are found for all stones at once in each direction; only chains are followed stone by
// stone. A move carries what it captures and its whole path, so play() replays nothing.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "base/check.hpp"
#include "base/device.hpp"
#include "base/hash.hpp"
#include "games/fanorona/game.hpp"
#include "games/fanorona/lines.hpp"
#include "rules/concepts.hpp"

namespace paika::fanorona {

enum class MoveKind : std::uint8_t { paika, capture, sacrifice };

template <class Shape>
class BitboardRules {
 public:
  using Set = typename Shape::Set;

  struct Position {
    Set own;    // live stones of the side to move
    Set opp;    // live stones of the other side
    Set block;  // the stone sacrificed with the last turn, if any (2.5)
    std::uint64_t key = 0;
    std::int32_t moves = 0;
    Player mover = Player::first;

    friend constexpr bool operator==(const Position&, const Position&) = default;
  };

  struct Move {
    static constexpr std::size_t max_steps = Shape::max_size / 2;  // each step takes a stone

    Set captured;
    std::array<std::uint8_t, (max_steps + 1) / 2> path{};  // of captures: four bits a step, unused ones 0
    MoveKind kind = MoveKind::paika;
    std::uint8_t from = 0;
    std::uint8_t to = 0;     // where the stone stands at the end; `from` for a sacrifice
    std::uint8_t steps = 0;  // of captures

    friend constexpr bool operator==(const Move&, const Move&) = default;
  };

  explicit BitboardRules(const Options& options)
      : options_(options), shape_(options.cols, options.rows), lines_(shape_), moves_allowed_(options.limit) {
    PAIKA_CHECK(shape_.cols() == options.cols && shape_.rows() == options.rows);
    PAIKA_CHECK(shape_.size() <= Shape::max_size);
    if (moves_allowed_ == 0) moves_allowed_ = max_move_count + 1;
  }

  [[nodiscard]] PAIKA_HD const Options& options() const noexcept { return options_; }
  [[nodiscard]] PAIKA_HD const Shape& shape() const noexcept { return shape_; }
  [[nodiscard]] PAIKA_HD const Lines<Shape>& lines() const noexcept { return lines_; }
  [[nodiscard]] PAIKA_HD Set empty_points(const Position& p) const noexcept {
    return shape_.all() & ~(p.own | p.opp | p.block);
  }
  /// How many turns may still be played before the draw of 3.2; very many if there is no limit.
  [[nodiscard]] int moves_left(const Position& p) const noexcept { return moves_allowed_ - p.moves; }

  [[nodiscard]] Position initial() const {
    Position p;
    const int middle = shape_.rows() / 2;
    for (int i = 0; i < shape_.size(); ++i) {
      const Square s = shape_.square(i);
      const int rank = s.col - (s.col > shape_.cols() / 2 ? 1 : 0);  // 1.2: the centre does not count
      const bool centre = s == Square{shape_.cols() / 2, middle};
      const bool white = s.row > middle || (s.row == middle && rank % 2 == 1);
      if (!centre) (white ? p.own : p.opp).set(i);
    }
    p.key = key_from_scratch(p);
    return p;
  }

  [[nodiscard]] PAIKA_HD Player to_move(const Position& p) const noexcept { return p.mover; }

  [[nodiscard]] PAIKA_HD Outcome outcome(const Position& p) const {
    // 3.1 before 3.2: a win with the last move counts.
    if (p.own.none() && p.opp.none()) return Outcome::draw(EndReason::empty_board);
    if (p.own.none()) return Outcome::win(other(p.mover), EndReason::eliminated);
    if (p.opp.none()) return Outcome::win(p.mover, EndReason::eliminated);
    if (p.moves >= moves_allowed_) return Outcome::draw(EndReason::move_limit);
    if (!options_.sacrifice && !can_step(p)) return Outcome::win(other(p.mover), EndReason::trapped);  // 3.3
    return {};
  }

  template <class Visit>
  bool for_each_turn(const Position& p, Visit&& visit) const {
    if (decided(p)) return true;
    NoBudget all;
    const FirstSteps first = first_steps(p);
    if (!(first.any ? for_each_capture(p, first, all, visit) : for_each_paika(p, visit))) return false;
    return !options_.sacrifice || for_each_sacrifice(p, visit);
  }

  /// As for_each_turn, but follows chains only as far as `most` visits in all allow; some positions of
  /// large boards have millions. Every first step, paika and sacrifice is visited in any case; beyond
  /// that each first step gets an equal share, and what one leaves over the next ones have. Returns true
  /// only if every turn was visited.
  template <class Visit>
  bool for_each_turn_within(const Position& p, std::uint64_t most, Visit&& visit) const {
    if (decided(p)) return true;
    const FirstSteps first = first_steps(p);
    const std::uint64_t sacrifices = options_.sacrifice ? static_cast<std::uint64_t>(p.own.count()) : 0;
    Budget budget(most > sacrifices ? most - sacrifices : 0, first.count());
    if (!(first.any ? for_each_capture(p, first, budget, visit) : for_each_paika(p, visit))) return false;
    if (options_.sacrifice && !for_each_sacrifice(p, visit)) return false;
    return !budget.ran_out();
  }

  [[nodiscard]] std::uint64_t count_turns(const Position& p) const {
    if (decided(p)) return 0;
    const Set empty = empty_points(p);
    std::uint64_t turns = 0;
    each_direction([&]<Direction d>() {
      const Captures first = lines_.template capturers<d>(p.own, p.opp, empty);
      for_each_bit(first.approach, [&](int from) {
        const int to = from + shape_.delta(d);
        turns += count_from(to, d, lines_.run(from, to, d, Taking::approach, p.opp), p.opp, empty);
      });
      for_each_bit(first.withdraw, [&](int from) {
        const int to = from + shape_.delta(d);
        turns += count_from(to, d, lines_.run(from, to, d, Taking::withdraw, p.opp), p.opp, empty);
      });
      return true;
    });
    if (turns == 0) {  // 2.3
      each_direction([&]<Direction d>() {
        turns += static_cast<std::uint64_t>(lines_.template steppers<d>(p.own, empty).count());
        return true;
      });
    }
    if (options_.sacrifice) turns += static_cast<std::uint64_t>(p.own.count());
    return turns;
  }

  [[nodiscard]] Position play(const Position& p, const Move& m) const {
    const auto& own_keys = stone_keys[static_cast<std::size_t>(p.mover)];
    const auto& opp_keys = stone_keys[static_cast<std::size_t>(other(p.mover))];
    Position q;
    q.own = p.opp;
    q.opp = p.own;
    q.key = p.key ^ turn_key ^ own_keys[m.from];
    q.opp.reset(m.from);
    // 2.5: a block lasts for one turn, so the old one goes in any case.
    for_each_bit(p.block, [&](int i) { q.key ^= block_keys[static_cast<std::size_t>(i)]; });
    if (m.kind == MoveKind::sacrifice) {
      q.block.set(m.from);
      q.key ^= block_keys[m.from];
    } else {
      q.opp.set(m.to);
      q.own &= ~m.captured;
      q.key ^= own_keys[m.to];
      for_each_bit(m.captured, [&](int i) { q.key ^= opp_keys[static_cast<std::size_t>(i)]; });
    }
    q.moves = p.moves + (p.moves < max_move_count ? 1 : 0);
    q.mover = other(p.mover);
    return q;
  }

  [[nodiscard]] std::uint64_t key(const Position& p) const noexcept { return p.key; }
  [[nodiscard]] std::uint64_t key_from_scratch(const Position& p) const {
    std::uint64_t key = p.mover == Player::first ? 0 : turn_key;
    const auto add = [&key](const Set& set, const auto& keys) {
      for_each_bit(set, [&](int i) { key ^= keys[static_cast<std::size_t>(i)]; });
    };
    add(p.own, stone_keys[static_cast<std::size_t>(p.mover)]);
    add(p.opp, stone_keys[static_cast<std::size_t>(other(p.mover))]);
    add(p.block, block_keys);
    return key;
  }

  [[nodiscard]] Position from_board(const Board& board) const {
    Position p;
    board.cells.for_each_square([&](Square s) {
      const Cell cell = board.cells[s];
      if (cell.belongs_to(board.to_move)) p.own.set(shape_.index(s));
      if (cell.belongs_to(other(board.to_move))) p.opp.set(shape_.index(s));
      if (cell == block_cell) p.block.set(shape_.index(s));
    });
    p.moves = static_cast<std::int32_t>(board.counters[0]);
    p.mover = board.to_move;
    p.key = key_from_scratch(p);
    return p;
  }

  [[nodiscard]] Board to_board(const Position& p) const {
    Board board{Grid<Cell>(shape_.cols(), shape_.rows()), p.mover, {p.moves, 0, 0}};
    const auto show = [&](const Set& set, Cell cell) {
      for_each_bit(set, [&](int i) { board.cells[shape_.square(i)] = cell; });
    };
    show(p.own, piece_of(p.mover));
    show(p.opp, piece_of(other(p.mover)));
    show(p.block, block_cell);
    return board;
  }

  [[nodiscard]] Turn to_turn(const Position& /*p*/, const Move& m) const {
    Turn turn = {{StepKind::from, shape_.square(m.from)}};
    if (m.kind == MoveKind::sacrifice) turn.push_back({StepKind::sacrifice, {}});
    if (m.kind == MoveKind::paika) turn.push_back({StepKind::to, shape_.square(m.to)});
    int at = m.from;
    for (int i = 0; i < m.steps; ++i) {
      const unsigned code = (m.path[static_cast<std::size_t>(i) / 2] >> (4 * (i % 2))) & 15U;
      at = lines_.next(at, static_cast<Direction>(code & 7U));
      turn.push_back({StepKind::to, shape_.square(at)});
      turn.push_back({(code & 8U) != 0 ? StepKind::withdraw : StepKind::approach, {}});
    }
    return turn;
  }

  [[nodiscard]] Move from_turn(const Position& p, const Turn& turn) const {
    Move m;
    m.from = m.to = static_cast<std::uint8_t>(shape_.index(turn[0].square));
    if (turn[1].kind == StepKind::sacrifice) {
      m.kind = MoveKind::sacrifice;
    } else if (turn.size() == 2) {
      m.to = static_cast<std::uint8_t>(shape_.index(turn[1].square));
    }
    Set opp = p.opp;
    for (std::size_t i = 1; i + 1 < turn.size(); i += 2) {
      const int to = shape_.index(turn[i].square);
      const Taking taking = turn[i + 1].kind == StepKind::approach ? Taking::approach : Taking::withdraw;
      const Direction d = lines_.direction(m.to, to);
      const Set taken = lines_.run(m.to, to, d, taking, opp);
      extend(m, to, d, taking, taken);
      opp &= ~taken;
    }
    return m;
  }

  /// The same board with the other side to move, as if the side to move could do nothing. No turn of
  /// the game leads there, so it does not count as one; a block goes as after any turn (2.5).
  [[nodiscard]] Position passed(const Position& p) const {
    Position q = p;
    std::swap(q.own, q.opp);
    q.block = {};
    q.mover = other(p.mover);
    q.key ^= turn_key;
    for_each_bit(p.block, [&](int i) { q.key ^= block_keys[static_cast<std::size_t>(i)]; });
    return q;
  }

  [[nodiscard]] Position transform(const Position& p, Symmetry symmetry) const {
    Position q = p;
    q.own = mapped(shape_, p.own, symmetry.map);
    q.opp = mapped(shape_, p.opp, symmetry.map);
    q.block = mapped(shape_, p.block, symmetry.map);
    if (symmetry.swap_players) q.mover = other(p.mover);
    q.key = key_from_scratch(q);
    return q;
  }

  // Turns step by step, for whoever follows many chains side by side.

  /// A turn in the making. A paika or a sacrifice is complete, a chain of captures may end here or go on.
  struct Begun {
    Set opp{};   // the stones of the other side that are left
    Set free{};  // the points that a chain may still enter
    MoveKind kind = MoveKind::paika;
    std::uint8_t from = 0;
    std::uint8_t to = 0;
    Direction last = Direction::n;  // in which a chain went
  };

  /// Calls emit(begun) for every first step that captures; true if there is one. Requires that the game goes on.
  template <class Emit>
  PAIKA_HD bool begin_captures(const Position& p, Emit&& emit) const {
    const Set empty = empty_points(p);
    bool any = false;
    each_direction([&]<Direction d>() {
      const Captures first = lines_.template capturers<d>(p.own, p.opp, empty);
      any = any || first.any();
      for_each_bit(first.approach, [&](int from) {
        emit(stepped(from, from, from + shape_.delta(d), d, Taking::approach, p.opp, empty));
      });
      for_each_bit(first.withdraw, [&](int from) {
        emit(stepped(from, from, from + shape_.delta(d), d, Taking::withdraw, p.opp, empty));
      });
      return true;
    });
    return any;
  }
  /// Calls emit(begun) for every step to an empty point; they are turns if nothing can be captured (2.3).
  template <class Emit>
  PAIKA_HD void begin_paikas(const Position& p, Emit&& emit) const {
    const Set empty = empty_points(p);
    each_direction([&]<Direction d>() {
      for_each_bit(lines_.template steppers<d>(p.own, empty), [&](int from) {
        emit(Begun{.opp = p.opp,
                   .kind = MoveKind::paika,
                   .from = static_cast<std::uint8_t>(from),
                   .to = static_cast<std::uint8_t>(from + shape_.delta(d))});
      });
      return true;
    });
  }
  /// How many turns begin_paikas() would give.
  [[nodiscard]] PAIKA_HD std::uint32_t count_paikas(const Position& p) const {
    const Set empty = empty_points(p);
    std::uint32_t paikas = 0;
    each_direction([&]<Direction d>() {
      paikas += static_cast<std::uint32_t>(lines_.template steppers<d>(p.own, empty).count());
      return true;
    });
    return paikas;
  }
  template <class Emit>
  PAIKA_HD void begin_sacrifices(const Position& p, Emit&& emit) const {
    for_each_bit(p.own, [&](int from) {
      const auto at = static_cast<std::uint8_t>(from);
      emit(Begun{.opp = p.opp, .kind = MoveKind::sacrifice, .from = at, .to = at});
    });
  }
  /// Calls emit(begun) for every chain that is one step longer.
  template <class Emit>
  PAIKA_HD void lengthen(const Begun& turn, Emit&& emit) const {
    if (turn.kind != MoveKind::capture) return;
    const Captures more = next_captures(turn.to, turn.last, turn.opp, turn.free);
    const auto each = [&](Set targets, Taking how) {
      for_each_bit(targets, [&](int to) {
        emit(stepped(turn.from, turn.to, to, lines_.direction(turn.to, to), how, turn.opp, turn.free));
      });
    };
    each(more.approach, Taking::approach);
    each(more.withdraw, Taking::withdraw);
  }
  /// The position after a turn as it stands; without a key.
  [[nodiscard]] PAIKA_HD Position moved(const Position& p, const Begun& turn) const {
    Position q;
    q.own = turn.opp;
    q.opp = p.own;
    q.opp.reset(turn.from);
    if (turn.kind == MoveKind::sacrifice) {
      q.block.set(turn.from);
    } else {
      q.opp.set(turn.to);
    }
    q.moves = p.moves + (p.moves < max_move_count ? 1 : 0);
    q.mover = other(p.mover);
    return q;
  }
  /// Over by 3.1 or 3.2.
  [[nodiscard]] PAIKA_HD bool decided(const Position& p) const noexcept {
    return p.own.none() || p.opp.none() || p.moves >= moves_allowed_;
  }

 private:
  using Captures = typename Lines<Shape>::Captures;

  /// The chain that began on `from`, after a step from `at` to `to`.
  [[nodiscard, gnu::always_inline]] PAIKA_HD Begun stepped(int from, int at, int to, Direction d, Taking how, Set opp,
                                                           Set free) const {
    const Set taken = lines_.run(at, to, d, how, opp);
    free.reset(to);
    free |= taken;
    return {opp & ~taken, free, MoveKind::capture, static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to), d};
  }

  static constexpr Cell block_cell{Owner::nobody, 'x'};
  static constexpr auto keys_for = hash_keys<static_cast<std::size_t>(Shape::max_size)>;
  static constexpr std::array stone_keys = {keys_for(0x100), keys_for(0x101)};
  static constexpr auto block_keys = keys_for(0x102);
  static constexpr std::uint64_t turn_key = hash_key(0x103, 0);

  [[nodiscard]] PAIKA_HD bool can_step(const Position& p) const {
    const Set empty = empty_points(p);
    return !each_direction([&]<Direction d>() { return lines_.template steppers<d>(p.own, empty).none(); });
  }

  // Counting. `free` are the points a chain may still enter: empty and not visited (2.4).

  /// The turns that begin with a chain whose last step went to `at` and took `taken`, itself included.
  /// Most chains end there, so only the others cost a call.
  [[nodiscard, gnu::always_inline]] std::uint64_t count_from(int at, Direction last, Set taken, Set opp,
                                                             Set free) const {
    const Captures more = go_on(at, last, taken, opp, free);
    return more.any() ? 1 + count_continuations(at, more, opp, free) : 1;
  }

  /// The turns that go on from `at` with one of `more`. Two loops, so that each knows at compile time
  /// where the run lies.
  [[nodiscard]] std::uint64_t count_continuations(int at, Captures more, Set opp, Set free) const {
    std::uint64_t turns = 0;
    for_each_bit(more.approach, [&](int to) __attribute__((always_inline)) {
      const Direction d = lines_.direction(at, to);
      turns += count_from(to, d, lines_.run(at, to, d, Taking::approach, opp), opp, free);
    });
    for_each_bit(more.withdraw, [&](int to) __attribute__((always_inline)) {
      const Direction d = lines_.direction(at, to);
      turns += count_from(to, d, lines_.run(at, to, d, Taking::withdraw, opp), opp, free);
    });
    return turns;
  }

  /// Brings `opp` and `free` up to date after a step to `at` that took `taken`; returns where the
  /// stone can go on. 2.4: to no visited point, and not twice running in one direction.
  [[nodiscard, gnu::always_inline]] Captures go_on(int at, Direction last, Set taken, Set& opp, Set& free) const {
    opp &= ~taken;
    free.reset(at);
    free |= taken;
    return next_captures(at, last, opp, free);
  }
  [[nodiscard, gnu::always_inline]] PAIKA_HD Captures next_captures(int at, Direction last, Set opp, Set free) const {
    Set targets = lines_.joined(at) & free;
    targets.reset(lines_.next(at, last));
    return targets.none() ? Captures{} : lines_.captures(at, targets, opp);
  }

  // Listing.

  /// How many more visits a list of chains may take. This one sets no bound and costs nothing.
  struct NoBudget {
    static constexpr void next_first_step() noexcept {}
    static constexpr void visited() noexcept {}
    [[nodiscard]] static constexpr bool left() noexcept { return true; }
  };

  /// `visits` shared out over `first_steps`.
  class Budget {
   public:
    constexpr Budget(std::uint64_t visits, std::uint64_t first_steps) noexcept
        : visits_(visits), first_steps_(first_steps) {}
    constexpr void next_first_step() noexcept {
      share_ = visits_ / first_steps_;
      --first_steps_;
    }
    constexpr void visited() noexcept {
      share_ -= share_ > 0 ? 1 : 0;
      visits_ -= visits_ > 0 ? 1 : 0;
    }
    [[nodiscard]] constexpr bool left() noexcept {
      ran_out_ |= share_ == 0;
      return share_ > 0;
    }
    /// Whether a chain was given up.
    [[nodiscard]] constexpr bool ran_out() const noexcept { return ran_out_; }

   private:
    bool ran_out_ = false;
    std::uint64_t visits_;
    std::uint64_t first_steps_;
    std::uint64_t share_ = 0;
  };

  /// The stones that can begin a capture, for each direction.
  struct FirstSteps {
    std::array<Captures, 8> by_direction;
    bool any = false;

    [[nodiscard]] std::uint64_t count() const noexcept {
      int steps = 0;
      for (const Captures& c : by_direction) steps += c.approach.count() + c.withdraw.count();
      return static_cast<std::uint64_t>(steps);
    }
  };

  [[nodiscard, gnu::always_inline]] FirstSteps first_steps(const Position& p) const {
    FirstSteps first;
    Set any;
    const Set empty = empty_points(p);
    each_direction([&]<Direction d>() {
      const Captures found = lines_.template capturers<d>(p.own, p.opp, empty);
      first.by_direction[static_cast<std::size_t>(d)] = found;
      any |= found.approach | found.withdraw;
      return true;
    });
    first.any = any.any();
    return first;
  }

  static void set_step(Move& m, int index, unsigned code) {
    std::uint8_t& pair = m.path[static_cast<std::size_t>(index) / 2];
    const int shift = 4 * (index % 2);
    pair = static_cast<std::uint8_t>((pair & ~(15U << shift)) | (code << shift));
  }

  /// Adds a capturing step to a chain.
  static void extend(Move& m, int to, Direction d, Taking taking, const Set& taken) {
    m.kind = MoveKind::capture;
    m.captured |= taken;
    m.to = static_cast<std::uint8_t>(to);
    set_step(m, m.steps++, static_cast<unsigned>(d) | (taking == Taking::withdraw ? 8U : 0U));
  }
  /// Takes the last step back, which came from `from` and took `taken`.
  static void shorten(Move& m, int from, const Set& taken) {
    set_step(m, --m.steps, 0);
    m.to = static_cast<std::uint8_t>(from);
    m.captured &= ~taken;
  }

  template <class Limit, class Visit>
  bool for_each_capture(const Position& p, const FirstSteps& first, Limit& budget, Visit& visit) const {
    const Set empty = empty_points(p);
    for (const Direction d : all_directions) {
      const Captures& here = first.by_direction[static_cast<std::size_t>(d)];
      if (!each_first_step(here.approach, d, Taking::approach, p.opp, empty, budget, visit)) return false;
      if (!each_first_step(here.withdraw, d, Taking::withdraw, p.opp, empty, budget, visit)) return false;
    }
    return true;
  }

  template <class Limit, class Visit>
  bool each_first_step(Set stones, Direction d, Taking how, Set opp, Set empty, Limit& budget, Visit& visit) const {
    while (stones.any()) {
      budget.next_first_step();
      Move m;
      m.from = m.to = static_cast<std::uint8_t>(stones.pop_lowest());
      if (!walk_from(m, lines_.next(m.from, d), d, how, opp, empty, budget, visit)) return false;
    }
    return true;
  }

  /// Lengthens `m` by a step, visits it and all chains that go on from it while the budget lasts, and
  /// takes the step back.
  template <class Limit, class Visit>
  bool walk_from(Move& m, int to, Direction last, Taking how, Set opp, Set free, Limit& budget, Visit& visit) const {
    const int from = m.to;
    const Set taken = lines_.run(from, to, last, how, opp);
    extend(m, to, last, how, taken);
    if (!visit(std::as_const(m))) return false;
    budget.visited();
    const Captures more = go_on(to, last, taken, opp, free);
    if (!each_next_step(m, more.approach, Taking::approach, opp, free, budget, visit)) return false;
    if (!each_next_step(m, more.withdraw, Taking::withdraw, opp, free, budget, visit)) return false;
    shorten(m, from, taken);
    return true;
  }

  template <class Limit, class Visit>
  bool each_next_step(Move& m, Set targets, Taking how, Set opp, Set free, Limit& budget, Visit& visit) const {
    while (targets.any() && budget.left()) {
      const int to = targets.pop_lowest();
      if (!walk_from(m, to, lines_.direction(m.to, to), how, opp, free, budget, visit)) return false;
    }
    return true;
  }

  template <class Visit>
  bool for_each_paika(const Position& p, Visit& visit) const {
    const Set empty = empty_points(p);
    return each_direction([&]<Direction d>() {
      Set stones = lines_.template steppers<d>(p.own, empty);
      while (stones.any()) {
        Move m;
        const int from = stones.pop_lowest();
        m.from = static_cast<std::uint8_t>(from);
        m.to = static_cast<std::uint8_t>(from + shape_.delta(d));
        if (!visit(std::as_const(m))) return false;
      }
      return true;
    });
  }

  template <class Visit>
  bool for_each_sacrifice(const Position& p, Visit& visit) const {
    for (Set stones = p.own; stones.any();) {
      Move m;
      m.kind = MoveKind::sacrifice;
      m.from = m.to = static_cast<std::uint8_t>(stones.pop_lowest());
      if (!visit(std::as_const(m))) return false;
    }
    return true;
  }

  Options options_;
  Shape shape_;
  Lines<Shape> lines_;
  std::int32_t moves_allowed_;  // more than can be played if there is no limit
};

}  // namespace paika::fanorona
