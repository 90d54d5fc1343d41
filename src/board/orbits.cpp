#include "board/orbits.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/check.hpp"

namespace paika {

template <class Word>
BasicBoardMaps<Word>::BasicBoardMaps(int cols, int rows, ArrayStore& store) : squares_(cols * rows) {
  PAIKA_CHECK(squares_ <= 8 * static_cast<int>(sizeof(Word)) && squares_ <= SmallSubsetRanks::max_squares);
  all_ = static_cast<Word>((std::uint64_t{1} << squares_) - 1);
  std::vector<ByteImages> maps;
  for (const Symmetry symmetry : all_symmetries(cols, rows)) {
    if (symmetry.swap_players) continue;
    ByteImages images{};
    for (int i = 0; i < squares_; ++i) {
      const Square to = mapped(Square{i % cols, i / cols}, symmetry.map, cols, rows);
      const Word bit = Word{1} << (to.row * cols + to.col);
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
        const Word bit = Word{1} << i;
        undone = undone && image(b, image(a, bit)) == bit;
      }
      if (undone) inverse_[static_cast<std::size_t>(a)] = b;
    }
  }
}

template <class Word, class Ranks>
BasicOrbits<Word, Ranks>::BasicOrbits(const BasicBoardMaps<Word>& maps, const Ranks& ranks, int k, ArrayStore& store) {
  const std::vector<Word> subsets = all_subsets<Word>(maps.squares(), k);
  std::vector<Word> homes;
  std::vector<std::uint32_t> packed(subsets.size());
  // In ascending order, so a home comes before the other members of its orbit.
  for (const Word set : subsets) {
    Word least = set;
    int to_least = 0;
    int fixing = 0;
    for (int map = 0; map < maps.count(); ++map) {
      const Word image = maps.image(map, set);
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

template class BasicBoardMaps<std::uint32_t>;
template class BasicBoardMaps<std::uint64_t>;
template class BasicOrbits<std::uint32_t, SubsetRanks>;
template class BasicOrbits<std::uint64_t, SmallSubsetRanks>;

PairSpace::PairSpace(int cols, int rows, int most, ArrayStore& store)
    : maps_(cols, rows, store), all_ranks_(maps_.squares(), store) {
  const int squares = maps_.squares();
  PAIKA_CHECK(most >= 0 && most <= squares && most <= max_members);
  for (int own = 0; own <= most; ++own) {
    const auto at = static_cast<std::size_t>(own);
    orbits_[at] = Orbits(maps_, all_ranks_, own, store);
    others_[at] = store.keep(all_subsets<std::uint32_t>(squares, own));
    for (int other = 0; other <= most; ++other) {
      choices_[at][static_cast<std::size_t>(other)] = choose(squares - own, other);
    }
  }
}

}  // namespace paika
