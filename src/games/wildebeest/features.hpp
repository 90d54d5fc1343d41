// What the evaluation of Two-player Wildebeest counts in a position, and what each count is called.
//
// Every feature is counted for the side to move minus the same for the other side, seen from each
// side's own end of the board. data/wildebeest.weights has one line a feature; the table below is
// the one place that names them, sorts them into the groups people are told about, and gives the
// weight that anybody would guess.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "games/wildebeest/rules.hpp"
#include "rules/linear.hpp"

namespace paika::wildebeest {

enum class Feature : unsigned char {
  to_move,
  // Material: how many there are.
  pawns,
  bishops,
  knights,
  rooks,
  serpents,
  old_women,
  empresses,
  joeys,
  catapults,
  gorillas,
  carts,
  time_machines,
  beekeepers,
  jet_kings,
  // Placement: rows from the own end, added up over the pieces of a kind …
  advance_king,
  advance_bishop,
  advance_knight,
  advance_rook,
  advance_serpent,
  advance_old_woman,
  advance_joey,
  advance_catapult,
  advance_gorilla,
  advance_beekeeper,
  // … and nearness to the middle column.
  inside_king,
  inside_bishop,
  inside_knight,
  inside_rook,
  inside_serpent,
  inside_old_woman,
  inside_joey,
  inside_catapult,
  inside_gorilla,
  inside_beekeeper,
  inside_cart,
  // Pawns by rows from the own end; row 5 charges the other side's carts (5.1).
  pawns_row_2,
  pawns_row_3,
  pawns_row_4,
  pawns_row_5,
  pawns_row_6,
  pawns_row_7,
  pawns_row_8,
  pawns_row_9,
  // Mobility.
  reach_bishop,
  reach_knight,
  reach_rook,
  reach_empress,
  reach_serpent,
  throws,
  // Dangers to the king.
  king_attacked,
  king_ring,
  king_pressure,
  king_freedom,
  king_cornered,
  king_foes_3,
  king_foes_5,
  king_paralysed,
  king_poison,
  king_poison_fling,
  king_serpents_3,
  king_serpents_5,
  king_push,
  king_gorillas,
  king_joey,
  king_joey_4,
  king_joey_1,
  king_foe_joey_2,
  king_cart,
  king_cart_near,
  king_own_cart,
  king_guards,
  // Threats against pieces.
  hanging_pieces,
  hanging_pawns,
  pawn_threats,
  poison_pieces,
  poison_pawns,
  fling_pieces,
  push_pieces,
  // Carts.
  armed_carts,
  armed_cart_near,
  cart_foes,
  cart_friends,
  // Joeys: own minus opposing pieces in the blast of any Joey, by the pieces in its row modulo 5.
  blast_1,
  blast_2,
  blast_3,
  blast_4,
  // Beekeepers and the Old Woman.
  stuck_pieces,
  stuck_pawns,
  guarded,
  on_pads,
  count
};

inline constexpr std::size_t feature_count = static_cast<std::size_t>(Feature::count);

struct FeatureFacts {
  Feature feature;
  std::string_view name;   // in the weights file
  std::string_view group;  // for people
  int plain = 0;           // what anybody would guess: 100 a pawn
};

inline constexpr std::array<FeatureFacts, feature_count> feature_table = {{
    {Feature::to_move, "to_move", "being to move", 10},
    {Feature::pawns, "pawns", "material", 100},
    {Feature::bishops, "bishops", "material", 350},
    {Feature::knights, "knights", "material", 300},
    {Feature::rooks, "rooks", "material", 500},
    {Feature::serpents, "serpents", "material", 600},
    {Feature::old_women, "old_women", "material", 250},
    {Feature::empresses, "empresses", "material", 1500},
    {Feature::joeys, "joeys", "material", 250},
    {Feature::catapults, "catapults", "material", 400},
    {Feature::gorillas, "gorillas", "material", 300},
    {Feature::carts, "carts", "material", 300},
    {Feature::time_machines, "time_machines", "material", 600},
    {Feature::beekeepers, "beekeepers", "material", 400},
    {Feature::jet_kings, "jet_kings", "material", 0},
    {Feature::advance_king, "advance_king", "placement", 0},
    {Feature::advance_bishop, "advance_bishop", "placement", 0},
    {Feature::advance_knight, "advance_knight", "placement", 0},
    {Feature::advance_rook, "advance_rook", "placement", 0},
    {Feature::advance_serpent, "advance_serpent", "placement", 0},
    {Feature::advance_old_woman, "advance_old_woman", "placement", 0},
    {Feature::advance_joey, "advance_joey", "placement", 0},
    {Feature::advance_catapult, "advance_catapult", "placement", 0},
    {Feature::advance_gorilla, "advance_gorilla", "placement", 0},
    {Feature::advance_beekeeper, "advance_beekeeper", "placement", 0},
    {Feature::inside_king, "inside_king", "placement", 0},
    {Feature::inside_bishop, "inside_bishop", "placement", 0},
    {Feature::inside_knight, "inside_knight", "placement", 0},
    {Feature::inside_rook, "inside_rook", "placement", 0},
    {Feature::inside_serpent, "inside_serpent", "placement", 0},
    {Feature::inside_old_woman, "inside_old_woman", "placement", 0},
    {Feature::inside_joey, "inside_joey", "placement", 0},
    {Feature::inside_catapult, "inside_catapult", "placement", 0},
    {Feature::inside_gorilla, "inside_gorilla", "placement", 0},
    {Feature::inside_beekeeper, "inside_beekeeper", "placement", 0},
    {Feature::inside_cart, "inside_cart", "carts", 0},
    {Feature::pawns_row_2, "pawns_row_2", "pawns on their way", 0},
    {Feature::pawns_row_3, "pawns_row_3", "pawns on their way", 0},
    {Feature::pawns_row_4, "pawns_row_4", "pawns on their way", 0},
    {Feature::pawns_row_5, "pawns_row_5", "pawns on their way", 0},
    {Feature::pawns_row_6, "pawns_row_6", "pawns on their way", 10},
    {Feature::pawns_row_7, "pawns_row_7", "pawns on their way", 20},
    {Feature::pawns_row_8, "pawns_row_8", "pawns on their way", 40},
    {Feature::pawns_row_9, "pawns_row_9", "pawns on their way", 80},
    {Feature::reach_bishop, "reach_bishop", "mobility", 4},
    {Feature::reach_knight, "reach_knight", "mobility", 4},
    {Feature::reach_rook, "reach_rook", "mobility", 4},
    {Feature::reach_empress, "reach_empress", "mobility", 4},
    {Feature::reach_serpent, "reach_serpent", "mobility", 4},
    {Feature::throws, "throws", "mobility", 4},
    {Feature::king_attacked, "king_attacked", "the king's safety", 0},
    {Feature::king_ring, "king_ring", "the king's safety", 0},
    {Feature::king_pressure, "king_pressure", "the king's safety", 0},
    {Feature::king_freedom, "king_freedom", "the king's safety", 0},
    {Feature::king_cornered, "king_cornered", "the king's safety", 0},
    {Feature::king_foes_3, "king_foes_3", "the king's safety", 0},
    {Feature::king_foes_5, "king_foes_5", "the king's safety", 0},
    {Feature::king_paralysed, "king_paralysed", "the king's safety", 0},
    {Feature::king_poison, "king_poison", "the king's safety", 0},
    {Feature::king_poison_fling, "king_poison_fling", "the king's safety", 0},
    {Feature::king_serpents_3, "king_serpents_3", "the king's safety", 0},
    {Feature::king_serpents_5, "king_serpents_5", "the king's safety", 0},
    {Feature::king_push, "king_push", "the king's safety", 0},
    {Feature::king_gorillas, "king_gorillas", "the king's safety", 0},
    {Feature::king_joey, "king_joey", "the king's safety", 0},
    {Feature::king_joey_4, "king_joey_4", "the king's safety", 0},
    {Feature::king_joey_1, "king_joey_1", "the king's safety", 0},
    {Feature::king_foe_joey_2, "king_foe_joey_2", "the king's safety", 0},
    {Feature::king_cart, "king_cart", "the king's safety", 0},
    {Feature::king_cart_near, "king_cart_near", "the king's safety", 0},
    {Feature::king_own_cart, "king_own_cart", "the king's safety", 0},
    {Feature::king_guards, "king_guards", "the king's safety", 0},
    {Feature::hanging_pieces, "hanging_pieces", "threats", 0},
    {Feature::hanging_pawns, "hanging_pawns", "threats", 0},
    {Feature::pawn_threats, "pawn_threats", "threats", 0},
    {Feature::poison_pieces, "poison_pieces", "threats", 0},
    {Feature::poison_pawns, "poison_pawns", "threats", 0},
    {Feature::fling_pieces, "fling_pieces", "threats", 0},
    {Feature::push_pieces, "push_pieces", "threats", 0},
    {Feature::armed_carts, "armed_carts", "carts", 0},
    {Feature::armed_cart_near, "armed_cart_near", "carts", 0},
    {Feature::cart_foes, "cart_foes", "carts", 0},
    {Feature::cart_friends, "cart_friends", "carts", 0},
    {Feature::blast_1, "blast_1", "Joeys", 0},
    {Feature::blast_2, "blast_2", "Joeys", 0},
    {Feature::blast_3, "blast_3", "Joeys", 0},
    {Feature::blast_4, "blast_4", "Joeys", 0},
    {Feature::stuck_pieces, "stuck_pieces", "Beekeepers", 0},
    {Feature::stuck_pawns, "stuck_pawns", "Beekeepers", 0},
    {Feature::guarded, "guarded", "the Old Woman", 0},
    {Feature::on_pads, "on_pads", "placement", 0},
}};

namespace detail {
[[nodiscard]] constexpr bool table_is_in_order() noexcept {
  for (std::size_t i = 0; i < feature_count; ++i) {
    if (at(feature_table[i].feature) != i) return false;
  }
  return true;
}
[[nodiscard]] constexpr auto names_of_features() noexcept {
  std::array<std::string_view, feature_count> names{};
  for (std::size_t i = 0; i < feature_count; ++i) names[i] = feature_table[i].name;
  return names;
}
}  // namespace detail
static_assert(detail::table_is_in_order());

/// The squares next to a member of `set`; a member itself only if it is next to another.
[[nodiscard, gnu::always_inline]] inline Set around(const Set& set) noexcept {
  const Set beside = shape.moved(set, Direction::w) | shape.moved(set, Direction::e);
  const Set row = beside | set;
  return beside | shape.moved(row, Direction::n) | shape.moved(row, Direction::s);
}

using PositionFeatures = Features<feature_count>;

/// Counts everything. Requires that both sides have a king.
[[nodiscard]] PositionFeatures count_features(const Position& p) noexcept;

}  // namespace paika::wildebeest
