#include "engine/exact.hpp"

#include <algorithm>
#include <utility>

#include "engine/module.hpp"

namespace paika {

namespace {

constexpr int points_per_disc = 100;  // of a score

int squares_of(const Board& board) { return board.cells.cols() * board.cells.rows(); }

}  // namespace

bool solved_by_search(const Game& game) { return module_of(game).exact_squares > 0; }

int empty_squares(const Board& board) {
  return count_cells(board, [](const Cell& cell) { return cell.owner == Owner::nobody; });
}

Result<std::unique_ptr<ExactSearch>> ExactSearch::open(const Game& game, int threads, int hash_mb) {
  const int max_squares = module_of(game).exact_squares;
  if (squares_of(game.notation().initial()) > max_squares) {
    return fail("{} is too large: exact endings are searched on boards of at most {} squares", game.notation().spec(),
                max_squares);
  }
  SearchSettings settings;
  settings.threads = threads;
  settings.hash_mb = hash_mb;
  return std::unique_ptr<ExactSearch>(new ExactSearch(game, settings));
}

ExactSearch::ExactSearch(const Game& game, const SearchSettings& settings)
    : settings_(settings), engine_(game.engine(settings)) {}

Result<SearchInfo> ExactSearch::info(const Session& session, int lines, const std::stop_token& stop) {
  if (lines != settings_.lines) {
    settings_.lines = lines;
    engine_->set(settings_);
  }
  SearchLimits limits;
  limits.depth = squares_of(session.board());  // no game is longer
  SearchInfo found = engine_->think(session, limits, stop).info;
  const bool exact = std::all_of(found.lines.begin(), found.lines.end(), [](const auto& line) { return line.exact; });
  if (!exact) return fail("stopped before the value was known; an interrupted search starts over");
  return found;
}

Result<std::vector<ExactTurn>> ExactSearch::turns(const Session& session, const std::stop_token& stop) {
  std::vector<ExactTurn> turns;
  if (session.outcome().over()) return turns;
  const auto found = info(session, static_cast<int>(session.count_turns()), stop);
  if (!found) return tl::unexpected(found.error());
  for (const InfoLine& line : found->lines) turns.push_back({line.texts.front(), line.score / points_per_disc});
  std::sort(turns.begin(), turns.end(), [](const ExactTurn& a, const ExactTurn& b) {
    return a.margin != b.margin ? a.margin > b.margin : a.text < b.text;
  });
  return turns;
}

Result<ExactLine> ExactSearch::best(const Session& session, const std::stop_token& stop) {
  ExactLine line;
  bool first = true;
  const auto scratch = session.game().start_from(session.board());
  // The rest of a search's line comes from its memory, which holds bounds too; only its first move is certain.
  while (!scratch->outcome().over()) {
    const auto found = info(*scratch, 1, stop);
    if (!found) return tl::unexpected(found.error());
    const InfoLine& next = found->lines.front();
    if (std::exchange(first, false)) line.margin = next.score / points_per_disc;
    scratch->play(next.turns.front());
    line.turns.push_back(next.texts.front());
  }
  return line;
}

}  // namespace paika
