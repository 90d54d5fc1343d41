// The only file that sees LEMON. It is compiled as C++17 (src/CMakeLists.txt): LEMON 1.3.1 uses members of
// std::allocator that C++20 removed.
#include "tournament/matching.hpp"

#include <lemon/full_graph.h>
#include <lemon/matching.h>

#include "base/check.hpp"

namespace paika::tournament {

std::vector<std::size_t> cheapest_pairs(const std::vector<std::vector<Cost>>& costs) {
  using Graph = lemon::FullGraph;
  PAIKA_CHECK(costs.size() % 2 == 0);
  const Graph graph(static_cast<int>(costs.size()));
  const auto index = [&](const Graph::Node& node) { return static_cast<std::size_t>(graph.index(node)); };
  Graph::EdgeMap<Cost> weights(graph);
  for (Graph::EdgeIt edge(graph); edge != lemon::INVALID; ++edge) {
    weights[edge] = -costs[index(graph.u(edge))][index(graph.v(edge))];
  }
  lemon::MaxWeightedPerfectMatching<Graph, Graph::EdgeMap<Cost>> matching(graph, weights);
  PAIKA_CHECK(matching.run());
  std::vector<std::size_t> partners(costs.size());
  for (Graph::NodeIt node(graph); node != lemon::INVALID; ++node) partners[index(node)] = index(matching.mate(node));
  return partners;
}

}  // namespace paika::tournament
