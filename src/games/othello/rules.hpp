// The bitboard rules of Black & White: generation, play, outcome and keys on bitboards.
//
// A position is kept from the mover's point of view, so that both players share the same code; the
// colours matter only for the key and for showing the board.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/hash.hpp"
#include "games/othello/game.hpp"
#include "games/othello/line_count.hpp"
#include "games/othello/set_lines.hpp"
#include "games/othello/word_lines.hpp"
#include "rules/concepts.hpp"

namespace paika::othello {

namespace detail {

/// Which of the two implementations of lines is the best here.
template <class Shape, bool OneWord>
struct LinesFor {
  using Type = SetLines<Shape>;
};
#if defined(__AVX2__)
template <class Shape>
struct LinesFor<Shape, true> {
  using Type = WordLines<Shape>;
};
#endif

}  // namespace detail

template <class Shape>
class BitboardRules {
 public:
  using ShapeType = Shape;
  using Set = typename Shape::Set;
  using Lines = typename detail::LinesFor<Shape, Set::capacity == 64>::Type;

  struct Position {
    Set own;       // the pawns of the player to move
    Set opponent;  // the other pawns
    std::uint64_t key = 0;
    Player to_move = Player::first;
    friend constexpr bool operator==(const Position&, const Position&) = default;
  };

  /// A pawn on the square with this index, or a pass.
  struct Move {
    static constexpr std::uint16_t none = 0xffff;
    std::uint16_t square = none;
    [[nodiscard]] constexpr bool is_pass() const noexcept { return square == none; }
    friend constexpr bool operator==(const Move&, const Move&) = default;
  };

  explicit BitboardRules(const Options& options) : shape_(options.size, options.size), lines_(shape_) {}

  [[nodiscard]] Position initial() const {
    const int right = shape_.cols() / 2;
    const int left = right - 1;
    Position p;  // 1.2, 1.3: Black, to move, has e4 and d5
    p.own.set(shape_.index({right, left}));
    p.own.set(shape_.index({left, right}));
    p.opponent.set(shape_.index({left, left}));
    p.opponent.set(shape_.index({right, right}));
    p.key = key_from_scratch(p);
    return p;
  }

  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  /// Placings and flips on bare sets of pawns.
  [[nodiscard]] const Lines& lines() const noexcept { return lines_; }

  [[nodiscard]] Player to_move(const Position& p) const noexcept { return p.to_move; }

  /// The squares where the player to move may place a pawn (2.1).
  [[nodiscard, gnu::always_inline]] Set placings(const Position& p) const noexcept {
    return lines_.placings(p.own, p.opponent);
  }
  /// The squares where the other player could place a pawn if it were his turn.
  [[nodiscard]] Set opponent_placings(const Position& p) const noexcept { return lines_.placings(p.opponent, p.own); }
  /// What turns over when the player to move places a pawn on `square`.
  [[nodiscard, gnu::always_inline]] Set flips(const Position& p, int square) const noexcept {
    return lines_.flips(square, p.own, p.opponent);
  }

  [[nodiscard]] Outcome outcome(const Position& p) const noexcept {
    if (placings(p).any() || opponent_placings(p).any()) return {};
    const int own = p.own.count();
    const int opponent = p.opponent.count();
    // 3.1: a side without a pawn tells more than a full board, which it may be as well.
    const EndReason reason = own == 0 || opponent == 0         ? EndReason::eliminated
                             : own + opponent == shape_.size() ? EndReason::board_full
                                                               : EndReason::blocked;
    if (own == opponent) return Outcome::draw(reason);
    return Outcome::win(own > opponent ? p.to_move : other(p.to_move), reason);  // 3.2
  }

  template <class Visit>
  [[gnu::always_inline]] bool for_each_turn(const Position& p, Visit&& visit) const {
    const Set squares = placings(p);
    if (squares.none()) [[unlikely]]
      return opponent_placings(p).none() || visit(Move{});  // 2.2
    for (unsigned word = 0; word < squares.words.size(); ++word) {
      for (std::uint64_t left = squares.words[word]; left != 0; left &= left - 1) {
        const unsigned square = 64 * word + static_cast<unsigned>(std::countr_zero(left));
        if (!visit(Move{static_cast<std::uint16_t>(square)})) return false;
      }
    }
    return true;
  }

  [[nodiscard, gnu::always_inline]] std::uint64_t count_turns(const Position& p) const noexcept {
    const Set squares = placings(p);
    if (squares.any()) [[likely]]
      return static_cast<std::uint64_t>(squares.count());
    return opponent_placings(p).any() ? 1 : 0;
  }

  /// How many lines of exactly `depth` turns there are: bare words will do, without keys. Requires depth >= 2.
  [[nodiscard]] std::uint64_t count_lines(const Position& p, int depth) const
    requires(Set::capacity == 64)
  {
    return LineCount(shape_.cols(), depth).count(p.own.words[0], p.opponent.words[0]);
  }

  [[nodiscard, gnu::always_inline]] Position play(const Position& p, Move m) const noexcept {
    if (m.is_pass()) [[unlikely]]
      return {p.opponent, p.own, p.key ^ white_to_move, other(p.to_move)};
    const Set flipped = flips(p, m.square);
    const auto& placed = p.to_move == Player::first ? black : white;
    Set grown = p.own | flipped;
    grown.set(m.square);
    // Built in place: copying a position word by word and reading it whole stalls the pipeline.
    return {p.opponent ^ flipped, grown, p.key ^ white_to_move ^ placed[m.square] ^ flip_key(flipped),
            other(p.to_move)};
  }

  [[nodiscard]] std::uint64_t key(const Position& p) const noexcept { return p.key; }
  [[nodiscard]] std::uint64_t key_from_scratch(const Position& p) const noexcept {
    const bool black_moves = p.to_move == Player::first;
    std::uint64_t key = black_moves ? 0 : white_to_move;
    for_each_bit(black_moves ? p.own : p.opponent, [&](int i) { key ^= black[static_cast<std::size_t>(i)]; });
    for_each_bit(black_moves ? p.opponent : p.own, [&](int i) { key ^= white[static_cast<std::size_t>(i)]; });
    return key;
  }

  [[nodiscard]] Position from_board(const Board& board) const {
    Position p;
    p.to_move = board.to_move;
    board.cells.for_each_square([&](Square s) {
      if (board.cells[s].belongs_to(p.to_move)) p.own.set(shape_.index(s));
      if (board.cells[s].belongs_to(other(p.to_move))) p.opponent.set(shape_.index(s));
    });
    p.key = key_from_scratch(p);
    return p;
  }

  [[nodiscard]] Board to_board(const Position& p) const {
    Board board;
    board.cells = Grid<Cell>(shape_.cols(), shape_.rows());
    board.to_move = p.to_move;
    for_each_bit(p.own, [&](int i) { board.cells[shape_.square(i)] = piece_of(p.to_move); });
    for_each_bit(p.opponent, [&](int i) { board.cells[shape_.square(i)] = piece_of(other(p.to_move)); });
    return board;
  }

  [[nodiscard]] Turn to_turn(const Position& /*p*/, const Move& m) const {
    if (m.is_pass()) return {{StepKind::pass, {}}};
    return {{StepKind::place, shape_.square(m.square)}};
  }
  [[nodiscard]] Move from_turn(const Position& /*p*/, const Turn& turn) const {
    if (turn.front().kind == StepKind::pass) return {};
    return {static_cast<std::uint16_t>(shape_.index(turn.front().square))};
  }

  [[nodiscard]] Position transform(const Position& p, Symmetry symmetry) const {
    // Exchanging the players exchanges the side to move too: whose pawns are "own" stays.
    Position q;
    q.own = mapped(shape_, p.own, symmetry.map);
    q.opponent = mapped(shape_, p.opponent, symmetry.map);
    q.to_move = symmetry.swap_players ? other(p.to_move) : p.to_move;
    q.key = key_from_scratch(q);
    return q;
  }

 private:
  using Keys = std::array<std::uint64_t, Shape::max_size>;

  [[nodiscard, gnu::always_inline]] static std::uint64_t flip_key(const Set& flipped) noexcept {
    std::uint64_t key = 0;
    for_each_bit(flipped, [&](int i) { key ^= black_to_white[static_cast<std::size_t>(i)]; });
    return key;
  }

  static constexpr Keys exchange_keys(const Keys& a, const Keys& b) noexcept {
    Keys keys{};
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = a[i] ^ b[i];
    return keys;
  }

  static constexpr Keys black = hash_keys<Shape::max_size>(0x300);
  static constexpr Keys white = hash_keys<Shape::max_size>(0x301);
  static constexpr Keys black_to_white = exchange_keys(black, white);
  static constexpr std::uint64_t white_to_move = hash_key(0x302, 0);

  Shape shape_;
  Lines lines_;
};

static_assert(Rules<BitboardRules<FixedShape<8, 8>>>);
static_assert(Rules<BitboardRules<RuntimeShape<128>>>);

}  // namespace paika::othello
