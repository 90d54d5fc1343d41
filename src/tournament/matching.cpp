#include "tournament/matching.hpp"

#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

#include "base/check.hpp"

namespace paika::tournament {

namespace {

/// Edmonds' maximum-weight matching with a dual label for each vertex and blossom. Vertices are 1 to n, blossoms the
/// numbers above, and 0 is nobody. A state is that of the trees grown from unmatched vertices: even (outer), odd
/// (inner), or free (in no tree).
class Blossoms {
 public:
  explicit Blossoms(const std::vector<std::vector<Cost>>& weights) : n_(static_cast<int>(weights.size())), used_(n_) {
    const auto size = 2 * weights.size() + 2;
    edges_.assign(size, std::vector<Edge>(size));
    from_.assign(size, std::vector<int>(static_cast<std::size_t>(n_) + 1));
    parts_.resize(size);
    for (auto* list : {&match_, &slack_, &top_, &parent_, &visited_}) list->assign(size, 0);
    states_.assign(size, State::free);
    labels_.assign(size, 0);
    Cost most = 0;
    for (int u = 1; u <= n_; ++u) {
      top_[at(u)] = u;
      from_[at(u)][at(u)] = u;
      for (int v = 1; v <= n_; ++v) {
        const Cost weight = u == v ? 0 : weights[at(u - 1)][at(v - 1)];
        edge(u, v) = {u, v, weight};
        most = std::max(most, weight);
      }
    }
    for (int u = 1; u <= n_; ++u) labels_[at(u)] = most;
  }

  void run() {
    while (grow()) {
    }
  }

  [[nodiscard]] int partner(int u) const { return match_[at(u)]; }

 private:
  enum class State : signed char { free, even, odd };

  struct Edge {
    int u = 0;
    int v = 0;
    Cost weight = 0;
  };

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  Edge& edge(int u, int v) { return edges_[at(u)][at(v)]; }
  [[nodiscard]] const Edge& edge(int u, int v) const { return edges_[at(u)][at(v)]; }

  /// How far an edge is from being tight.
  [[nodiscard]] Cost gap(const Edge& e) const {
    return labels_[at(e.u)] + labels_[at(e.v)] - edge(e.u, e.v).weight * 2;
  }

  void update_slack(int u, int x) {
    int& slack = slack_[at(x)];
    if (slack == 0 || gap(edge(u, x)) < gap(edge(slack, x))) slack = u;
  }

  void set_slack(int x) {
    slack_[at(x)] = 0;
    for (int u = 1; u <= n_; ++u) {
      if (edge(u, x).weight > 0 && top_[at(u)] != x && states_[at(top_[at(u)])] == State::even) update_slack(u, x);
    }
  }

  void push(int x) {
    if (x <= n_) return queue_.push(x);
    for (const int part : parts_[at(x)]) push(part);
  }

  void set_top(int x, int top) {
    top_[at(x)] = top;
    if (x <= n_) return;
    for (const int part : parts_[at(x)]) set_top(part, top);
  }

  /// The even place of the part `x` in the blossom, which is turned round if need be.
  int place_of(int blossom, int x) {
    auto& parts = parts_[at(blossom)];
    const auto place = static_cast<int>(std::find(parts.begin(), parts.end(), x) - parts.begin());
    if (place % 2 == 0) return place;
    std::reverse(parts.begin() + 1, parts.end());
    return static_cast<int>(parts.size()) - place;
  }

  void set_match(int u, int v) {
    const Edge e = edge(u, v);
    match_[at(u)] = e.v;
    if (u <= n_) return;
    const int part = from_[at(u)][at(e.u)];
    const int place = place_of(u, part);
    auto& parts = parts_[at(u)];
    for (int i = 0; i < place; ++i) set_match(parts[at(i)], parts[at(i ^ 1)]);
    set_match(part, v);
    std::rotate(parts.begin(), parts.begin() + place, parts.end());
  }

  void augment(int u, int v) {
    while (true) {
      const int next = top_[at(match_[at(u)])];
      set_match(u, v);
      if (next == 0) return;
      set_match(next, top_[at(parent_[at(next)])]);
      u = top_[at(parent_[at(next)])];
      v = next;
    }
  }

  /// Where the ways of u and v to their roots meet; 0 if they are in different trees.
  int meeting(int u, int v) {
    ++visit_;
    for (; u != 0 || v != 0; std::swap(u, v)) {
      if (u == 0) continue;
      if (visited_[at(u)] == visit_) return u;
      visited_[at(u)] = visit_;
      u = top_[at(match_[at(u)])];
      if (u != 0) u = top_[at(parent_[at(u)])];
    }
    return 0;
  }

  void take_way(int blossom, int from, int to) {
    for (int x = from; x != to;) {
      const int y = top_[at(match_[at(x)])];
      parts_[at(blossom)].push_back(x);
      parts_[at(blossom)].push_back(y);
      push(y);
      x = top_[at(parent_[at(y)])];
    }
  }

  void add_blossom(int u, int root, int v) {
    int b = n_ + 1;
    while (b <= used_ && top_[at(b)] != 0) ++b;
    used_ = std::max(used_, b);
    labels_[at(b)] = 0;
    states_[at(b)] = State::even;
    match_[at(b)] = match_[at(root)];
    parts_[at(b)] = {root};
    take_way(b, u, root);
    std::reverse(parts_[at(b)].begin() + 1, parts_[at(b)].end());
    take_way(b, v, root);
    set_top(b, b);
    for (int x = 1; x <= used_; ++x) edge(b, x).weight = edge(x, b).weight = 0;
    std::fill(from_[at(b)].begin(), from_[at(b)].end(), 0);
    for (const int part : parts_[at(b)]) inherit(b, part);
    set_slack(b);
  }

  /// A blossom has the best edges of its parts.
  void inherit(int blossom, int part) {
    for (int x = 1; x <= used_; ++x) {
      if (edge(blossom, x).weight == 0 || gap(edge(part, x)) < gap(edge(blossom, x))) {
        edge(blossom, x) = edge(part, x);
        edge(x, blossom) = edge(x, part);
      }
    }
    for (int x = 1; x <= n_; ++x) {
      if (from_[at(part)][at(x)] != 0) from_[at(blossom)][at(x)] = part;
    }
  }

  void expand(int b) {
    const std::vector<int> before = parts_[at(b)];
    for (const int part : before) set_top(part, part);
    const int root = from_[at(b)][at(edge(b, parent_[at(b)]).u)];
    const int place = place_of(b, root);
    const auto& parts = parts_[at(b)];
    for (int i = 0; i < place; i += 2) {
      const int odd = parts[at(i)];
      const int even = parts[at(i + 1)];
      parent_[at(odd)] = edge(even, odd).u;
      states_[at(odd)] = State::odd;
      states_[at(even)] = State::even;
      slack_[at(odd)] = 0;
      set_slack(even);
      push(even);
    }
    states_[at(root)] = State::odd;
    parent_[at(root)] = parent_[at(b)];
    for (std::size_t i = at(place) + 1; i < parts.size(); ++i) {
      states_[at(parts[i])] = State::free;
      set_slack(parts[i]);
    }
    top_[at(b)] = 0;
  }

  /// Uses a tight edge; true if the matching grew by it.
  bool use(const Edge& e) {
    const int u = top_[at(e.u)];
    const int v = top_[at(e.v)];
    if (states_[at(v)] == State::free) {
      parent_[at(v)] = e.u;
      states_[at(v)] = State::odd;
      const int next = top_[at(match_[at(v)])];
      slack_[at(v)] = slack_[at(next)] = 0;
      states_[at(next)] = State::even;
      push(next);
    } else if (states_[at(v)] == State::even) {
      const int root = meeting(u, v);
      if (root == 0) {
        augment(u, v);
        augment(v, u);
        return true;
      }
      add_blossom(u, root, v);
    }
    return false;
  }

  /// Uses the tight edges of the vertices in the queue; true if the matching grew.
  bool search() {
    while (!queue_.empty()) {
      const int u = queue_.front();
      queue_.pop();
      if (states_[at(top_[at(u)])] == State::odd) continue;
      for (int v = 1; v <= n_; ++v) {
        if (edge(u, v).weight <= 0 || top_[at(u)] == top_[at(v)]) continue;
        if (gap(edge(u, v)) != 0) {
          update_slack(u, top_[at(v)]);
        } else if (use(edge(u, v))) {
          return true;
        }
      }
    }
    return false;
  }

  [[nodiscard]] bool outermost(int x) const { return top_[at(x)] == x; }

  /// How far the labels can be moved until an edge becomes tight or a blossom falls apart.
  [[nodiscard]] Cost step() const {
    Cost step = std::numeric_limits<Cost>::max();
    for (int b = n_ + 1; b <= used_; ++b) {
      if (outermost(b) && states_[at(b)] == State::odd) step = std::min(step, labels_[at(b)] / 2);
    }
    for (int x = 1; x <= used_; ++x) {
      if (!outermost(x) || slack_[at(x)] == 0) continue;
      const Cost d = gap(edge(slack_[at(x)], x));
      if (states_[at(x)] == State::free) step = std::min(step, d);
      if (states_[at(x)] == State::even) step = std::min(step, d / 2);
    }
    return step;
  }

  /// False if no larger matching is worth more.
  bool move_labels(Cost step) {
    for (int u = 1; u <= n_; ++u) {
      const State state = states_[at(top_[at(u)])];
      if (state == State::even) {
        if (labels_[at(u)] <= step) return false;
        labels_[at(u)] -= step;
      } else if (state == State::odd) {
        labels_[at(u)] += step;
      }
    }
    for (int b = n_ + 1; b <= used_; ++b) {
      if (!outermost(b)) continue;
      if (states_[at(b)] == State::even) labels_[at(b)] += step * 2;
      if (states_[at(b)] == State::odd) labels_[at(b)] -= step * 2;
    }
    return true;
  }

  /// Makes the matching larger by one pair; false if it is the best there is.
  bool grow() {
    std::fill(states_.begin(), states_.end(), State::free);
    std::fill(slack_.begin(), slack_.end(), 0);
    queue_ = {};
    for (int x = 1; x <= used_; ++x) {
      if (!outermost(x) || match_[at(x)] != 0) continue;
      parent_[at(x)] = 0;
      states_[at(x)] = State::even;
      push(x);
    }
    if (queue_.empty()) return false;
    while (true) {
      if (search()) return true;
      if (!move_labels(step())) return false;
      queue_ = {};
      for (int x = 1; x <= used_; ++x) {
        const int slack = slack_[at(x)];
        if (!outermost(x) || slack == 0 || top_[at(slack)] == x || gap(edge(slack, x)) != 0) continue;
        if (use(edge(slack, x))) return true;
      }
      for (int b = n_ + 1; b <= used_; ++b) {
        if (outermost(b) && states_[at(b)] == State::odd && labels_[at(b)] == 0) expand(b);
      }
    }
  }

  int n_;
  int used_;  // the highest number of a vertex or blossom
  int visit_ = 0;
  std::vector<std::vector<Edge>> edges_;
  std::vector<std::vector<int>> from_;  // by blossom and vertex: the part that has the vertex
  std::vector<std::vector<int>> parts_;
  std::vector<int> match_, slack_, top_, parent_, visited_;
  std::vector<State> states_;
  std::vector<Cost> labels_;
  std::queue<int> queue_;
};

}  // namespace

std::vector<std::size_t> cheapest_pairs(const std::vector<std::vector<Cost>>& costs) {
  PAIKA_CHECK(costs.size() % 2 == 0);
  // Positive weights make the heaviest matching one of everybody.
  Cost most = 0;
  for (const auto& row : costs) {
    for (const Cost cost : row) most = std::max(most, cost);
  }
  PAIKA_CHECK(most <= max_cost);
  auto weights = costs;
  for (auto& row : weights) {
    for (Cost& cost : row) cost = most + 1 - cost;
  }
  Blossoms blossoms(weights);
  blossoms.run();
  std::vector<std::size_t> partners;
  for (int u = 1; u <= static_cast<int>(costs.size()); ++u) {
    PAIKA_CHECK(blossoms.partner(u) != 0);
    partners.push_back(static_cast<std::size_t>(blossoms.partner(u) - 1));
  }
  return partners;
}

}  // namespace paika::tournament
