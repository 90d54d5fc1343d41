#include "server/classes/class_access.hpp"

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "server/http/answers.hpp"

namespace paika::server {

namespace {

Json time_or_null(WallTime time) { return time == 0 ? Json(nullptr) : Json(time); }

}  // namespace

Entered<SeenClass> enter_class(ClassStore& classes, const Call& call) {
  auto row = classes.find(call.params.at("class"));
  const PersonId person = call.person ? call.person->id : 0;
  const bool teacher = row && row->teacher == person;
  // Others do not learn whether it exists.
  if (!row || (!teacher && !classes.member(row->id, person))) {
    return refuse(404, "no_class", "you are in no such class");
  }
  return SeenClass{std::move(*row), person, teacher};
}

Entered<SeenClass> enter_as_teacher(ClassStore& classes, const Call& call) {
  auto in = enter_class(classes, call);
  if (in && !in->teacher) return refuse(403, "teacher_only", "only the teacher of the class may do that");
  return in;
}

Entered<BotRow> find_bot(ClassStore& classes, const SeenClass& in, const Call& call) {
  const auto id = parse_int(call.params.at("bot"));
  auto bot = id ? classes.bot(*id) : std::nullopt;
  if (!bot || bot->class_id != in.row.id) return refuse(404, "no_bot", "there is no such bot in this class");
  return std::move(*bot);
}

bool takes_bots(const ClassRow& in, WallTime now) {
  return in.state == ClassState::open && (in.deadline == 0 || now <= in.deadline);
}

Json class_json(const SeenClass& in, WallTime now) {
  const ClassRow& row = in.row;
  Json json = {{"id", row.id},
               {"name", row.name},
               {"spec", row.spec},
               {"teacher", row.teacher_name},
               {"role", in.teacher ? "teacher" : "member"},
               {"state", name(row.state)},
               {"takes_bots", takes_bots(row, now)},
               {"deadline_ms", time_or_null(row.deadline)},
               {"move_ms", row.turn_ms},
               {"memory_mb", row.memory_mb},
               {"uploads_per_day", row.uploads_per_day},
               {"pairs", row.pairs},
               {"created_ms", row.created}};
  if (in.teacher) json["code"] = row.code;
  return json;
}

Json standing_json(const SeenClass& in, const BotRow& bot) {
  return {{"bot", bot.id},
          {"name", bot.name},
          {"owner", bot.owner},
          {"number", bot.number},
          {"mine", bot.person == in.viewer},
          {"rating", bot.rating.value},
          {"deviation", bot.rating.deviation},
          {"games", bot.games()},
          {"wins", bot.wins},
          {"draws", bot.draws},
          {"losses", bot.losses}};
}

Json bot_json(const BotRow& bot) {
  return {{"bot", bot.id},
          {"name", bot.name},
          {"owner", bot.owner},
          {"number", bot.number},
          {"protocol", bot.protocol},
          {"build", bot.build},
          {"run", bot.run},
          {"state", name(bot.state)},
          {"report", bot.report},
          {"created_ms", bot.created},
          {"rating", bot.rating.value},
          {"deviation", bot.rating.deviation},
          {"games", bot.games()},
          {"wins", bot.wins},
          {"draws", bot.draws},
          {"losses", bot.losses}};
}

Json game_json(const LadderGameRow& game) {
  Json bots = Json::array();
  for (std::size_t side = 0; side < 2; ++side) {
    bots.push_back(
        {{"bot", game.bots.at(side) == 0 ? Json(nullptr) : Json(game.bots.at(side))}, {"name", game.names.at(side)}});
  }
  return {{"game", game.id},
          {"bots", bots},
          {"verdict", game.verdict},
          {"reason", game.reason},
          {"failure", game.failure.empty() ? Json(nullptr) : Json(game.failure)},
          {"moves", game.turns},
          {"ended_ms", game.ended}};
}

}  // namespace paika::server
