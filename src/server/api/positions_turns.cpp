// Positions, their legal turns as a tree of steps, and what playing a turn does.
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/effect_text.hpp"
#include "engine/json.hpp"
#include "engine/scene.hpp"
#include "engine/turn_tree.hpp"
#include "server/api/positions_parts.hpp"
#include "server/api/positions_request.hpp"

namespace paika::server {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t default_limit = 200;
constexpr std::int64_t max_limit = 1'000;
/// No game without chains has as many turns; where there are more the rules are asked (engine/turn_tree.hpp).
constexpr std::size_t max_listed = 5'000;
/// Listing turns stops then; what can follow the first steps is found before.
constexpr std::chrono::milliseconds listing_time{300};
constexpr std::size_t effect_bytes = 120;  // about, as JSON

// ---- A position ----

Response describe(const Call& call) {
  const Json& body = call.body;
  if (const auto known = only_fields(body, {"spec", "position", "moves", "grid", "mover", "lang"}); !known)
    return bad_request(known.error());
  const auto language = read_language(body);
  if (!language) return language.error();
  const auto edited = read_grid(body);
  if (!edited) return edited.error();
  if (!edited->empty() && body.contains("position")) {
    return bad_request(Error{"a position is sent either as text in position or as rows in grid"});
  }
  Json where = body;
  if (!edited->empty()) where["position"] = *edited;
  const auto session = read_session(where);
  if (!session) return session.error();
  const Notation& notation = (*session)->notation();
  const Board board = (*session)->board();
  Json json = session_json(**session);
  json["mover"] = player_id(board.to_move);
  json["outcome"] = outcome_in(*language, **session);
  json["cells"] = cells_json(notation, board);
  json["badges"] = badges_json(notation, board);
  Json& facts = json["facts"] = Json::array();
  for (const Phrase& fact : notation.facts(board)) facts.push_back(language->catalogue->say(fact));
  json["sentence"] = language->catalogue->say(state_phrase(**session));
  json["moves_played"] = (*session)->turns_played();
  return json_response(json);
}

/// The outcome after a turn with these effects, and of a game that is over what brought its end about.
Json outcome_after(const Language& language, const Board& before, const std::vector<Effect>& effects,
                   const Session& after) {
  Json json = outcome_in(language, after);
  const Outcome outcome = after.outcome();
  if (!outcome.over()) return json;
  json["cause"] = cause_sentences(after.notation(), before, effects, outcome, *language.catalogue);
  return json;
}

// ---- Its turns ----

struct TurnsAsked {
  Turn prefix;
  std::size_t limit = 0;
  bool effects = false;
  Language language;
};

Answer<TurnsAsked> read_asked(const Notation& notation, const Json& body) {
  const auto prefix = read_steps(notation, body, "prefix");
  if (!prefix) return tl::unexpected(prefix.error());
  const auto limit = number_field(body, "limit", default_limit, 0, max_limit);
  if (!limit) return bad(limit.error());
  const auto effects = flag_field(body, "effects", false);
  if (!effects) return bad(effects.error());
  const auto language = read_language(body);
  if (!language) return tl::unexpected(language.error());
  return TurnsAsked{*prefix, static_cast<std::size_t>(*limit), *effects, *language};
}

/// The text of a turn, or null if it is only the beginning of one.
Json text_if(bool complete, const Session& session, const Board& board, const Turn& turn) {
  return complete ? Json(session.notation().turn_text(board, turn)) : Json(nullptr);
}

Json next_json(const Session& session, const Board& board, const Turn& prefix, const Following& following) {
  Json next = Json::array();
  Turn longer = prefix;
  longer.emplace_back();
  for (const Step& step : following.steps) {
    longer.back() = step;
    Json json = turn_json(session.notation(), {step}).front();
    json["move"] = text_if(!session.refuse(longer), session, board, longer);
    next.push_back(std::move(json));
  }
  return next;
}

/// Lists turns until there are enough of them, or it takes too long.
class Lister {
 public:
  Lister(const Session& session, const Board& board, const TurnsAsked& asked)
      : notation_(session.notation()),
        board_(board),
        asked_(asked),
        scratch_(session.clone()),
        until_(Clock::now() + listing_time) {}

  /// False if this one is not wanted any more.
  bool take(const Turn& turn) {
    if (turns_.size() >= asked_.limit || bytes_ > max_answer_bytes) return false;
    if (Clock::now() > until_) return false;
    Json json{{"move", notation_.turn_text(board_, turn)}, {"steps", turn_json(notation_, turn)}};
    scratch_->play(turn);
    json["position"] = scratch_->position_text();
    bytes_ += json["position"].get_ref<const std::string&>().size() + turn.size() * 40;
    const bool ends = scratch_->outcome().over();
    if (asked_.effects || ends) {
      const auto effects = notation_.effects(board_, turn);
      bytes_ += effects.size() * effect_bytes;
      if (asked_.effects) json["effects"] = effects_json(notation_, effects);
      if (ends) json["outcome"] = outcome_after(asked_.language, board_, effects, *scratch_);
    }
    scratch_->undo();
    turns_.push_back(std::move(json));
    return true;
  }
  [[nodiscard]] Json turns() && { return std::move(turns_); }

 private:
  const Notation& notation_;
  const Board& board_;
  const TurnsAsked& asked_;
  std::unique_ptr<Session> scratch_;  // the turns are tried here
  Clock::time_point until_;
  Json turns_ = Json::array();
  std::size_t bytes_ = 0;
};

Response list_turns(const Call& call) {
  const Json& body = call.body;
  if (const auto known = only_fields(body, {"spec", "position", "moves", "prefix", "limit", "effects", "lang"}); !known)
    return bad_request(known.error());
  const auto session = read_session(body);
  if (!session) return session.error();
  const auto asked = read_asked((*session)->notation(), body);
  if (!asked) return asked.error();
  const Board board = (*session)->board();
  const TurnTree tree(**session, max_listed);
  const Following following = tree.following(asked->prefix);
  Lister lister(**session, board, *asked);
  const bool all = tree.for_each_turn(asked->prefix, [&](const Turn& turn) { return lister.take(turn); });
  return json_response({{"spec", (*session)->notation().spec()},
                        {"position", (*session)->position_text()},
                        {"prefix", turn_json((*session)->notation(), asked->prefix)},
                        {"move", text_if(following.complete, **session, board, asked->prefix)},
                        {"next", next_json(**session, board, asked->prefix, following)},
                        {"moves", std::move(lister).turns()},
                        {"complete", all && tree.whole()},
                        {"truncated", following.cut}});
}

// ---- Playing one ----

/// The turn that was sent as text or as steps, if it may be played.
Answer<Turn> read_turn(const Session& session, const Json& body, const Language& language) {
  const auto text = read_text(body, "move");
  if (!text) return tl::unexpected(text.error());
  const auto steps = read_steps(session.notation(), body, "steps");
  if (!steps) return tl::unexpected(steps.error());
  if (text->empty() == steps->empty()) {
    return bad(Error{"a move is sent either as text in move or as a list of steps in steps"});
  }
  if (text->empty()) {
    if (const auto refusal = session.refuse(*steps))
      return tl::unexpected(illegal(language, session.notation(), *refusal));
    return *steps;
  }
  auto turn = session.read_turn(*text);
  if (!turn) return tl::unexpected(illegal(language, session.notation(), turn.error()));
  return std::move(*turn);
}

Response play_turn(const Call& call) {
  const Json& body = call.body;
  if (const auto known = only_fields(body, {"spec", "position", "moves", "move", "steps", "lang"}); !known)
    return bad_request(known.error());
  const auto language = read_language(body);
  if (!language) return language.error();
  const auto session = read_session(body);
  if (!session) return session.error();
  const auto turn = read_turn(**session, body, *language);
  if (!turn) return turn.error();
  const Notation& notation = (*session)->notation();
  const Board before = (*session)->board();
  const auto effects = notation.effects(before, *turn);
  (*session)->play(*turn);
  const Board after = (*session)->board();
  return json_response({{"spec", notation.spec()},
                        {"move", notation.turn_text(before, *turn)},
                        {"steps", turn_json(notation, *turn)},
                        {"effects", effects_json(notation, effects)},
                        {"sentences", effect_sentences(notation, before, effects, *language->catalogue)},
                        {"position", (*session)->position_text()},
                        {"grid", grid_json(notation, after)},
                        {"mover", player_id(after.to_move)},
                        {"outcome", outcome_after(*language, before, effects, **session)},
                        {"badges", badges_json(notation, after)},
                        {"sentence", language->catalogue->say(state_phrase(**session))}});
}

}  // namespace

std::vector<Route> turn_routes() {
  const auto route = [](std::string pattern, Response (*handler)(const Call&)) {
    return Route{"POST", std::move(pattern), Rate::position, Need::nobody, PureHandler{handler}};
  };
  return {route("/api/position", describe), route("/api/position/moves", list_turns),
          route("/api/position/play", play_turn)};
}

}  // namespace paika::server
