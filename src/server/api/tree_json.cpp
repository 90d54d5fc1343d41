#include "server/api/tree_json.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "engine/scene.hpp"

namespace paika::server {

namespace {

using study::GameTree;
using study::TreeCursor;
using study::TreeNode;

constexpr std::size_t max_tags = 100;
constexpr std::size_t max_shapes = 100;            // of a node
constexpr std::int64_t max_time = 10'000'000'000;  // microseconds and milliseconds: longer than any game
constexpr std::int64_t max_hundredths = 1'000'000;

// ---- Writing ----

/// Who made the move of each node; of the first one, who has the first move.
std::vector<Player> movers_of(const GameTree& tree) {
  std::vector<Player> movers(tree.nodes().size());
  const auto session = tree.session();
  movers[0] = session->board().to_move;
  struct Open {
    std::size_t node = 0;
    std::size_t done = 0;  // of its children
  };
  std::vector<Open> path{{0, 0}};
  while (!path.empty()) {
    Open& here = path.back();
    const std::vector<std::size_t>& children = tree.node(here.node).children;
    if (here.done == children.size()) {
      path.pop_back();
      session->undo();
      continue;
    }
    const std::size_t child = children[here.done++];
    movers[child] = session->board().to_move;
    session->play(tree.node(child).turn);
    path.push_back({child, 0});
  }
  return movers;
}

Json shapes_json(const Coordinates& names, const std::vector<study::Shape>& shapes) {
  Json list = Json::array();
  for (const study::Shape& shape : shapes) {
    list.push_back({{"from", names.name(shape.from)}, {"to", names.name(shape.to)}, {"colour", name(shape.colour)}});
  }
  return list;
}

Json node_json(const Coordinates& names, const TreeNode& node, Player mover, bool first) {
  Json json = Json::object();
  if (!first) {
    json["parent"] = node.parent;
    json["move"] = node.move;
  }
  json["seat"] = player_id(mover);
  if (node.mark != study::MoveMark::none) json["mark"] = study::mark_text(node.mark);
  if (!node.comment.empty()) json["comment"] = node.comment;
  if (!node.shapes.empty()) json["shapes"] = shapes_json(names, node.shapes);
  if (node.clock) json["clock_ms"] = node.clock->count();
  if (node.time) json["time_us"] = node.time->count();
  if (node.score) json["score"] = *node.score;
  if (node.depth > 0) json["depth"] = node.depth;
  return json;
}

// ---- Reading ----

/// A node as it was sent; its squares are read once the game is known.
struct SentNode {
  std::string move;
  std::vector<std::size_t> children;
  const Json* json = nullptr;
};

Answer<std::optional<std::int64_t>> read_count(const Json& object, std::string_view field, std::int64_t least,
                                               std::int64_t most) {
  const auto found = object.find(field);
  if (found == object.end() || found->is_null()) return std::optional<std::int64_t>();
  return or_bad_request(number_field(object, field, 0, least, most)).map([](std::int64_t number) {
    return std::optional(number);
  });
}

tl::unexpected<Response> bad_node(std::size_t number, std::string_view what) {
  return bad(Error{fmt::format("node {}: {}", number, what)});
}

Answer<std::vector<SentNode>> read_nodes(const Json& tree) {
  std::vector<SentNode> nodes(1);
  const auto list = tree.find("nodes");
  if (list == tree.end()) return nodes;
  if (!list->is_array()) return bad(Error{"nodes must be a list"});
  if (list->size() > max_tree_nodes) {
    return bad(Error{fmt::format("the tree has {} nodes; {} are allowed", list->size(), max_tree_nodes)});
  }
  nodes.resize(std::max<std::size_t>(1, list->size()));
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Json& node = (*list)[i];
    if (!node.is_object()) return bad_node(i, "it must be an object");
    const auto known = only_fields(
        node, {"parent", "move", "seat", "mark", "comment", "shapes", "clock_ms", "time_us", "score", "depth"});
    if (!known) return bad_node(i, known.error().message);
    nodes[i].json = &node;
    if (i == 0) continue;
    auto move = read_text(node, "move");
    if (!move) return tl::unexpected(move.error());
    if (move->empty()) return bad_node(i, "its move is missing");
    const auto parent = number_field(node, "parent", -1, 0, static_cast<std::int64_t>(i) - 1);
    if (!parent) return bad_node(i, parent.error().message);
    if (*parent < 0) return bad_node(i, "its parent is missing");
    nodes[i].move = std::move(*move);
    nodes[static_cast<std::size_t>(*parent)].children.push_back(i);
  }
  return nodes;
}

Answer<study::Shape> read_shape(const Coordinates& names, const Json& json) {
  if (!json.is_object()) return bad(Error{"a shape must be an object with from and to"});
  if (const auto known = only_fields(json, {"from", "to", "colour"}); !known) return bad(known.error());
  study::Shape shape;
  for (const auto& [field, square] : {std::pair{"from", &shape.from}, std::pair{"to", &shape.to}}) {
    const auto text = read_text(json, field);
    if (!text) return tl::unexpected(text.error());
    std::string_view rest = *text;
    const auto found = names.read(rest);
    if (!found || !rest.empty() || !names.contains(*found))
      return bad(Error{fmt::format("{} is not a square of this board", in_quotes(*text))});
    *square = *found;
  }
  const auto colour = read_text(json, "colour", study::name(study::ShapeColour::green));
  if (!colour) return tl::unexpected(colour.error());
  const auto found = study::colour_of(*colour);
  if (!found) {
    return bad(Error{fmt::format("there is no colour {}; there are green, red, blue and yellow", in_quotes(*colour))});
  }
  shape.colour = *found;
  return shape;
}

/// Everything of a node but its move.
Answer<void> annotate(GameTree& tree, std::size_t node, const Json& json) {
  const auto mark = read_text(json, "mark");
  if (!mark) return tl::unexpected(mark.error());
  const auto known_mark = study::mark_of(*mark);
  if (!known_mark) return bad(Error{fmt::format("{} is not a mark such as ! or ??", in_quotes(*mark))});
  tree.set_mark(node, *known_mark);
  const auto comment = read_text(json, "comment", "", GameTree::max_comment);
  if (!comment) return tl::unexpected(comment.error());
  tree.set_comment(node, *comment);
  if (const auto shapes = json.find("shapes"); shapes != json.end()) {
    if (!shapes->is_array() || shapes->size() > max_shapes) {
      return bad(Error{fmt::format("shapes must be a list of at most {}", max_shapes)});
    }
    for (const Json& one : *shapes) {
      const auto shape = read_shape(tree.game().notation().coordinates(), one);
      if (!shape) return tl::unexpected(shape.error());
      tree.add_shape(node, *shape);
    }
  }
  const auto clock = read_count(json, "clock_ms", 0, max_time);
  const auto time = read_count(json, "time_us", 0, max_time);
  const auto score = read_count(json, "score", -max_hundredths, max_hundredths);
  const auto depth = read_count(json, "depth", 0, max_hundredths);
  for (const auto* const part : {&clock, &time, &score, &depth}) {
    if (!*part) return tl::unexpected(part->error());
  }
  if (*clock) tree.set_clock(node, std::chrono::milliseconds(**clock));
  if (*time) tree.set_time(node, std::chrono::microseconds(**time));
  tree.set_score(node, score->has_value() ? std::optional(static_cast<int>(**score)) : std::nullopt,
                 static_cast<int>(depth->value_or(0)));
  return {};
}

/// Plays all nodes, each after its parent and before the next child of that.
Answer<std::vector<TreeFault>> play_nodes(GameTree& tree, const std::vector<SentNode>& nodes) {
  std::vector<TreeFault> faults;
  TreeCursor cursor(tree);
  struct Open {
    std::size_t sent = 0;
    std::size_t done = 0;  // of its children
  };
  std::vector<Open> path{{0, 0}};
  while (!path.empty()) {
    Open& here = path.back();
    const SentNode& node = nodes[here.sent];
    if (here.done == 0 && node.json != nullptr) {
      if (auto good = annotate(tree, cursor.node(), *node.json); !good) return tl::unexpected(good.error());
    }
    if (here.done == node.children.size()) {
      path.pop_back();
      cursor.back();
      continue;
    }
    const std::size_t child = node.children[here.done++];
    if (const auto played = cursor.play(nodes[child].move); !played) {
      faults.push_back({child, played.error().message});
      continue;
    }
    path.push_back({child, 0});
  }
  return faults;
}

Answer<void> read_tags(GameTree& tree, const Json& json) {
  const auto players = read_texts(json, "players", 2);
  if (!players) return tl::unexpected(players.error());
  for (std::size_t i = 0; i < players->size(); ++i) tree.set_player(i, (*players)[i]);
  const auto tags = json.find("tags");
  if (tags == json.end()) return {};
  const auto fit = [](const Json& tag) {
    return tag.is_array() && tag.size() == 2 && tag[0].is_string() && tag[1].is_string() &&
           study::is_tag_name(tag[0].get_ref<const std::string&>());
  };
  if (!tags->is_array() || tags->size() > max_tags || !std::all_of(tags->begin(), tags->end(), fit)) {
    return bad(Error{fmt::format("tags must be a list of at most {} pairs of a name and a value", max_tags)});
  }
  for (const Json& tag : *tags) {
    tree.add_tag(tag[0].get_ref<const std::string&>(), tag[1].get_ref<const std::string&>());
  }
  return {};
}

}  // namespace

Json tree_json(const GameTree& tree) {
  Json json{{"spec", tree.spec()}};
  if (!tree.start().empty()) json["start"] = tree.start();
  json["players"] = tree.players();
  Json& tags = json["tags"] = Json::array();
  for (const auto& [key, value] : tree.tags()) tags.push_back(Json::array({key, value}));
  json["result"] = {
      {"verdict", name(tree.result().verdict)}, {"reason", tree.result().reason}, {"remark", tree.result().remark}};
  Json& nodes = json["nodes"] = Json::array();
  const std::vector<Player> movers = movers_of(tree);
  const Coordinates& names = tree.game().notation().coordinates();
  for (std::size_t i = 0; i < movers.size(); ++i) nodes.push_back(node_json(names, tree.node(i), movers[i], i == 0));
  return json;
}

Answer<SentTree> read_tree(const Json& json) {
  if (const auto known = only_fields(json, {"spec", "start", "players", "tags", "result", "nodes"}); !known) {
    return bad(known.error());
  }
  const auto start = read_text(json, "start");
  if (!start) return tl::unexpected(start.error());
  auto game = read_game(json, *start);
  if (!game) return tl::unexpected(game.error());
  auto tree = GameTree::open(std::move(*game), *start);
  if (!tree) return refuse(422, "bad_position", tree.error().message);
  const auto nodes = read_nodes(json);
  if (!nodes) return tl::unexpected(nodes.error());
  if (auto good = read_tags(*tree, json); !good) return tl::unexpected(good.error());
  auto faults = play_nodes(*tree, *nodes);
  if (!faults) return tl::unexpected(faults.error());
  tree->set_result_by_rules();
  auto result = read_result(json, tree->result());
  if (!result) return tl::unexpected(result.error());
  (void)tree->set_result(std::move(*result));  // what the rules say stays where the sent one cannot be
  return SentTree{std::move(*tree), std::move(*faults)};
}

}  // namespace paika::server
