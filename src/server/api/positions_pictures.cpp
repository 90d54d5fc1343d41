// Scenes and pictures: what a page needs to draw a board, and boards that are drawn already.
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "engine/picture.hpp"
#include "engine/scene.hpp"
#include "server/api/positions_parts.hpp"
#include "server/api/positions_request.hpp"

namespace paika::server {

namespace {

Answer<bool> read_switch(const Json& query, std::string_view key, bool otherwise) {
  const auto word = read_text(query, key);
  if (!word) return tl::unexpected(word.error());
  if (word->empty()) return otherwise;
  if (*word == "1" || *word == "true") return true;
  if (*word == "0" || *word == "false") return false;
  return bad(Error{fmt::format("{} is {}: it must be 1, true, 0 or false", key, in_quotes(*word))});
}

Response scene(const Call& call) {
  const Json query = query_object(call);
  if (const auto known = only_fields(query, {"spec", "cards"}); !known) return bad_request(known.error());
  const auto cards = read_switch(query, "cards", true);
  if (!cards) return cards.error();
  const auto game = read_game(query);
  if (!game) return game.error();
  const Json json = *cards ? scene_json(**game) : outline_json(**game);
  return give(call, Page("application/json", json.dump(), ""));
}

Answer<PictureSettings> read_settings(const Json& query) {
  PictureSettings settings;
  const auto flip = read_switch(query, "flip", false);
  if (!flip) return tl::unexpected(flip.error());
  settings.flipped = *flip;
  const auto word = read_text(query, "theme", name(settings.theme));
  if (!word) return tl::unexpected(word.error());
  const auto theme = theme_named(*word);
  if (!theme) return bad(Error{fmt::format("there is no theme {}; there are wood, plain and dark", in_quotes(*word))});
  settings.theme = *theme;
  return settings;
}

Response picture(const Call& call) {
  const Json query = query_object(call);
  const auto known = only_fields(query, {"spec", "position", "move", "flip", "theme", "lang"});
  if (!known) return bad_request(known.error());
  const auto language = read_language(query);
  if (!language) return language.error();
  auto settings = read_settings(query);
  if (!settings) return settings.error();
  const auto text = read_text(query, "move");
  if (!text) return text.error();
  const auto session = read_session(query);
  if (!session) return session.error();
  if (!text->empty()) {
    const Board before = (*session)->board();
    const auto turn = (*session)->try_play(*text);
    if (!turn) return illegal(*language, (*session)->notation(), turn.error());
    settings->last = (*session)->notation().effects(before, *turn);
  }
  return give(call, Page("image/svg+xml", picture_svg(**session, *settings, *language->catalogue), language->code));
}

}  // namespace

std::vector<Route> picture_routes() {
  const auto route = [](std::string pattern, Response (*handler)(const Call&)) {
    return Route{"GET", std::move(pattern), Rate::position, Need::nobody, PureHandler{handler}};
  };
  return {route("/api/scene", scene), route("/api/position/picture.svg", picture)};
}

}  // namespace paika::server
