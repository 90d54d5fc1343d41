// What the engine thinks of a position: a line of JSON when it has looked a turn deeper, and one at the end.
#include <algorithm>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <utility>

#include "engine/engine.hpp"
#include "engine/opening_book.hpp"
#include "server/api/positions_parts.hpp"
#include "server/api/positions_request.hpp"

namespace paika::server {

namespace {

constexpr std::int64_t default_time_ms = 1'000;
constexpr std::int64_t max_depth = 1'000;
constexpr std::int64_t max_nodes = 1'000'000'000'000;
constexpr std::int64_t max_analysis_lines = 200;  // as many as most positions have moves: values on every square

struct AnalysisAsked {
  SearchLimits limits;
  SearchSettings settings;
};

Answer<AnalysisAsked> read_asked(const Json& body, const PositionApi& api) {
  AnalysisAsked asked;
  const std::int64_t max_time = api.max_analysis.count();
  const auto time = number_field(body, "time_ms", std::min(default_time_ms, max_time), 1, max_time);
  if (!time) return bad(time.error());
  const auto depth = number_field(body, "depth", 0, 1, max_depth);
  if (!depth) return bad(depth.error());
  const auto nodes = number_field(body, "nodes", 0, 1, max_nodes);
  if (!nodes) return bad(nodes.error());
  const auto lines = number_field(body, "lines", 1, 1, max_analysis_lines);
  if (!lines) return bad(lines.error());
  const auto level = number_field(body, "level", full_level, weakest_level, full_level);
  if (!level) return bad(level.error());
  asked.limits.move_time = Milliseconds(*time);
  if (*depth > 0) asked.limits.depth = static_cast<int>(*depth);
  if (*nodes > 0) asked.limits.nodes = static_cast<std::uint64_t>(*nodes);
  asked.settings.threads = api.analysis_threads;
  asked.settings.hash_mb = api.analysis_hash_mb;
  asked.settings.tables = api.tables;
  asked.settings.book = builtin_book_name;
  asked.settings.book_shown_only = true;
  asked.settings.lines = static_cast<int>(*lines);
  asked.settings.level = static_cast<int>(*level);
  return asked;
}

Json lines_json(const std::vector<InfoLine>& lines) {
  Json list = Json::array();
  for (const InfoLine& line : lines) list.push_back(line_json(line));
  return list;
}

Json info_json(const SearchInfo& info) {
  return {{"depth", info.depth},
          {"selective_depth", info.selective_depth},
          {"nodes", info.nodes},
          {"time_ms", info.time.count()},
          {"lines", lines_json(info.lines)}};
}

Json decision_json(const Decision& decision) {
  Json json{{"done", true}, {"best", decision.text}};
  json.update(info_json(decision.info));
  Json& reasons = json["reasons"] = Json::array();
  for (const Reason& reason : decision.reasons) reasons.push_back({{"name", reason.name}, {"value", reason.value}});
  // Only the file's name: where it lies is nobody's business.
  if (!decision.table.empty()) json["table"] = std::filesystem::path(decision.table).filename().string();
  return json;
}

/// Thinks and tells. Ends at once when nobody listens any more, or the server ends.
void think(const Session& session, const AnalysisAsked& asked, const StreamHandler::Emit& emit,
           const std::stop_token& stop) try {
  std::stop_source enough;
  const std::stop_callback server_ends(stop, [&] { enough.request_stop(); });
  const auto engine = session.game().engine(asked.settings);
  const auto on_progress = [&](const SearchInfo& info) {
    if (!enough.stop_requested() && !emit(info_json(info).dump())) enough.request_stop();
  };
  const Decision decision = engine->think(session, asked.limits, enough.get_token(), on_progress);
  if (!enough.stop_requested()) emit(decision_json(decision).dump());
} catch (const std::bad_alloc&) {
  emit(error_json("no_memory", "there is not enough memory to think now").dump());
}

tl::expected<StreamHandler::Work, Response> prepare(const PositionApi& api, const Call& call) {
  const Json& body = call.body;
  const auto known = only_fields(body, {"spec", "position", "moves", "time_ms", "depth", "nodes", "lines", "level"});
  if (!known) return bad(known.error());
  const auto asked = read_asked(body, api);
  if (!asked) return tl::unexpected(asked.error());
  auto session = read_session(body);
  if (!session) return tl::unexpected(session.error());
  if (api.in_rated_play && api.in_rated_play(**session)) return tl::unexpected(in_rated_play());
  if (const Outcome outcome = (*session)->outcome(); outcome.over()) {
    return refuse(409, "over", (*session)->notation().ending((*session)->board(), outcome).sentence.english());
  }
  return [session = std::shared_ptr(std::move(*session)), asked = *asked](
             const StreamHandler::Emit& emit, const std::stop_token& stop) { think(*session, asked, emit, stop); };
}

}  // namespace

std::vector<Route> analysis_routes(const PositionApi& api) {
  const auto read = [api](const Call& call) { return prepare(api, call); };
  return {{"POST", "/api/position/analysis", Rate::analysis, Need::nobody, StreamHandler{read}}};
}

}  // namespace paika::server
