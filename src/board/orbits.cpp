#include "board/orbits.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace paika {

BoardMaps::BoardMaps(int cols, int rows) : squares_(cols * rows) {
  PAIKA_CHECK(squares_ <= SubsetRanks::max_squares);
  all_ = static_cast<std::uint32_t>((std::uint64_t{1} << squares_) - 1);
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
    if (std::find(bytes_.begin(), bytes_.end(), images) != bytes_.end()) continue;
    dihedrals_.push_back(symmetry.map);
    bytes_.push_back(images);
  }
  inverse_.resize(bytes_.size());
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

Orbits::Orbits(const BoardMaps& maps, const SubsetRanks& ranks, int k) {
  const std::vector<std::uint32_t> subsets = all_subsets(maps.squares(), k);
  packed_.resize(subsets.size());
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
    std::uint32_t orbit = static_cast<std::uint32_t>(homes_.size());
    if (least == set) {
      homes_.push_back(set);
      symmetric_.push_back(fixing > 1 ? 1 : 0);
    } else {
      orbit = packed_[ranks.rank(least)] >> 3;
    }
    packed_[ranks.rank(set)] = orbit << 3 | static_cast<std::uint32_t>(to_least);
  }
}

PairSpace::PairSpace(int cols, int rows, int most) : maps_(cols, rows), all_ranks_(maps_.squares()) {
  const int squares = maps_.squares();
  PAIKA_CHECK(most >= 0 && most <= squares);
  for (int own = 0; own <= most; ++own) {
    orbits_.emplace_back(maps_, all_ranks_, own);
    others_.push_back(all_subsets(squares, own));
    choices_.emplace_back();
    for (int other = 0; other <= most; ++other) choices_.back().push_back(choose(squares - own, other));
  }
}

PairSpace::Pair PairSpace::unrank(std::uint64_t number, int own_count, int other_count) const noexcept {
  const auto own_at = static_cast<std::size_t>(own_count);
  const auto other_at = static_cast<std::size_t>(other_count);
  const std::uint64_t choices = choices_[own_at][other_at];
  const std::uint32_t own = orbits_of(own_count).home(static_cast<std::uint32_t>(number / choices));
  const std::uint32_t squeezed = others_[other_at][number % choices];
  return {own, static_cast<std::uint32_t>(scattered(squeezed, maps_.all() & ~own))};
}

}  // namespace paika
