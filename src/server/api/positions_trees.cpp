// Games as trees: read from every format that Paika knows (docs/records.md), checked, and written.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.hpp"
#include "server/api/positions_parts.hpp"
#include "server/api/positions_request.hpp"
#include "server/api/tree_json.hpp"
#include "study/formats.hpp"

namespace paika::server {

namespace {

constexpr std::size_t max_games = 100;

Response bad_file(std::string_view message) { return error_response(422, "bad_record", message); }

/// About how many moves a text has: words that are no numbers, outside of comments and tags.
std::size_t moves_in(std::string_view text) {
  std::string bare;
  bool comment = false;
  for (const char c : text) {
    comment = comment ? c != '}' : c == '{';
    if (!comment) bare += c;
  }
  std::size_t moves = 0;
  for (std::string_view line : split(bare, '\n')) {
    if (trimmed(line).starts_with('[')) continue;
    while (!line.empty()) {
      moves += take_word(line).find_first_not_of("0123456789.") != std::string_view::npos ? 1 : 0;
    }
  }
  return moves;
}

/// A text that would take long is refused before a game is played.
Result<void> check_games(std::string_view text) {
  std::size_t games = 0;
  for (const std::string_view line : split(text, '\n')) {
    games += line.starts_with("[Game ") || line.starts_with("paika-record") ? 1 : 0;
  }
  if (games > max_games) return fail("there are {} games; {} can be read at once", games, max_games);
  if (moves_in(text) > 2 * max_tree_nodes) {
    return fail("the file has more than {} moves: send fewer at once", 2 * max_tree_nodes);
  }
  return {};
}

Response trees_response(std::vector<study::GameTree> trees, const std::vector<TreeFault>& faults) {
  Json list = Json::array();
  if (trees.size() > max_games) trees.erase(trees.begin() + max_games, trees.end());
  for (const study::GameTree& tree : trees) {
    if (tree.nodes().size() > max_tree_nodes) {
      return bad_file(
          fmt::format("a game has {} moves; {} are shown at most", tree.nodes().size() - 1, max_tree_nodes - 1));
    }
    list.push_back(tree_json(tree));
  }
  Json told = Json::array();
  for (const TreeFault& fault : faults) told.push_back({{"node", fault.node}, {"message", fault.message}});
  return json_response({{"trees", std::move(list)}, {"faults", std::move(told)}});
}

/// The tree that was sent, without the moves that the rules refuse.
Response check_tree(const Json& sent) {
  if (!sent.is_object()) return bad_request(Error{"tree must be an object"});
  auto read = read_tree(sent);
  if (!read) return read.error();
  std::vector<study::GameTree> trees;
  trees.push_back(std::move(read->tree));
  return trees_response(std::move(trees), read->faults);
}

Response read_trees(const Call& call) {
  const Json& body = call.body;
  if (const auto known = only_fields(body, {"text", "format", "spec", "tree"}); !known)
    return bad_request(known.error());
  if (const auto sent = body.find("tree"); sent != body.end()) return check_tree(*sent);
  const auto text = read_text(body, "text", "", max_record_bytes);
  if (!text) return text.error();
  const auto format = read_text(body, "format");
  if (!format) return format.error();
  const auto spec = read_text(body, "spec");
  if (!spec) return spec.error();
  if (const auto good = check_games(*text); !good) return bad_file(good.error().message);
  auto trees = study::read_games(*text, {.format = *format, .spec = *spec});
  if (!trees) return bad_file(trees.error().message);
  return trees_response(std::move(*trees), {});
}

Response write_tree(const Call& call) {
  const Json& body = call.body;
  if (const auto known = only_fields(body, {"tree", "format"}); !known) return bad_request(known.error());
  const auto format = read_text(body, "format", study::tree_format);
  if (!format) return format.error();
  const auto sent = body.find("tree");
  if (sent == body.end() || !sent->is_object()) return bad_request(Error{"tree is missing: it must be an object"});
  const auto read = read_tree(*sent);
  if (!read) return read.error();
  if (!read->faults.empty()) {
    const TreeFault& first = read->faults.front();
    return bad_file(fmt::format("node {}: {}", first.node, first.message));
  }
  const auto files = study::write_games({&read->tree, 1}, *format);
  if (!files) return bad_file(files.error().message);
  return json_response({{"format", *format}, {"text", files->front().bytes}});
}

}  // namespace

std::vector<Route> tree_routes() {
  const auto route = [](std::string pattern, Response (*handler)(const Call&)) {
    return Route{"POST", std::move(pattern), Rate::position, Need::nobody, PureHandler{handler}};
  };
  return {route("/api/trees/read", read_trees), route("/api/trees/write", write_tree)};
}

}  // namespace paika::server
