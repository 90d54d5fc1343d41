// Jobs and finished games as JSON, for the results file and for workers.
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "play/record.hpp"
#include "tournament/job.hpp"

namespace paika::tournament {

namespace {

/// The whole number under a key. What the library makes of other numbers is undefined where they are large; these are
/// errors here. Throws Json::exception.
template <class Integer>
Integer integer_at(const Json& json, const char* key) {
  const Json& value = json.at(key);
  if (!value.is_number_integer()) throw Json::type_error::create(302, "whole numbers only", &value);
  return value.get<Integer>();
}

Json policy_json(const protocols::SandboxPolicy& policy) {
  const sandbox::BotLimits& limits = policy.confinement.limits;
  return {{"margin_ms", policy.margin.count()},
          {"start_ms", policy.to_start.count()},
          {"stall_ms", policy.stall_after.count()},
          {"memory", limits.memory},
          {"written", limits.written},
          {"output", limits.output},
          {"processes", limits.processes},
          {"open_files", limits.open_files},
          {"cpu_seconds", limits.cpu_seconds},
          {"processors", limits.processors}};
}

protocols::SandboxPolicy read_policy(const Json& json) {
  protocols::SandboxPolicy policy;
  sandbox::BotLimits& limits = policy.confinement.limits;
  policy.margin = Milliseconds(integer_at<std::int64_t>(json, "margin_ms"));
  policy.to_start = Milliseconds(integer_at<std::int64_t>(json, "start_ms"));
  policy.stall_after = Milliseconds(integer_at<std::int64_t>(json, "stall_ms"));
  limits.memory = integer_at<std::uint64_t>(json, "memory");
  limits.written = integer_at<std::uint64_t>(json, "written");
  limits.output = integer_at<std::uint64_t>(json, "output");
  limits.processes = integer_at<int>(json, "processes");
  limits.open_files = integer_at<int>(json, "open_files");
  limits.cpu_seconds = integer_at<int>(json, "cpu_seconds");
  limits.processors = integer_at<int>(json, "processors");
  return policy;
}

Json side_json(const SideReport& side) {
  Json json{{"turns", side.turns}, {"total_us", side.total_us}, {"slowest_us", side.slowest_us}, {"log", side.log}};
  if (side.max_over_us) json["max_over_us"] = *side.max_over_us;
  return json;
}

SideReport read_side(const Json& json) {
  SideReport side;
  side.turns = integer_at<int>(json, "turns");
  side.total_us = integer_at<std::int64_t>(json, "total_us");
  side.slowest_us = integer_at<std::int64_t>(json, "slowest_us");
  side.log = json.at("log").get<std::string>();
  if (json.contains("max_over_us")) side.max_over_us = integer_at<std::int64_t>(json, "max_over_us");
  return side;
}

FinishedGame read_fields(const Json& json) {
  FinishedGame game;
  game.id = json.at("id").get<std::string>();
  game.spec = json.at("spec").get<std::string>();
  game.players = json.at("players").get<std::array<std::string, 2>>();
  game.reason = play::read_reason(json.at("reason").get<std::string>());
  game.failure = json.at("failure").get<std::string>();
  game.evidence = json.at("evidence").get<std::string>();
  game.record = json.at("record").get<std::string>();
  for (std::size_t side = 0; side < 2; ++side) game.sides[side] = read_side(json.at("sides").at(side));
  game.sandbox = json.at("sandbox").get<std::string>();
  game.worker = json.at("worker").get<std::string>();
  game.ended = integer_at<std::int64_t>(json, "ended");
  return game;
}

}  // namespace

Json to_json(const FinishedGame& game) {
  return {{"id", game.id},
          {"spec", game.spec},
          {"players", game.players},
          {"result", name(game.verdict)},
          {"reason", game.reason},
          {"failure", game.failure},
          {"evidence", game.evidence},
          {"record", game.record},
          {"sides", {side_json(game.sides[0]), side_json(game.sides[1])}},
          {"sandbox", game.sandbox},
          {"worker", game.worker},
          {"ended", game.ended}};
}

Result<FinishedGame> read_finished(const Json& json) {
  try {
    FinishedGame game = read_fields(json);
    const auto result = json.at("result").get<std::string>();
    bool known = false;
    for (const Verdict verdict : {Verdict::first_wins, Verdict::second_wins, Verdict::draw}) {
      if (name(verdict) != result) continue;
      game.verdict = verdict;
      known = true;
    }
    if (!known) return fail("{} is not the result of a game", in_quotes(result));
    const auto records = play::parse_records(game.record);
    if (!records) return fail("the record of {}: {}", game.id, records.error().message);
    if (records->size() != 1 || records->front().spec != game.spec || records->front().players != game.players ||
        records->front().result.verdict != game.verdict) {
      return fail("the record of {} is not of that game", in_quotes(game.id));
    }
    return game;
  } catch (const Json::exception& error) {
    return fail("this is not a finished game: {}", in_quotes(error.what(), 200));
  }
}

Json to_json(const GameJob& job) {
  Json players = Json::array();
  for (const JobPlayer& player : job.players) {
    players.push_back({{"name", player.name}, {"player", player.text}, {"protocol", protocols::name(player.protocol)}});
  }
  return {{"id", job.id},
          {"spec", job.spec},
          {"start", job.start},
          {"opening", job.opening},
          {"number", job.number},
          {"max_turns", job.max_turns},
          {"settings", job.settings},
          {"max_total_ms", job.max_total.count()},
          {"players", players},
          {"policy", policy_json(job.policy)}};
}

Result<GameJob> read_job(const Json& json) {
  try {
    GameJob job;
    job.id = json.at("id").get<std::string>();
    job.spec = json.at("spec").get<std::string>();
    job.start = json.at("start").get<std::string>();
    job.opening = json.at("opening").get<std::vector<std::string>>();
    job.number = integer_at<std::uint64_t>(json, "number");
    job.max_turns = integer_at<int>(json, "max_turns");
    job.settings = json.at("settings").get<std::string>();
    job.max_total = Milliseconds(integer_at<std::int64_t>(json, "max_total_ms"));
    for (std::size_t side = 0; side < 2; ++side) {
      const Json& player = json.at("players").at(side);
      job.players[side].name = player.at("name").get<std::string>();
      job.players[side].text = player.at("player").get<std::string>();
      const auto protocol = protocols::read_protocol(player.at("protocol").get<std::string>());
      if (!protocol) return tl::unexpected(protocol.error());
      job.players[side].protocol = *protocol;
    }
    job.policy = read_policy(json.at("policy"));
    return job;
  } catch (const Json::exception& error) {
    return fail("this is not a job: {}", in_quotes(error.what(), 200));
  }
}

}  // namespace paika::tournament
