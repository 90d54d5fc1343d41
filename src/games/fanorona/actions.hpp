// Fanorona for programs that learn: an action is one step of a move, so that a chain of captures is several actions.
//
// Actions are planes of points: plane * points + point, the point where the stone stands. Planes 0 to 7 capture by
// approach, 8 to 15 by withdrawal, 16 to 23 move without capturing, each for the directions clockwise from up; plane 24
// sacrifices the stone. The one action beyond them, 25 * points, ends a chain that could go on. A chain that cannot go
// on ends by itself.
#pragma once

#include <array>
#include <cstdint>

#include "games/fanorona/rules.hpp"
#include "rules/actions.hpp"

namespace paika::fanorona {

template <class Shape>
class BitboardActions {
 public:
  using RulesType = BitboardRules<Shape>;
  using Position = typename RulesType::Position;
  using Move = typename RulesType::Move;
  using Set = typename Shape::Set;

  struct Choice {
    enum class Kind : std::uint8_t { approach, withdraw, paika, sacrifice, stop };
    Kind kind = Kind::stop;
    std::uint8_t from = 0;
    Direction direction = Direction::n;
  };

  struct State {
    Position start;                        // where the move began
    Move move;                             // a chain so far; its path is in `steps`
    Set opponent;                          // stones that the chain has left
    Set free;                              // points that it may still enter
    typename Lines<Shape>::Captures next;  // where it can go on
    std::uint8_t steps = 0;                // of the chain; 0: at the beginning of a move
    std::array<Choice, Move::max_steps> taken;
  };

  explicit BitboardActions(const RulesType& rules) : rules_(rules) {}

  [[nodiscard]] const RulesType& rules() const noexcept { return rules_; }
  [[nodiscard]] int cols() const noexcept { return rules_.shape().cols(); }
  [[nodiscard]] int rows() const noexcept { return rules_.shape().rows(); }
  [[nodiscard]] int count() const noexcept { return 25 * points() + 1; }
  [[nodiscard]] int planes() const noexcept { return 5; }
  [[nodiscard]] State state(const Position& p) const noexcept {
    State s{};
    s.start = p;
    return s;
  }
  [[nodiscard]] const Position& position(const State& s) const noexcept { return s.start; }

  [[nodiscard]] int pieces(const Position& p) const noexcept { return (p.own | p.opp).count(); }

  template <class Visit>
  void for_each(const State& s, Visit&& visit) const {
    if (s.steps > 0) return for_each_continuation(s, visit);
    const Position& p = s.start;
    if (rules_.decided(p)) return;
    const Set empty = rules_.empty_points(p);
    bool captures = false;
    each_direction([&]<Direction d>() {
      const auto first = rules_.lines().template capturers<d>(p.own, p.opp, empty);
      captures = captures || first.any();
      visit_stones(first.approach, Choice::Kind::approach, d, visit);
      visit_stones(first.withdraw, Choice::Kind::withdraw, d, visit);
      return true;
    });
    if (!captures) {
      each_direction([&]<Direction d>() {
        visit_stones(rules_.lines().template steppers<d>(p.own, empty), Choice::Kind::paika, d, visit);
        return true;
      });
    }
    if (rules_.options().sacrifice) visit_stones(p.own, Choice::Kind::sacrifice, Direction::n, visit);
  }

  bool apply(State& s, const Choice& choice) const {
    if (choice.kind == Choice::Kind::approach || choice.kind == Choice::Kind::withdraw) {
      capture(s, choice);
      if (s.next.any()) return false;
    } else if (choice.kind != Choice::Kind::stop) {
      s.move = Move{};
      s.move.kind = choice.kind == Choice::Kind::paika ? MoveKind::paika : MoveKind::sacrifice;
      s.move.from = s.move.to = choice.from;
      if (choice.kind == Choice::Kind::paika) {
        s.move.to = static_cast<std::uint8_t>(rules_.lines().next(choice.from, choice.direction));
      }
    }
    s.start = rules_.play(s.start, s.move);  // which does not ask for the path
    s.steps = 0;
    return true;
  }

  [[nodiscard]] Turn begun(const State& s) const {
    Turn turn;
    for (int i = 0; i < s.steps; ++i) add_steps(turn, s.taken[static_cast<std::size_t>(i)]);
    return turn;
  }
  [[nodiscard]] Turn steps(const State& s, const Choice& choice) const {
    Turn turn = begun(s);
    const auto before = static_cast<std::ptrdiff_t>(turn.size());
    add_steps(turn, choice);
    return {turn.begin() + before, turn.end()};
  }

  /// The mover's stones, the other stones, the block, the stone that captures, points that it may not enter again.
  void observe(const State& s, std::uint8_t* out) const noexcept {
    const Position& p = s.start;
    const bool chain = s.steps > 0;
    Set own = p.own;
    Set opponent = p.opp;
    Set stone;
    Set visited;
    if (chain) {
      own.reset(s.move.from);
      own.set(s.move.to);
      opponent = s.opponent;
      stone.set(s.move.to);
      visited = rules_.shape().all() & ~(own | opponent | p.block | s.free);
    }
    for (const Set& plane : {own, opponent, p.block, stone, visited}) {
      write_plane(plane, points(), out);
      out += points();
    }
  }

 private:
  [[nodiscard]] int points() const noexcept { return rules_.shape().size(); }

  template <class Visit>
  void visit_one(int from, typename Choice::Kind kind, Direction d, Visit& visit) const {
    const int plane = 8 * static_cast<int>(kind) + static_cast<int>(d);
    visit(plane * points() + from, Choice{kind, static_cast<std::uint8_t>(from), d});
  }
  template <class Visit>
  void visit_stones(const Set& stones, typename Choice::Kind kind, Direction d, Visit& visit) const {
    for_each_bit(stones, [&](int from) { visit_one(from, kind, d, visit); });
  }
  template <class Visit>
  void for_each_continuation(const State& s, Visit& visit) const {
    const int at = s.move.to;
    const auto each = [&](const Set& targets, typename Choice::Kind kind) {
      for_each_bit(targets, [&](int to) { visit_one(at, kind, rules_.lines().direction(at, to), visit); });
    };
    each(s.next.approach, Choice::Kind::approach);
    each(s.next.withdraw, Choice::Kind::withdraw);
    visit(25 * points(), Choice{});
  }

  /// 2.4: a chain goes to no visited point, and not twice running in one direction.
  void capture(State& s, const Choice& choice) const {
    const auto& lines = rules_.lines();
    if (s.steps == 0) {
      s.move = Move{};
      s.move.kind = MoveKind::capture;
      s.move.from = choice.from;
      s.opponent = s.start.opp;
      s.free = rules_.empty_points(s.start);
    }
    const int to = lines.next(choice.from, choice.direction);
    const Taking how = choice.kind == Choice::Kind::approach ? Taking::approach : Taking::withdraw;
    const Set captured = lines.run(choice.from, to, choice.direction, how, s.opponent);
    s.move.captured |= captured;
    s.move.to = static_cast<std::uint8_t>(to);
    s.opponent &= ~captured;
    s.free.reset(to);
    s.free |= captured;
    s.taken[s.steps++] = choice;
    Set targets = lines.joined(to) & s.free;
    targets.reset(lines.next(to, choice.direction));
    s.next = targets.none() ? typename Lines<Shape>::Captures{} : lines.captures(to, targets, s.opponent);
  }

  void add_steps(Turn& turn, const Choice& choice) const {
    if (choice.kind == Choice::Kind::stop) return;
    if (turn.empty()) turn.push_back({StepKind::from, rules_.shape().square(choice.from)});
    if (choice.kind == Choice::Kind::sacrifice) {
      turn.push_back({StepKind::sacrifice, {}});
      return;
    }
    turn.push_back({StepKind::to, rules_.shape().square(rules_.lines().next(choice.from, choice.direction))});
    if (choice.kind == Choice::Kind::approach) turn.push_back({StepKind::approach, {}});
    if (choice.kind == Choice::Kind::withdraw) turn.push_back({StepKind::withdraw, {}});
  }

  RulesType rules_;
};

static_assert(Actions<BitboardActions<FixedShape<9, 5>>>);

}  // namespace paika::fanorona
