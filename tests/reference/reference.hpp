// Slow, obvious implementations of the rules on plain two-dimensional arrays, as oracles for tests.
//
// They include nothing from src and speak only text: a position in the game's text form goes in,
// every legal turn with the position after it comes out. Clarity is all that counts here.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace paika_reference {

struct Successor {
  std::string turn;      // the game's canonical move text
  std::string position;  // the game's text form of the position after it
  friend bool operator==(const Successor&, const Successor&) = default;
  friend auto operator<=>(const Successor&, const Successor&) = default;
};

class ReferenceGame {
 public:
  virtual ~ReferenceGame() = default;
  /// The text form of the start position.
  [[nodiscard]] virtual std::string initial() const = 0;
  /// Every legal turn, in any order; empty if the game is over.
  [[nodiscard]] virtual std::vector<Successor> successors(const std::string& position) const = 0;
  /// "ongoing", or "VERDICT REASON" with the words of src/rules/outcome.cpp: "first_wins eliminated",
  /// "draw move_limit", …
  [[nodiscard]] virtual std::string outcome(const std::string& position) const = 0;
};

struct FanoronaOptions {
  int cols = 9;
  int rows = 5;
  bool sacrifice = true;
  int limit = -1;  // -1: the standard 10 * rows; 0: none
};
struct AbaloneOptions {
  int rows = 4;
  int cols = 4;
  int captures = 2;
  bool misere = false;
  enum class Freeze { off, strict, initiator } freeze = Freeze::off;
  bool must = false;
};
struct OthelloOptions {
  int size = 8;
};
struct WildebeestOptions {
  bool pads_cycle = false;
  bool swarm_forbid = false;
  bool poison_once = false;
  bool serpent_survives = false;
};

std::unique_ptr<ReferenceGame> make_fanorona(const FanoronaOptions& options);
std::unique_ptr<ReferenceGame> make_abalone(const AbaloneOptions& options);
std::unique_ptr<ReferenceGame> make_othello(const OthelloOptions& options);
std::unique_ptr<ReferenceGame> make_wildebeest(const WildebeestOptions& options);

/// Wildebeest's successor generation (rules 6.2): lists turns also when a king is missing.
std::vector<Successor> wildebeest_successors(const WildebeestOptions& options, const std::string& position);

}  // namespace paika_reference
