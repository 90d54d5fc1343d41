// Two-player Wildebeest: its name, its options and how to get at its rules and its notation.
//
// The rules are docs/rules/wildebeest.md; code and tests cite its clauses by number.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "rules/notation.hpp"
#include "rules/spec.hpp"
#include "rules/topics.hpp"

namespace paika::wildebeest {

/// Where the transporter pads send a piece (5.3): to the opposite corner, or around a cycle.
enum class Pads : unsigned char { diagonal, cycle };

/// Whether a piece may end its own move next to an opposing Beekeeper (3.3).
enum class Swarm : unsigned char { enter, forbid };

/// How often pieces are poisoned in a turn (4.1): after the move and again after the pads, or after the move only.
enum class Poison : unsigned char { twice, once };

/// What becomes of a Serpent whose victim stands next to an Old Woman who is a victim herself (4.3).
enum class Serpent : unsigned char { dies, survives };

struct Options {
  Pads pads = Pads::diagonal;
  Swarm swarm = Swarm::enter;
  Poison poison = Poison::twice;
  Serpent serpent = Serpent::dies;
  friend constexpr bool operator==(const Options&, const Options&) = default;
};

const GameInfo& info();

/// Reads "wildebeest" or "wildebeest:pads=cycle,swarm=forbid"; an error lists what is valid.
[[nodiscard]] Result<Options> read_options(std::string_view spec);

/// The spec with only those options that differ from the standard. Reading it gives `options` again.
[[nodiscard]] std::string canonical_spec(const Options& options);

[[nodiscard]] std::unique_ptr<Notation> make_notation(const Options& options);

/// What the rules put to the test (topics.cpp).
extern const RuleTopics rule_topics;

}  // namespace paika::wildebeest
