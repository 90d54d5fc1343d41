#include "games/othello/probcut.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace paika::othello {

namespace {

/// An error is the product of one number from each list: by phase in hundredths of a disc, the others per mille.
struct ErrorLists {
  std::array<int, 8> by_phase;
  std::array<int, 8> by_shallow_depth;
  std::array<int, 8> by_plies_between;  // from 1 on
};

// What tools/tune/othello/probcut.cpp printed; on 10x10 searches of more than 5 plies are guessed from the others.
constexpr ErrorLists errors_6 = {{478, 478, 475, 727, 549, 368, 368, 368},
                                 {1000, 987, 812, 689, 626, 574, 562, 526},
                                 {1000, 851, 1187, 1075, 1299, 1239, 1373, 1318}};
constexpr ErrorLists errors_8 = {{221, 228, 254, 279, 341, 399, 449, 449},
                                 {1000, 948, 855, 783, 731, 704, 627, 645},
                                 {1000, 939, 1192, 1152, 1304, 1245, 1343, 1309}};
constexpr ErrorLists errors_10 = {{232, 232, 270, 387, 348, 338, 492, 624},
                                  {1000, 985, 833, 793, 760, 720, 680, 650},
                                  {1000, 823, 1216, 1136, 1382, 1300, 1400, 1350}};

/// The number at `index`, or the last one.
template <std::size_t N>
int at(const std::array<int, N>& list, int index) noexcept {
  return list[std::min(static_cast<std::size_t>(index), N - 1)];
}

}  // namespace

int probcut_error(int squares, int pawns, int deep, int shallow) noexcept {
  const ErrorLists& lists = squares <= 36 ? errors_6 : squares <= 64 ? errors_8 : errors_10;
  const int error = at(lists.by_phase, probcut_phase(squares, pawns)) * at(lists.by_shallow_depth, shallow) / 1000;
  return error * at(lists.by_plies_between, deep - shallow - 1) / 1000;
}

int probcut_margin(int squares, int pawns, int deep, int shallow) noexcept {
  // Measured by matches: docs/strategy/othello.md.
  const int per_mille_of_error = shallow == 0 ? 1000 : 1400;
  return probcut_error(squares, pawns, deep, shallow) * per_mille_of_error / 1000;
}

}  // namespace paika::othello
