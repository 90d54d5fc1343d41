#include "study/full_width.hpp"

#include <algorithm>
#include <climits>
#include <memory>
#include <stop_token>

#include "engine/engine.hpp"

namespace paika::study {

namespace {

/// Everything that could overlook a move is off.
SearchSettings careful_settings() {
  SearchSettings settings;
  settings.threads = 0;
  settings.hash_mb = 16;
  settings.features.reductions = false;
  settings.features.null_move = false;
  settings.features.futility = false;
  settings.features.probcut = false;
  return settings;
}

/// Of a win that a search to `depth` found first: no search before found one, so it does not come sooner than there.
MoveValue value_of(const InfoLine& line, int depth) {
  if (!is_won(line.score) && !is_lost(line.score)) return {};
  const bool counted = is_win(line.score) || is_loss(line.score);
  const bool known = counted && (!line.at_most || (is_win(line.score) && plies_to(line.score) <= depth));
  return {is_won(line.score) ? ValueKind::win : ValueKind::loss, known ? plies_to(line.score) : 0,
          known ? Measure::turns : Measure::none};
}

bool wins(const InfoLine& line) { return line.exact && is_win(line.score); }

/// In how many turns the soonest win is there; INT_MAX if there is none.
int soonest_win(const SearchInfo& info) {
  int turns = INT_MAX;
  for (const InfoLine& line : info.lines) {
    if (wins(line)) turns = std::min(turns, plies_to(line.score));
  }
  return turns;
}

/// Less than a win in so many turns: not decided, or surely won later.
bool falls_short(const InfoLine& line, int soonest) {
  return !line.exact || (wins(line) && !line.at_most && plies_to(line.score) > soonest);
}

/// Deepens until all moves are decided, or until everything was looked at as far ahead as the soonest win is: then no
/// other move wins as soon.
std::vector<OracleTurn> decided_turns(Engine& engine, const Session& session, const FullWidthLimits& limits) {
  const std::uint64_t count = session.count_turns_up_to(max_lines + 1);
  std::vector<OracleTurn> turns;
  if (count == 0 || count > max_lines) return turns;
  SearchSettings settings = careful_settings();
  settings.lines = static_cast<int>(count);
  engine.set(settings);
  engine.forget();
  std::stop_source enough;
  const auto decided = [&](const SearchInfo& info) {
    const auto& lines = info.lines;
    if (lines.size() != count) return false;
    const int soonest = soonest_win(info);
    return soonest == INT_MAX ? std::all_of(lines.begin(), lines.end(), [](const InfoLine& line) { return line.exact; })
                              : soonest <= info.depth;
  };
  SearchInfo info;
  const auto on_progress = [&](const SearchInfo& now) {
    if (enough.stop_requested() || !decided(now)) return;
    info = now;
    enough.request_stop();
  };
  SearchLimits search;
  search.depth = limits.depth;
  search.nodes = limits.nodes;
  static_cast<void>(engine.think(session, search, enough.get_token(), on_progress));
  const int soonest = soonest_win(info);
  for (const InfoLine& line : info.lines) {
    turns.push_back({line.texts.front(), falls_short(line, soonest) ? MoveValue{ValueKind::draw, 0, Measure::none}
                                                                    : value_of(line, info.depth)});
  }
  return turns;
}

}  // namespace

Oracle full_width_oracle(const Game& game, FullWidthLimits limits) {
  const std::shared_ptr<Engine> engine = game.engine(careful_settings());
  return [engine, limits](const Session& session) -> Result<std::vector<OracleTurn>> {
    return decided_turns(*engine, session, limits);
  };
}

}  // namespace paika::study
