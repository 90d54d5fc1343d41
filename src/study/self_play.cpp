#include "study/self_play.hpp"

#include "base/check.hpp"

namespace paika::study {

namespace {

/// A few Fanorona positions have more moves than anybody can list: chance chooses among so many.
constexpr std::uint64_t max_choices = 1'000;

Turn random_turn(const Session& session, Random& random) {
  std::uint64_t skip = random.below(session.count_turns_up_to(max_choices));
  Turn chosen;
  session.for_each_turn([&](const ListedTurn& turn) {
    chosen = turn.steps;
    return skip-- > 0;
  });
  return chosen;
}

}  // namespace

std::optional<GameTree> self_play(const GamePtr& game, Engine* engine, Random& random, const SelfPlay& settings,
                                  const std::stop_token& stop) {
  auto tree = GameTree::open(game);
  PAIKA_CHECK(tree.has_value());
  TreeCursor cursor(*tree);
  for (int turn = 0; !cursor.session().outcome().over(); ++turn) {
    if (stop.stop_requested()) return std::nullopt;
    if (turn == settings.max_turns) {
      PAIKA_CHECK(tree->set_result({Verdict::draw, std::string(play::too_long_reason), ""}).has_value());
      return std::move(*tree);
    }
    const bool by_chance = engine == nullptr || turn < settings.random_plies;
    const Turn chosen =
        by_chance ? random_turn(cursor.session(), random) : engine->think(cursor.session(), {}, stop).turn;
    PAIKA_CHECK(cursor.play(chosen).has_value());
  }
  tree->set_result_by_rules();
  return std::move(*tree);
}

}  // namespace paika::study
