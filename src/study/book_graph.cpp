#include "study/book_graph.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <queue>

#include "base/check.hpp"
#include "base/text.hpp"

namespace paika::study {

BookGraph::Successors BookGraph::successors(const Board& board) {
  Successors all;
  const auto session = game_->start_from(board);
  const auto after = session->clone();
  session->for_each_turn([&](const ListedTurn& turn) {
    after->play(turn.steps);
    const Board next = after->board();
    all.by_key.try_emplace(keys_.key(next), Successor{next, after->outcome().over()});
    after->undo();
    ++all.moves;
    return true;
  });
  return all;
}

Result<BookGraph> BookGraph::open(GamePtr game, const OpeningBook& book) {
  BookGraph graph(std::move(game));
  if (auto walked = graph.walk(book); !walked) return tl::unexpected(walked.error());
  return graph;
}

Result<void> BookGraph::walk(const OpeningBook& book) {
  std::queue<Board> waiting;
  std::unordered_set<std::uint64_t> met;
  const auto visit = [&](const Board& board, std::uint64_t key) {
    if (book.find(key) != nullptr && met.insert(key).second) waiting.push(board);
  };
  const Board start = game_->notation().initial();
  visit(start, keys_.key(start));
  for (; !waiting.empty(); waiting.pop()) {
    Node node;
    node.board = waiting.front();
    node.stored = *book.find(keys_.key(node.board));
    const Successors next = successors(node.board);
    node.legal = next.by_key.size();
    for (const BookMove& move : node.stored.moves) {
      const auto found = std::find_if(next.by_key.begin(), next.by_key.end(),
                                      [&](const auto& s) { return mark_of(s.first) == move.mark; });
      if (found == next.by_key.end()) {
        return fail("the book has a move that is not legal, in the position {}", in_quotes(place(node), 200));
      }
      node.edges.push_back({found->first, move.score, {}, found->second.over});
      visit(found->second.board, found->first);
    }
    insert(std::move(node));
  }
  if (nodes_.size() == book.positions().size()) return {};
  return fail("no line from the start leads to {} of the book's {} positions", book.positions().size() - nodes_.size(),
              book.positions().size());
}

void BookGraph::insert(Node node) {
  const std::size_t number = nodes_.size();
  const auto ply = static_cast<std::size_t>(node.stored.ply);
  if (by_ply_.size() <= ply) by_ply_.resize(ply + 1);
  by_ply_[ply].push_back(number);
  const std::uint64_t key = node.stored.key;
  numbers_.emplace(key, number);
  nodes_.push_back(std::move(node));
  for (const std::size_t parent : leading_to_[key]) {
    for (Edge& edge : nodes_[parent].edges) {
      if (edge.key == key) edge.child = number;
    }
  }
  link(number);
}

void BookGraph::link(std::size_t number) {
  for (Edge& edge : nodes_[number].edges) {
    auto& leading = leading_to_[edge.key];
    if (std::find(leading.begin(), leading.end(), number) == leading.end()) leading.push_back(number);
    if (const auto known = numbers_.find(edge.key); known != numbers_.end()) edge.child = known->second;
  }
  evaluated_ = false;
}

int BookGraph::score(const Node& node, const Edge& edge) const {
  return goes_on(node, edge) ? bookable(score_before(nodes_[*edge.child].value)) : edge.score;
}

void BookGraph::evaluate() {
  if (evaluated_) return;
  for (auto numbers = by_ply_.rbegin(); numbers != by_ply_.rend(); ++numbers) {
    for (const std::size_t number : *numbers) {
      Node& node = nodes_[number];
      node.value = -infinite_score;
      for (const Edge& edge : node.edges) node.value = std::max(node.value, score(node, edge));
    }
  }
  evaluated_ = true;
}

int BookGraph::value() {
  PAIKA_CHECK(!nodes_.empty());
  evaluate();
  return nodes_.front().value;
}

OpeningBook BookGraph::book() {
  evaluate();
  std::vector<BookPosition> positions;
  positions.reserve(nodes_.size());
  for (const Node& node : nodes_) {
    positions.push_back(node.stored);
    positions.back().value = node.value;
  }
  return {game_->notation().spec(), std::move(positions)};
}

BookTask BookGraph::task(const Board& board, std::uint64_t key, int ply, std::size_t moves) {
  const Successors next = successors(board);
  const std::size_t wanted = std::min({moves, next.by_key.size(), OpeningBook::max_moves});
  const std::size_t alike = (next.moves + next.by_key.size() - 1) / next.by_key.size();
  busy_.insert(key);
  return {board, key, ply, static_cast<int>(std::min(wanted * alike, std::size_t{max_lines})),
          static_cast<int>(wanted)};
}

std::optional<BookTask> BookGraph::next(std::size_t moves, double loss_weight) {
  if (nodes_.empty()) {
    const Board start = game_->notation().initial();
    const std::uint64_t key = keys_.key(start);
    if (game_->start()->outcome().over() || busy_.contains(key)) return std::nullopt;
    return task(start, key, 0, moves);
  }
  evaluate();
  const auto best = cheapest(loss_weight);
  if (!best) return std::nullopt;
  const Node& node = nodes_[best->node];
  if (best->key == node.stored.key) return task(node.board, best->key, node.stored.ply, 2 * node.edges.size());
  return task(successors(node.board).by_key.at(best->key).board, best->key, node.stored.ply + 1, moves);
}

std::optional<BookGraph::Candidate> BookGraph::cheapest(double loss_weight) const {
  constexpr double infinite = std::numeric_limits<double>::max();
  std::vector<double> costs(nodes_.size(), infinite);
  costs.front() = 0;
  Candidate best{infinite, 0, 0};
  for (const auto& numbers : by_ply_) {
    for (const std::size_t number : numbers) {
      const Node& node = nodes_[number];
      const auto cost_of = [&](int score) {
        return costs[number] + 1 + loss_weight * (comparable(node.value) - comparable(score)) / 100.0;
      };
      int least = node.value;
      for (const Edge& edge : node.edges) {
        const double cost = cost_of(score(node, edge));
        least = std::min(least, edge.score);
        if (goes_on(node, edge)) costs[*edge.child] = std::min(costs[*edge.child], cost);
        if (!edge.child && can_go_on(node, edge)) best = std::min(best, {cost, number, edge.key});
      }
      // No other move was found to be better than the last of these.
      const bool more = node.edges.size() < std::min(node.legal, OpeningBook::max_moves);
      if (more && !busy_.contains(node.stored.key)) best = std::min(best, {cost_of(least), number, node.stored.key});
    }
  }
  return best.cost == infinite ? std::nullopt : std::optional(best);
}

void BookGraph::add(const BookTask& task, const SearchInfo& info) {
  busy_.erase(task.key);
  const Successors next = successors(task.board);
  Node node;
  node.board = task.board;
  node.legal = next.by_key.size();
  node.stored.key = task.key;
  node.stored.ply = task.ply;
  node.stored.depth = std::clamp(info.depth, 0, OpeningBook::max_depth);
  const auto session = game_->start_from(task.board);
  std::unordered_set<MoveMark> marks;
  for (const InfoLine& line : info.lines) {
    session->play(line.turns.front());
    const std::uint64_t key = keys_.key(session->board());
    session->undo();
    // Moves that a symmetry makes alike are one.
    if (node.edges.size() == OpeningBook::max_moves || !marks.insert(mark_of(key)).second) continue;
    node.edges.push_back({key, bookable(line.score), {}, next.by_key.at(key).over});
    node.stored.moves.push_back({mark_of(key), bookable(line.score)});
  }
  const auto known = numbers_.find(task.key);
  if (known == numbers_.end()) return insert(std::move(node));
  replace(known->second, node);
}

/// What the book goes on with stays, also where the new search has left it out.
void BookGraph::replace(std::size_t number, const Node& found) {
  Node& node = nodes_[number];
  const std::size_t before = node.edges.size();
  for (const Edge& edge : found.edges) {
    const auto same = [&](const Edge& e) { return mark_of(e.key) == mark_of(edge.key); };
    const auto known = std::find_if(node.edges.begin(), node.edges.end(), same);
    if (known != node.edges.end()) {
      known->score = edge.score;
    } else if (node.edges.size() < OpeningBook::max_moves) {
      node.edges.push_back(edge);
    }
  }
  if (node.edges.size() == before) node.legal = before;  // nothing new: there are no more moves that differ
  node.stored.depth = found.stored.depth;
  node.stored.moves.clear();
  for (const Edge& edge : node.edges) node.stored.moves.push_back({mark_of(edge.key), edge.score});
  link(number);
}

std::optional<std::string> BookGraph::contradiction() {
  evaluate();
  for (const Node& node : nodes_) {
    if (node.value != node.stored.value) {
      return fmt::format("the value of {} is {} in the book, and its moves give {}", in_quotes(place(node), 200),
                         score_text(node.stored.value), score_text(node.value));
    }
    const auto& leading = leading_to_[node.stored.key];
    const bool follows = std::any_of(leading.begin(), leading.end(), [&](std::size_t parent) {
      return nodes_[parent].stored.ply + 1 == node.stored.ply;
    });
    if (follows != (node.stored.ply > 0)) {
      return fmt::format("{} is said to come after {} moves, and no line of the book has it there",
                         in_quotes(place(node), 200), node.stored.ply);
    }
  }
  return std::nullopt;
}

}  // namespace paika::study
