#include "study/full_width.hpp"

#include <algorithm>
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

MoveValue value_of(const InfoLine& line) {
  if (!is_won(line.score) && !is_lost(line.score)) return {};
  const bool known = !line.at_most && (is_win(line.score) || is_loss(line.score));
  return {is_won(line.score) ? ValueKind::win : ValueKind::loss, known ? plies_to(line.score) : 0,
          known ? Measure::turns : Measure::none};
}

bool wins(const InfoLine& line) { return line.exact && is_win(line.score); }

/// Deepens until all moves are decided, or some win by force. Those that win are proven; the others do not win within
/// as many moves, for the search has looked at everything so far ahead.
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
    return std::any_of(lines.begin(), lines.end(), wins) ||
           std::all_of(lines.begin(), lines.end(), [](const InfoLine& line) { return line.exact; });
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
  for (const InfoLine& line : info.lines) {
    // What is not decided does not win so soon; it counts as less than a win, and says no more.
    turns.push_back({line.texts.front(), line.exact ? value_of(line) : MoveValue{ValueKind::draw, 0, Measure::none}});
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
