// The endings of Wildebeest, numbered for the solver: all positions of two or three pieces.
//
// Only positions in which both sides have a king (K or W) are held; in all others the game is over
// (6.1). So there are two kings, and perhaps one piece more, of any kind and of either side: the side
// with more pieces is called strong here, the other has its lone king. One against one, a W is
// stronger than a K, and of two equal kings the mover's is called the strong one.
//
// A tier is a material without its colours: "KRk" holds White's King and Rook against Black's King
// with either side to move, and the same with colours exchanged. Its positions are stored with
// White as the strong side, which the exchange of the players allows: the turn of the board
// top to bottom keeps the rules under all options. With pads=diagonal the mirror does too, and the lone
// king is then kept on columns 0 to 5. If it stands on the middle column, a position and its
// mirror image have places of their own, with the same value.
//
// Not held are boards that the notation refuses as impossible (decision 3) for where a piece stands: a K on the Jet
// Pack, a pawn on its far row. No turn leads there, since both change when they come to rest (2).
// A second king of a side is held, although no game has one: a3 takes such boards (6.2).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "games/wildebeest/rules.hpp"
#include "rules/tier_index.hpp"

namespace paika::wildebeest {

/// How many pieces the table of endings goes up to: with four it would have a hundred times as many positions.
inline constexpr int table_pieces = 3;

/// Fulfils Solvable (src/solve/solvable.hpp).
///
/// The tiers are in the order of (number of pieces, number of pieces that can still change their kind). No
/// turn leads to a higher one: no clause adds a piece, and a kind changes only from K to W and from
/// P to H (2), and from O to E (4.3), never back, so a turn that keeps the number of pieces can
/// only lower the second number. If it keeps both, it changes no kind at all, and the
/// tier stays the same.
class Space {
 public:
  using RulesType = BitboardRules;

  /// All positions of two to `max_pieces` pieces. Requires max_pieces to be 2 or 3.
  Space(const BitboardRules& rules, int max_pieces);

  [[nodiscard]] const BitboardRules& rules() const noexcept { return rules_; }
  [[nodiscard]] std::uint32_t tiers() const noexcept { return static_cast<std::uint32_t>(tiers_.size()); }
  /// Requires tier < tiers(), as tier_name and below do.
  [[nodiscard]] std::uint64_t size(std::uint32_t tier) const;
  /// The letters of the pieces, the strong side's in upper case and first: "Wk", "KRk".
  [[nodiscard]] std::string tier_name(std::uint32_t tier) const;
  [[nodiscard]] std::vector<std::uint32_t> below(std::uint32_t tier) const;
  /// The counters of `p` do not matter.
  [[nodiscard]] std::optional<TierIndex> place(const Position& p) const noexcept;
  /// Has the counters of the initial position. Nothing for a place outside the space, too.
  [[nodiscard]] std::optional<Position> position(TierIndex place) const;
  [[nodiscard]] bool stays(const Position& p, const Move& m) const noexcept;

 private:
  static constexpr std::uint32_t no_tier = ~std::uint32_t{0};
  static constexpr std::size_t king_kinds = 3;  // nothing, K, W

  /// The kinds of a tier's pieces: `first` is a king; `second` is another piece of the strong side, of a
  /// kind not before `first`, or nothing; `lone` is the weak side's king.
  struct Material {
    Kind first = Kind::nothing;
    Kind second = Kind::nothing;
    Kind lone = Kind::nothing;
    /// True if an exchange of colours gives the same material: then the mover is the strong side.
    [[nodiscard]] bool is_even() const noexcept { return second == Kind::nothing && first == lone; }
  };
  /// Where the pieces of a material stand, in the same order. `second` means nothing if there is none.
  struct Squares {
    int first = 0;
    int second = 0;
    int lone = 0;
  };
  /// A position with White as the strong side.
  struct Lineup {
    Material material;
    Squares squares;
    bool strong_moves = true;
  };

  /// True if a piece stands where it would have changed its kind.
  [[nodiscard]] static bool is_impossible(const Lineup& lineup) noexcept;
  [[nodiscard]] static std::optional<Lineup> line_up(const Position& p) noexcept;
  [[nodiscard]] std::uint32_t tier_of(const Material& m) const noexcept {
    return tier_of_[at(m.first)][at(m.second)][at(m.lone)];
  }
  [[nodiscard]] std::uint32_t tier_without_colours(const std::array<std::vector<Kind>, 2>& sides) const;
  [[nodiscard]] std::uint64_t index_of(const Lineup& lineup) const noexcept;
  [[nodiscard]] Lineup lineup_at(TierIndex place) const noexcept;

  BitboardRules rules_;
  bool mirrors_;      // whether left and right are the same
  int lone_squares_;  // how many squares the lone king can stand on after folding
  std::vector<Material> tiers_;
  std::array<std::array<std::array<std::uint32_t, king_kinds>, kinds_count>, king_kinds> tier_of_{};
};

}  // namespace paika::wildebeest
