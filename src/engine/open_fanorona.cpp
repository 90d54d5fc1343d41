#include "engine/open.hpp"
#include "games/fanorona/game.hpp"
#include "games/fanorona/instances.hpp"
#include "games/fanorona/knowledge.hpp"

namespace paika {

namespace {

template <class R>
struct Known;
template <class Shape>
struct Known<fanorona::BitboardRules<Shape>> {
  using Type = fanorona::FastKnowledge<Shape>;
};
template <class R>
using KnowledgeOf = typename Known<R>::Type;

}  // namespace

Result<GamePtr> open_fanorona(std::string_view spec) {
  return open_typed<KnowledgeOf>(
      spec, fanorona::info(), fanorona::read_options, fanorona::make_notation,
      [](const fanorona::Options& options, auto&& use) { return fanorona::with_rules(options, use); });
}

}  // namespace paika
