#include "rules/board.hpp"

#include <gtest/gtest.h>

#include "board/coordinates.hpp"
#include "board/grid.hpp"
#include "board/shape.hpp"
#include "board/symmetry.hpp"

namespace paika {
namespace {

template <class Shape>
void expect_moves_like_squares(const Shape& shape) {
  for (const Direction d : all_directions) {
    for (int i = 0; i < shape.size(); ++i) {
      const Square to = step(shape.square(i), d);
      const auto moved = shape.moved(Shape::Set::single(i), d);
      if (!shape.contains(to)) {
        EXPECT_TRUE(moved.none());
        EXPECT_TRUE(shape.edge(d).test(i));
      } else {
        EXPECT_EQ(moved, Shape::Set::single(shape.index(to)));
        EXPECT_FALSE(shape.edge(d).test(i));
      }
    }
  }
}

TEST(Shape, moves_every_square_in_every_direction) {
  expect_moves_like_squares(FixedShape<8, 8>());
  expect_moves_like_squares(FixedShape<9, 5>());
  expect_moves_like_squares(FixedShape<10, 10>());
  expect_moves_like_squares(FixedShape<1, 1>());
  expect_moves_like_squares(RuntimeShape<64>(1, 7));
  expect_moves_like_squares(RuntimeShape<64>(8, 8));
  expect_moves_like_squares(RuntimeShape<128>(11, 11));
  expect_moves_like_squares(RuntimeShape<192>(13, 13));
  expect_moves_like_squares(RuntimeShape<704>(26, 26));
  expect_moves_like_squares(RuntimeShape<2574>(26, 99));
}

TEST(Symmetry, each_map_is_undone_by_itself_or_by_the_other_quarter_turn) {
  constexpr int cols = 7;
  constexpr int rows = 3;
  for (const Dihedral d : all_dihedrals) {
    const int turned_cols = exchanges_axes(d) ? rows : cols;
    const int turned_rows = exchanges_axes(d) ? cols : rows;
    const Dihedral back = d == Dihedral::rotate90    ? Dihedral::rotate270
                          : d == Dihedral::rotate270 ? Dihedral::rotate90
                                                     : d;
    for (int row = 0; row < rows; ++row) {
      for (int col = 0; col < cols; ++col) {
        const Square there = mapped({col, row}, d, cols, rows);
        EXPECT_TRUE(there.col >= 0 && there.col < turned_cols && there.row >= 0 && there.row < turned_rows);
        EXPECT_EQ(mapped(there, back, turned_cols, turned_rows), (Square{col, row}));
      }
    }
  }
}

TEST(Symmetry, all_that_keep_the_size_of_a_board) {
  EXPECT_EQ(all_symmetries(5, 5).size(), 16U);
  EXPECT_EQ(all_symmetries(9, 5).size(), 8U);
  EXPECT_EQ(all_symmetries(9, 5).front(), Symmetry{});
  for (const Symmetry& s : all_symmetries(9, 5)) EXPECT_FALSE(exchanges_axes(s.map));
}

TEST(Square, direction_to_any_square_of_a_line) {
  for (const Direction d : all_directions) {
    for (const int distance : {1, 2, 7}) EXPECT_EQ(direction_to({3, 4}, step({3, 4}, d, distance)), d);
  }
  EXPECT_EQ(direction_to({3, 4}, {3, 4}), std::nullopt);
  EXPECT_EQ(direction_to({3, 4}, {4, 6}), std::nullopt);
  EXPECT_EQ(direction_to({3, 4}, {0, 2}), std::nullopt);
}

TEST(Symmetry, maps_differ_from_each_other) {
  for (const Dihedral a : all_dihedrals) {
    for (const Dihedral b : all_dihedrals) {
      const bool same =
          mapped({0, 0}, a, 5, 5) == mapped({0, 0}, b, 5, 5) && mapped({1, 0}, a, 5, 5) == mapped({1, 0}, b, 5, 5);
      EXPECT_EQ(same, a == b);
    }
  }
}

TEST(Symmetry, a_board_with_players_exchanged) {
  Board board;
  board.cells = Grid<Cell>(3, 2);
  board.cells[{0, 0}] = {Owner::first, 'o'};
  board.cells[{2, 1}] = {Owner::second, 'k'};
  const Board image = transformed(board, {Dihedral::rotate90, true});
  EXPECT_EQ(image.cells.cols(), 2);
  EXPECT_EQ(image.cells.rows(), 3);
  EXPECT_EQ((image.cells[{1, 0}]), (Cell{Owner::second, 'o'}));
  EXPECT_EQ((image.cells[{0, 2}]), (Cell{Owner::first, 'k'}));
  EXPECT_EQ(image.to_move, Player::second);
}

TEST(Coordinates, name_and_read_agree_on_every_square) {
  const std::vector<Coordinates> all = {{9, 5, Coordinates::RowsFrom::bottom},
                                        {26, 99, Coordinates::RowsFrom::bottom},
                                        {8, 8, Coordinates::RowsFrom::top},
                                        {11, 11, Coordinates::RowsFrom::top, 0}};
  for (const Coordinates& names : all) {
    for (int row = 0; row < names.rows(); ++row) {
      for (int col = 0; col < names.cols(); ++col) {
        const std::string text = names.name({col, row});
        std::string_view rest = text;
        EXPECT_EQ(names.read(rest), (Square{col, row})) << text;
        EXPECT_TRUE(rest.empty());
      }
    }
  }
  EXPECT_EQ(all[0].range().english(), "a1 to i5");
  EXPECT_EQ(all[3].range().english(), "a0 to k10");
}

TEST(Coordinates, reads_squares_off_the_board_but_no_rubbish) {
  const Coordinates names(8, 8, Coordinates::RowsFrom::top);
  std::string_view off = "z9rest";
  const auto square = names.read(off);
  ASSERT_TRUE(square);
  EXPECT_FALSE(names.contains(*square));
  EXPECT_EQ(off, "rest");
  for (const std::string_view bad : {"", "a", "5", "a-1", "a01", "a1234", "\xc3\xa9\x31", " a1"}) {
    std::string_view rest = bad;
    EXPECT_FALSE(names.read(rest)) << bad;
    EXPECT_EQ(rest, bad);
  }
}

}  // namespace
}  // namespace paika
