// `paika best`: the computer's choice in a position, with its reasons.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <new>
#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "apps/stderr.hpp"
#include "apps/tables_input.hpp"
#include "base/text.hpp"
#include "engine/effect_text.hpp"
#include "engine/engine.hpp"
#include "engine/json.hpp"
#include "engine/opening_book.hpp"

namespace paika::apps {

namespace {

constexpr Milliseconds default_time{1000};

SearchLimits limits_of(const BestArgs& args) {
  SearchLimits limits;
  if (args.depth > 0) limits.depth = args.depth;
  if (args.nodes > 0) limits.nodes = static_cast<std::uint64_t>(args.nodes);
  if (args.time_ms > 0) limits.move_time = Milliseconds(args.time_ms);
  if (!limits.depth && !limits.nodes && !limits.move_time) limits.move_time = default_time;
  return limits;
}

SearchSettings settings_of(const BestArgs& args) {
  SearchSettings settings;
  settings.threads = args.threads;
  settings.hash_mb = args.hash_mb;
  settings.tables = tables_folder(args.tables);
  settings.level = args.level;
  settings.lines = args.lines;
  settings.seed = static_cast<std::uint64_t>(args.seed);
  settings.book = args.book;
  settings.book_shown_only = true;
  return settings;
}

std::uint64_t per_second(const SearchInfo& t) {
  return t.nodes * 1000 / static_cast<std::uint64_t>(std::max<Milliseconds::rep>(t.time.count(), 1));
}

void print_json(const Session& session, const Decision& decision) {
  const SearchInfo& t = decision.info;
  Json json{{"spec", session.notation().spec()}, {"position", session.position_text()}, {"move", decision.text}};
  json["lines"] = Json::array();
  for (const InfoLine& line : t.lines) json["lines"].push_back(line_json(line));
  json["reasons"] = Json::array();
  for (const Reason& reason : decision.reasons)
    json["reasons"].push_back({{"name", reason.name}, {"value", reason.value}});
  if (!decision.table.empty()) json["table"] = decision.table;
  json["depth"] = t.depth;
  json["selective_depth"] = t.selective_depth;
  json["nodes"] = t.nodes;
  json["time_ms"] = t.time.count();
  json["nodes_per_second"] = per_second(t);
  json["table_permille"] = t.table_permille;
  fmt::print("{}\n", json.dump(2));
}

/// The lines with their scores for `whose`.
void print_lines(const std::vector<InfoLine>& lines, Player mover, Player whose) {
  for (InfoLine line : lines) {
    const int sign = whose == mover ? 1 : -1;
    line.score *= sign;
    fmt::print("{}\t{}{}\n", line.texts.front(), score_text(line),
               line.book ? "\tbook " + score_text(sign * *line.book) : "");
  }
  std::fflush(stdout);
}

void print_text(const Session& session, const Decision& decision, bool for_mover) {
  const SearchInfo& t = decision.info;
  const Player mover = session.board().to_move;
  const Player whose = for_mover ? mover : Player::first;
  print_lines(t.lines, mover, whose);
  to_stderr(fmt::format("scores are for {}, who {}\n", session.notation().player_name(whose),
                        for_mover ? "is to move" : "moves first in the game"));
  if (!decision.table.empty()) {
    to_stderr(fmt::format("perfect play, from the table {}\nline: {}\n", decision.table,
                          fmt::join(t.lines.front().texts, " ")));
    return;
  }
  to_stderr(fmt::format("depth {}, longest line {}, {} positions in {} ms ({} per second)\n", t.depth,
                        t.selective_depth, t.nodes, t.time.count(), per_second(t)));
  const InfoLine& best = t.lines.front();
  const char* const certainty = best.at_most ? " (proven)" : best.exact ? " (exact)" : "";
  to_stderr(fmt::format("expects: {}{}\n", fmt::join(best.texts, " "), certainty));
  if (best.exact) return;
  const std::string reasons = reasons_text(decision.reasons, 6);
  to_stderr(fmt::format("at the end of this line it sees: {}\n",
                        reasons.empty() ? "nothing that counts in the evaluation" : reasons));
}

}  // namespace

int run_best(const BestArgs& args) {
  if (args.view != "first" && args.view != "mover") {
    return complain(fmt::format("--view takes first or mover, not {}", in_quotes(args.view)));
  }
  const auto opened = open_position(args.at);
  if (!opened) return complain(opened.error().message);
  const Session& session = **opened;
  if (const Outcome outcome = session.outcome(); outcome.over()) {
    to_stderr(fmt::format("paika: the game is over: {}\n",
                          session.notation().ending(session.board(), outcome).sentence.english()));
    return finish(exit_no);
  }
  if (const auto book = choose_book(session.notation().spec(), args.book); !book) {
    return complain("--book: " + book.error().message);
  }
  try {
    const auto engine = session.game().engine(settings_of(args));
    const Decision decision = engine->think(session, limits_of(args));
    args.at.json ? print_json(session, decision) : print_text(session, decision, args.view == "mover");
  } catch (const std::bad_alloc&) {
    return complain(fmt::format("there is not enough memory for --hash {}", args.hash_mb));
  }
  return finish(exit_done);
}

}  // namespace paika::apps
