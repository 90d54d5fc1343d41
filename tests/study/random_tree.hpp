// Trees by chance: moves, variations, comments and marks of every kind.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "study/game_tree.hpp"
#include "tests/support/session.hpp"

namespace paika_tests {

/// How much more the slow run tries than the fast one.
inline int study_factor() {
  const char* const text = std::getenv("PAIKA_STUDY_FACTOR");
  return text == nullptr ? 1 : std::atoi(text);
}

inline const std::vector<std::string>& study_specs() {
  static const std::vector<std::string> specs = {
      "fanorona:5x5", "fanorona:9x5", "fanorona:13x3,classic", "abalone",   "abalone:5x4,captures=3,freeze",
      "othello",      "othello:6x6",  "wildebeest:pads=cycle", "wildebeest"};
  return specs;
}

inline std::string random_words(paika::Random& random) {
  static constexpr std::string_view pieces[] = {"good", " ",  "\n", "}",     "{", "\\", "[%", "[%clock 0:00:01]",
                                                "é",    "\"", "]",  "(",     ")", ";",  "$1", "…",
                                                "1.",   "\t", "*",  "[%x y]"};
  std::string text;
  for (std::uint64_t count = random.below(8); count > 0; --count) text += pieces[random.index(std::size(pieces))];
  return text;
}

inline void annotate(paika::study::GameTree& tree, std::size_t node, paika::Random& random) {
  using namespace paika::study;
  const auto& names = tree.game().notation().coordinates();
  const auto square = [&] {
    const auto below = [&](int bound) { return static_cast<int>(random.below(static_cast<std::uint64_t>(bound))); };
    return paika::Square{.col = below(names.cols()), .row = below(names.rows())};
  };
  if (node != 0 && random.one_in(4)) tree.set_mark(node, static_cast<MoveMark>(random.below(7)));
  if (random.one_in(5)) tree.set_comment(node, random_words(random));
  if (random.one_in(6)) tree.add_shape(node, {square(), square(), static_cast<ShapeColour>(random.below(4))});
  if (random.one_in(6)) tree.set_clock(node, std::chrono::milliseconds(random.below(9'000'000)));
  if (random.one_in(6)) tree.set_time(node, std::chrono::microseconds(random.below(90'000'000)));
  if (random.one_in(6))
    tree.set_score(node, static_cast<int>(random.below(2000)) - 1000, static_cast<int>(random.below(9)));
}

/// A tree of up to `moves` moves: a game by chance with variations by chance.
inline paika::study::GameTree random_tree(std::string_view spec, int moves, paika::Random& random) {
  using namespace paika::study;
  const paika::GamePtr game = must_open(spec);
  std::string start;
  if (random.one_in(3)) {
    auto session = game->start();
    for (std::uint64_t i = random.below(4); i > 0 && !session->outcome().over(); --i) {
      paika::Turn first;
      session->for_each_turn([&](const paika::ListedTurn& turn) {
        first = turn.steps;
        return false;
      });
      session->play(first);
    }
    start = session->position_text();
  }
  GameTree tree = must(GameTree::open(game, start), spec);
  tree.set_player(0, random_words(random));
  tree.set_player(1, random_words(random));
  if (random.one_in(2)) tree.add_tag("Date", "2026-01-31");
  while (random.one_in(3)) tree.add_tag("Note", random_words(random));
  annotate(tree, 0, random);
  TreeCursor cursor(tree);
  for (int i = 0; i < moves; ++i) {
    while (cursor.node() != 0 && (random.one_in(4) || cursor.session().outcome().over())) cursor.back();
    std::vector<paika::Turn> all;
    cursor.session().for_each_turn([&](const paika::ListedTurn& turn) {
      all.push_back(turn.steps);
      return all.size() < 200;
    });
    if (all.empty()) continue;
    const std::size_t before = tree.nodes().size();
    if (!cursor.play(all[random.index(all.size())])) break;
    if (tree.nodes().size() > before) annotate(tree, cursor.node(), random);
  }
  tree.set_result_by_rules();
  if (tree.result().verdict == paika::Verdict::ongoing && random.one_in(2)) {
    static_cast<void>(tree.set_result({paika::Verdict::second_wins, "resigned", random_words(random)}));
  }
  return tree;
}

}  // namespace paika_tests
