// EndgameProbe: what tables of positions with few stones tell the search.
//
// Tables are a layer above the search, and their numbering is a game's own; here is only what the search asks.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "rules/search_traits.hpp"

namespace paika {

/// What is known of a score, for the side to move; wins are counted from the position itself (search/types.hpp).
struct ScoreBounds {
  int lower = 0;
  int upper = 0;
};

/// For one thread.
class EndgameProbe {
 public:
  EndgameProbe() = default;
  EndgameProbe(const EndgameProbe&) = delete;
  EndgameProbe& operator=(const EndgameProbe&) = delete;
  virtual ~EndgameProbe() = default;

  /// The most stones of a position that the table holds.
  [[nodiscard]] virtual int max_stones() const = 0;
  /// What the table says of a position; nothing if it does not hold it, or is damaged there.
  [[nodiscard]] virtual std::optional<ScoreBounds> look_up(const StoneSets& position) = 0;
};

/// Makes a probe for another thread; empty: there is no table.
using OpenProbe = std::function<std::unique_ptr<EndgameProbe>()>;

}  // namespace paika
