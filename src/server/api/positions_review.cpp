// The review of a game: lines of JSON that say how far it is, and the review at the end.
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <utility>

#include "engine/engine.hpp"
#include "engine/move_value.hpp"
#include "play/review.hpp"
#include "server/api/positions_parts.hpp"
#include "server/api/positions_request.hpp"

namespace paika::server {

namespace {

constexpr std::int64_t default_review_ms = 15'000;
constexpr std::int64_t default_max_empty = 16;  // the search of an ending of 20 takes a browser too long
constexpr std::int64_t max_max_empty = 20;
constexpr std::size_t max_reviewed = 500;  // moves

struct ReviewAsked {
  play::GameRecord record;
  GamePtr game;
  SearchSettings settings;
  Milliseconds time{0};
  int max_empty = 0;
};

/// Reviews and tells how far it is. Ends at once when nobody listens any more, or the server ends.
void review(const ReviewAsked& asked, const StreamHandler::Emit& emit, const std::stop_token& stop) try {
  std::stop_source enough;
  const std::stop_callback server_ends(stop, [&] { enough.request_stop(); });
  play::ReviewRequest request;
  request.stop = enough.get_token();
  auto oracle = certain_oracle(*asked.game, asked.settings, asked.max_empty, request.stop);
  if (!oracle) {
    emit(error_json("bad_table", "the table of this game is damaged").dump());
    return;
  }
  const auto engine = asked.game->engine(asked.settings);
  request.oracle = std::move(*oracle);
  request.engine = engine.get();
  request.time = asked.time;
  request.oracle_time = play::time_for_endings(asked.time);
  request.on_progress = [&](double part) {
    if (!enough.stop_requested() && !emit(Json{{"progress", part}}.dump())) enough.request_stop();
  };
  const auto reviewed = play::review(*asked.game, asked.record, request);
  if (enough.stop_requested()) return;
  if (!reviewed) {
    emit(error_json("internal", reviewed.error().message).dump());
    return;
  }
  Json json{{"done", true}};
  json.update(play::review_json(*reviewed));
  emit(json.dump());
} catch (const std::bad_alloc&) {
  emit(error_json("no_memory", "there is not enough memory to think now").dump());
}

/// 409 if a rated game stands at a position of this one.
std::optional<Response> rated_play_on(const PositionApi& api, const Played& played) {
  if (!api.in_rated_play) return std::nullopt;
  const auto session = played.session->clone();
  do {
    if (api.in_rated_play(*session)) return in_rated_play();
  } while (session->undo());
  return std::nullopt;
}

Answer<ReviewAsked> read_review(const PositionApi& api, const Json& body) {
  const auto known = only_fields(body, {"spec", "start", "moves", "opening", "time_ms", "max_empty"});
  if (!known) return bad(known.error());
  auto played = read_played(body, "start");
  if (!played) return tl::unexpected(played.error());
  if (played->turns.empty()) return bad(Error{"moves is empty: there is nothing to review"});
  if (played->turns.size() > max_reviewed) {
    return bad(
        Error{fmt::format("there are {} moves; {} can be reviewed at once", played->turns.size(), max_reviewed)});
  }
  if (auto rated = rated_play_on(api, *played)) return tl::unexpected(*std::move(rated));
  ReviewAsked asked;
  const auto moves = static_cast<std::int64_t>(played->turns.size());
  const std::int64_t max_time = api.max_analysis.count();
  const auto time = number_field(body, "time_ms", std::min(default_review_ms, max_time), 1, max_time);
  const auto opening = number_field(body, "opening", 0, 0, moves);
  const auto max_empty = number_field(body, "max_empty", default_max_empty, 0, max_max_empty);
  for (const auto* const part : {&time, &opening, &max_empty}) {
    if (!*part) return bad(part->error());
  }
  const Notation& notation = played->session->notation();
  asked.record.spec = notation.spec();
  if (played->start != notation.initial()) asked.record.start = notation.position_text(played->start);
  for (std::string& turn : played->turns) asked.record.turns.push_back({std::move(turn), {}, {}, 0});
  asked.record.opening = static_cast<int>(*opening);
  auto game = read_game(body, asked.record.start);
  if (!game) return tl::unexpected(game.error());
  asked.game = std::move(*game);
  asked.settings.threads = api.analysis_threads;
  asked.settings.hash_mb = api.analysis_hash_mb;
  asked.settings.tables = api.tables;
  asked.time = Milliseconds(*time);
  asked.max_empty = static_cast<int>(*max_empty);
  return asked;
}

tl::expected<StreamHandler::Work, Response> prepare_review(const PositionApi& api, const Call& call) {
  auto asked = read_review(api, call.body);
  if (!asked) return tl::unexpected(asked.error());
  return [asked = std::make_shared<ReviewAsked>(std::move(*asked))](
             const StreamHandler::Emit& emit, const std::stop_token& stop) { review(*asked, emit, stop); };
}

}  // namespace

std::vector<Route> review_routes(const PositionApi& api) {
  const auto read = [api](const Call& call) { return prepare_review(api, call); };
  return {{"POST", "/api/review", Rate::analysis, Need::nobody, StreamHandler{read}}};
}

}  // namespace paika::server
