// Peers: several processes, perhaps on several machines, that solve one space together.
//
// Every call is made by all of them, in the same order. They see one folder (a network file system, if
// they are on several machines), in which the finished tiers lie; only the values of the tier being
// worked on are split between them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "solve/part.hpp"

namespace paika {

class Peers {
 public:
  Peers() = default;
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;
  virtual ~Peers() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int count() const = 0;
  /// Gives each peer what is in the box for it and empties the boxes; returns what the others gave.
  [[nodiscard]] virtual std::vector<Message> exchange(std::vector<std::vector<Message>>& boxes) = 0;
  /// The greatest of what the peers say.
  [[nodiscard]] virtual std::int64_t greatest(std::int64_t mine) = 0;
  /// Byte by byte the greatest of what the peers have.
  virtual void combine(std::span<unsigned char> bytes) = 0;
  /// Peer `from` gives, peer 0 takes; the others do nothing. Requires the same size on both sides.
  virtual void hand_over(int from, std::span<std::uint16_t> codes) = 0;
  /// All get the text of peer `from`.
  virtual void broadcast(int from, std::string& text) = 0;

  /// The one call that is not made by all: ends the others' programs as well as this one, with this status. For when
  /// they cannot be asked because they are in the midst of another call.
  [[noreturn]] virtual void abandon(int status) = 0;
};

/// All fail if one does, with its error, so that nobody waits for ever for one that has given up; the first one's if
/// several fail. To be called by all peers wherever one alone may have failed. Without peers: `mine`.
[[nodiscard]] Result<void> agree(Peers* peers, Result<void> mine);

}  // namespace paika
