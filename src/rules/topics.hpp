// Rule topics: the rules that a program which lists moves can get wrong, and which of them a position puts to the test.
//
// A topic is put to the test in two ways: a legal turn exercises it, so that its result must be listed; or it forbids a
// turn that would be legal without it, so that its result must not be listed. Grading counts both as cases.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/notation.hpp"

namespace paika {

/// A rule and what it is called in a few words: {"4.1", "poison"}.
struct RuleTopic {
  std::string_view clause;
  std::string_view name;
};

/// A turn that a rule forbids, and the board that it would lead to.
struct ForbiddenTurn {
  std::size_t topic = 0;
  Turn turn;
  Board after;
};

struct RuleTopics {
  std::span<const RuleTopic> topics;
  /// The topics that a legal turn exercises, by their numbers; at least one.
  std::vector<std::size_t> (*exercised)(const Notation& notation, const Board& board, const Turn& turn);
  /// The turns that one rule alone forbids. It need not find all of them.
  std::vector<ForbiddenTurn> (*forbidden)(const Notation& notation, const Board& board);
  /// How far a board seems from one that puts a rare topic to the test; smaller is nearer, 0 where nothing is known.
  /// Null: games by chance come to all topics soon enough.
  int (*distance)(const Board& board, std::size_t topic) = nullptr;
};

/// "4.1 poison".
[[nodiscard]] inline std::string topic_label(const RuleTopic& topic) {
  return std::string(topic.clause) + " " + std::string(topic.name);
}

}  // namespace paika
