#include "board/orbits.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/check.hpp"

namespace paika {

BoardMaps::BoardMaps(int cols, int rows, ArrayStore& store) : squares_(cols * rows) {
  PAIKA_CHECK(squares_ <= SubsetRanks::max_squares);
  all_ = static_cast<std::uint32_t>((std::uint64_t{1} << squares_) - 1);
  std::vector<ByteImages> maps;
  for (const Symmetry symmetry : all_symmetries(cols, rows)) {
    if (symmetry.swap_players) continue;
    ByteImages images{};
    for (int i = 0; i < squares_; ++i) {
      const Square to = mapped(Square{i % cols, i / cols}, symmetry.map, cols, rows);
      const std::uint32_t bit = std::uint32_t{1} << (to.row * cols + to.col);
      for (std::size_t byte = 0; byte < 256; ++byte) {
        if ((byte >> (i % 8) & 1U) != 0) images[static_cast<std::size_t>(i / 8)][byte] |= bit;
      }
    }
    // On a single row or column different turns move the squares alike; each map counts once.
    if (std::find(maps.begin(), maps.end(), images) != maps.end()) continue;
    dihedrals_[maps.size()] = symmetry.map;
    maps.push_back(images);
  }
  count_ = static_cast<int>(maps.size());
  bytes_ = store.keep(std::move(maps));
  for (int a = 0; a < count(); ++a) {
    for (int b = 0; b < count(); ++b) {
      bool undone = true;
      for (int i = 0; i < squares_; ++i) {
        const std::uint32_t bit = std::uint32_t{1} << i;
        undone = undone && image(b, image(a, bit)) == bit;
      }
      if (undone) inverse_[static_cast<std::size_t>(a)] = b;
    }
  }
}

Orbits::Orbits(const BoardMaps& maps, const SubsetRanks& ranks, int k, ArrayStore& store) {
  const std::vector<std::uint32_t> subsets = all_subsets(maps.squares(), k);
  std::vector<std::uint32_t> homes;
  std::vector<std::uint32_t> packed(subsets.size());
  // In ascending order, so a home comes before the other members of its orbit.
  for (const std::uint32_t set : subsets) {
    std::uint32_t least = set;
    int to_least = 0;
    int fixing = 0;
    for (int map = 0; map < maps.count(); ++map) {
      const std::uint32_t image = maps.image(map, set);
      if (image == set) ++fixing;
      if (image < least) {
        least = image;
        to_least = map;
      }
    }
    // As many maps fix one member of an orbit as another.
    const std::uint32_t symmetric = fixing > 1 ? 8 : 0;
    auto orbit = static_cast<std::uint32_t>(homes.size());
    if (least == set) {
      homes.push_back(set);
    } else {
      orbit = packed[ranks.rank(least)] >> 4;
    }
    packed[ranks.rank(set)] = orbit << 4 | symmetric | static_cast<std::uint32_t>(to_least);
  }
  homes_ = store.keep(std::move(homes));
  packed_ = store.keep(std::move(packed));
}

PairSpace::PairSpace(int cols, int rows, int most, ArrayStore& store)
    : maps_(cols, rows, store), all_ranks_(maps_.squares(), store) {
  const int squares = maps_.squares();
  PAIKA_CHECK(most >= 0 && most <= squares && most <= max_members);
  for (int own = 0; own <= most; ++own) {
    const auto at = static_cast<std::size_t>(own);
    orbits_[at] = Orbits(maps_, all_ranks_, own, store);
    others_[at] = store.keep(all_subsets(squares, own));
    for (int other = 0; other <= most; ++other) {
      choices_[at][static_cast<std::size_t>(other)] = choose(squares - own, other);
    }
  }
}

}  // namespace paika
