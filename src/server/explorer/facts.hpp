// Facts: what is needed of every game to count it, in a few bytes each, so that a position with a hundred thousand
// games is answered without reading their rows.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "database/database.hpp"
#include "rules/outcome.hpp"

namespace paika::server {

/// As it lies in the file, little-endian.
struct GameFact {
  std::array<std::uint32_t, 2> players{};  // rows of players; 0: no name
  std::array<std::uint16_t, 2> ratings{};  // 0: not known
  std::int32_t day = 0;
  std::uint8_t verdict = 0;
  std::uint8_t listed = 0;
  std::uint16_t spec = 0;  // row of specs

  [[nodiscard]] Verdict result() const noexcept { return static_cast<Verdict>(verdict); }
};
static_assert(sizeof(GameFact) == 20);

/// The facts of a database, read as they are asked for.
class GameFacts {
 public:
  explicit GameFacts(Database& database) : database_(&database) {}

  /// Of a game that is in the file. Throws StoreError if the file is damaged.
  [[nodiscard]] const GameFact& at(std::uint32_t game);
  /// Adds the facts of the games from number `first` on. Within a transaction.
  void append(std::uint32_t first, std::span<const GameFact> facts);
  /// Reads everything again when it is asked for.
  void forget() { chunks_.clear(); }

 private:
  [[nodiscard]] std::vector<GameFact> read(std::uint32_t chunk);

  Database* database_;
  std::unordered_map<std::uint32_t, std::vector<GameFact>> chunks_;
};

}  // namespace paika::server
