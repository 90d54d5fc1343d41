// The parts of a search that only some games have, as types that exist for every game.
#pragma once

#include "rules/search_traits.hpp"

namespace paika::detail {

struct NoEnding {};
template <class K>
struct EndingOf {
  using Type = NoEnding;
  using TableType = NoEnding;
};
template <HasEndings K>
struct EndingOf<K> {
  using Type = typename K::Ending;
  using TableType = typename K::EndingTable;
};

struct NoShallowSearch {};
template <class K>
struct ShallowSearchOf {
  using Type = NoShallowSearch;
};
template <HasShallowSearch K>
struct ShallowSearchOf<K> {
  using Type = typename K::ShallowSearch;
};

}  // namespace paika::detail
