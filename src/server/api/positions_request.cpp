#include "server/api/positions_request.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/check.hpp"
#include "base/text.hpp"
#include "engine/diagram.hpp"
#include "engine/edited.hpp"
#include "engine/registry.hpp"
#include "engine/scene.hpp"
#include "play/start.hpp"

namespace paika::server {

namespace {

std::vector<Language> load_languages() {
  static std::vector<Catalogue> catalogues;
  for (const std::string& code : languages()) {
    auto catalogue = catalogue_of(code);
    PAIKA_CHECK(catalogue.has_value());  // they are built in, and a test reads them all
    catalogues.push_back(std::move(*catalogue));
  }
  std::vector<Language> all;
  for (std::size_t i = 0; i < catalogues.size(); ++i) all.push_back({languages()[i], &catalogues[i]});
  return all;
}

Result<Step> read_step(const Notation& notation, const Json& json) {
  if (!json.is_object()) return fail("a step is an object such as {{\"step\": \"from\", \"square\": \"c2\"}}");
  if (const auto known = only_fields(json, {"step", "square"}); !known) return tl::unexpected(known.error());
  const auto word = text_field(json, "step", "");
  if (!word) return tl::unexpected(word.error());
  const auto* const kind =
      std::find_if(all_step_kinds.begin(), all_step_kinds.end(), [&](StepKind k) { return name(k) == *word; });
  if (kind == all_step_kinds.end()) {
    std::vector<std::string> words;
    for (const StepKind k : all_step_kinds) words.emplace_back(name(k));
    return fail("{} is not a step; the steps are {}", in_quotes(*word), listed(words, "and"));
  }
  const auto square = text_field(json, "square", "");
  if (!square) return tl::unexpected(square.error());
  if (!has_square(*kind)) {
    if (!square->empty()) return fail("{} has no square", *word);
    return Step{*kind, {}};
  }
  std::string_view rest = *square;
  const auto found = notation.coordinates().read(rest);
  if (!found || !rest.empty() || !notation.coordinates().contains(*found)) {
    return fail("{} is not a square of this board: {}", in_quotes(*square), notation.coordinates().range().english());
  }
  return Step{*kind, *found};
}

}  // namespace

tl::unexpected<Response> bad(const Error& error) { return tl::unexpected(bad_request(error)); }

Json query_object(const Call& call) {
  Json object = Json::object();
  for (const auto& [name, value] : call.request.query) object[name] = value;
  return object;
}

Answer<std::string> read_text(const Json& object, std::string_view name, std::string_view missing, std::size_t most) {
  auto text = text_field(object, name, missing);
  if (text && text->size() > most) return bad(Error{fmt::format("{} has more than {} bytes", name, most)});
  return or_bad_request(std::move(text));
}

Answer<std::vector<std::string>> read_texts(const Json& object, std::string_view name, std::size_t most) {
  std::vector<std::string> texts;
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return texts;
  if (!found->is_array()) return bad(Error{fmt::format("{} must be a list of texts", name)});
  if (found->size() > most) return bad(Error{fmt::format("{} has more than {} entries", name, most)});
  for (const Json& item : *found) {
    if (!item.is_string()) return bad(Error{fmt::format("{} must be a list of texts", name)});
    texts.push_back(item.get<std::string>());
    if (texts.back().size() > max_text_bytes) {
      return bad(Error{fmt::format("an entry of {} has more than {} bytes", name, max_text_bytes)});
    }
  }
  return texts;
}

const std::vector<Language>& all_languages() {
  static const std::vector<Language> all = load_languages();
  return all;
}

Answer<Language> read_language(const Json& object) {
  const auto code = read_text(object, "lang", "en");
  if (!code) return tl::unexpected(code.error());
  for (const Language& language : all_languages()) {
    if (language.code == *code) return language;
  }
  return bad(Error{
      fmt::format("there is no language {}; the languages are {}", in_quotes(*code), listed(languages(), "and"))});
}

Answer<GamePtr> read_game(const Json& object, std::string_view position) {
  const auto spec = read_text(object, "spec");
  if (!spec) return tl::unexpected(spec.error());
  if (spec->empty()) return bad(Error{"spec is missing: the name of a game, such as fanorona:5x5"});
  auto game = position.empty() ? open_game(*spec) : open_game_for(*spec, position);
  if (!game) return tl::unexpected(error_response(400, "bad_spec", game.error().message));
  return std::move(*game);
}

Answer<Played> read_played(const Json& object, std::string_view start_field) {
  const auto start = read_text(object, start_field);
  if (!start) return tl::unexpected(start.error());
  const auto moves = read_texts(object, "moves", max_moves);
  if (!moves) return tl::unexpected(moves.error());
  const auto language = read_language(object);
  if (!language) return tl::unexpected(language.error());
  const auto game = read_game(object, *start);
  if (!game) return tl::unexpected(game.error());
  auto session = play::start_at(**game, *start);
  if (!session) return tl::unexpected(error_response(422, "bad_position", session.error().message));
  const Notation& notation = (*game)->notation();
  Played played{std::move(*session), {}, {}};
  Board board = played.start = played.session->board();
  for (const std::string& move : *moves) {
    const auto turn = played.session->try_play(move);
    if (!turn) return tl::unexpected(illegal(*language, notation, turn.error(), {{"move", played.turns.size() + 1}}));
    played.turns.push_back(notation.turn_text(board, *turn));
    board = played.session->board();
  }
  return played;
}

Answer<std::unique_ptr<Session>> read_session(const Json& object) {
  return read_played(object, "position").map([](Played&& played) { return std::move(played.session); });
}

Answer<std::string> read_grid(const Json& object) {
  const auto rows = read_texts(object, "grid", max_grid_rows);
  if (!rows) return tl::unexpected(rows.error());
  if (rows->empty()) return std::string();
  const auto mover = read_text(object, "mover", player_id(Player::first));
  if (!mover) return tl::unexpected(mover.error());
  if (*mover != player_id(Player::first) && *mover != player_id(Player::second)) {
    return bad(Error{fmt::format("mover must be first or second, not {}", in_quotes(*mover))});
  }
  const auto game = read_game(object);
  if (!game) return tl::unexpected(game.error());
  const Notation& notation = (*game)->notation();
  const auto board = edited_board(notation, *rows, *mover == player_id(Player::first) ? Player::first : Player::second);
  if (!board) return tl::unexpected(error_response(422, "bad_position", board.error().message));
  return notation.position_text(*board);
}

Answer<Turn> read_steps(const Notation& notation, const Json& object, std::string_view name) {
  Turn turn;
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return turn;
  if (!found->is_array()) return bad(Error{fmt::format("{} must be a list of steps", name)});
  if (found->size() > max_steps) return bad(Error{fmt::format("{} has more than {} entries", name, max_steps)});
  for (const Json& item : *found) {
    const auto step = read_step(notation, item);
    if (!step) return bad(Error{fmt::format("{}, entry {}: {}", name, turn.size() + 1, step.error().message)});
    turn.push_back(*step);
  }
  return turn;
}

Answer<play::GameResult> read_result(const Json& body, const play::GameResult& missing) {
  const auto found = body.find("result");
  if (found == body.end() || found->is_null()) return missing;
  if (!found->is_object()) return bad(Error{"result must be an object with verdict and reason"});
  if (const auto known = only_fields(*found, {"verdict", "reason", "remark"}); !known) return bad(known.error());
  const auto verdict = read_text(*found, "verdict", name(missing.verdict));
  if (!verdict) return tl::unexpected(verdict.error());
  constexpr std::array verdicts = {Verdict::ongoing, Verdict::first_wins, Verdict::second_wins, Verdict::draw};
  const auto* const which =
      std::find_if(verdicts.begin(), verdicts.end(), [&](Verdict v) { return name(v) == *verdict; });
  if (which == verdicts.end()) {
    return bad(Error{
        fmt::format("{} is not a verdict: there are ongoing, first_wins, second_wins and draw", in_quotes(*verdict))});
  }
  const auto reason = read_text(*found, "reason", missing.reason);
  if (!reason) return tl::unexpected(reason.error());
  const auto remark = read_text(*found, "remark");
  if (!remark) return tl::unexpected(remark.error());
  return play::GameResult{*which, *reason, *remark};
}

Json refusal_in(const Language& language, const Notation& notation, const Refusal& refusal) {
  Json json = refusal_json(notation, refusal);
  json["message"] = language.catalogue->say(refusal.message);
  return json;
}

Response illegal(const Language& language, const Notation& notation, const Refusal& refusal, const Json& more) {
  Json details = refusal_json(notation, refusal);
  details.erase("message");
  details.update(more);
  return error_response(422, "illegal", language.catalogue->say(refusal.message), details);
}

Json outcome_in(const Language& language, const Session& session) {
  const Board board = session.board();
  const Outcome outcome = session.outcome();
  Json json = outcome_json(session.notation(), board, outcome);
  if (outcome.over()) json["sentence"] = language.catalogue->say(session.notation().ending(board, outcome).sentence);
  return json;
}

Response no_values(const Session& session) {
  return json_response({{"spec", session.notation().spec()},
                        {"position", session.position_text()},
                        {"table", nullptr},
                        {"value", nullptr},
                        {"moves", Json::array()}});
}

Response not_found(const Error& error) { return error_response(404, "not_found", error.message); }

Page::Page(std::string media_type, std::string text, std::string of_language)
    : type(std::move(media_type)),
      body(std::move(text)),
      language(std::move(of_language)),
      etag(fmt::format("\"{:016x}\"", std::hash<std::string>()(body))) {}

Response give(const Call& call, const Page& page) {
  Response response{.status = 200, .type = page.type, .body = {}, .headers = {{"ETag", page.etag}}};
  if (!page.language.empty()) response.headers.emplace_back("Content-Language", page.language);
  keep_for_an_hour(response);
  if (call.request.header("if-none-match").find(page.etag) != std::string_view::npos) {
    response.status = 304;
  } else {
    response.body = page.body;
  }
  return response;
}

void keep_for_an_hour(Response& response) { response.headers.emplace_back("Cache-Control", "public, max-age=3600"); }

}  // namespace paika::server
