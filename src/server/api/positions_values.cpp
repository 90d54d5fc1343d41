// What perfect play makes of a position, from a table in the folder of tables.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/json.hpp"
#include "engine/tables.hpp"
#include "server/api/positions_parts.hpp"
#include "server/api/positions_request.hpp"

namespace paika::server {

namespace {

constexpr std::size_t max_line = 200;  // turns

Response damaged() { return error_response(500, "bad_table", "the table of this game is damaged"); }

/// The table of a game; null if there is none.
Answer<std::unique_ptr<TableBook>> open_book(const std::string& spec, const std::string& folder) {
  if (folder.empty()) return std::unique_ptr<TableBook>();
  auto book = TableBook::open(spec, folder);
  if (!book) return tl::unexpected(damaged());
  return std::move(*book);
}

Json turns_json(const Notation& notation, const std::vector<ValuedTurn>& turns) {
  Json list = Json::array();
  for (const ValuedTurn& turn : turns) {
    list.push_back(
        {{"move", turn.text}, {"steps", turn_json(notation, turn.steps)}, {"value", value_json(turn.value)}});
  }
  return list;
}

Response look_up(TableBook& book, const Session& session, bool with_line) {
  const auto value = book.value(session);
  if (!value) return damaged();
  if (!*value) return no_values(session);
  const auto turns = book.turns(session);
  if (!turns) return damaged();
  if (!*turns) return no_values(session);
  Json json{{"spec", session.notation().spec()},
            {"position", session.position_text()},
            {"table", std::filesystem::path(book.path()).filename().string()},
            {"value", value_json(**value)},
            {"moves", turns_json(session.notation(), **turns)}};
  if (with_line) {
    const auto line = perfect_line(book, session, max_line);
    if (!line) return damaged();
    Json& texts = json["line"] = Json::array();
    for (const ValuedTurn& turn : *line) texts.push_back(turn.text);
  }
  return json_response(json);
}

Response values(const PositionApi& api, const Call& call) {
  const Json& body = call.body;
  if (const auto known = only_fields(body, {"spec", "position", "moves", "line"}); !known)
    return bad_request(known.error());
  const auto with_line = flag_field(body, "line", false);
  if (!with_line) return bad_request(with_line.error());
  const auto session = read_session(body);
  if (!session) return session.error();
  if (api.in_rated_play && api.in_rated_play(**session)) return in_rated_play();
  const auto book = open_book((*session)->notation().spec(), api.tables);
  if (!book) return book.error();
  return *book == nullptr ? no_values(**session) : look_up(**book, **session, *with_line);
}

Response all_tables(const PositionApi& api, const Call& call) {
  if (const auto known = only_fields(query_object(call), {}); !known) return bad_request(known.error());
  return json_response({{"tables", api.tables.empty() ? Json::array() : tables_json(api.tables)}});
}

}  // namespace

std::vector<Route> value_routes(const PositionApi& api) {
  const auto run = [api](const Call& call) { return values(api, call); };
  const auto list = [api](const Call& call) { return all_tables(api, call); };
  return {{"POST", "/api/position/values", Rate::position, Need::nobody, PureHandler{run}},
          {"GET", "/api/tables", Rate::position, Need::nobody, PureHandler{list}}};
}

}  // namespace paika::server
