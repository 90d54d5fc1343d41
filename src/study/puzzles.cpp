#include "study/puzzles.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/text.hpp"
#include "engine/diagram.hpp"
#include "engine/exact.hpp"
#include "engine/module.hpp"

namespace paika::study {

namespace {

constexpr std::string_view header = "id\tspec\tposition\tgoal\tsolution\tlevel\tthemes\tproof";
constexpr std::array<std::string_view, 3> proof_names = {"table", "proof", "ending"};

Result<Puzzle> parse_line(std::string_view line) {
  const auto fields = split(line, '\t');
  const std::size_t expected = split(header, '\t').size();
  if (fields.size() != expected) return fail("there are {} columns; {} are needed", fields.size(), expected);
  Puzzle puzzle{std::string(fields[0]),
                std::string(fields[1]),
                std::string(fields[2]),
                ValueKind::win,
                std::string(fields[4]),
                1,
                {},
                std::string(fields[7])};
  if (puzzle.id.empty()) return fail("the id is empty");
  if (fields[3] != "win" && fields[3] != "draw") return fail("the goal is win or draw, not {}", in_quotes(fields[3]));
  if (fields[3] == "draw") puzzle.goal = ValueKind::draw;
  const auto level = parse_int(fields[5]);
  if (!level || *level < 1 || *level > max_puzzle_level)
    return fail("the level is a whole number from 1 to {}, not {}", max_puzzle_level, in_quotes(fields[5]));
  puzzle.level = static_cast<int>(*level);
  if (!fields[6].empty()) {
    for (const std::string_view theme : split(fields[6], ',')) puzzle.themes.emplace_back(theme);
  }
  if (std::find(proof_names.begin(), proof_names.end(), fields[7]) == proof_names.end())
    return fail("the proof is table, proof or ending, not {}", in_quotes(fields[7]));
  return puzzle;
}

}  // namespace

std::string puzzles_text(std::span<const Puzzle> puzzles) {
  std::string out = fmt::format("{}\n", header);
  for (const Puzzle& p : puzzles) {
    out += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", p.id, p.spec, p.position, name(p.goal), p.solution, p.level,
                       fmt::join(p.themes, ","), p.proof);
  }
  return out;
}

Result<std::vector<Puzzle>> parse_puzzles(std::string_view text) {
  std::vector<Puzzle> puzzles;
  std::set<std::string> ids;
  std::size_t number = 0;
  const auto lines = split(text, '\n');
  for (std::string_view line : lines) {
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (number == 1) {
      if (line == header) continue;
      return fail("line 1: the columns are {}", fmt::join(split(header, '\t'), ", "));
    }
    if (line.empty() && number == lines.size()) continue;
    auto puzzle = parse_line(line);
    if (!puzzle) return fail("line {}: {}", number, puzzle.error().message);
    if (!ids.insert(puzzle->id).second) return fail("line {}: the id {} is there twice", number, in_quotes(puzzle->id));
    puzzles.push_back(std::move(*puzzle));
  }
  return puzzles;
}

std::optional<OnlyMove> only_move(std::span<const OracleTurn> turns) {
  const auto count = [&](ValueKind kind) {
    return std::count_if(turns.begin(), turns.end(), [&](const OracleTurn& turn) { return turn.value.kind == kind; });
  };
  if (turns.size() < 2) return std::nullopt;
  const ValueKind goal = count(ValueKind::win) > 0 ? ValueKind::win : ValueKind::draw;
  if (count(goal) != 1) return std::nullopt;
  const auto found =
      std::find_if(turns.begin(), turns.end(), [&](const OracleTurn& turn) { return turn.value.kind == goal; });
  return OnlyMove{goal, found->text, found->value};
}

std::string canonical_position(const Notation& notation, const Board& board) {
  std::string least;
  for (const Symmetry symmetry : notation.symmetries()) {
    Board image = transformed(board, symmetry);
    image.counters = {};
    std::string text = notation.position_text(image);
    if (least.empty() || text < least) least = std::move(text);
  }
  return least;
}

Result<void> verify_puzzle(const Game& game, const Puzzle& puzzle, const Oracle& oracle) {
  const auto session = game.start_from_text(puzzle.position);
  if (!session) return tl::unexpected(session.error());
  const auto turn = (*session)->read_turn(puzzle.solution);
  if (!turn) return fail("{}: {}", in_quotes(puzzle.solution), refusal_sentence(game.notation(), turn.error()));
  const auto turns = oracle(**session);
  if (!turns) return tl::unexpected(turns.error());
  if (turns->empty()) return fail("the value of its moves is not known");
  std::vector<std::string> solutions;
  for (const OracleTurn& t : *turns) {
    const bool reaches =
        t.value.kind == puzzle.goal || (puzzle.goal == ValueKind::draw && t.value.kind == ValueKind::win);
    if (reaches) solutions.push_back(t.text);
  }
  if (solutions.size() > 1) return fail("it has {} solutions: {}", solutions.size(), fmt::join(solutions, ", "));
  const auto only = only_move(*turns);
  if (!only || only->goal != puzzle.goal) return fail("no move reaches a {} alone", name(puzzle.goal));
  const std::string text = game.notation().turn_text((*session)->board(), *turn);
  if (only->text != text) return fail("the solution is {}, not {}", only->text, text);
  return {};
}

// ---- Themes ----

namespace {

/// The size of the region of empty squares that a square belongs to, corners touching.
int empty_region(const Board& board, Square start) {
  std::vector<Square> queue{start};
  std::set<std::pair<int, int>> seen{{start.col, start.row}};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (int dc = -1; dc <= 1; ++dc) {
      for (int dr = -1; dr <= 1; ++dr) {
        const Square s{queue[i].col + dc, queue[i].row + dr};
        const bool inside = s.col >= 0 && s.row >= 0 && s.col < board.cells.cols() && s.row < board.cells.rows();
        if (!inside || board.cells[s].owner != Owner::nobody || !seen.insert({s.col, s.row}).second) continue;
        queue.push_back(s);
      }
    }
  }
  return static_cast<int>(queue.size());
}

bool is_corner(const Board& board, Square s) {
  return (s.col == 0 || s.col == board.cells.cols() - 1) && (s.row == 0 || s.row == board.cells.rows() - 1);
}

/// What is called after an effect.
std::string_view theme_of(EffectKind kind) {
  switch (kind) {
    case EffectKind::captured: return "capture";
    case EffectKind::pushed: return "push";
    case EffectKind::flung: return "fling";
    case EffectKind::poisoned: return "poison";
    case EffectKind::transformed: return "transformation";
    case EffectKind::swept: return "sweep";
    case EffectKind::teleported: return "teleport";
    case EffectKind::exploded: return "explosion";
    case EffectKind::sacrificed: return "sacrifice";
    default: return "";
  }
}

void add_theme(std::vector<std::string>& themes, std::string_view theme) {
  if (!theme.empty() && std::find(themes.begin(), themes.end(), theme) == themes.end()) themes.emplace_back(theme);
}

/// Themes of placings on boards that fill up.
void add_placing_themes(std::vector<std::string>& themes, const Board& board, Square square) {
  if (is_corner(board, square)) add_theme(themes, "corner");
  const int region = empty_region(board, square);
  if (region % 2 == 1 && region < empty_squares(board)) add_theme(themes, "parity");
}

}  // namespace

std::vector<std::string> themes_of(const Session& session, const OnlyMove& only) {
  std::vector<std::string> themes;
  const Notation& notation = session.notation();
  const Board board = session.board();
  const auto turn = session.read_turn(only.text);
  if (!turn) return themes;
  bool taken = false;
  for (const Effect& effect : notation.effects(board, *turn)) {
    add_theme(themes, theme_of(effect.kind));
    taken = taken || (effect.from && !effect.to) || effect.kind == EffectKind::flipped;
  }
  const auto steps = std::count_if(turn->begin(), turn->end(), [](const Step& s) { return s.kind == StepKind::to; });
  if (steps >= 3) add_theme(themes, "chain");
  if (turn->front().kind == StepKind::place) add_placing_themes(themes, board, turn->front().square);
  if (!taken && themes.empty() && turn->front().kind != StepKind::place) add_theme(themes, "quiet");
  if (only.goal == ValueKind::draw) add_theme(themes, "defence");
  if (only.value.measure == Measure::turns && only.goal == ValueKind::win) {
    constexpr int far = 9;
    if (only.value.amount == 1) add_theme(themes, "one-move");
    if (only.value.amount >= far) add_theme(themes, "long");
  }
  return themes;
}

// ---- Making ----

PuzzleMaker::PuzzleMaker(GamePtr game, std::vector<PuzzleProof> proofs, const PuzzleSettings& settings)
    : game_(std::move(game)), proofs_(std::move(proofs)), settings_(settings), random_(settings.seed) {
  SearchSettings search;
  search.threads = 0;
  search.hash_mb = 4;
  grader_ = game_->engine(search);
}

namespace {

bool has_many_kinds(const Notation& notation) {
  constexpr std::size_t many = 4;
  return notation.all_pieces().size() > many;
}

/// The pieces of the start, half of them, anywhere on the board.
Board scattered(const Notation& notation, Random& random) {
  Board board = notation.initial();
  std::vector<Cell> pieces;
  std::vector<Square> free;
  board.cells.for_each_square([&](Square s) {
    const Cell empty = notation.empty_cell(s);
    if (board.cells[s].owner != Owner::nobody && random.one_in(2)) pieces.push_back(board.cells[s]);
    board.cells[s] = empty;
    if (empty == Cell{}) free.push_back(s);
  });
  for (const Cell& piece : pieces) {
    if (free.empty()) break;
    const std::size_t at = random.index(free.size());
    board.cells[free[at]] = piece;
    free[at] = free.back();
    free.pop_back();
  }
  return board;
}

}  // namespace

/// A game from its start. Games with many kinds of pieces are long and quiet; there it begins with scattered pieces.
std::unique_ptr<Session> PuzzleMaker::begin() {
  constexpr int max_tries = 50;
  const Notation& notation = game_->notation();
  for (int tries = 0; tries < max_tries && has_many_kinds(notation); ++tries) {
    auto session = game_->start_from_text(notation.position_text(scattered(notation, random_)));
    if (session && !(*session)->outcome().over()) return std::move(*session);
  }
  return game_->start();
}

Result<std::vector<Puzzle>> PuzzleMaker::play_on() {
  std::vector<Puzzle> found;
  const auto session = begin();
  const bool endings = solved_by_search(*game_);
  // Looking at every position of a game would make its puzzles neighbours.
  int next = settings_.min_plies + static_cast<int>(random_.below(static_cast<std::uint64_t>(settings_.min_plies) + 1));
  constexpr int plies_when_scattered = 6;
  const int max_plies = has_many_kinds(game_->notation()) ? plies_when_scattered : settings_.max_plies;
  for (int ply = 0; ply < max_plies && !session->outcome().over(); ++ply) {
    std::vector<Turn> turns;
    session->for_each_turn([&](const ListedTurn& turn) {
      turns.push_back(turn.steps);
      return turns.size() <= static_cast<std::size_t>(settings_.max_turns);
    });
    const bool near = !endings || empty_squares(session->board()) <= settings_.max_empty;
    const auto count = static_cast<int>(turns.size());
    if (ply >= next && near && count >= settings_.min_turns && count <= settings_.max_turns) {
      auto puzzle = look_at(*session);
      if (!puzzle) return tl::unexpected(puzzle.error());
      if (*puzzle) found.push_back(std::move(**puzzle));
      next = ply + (*puzzle ? 4 : 1);
    }
    play_one(*session, turns);
  }
  return found;
}

/// By chance, but half the time a capture if there is one, and seldom a move that ends the game: games of random moves
/// alone are unlike any that people play, and short.
void PuzzleMaker::play_one(Session& session, const std::vector<Turn>& turns) {
  constexpr int max_tries = 8;
  for (int tries = 0; tries < max_tries; ++tries) {
    const Turn& turn = turns[random_.index(turns.size())];
    const auto effects = session.notation().effects(session.board(), turn);
    const bool takes = std::any_of(effects.begin(), effects.end(), [](const Effect& e) { return e.from && !e.to; });
    if (!takes && random_.one_in(2)) continue;
    session.play(turn);
    if (!session.outcome().over()) return;
    session.undo();
  }
  session.play(turns[random_.index(turns.size())]);
}

Result<std::optional<Puzzle>> PuzzleMaker::look_at(const Session& session) {
  const Notation& notation = session.notation();
  const std::string canonical = canonical_position(notation, session.board());
  if (seen_.contains(canonical)) return std::optional<Puzzle>();
  for (const PuzzleProof& proof : proofs_) {
    // Repetition counts from the puzzle on: whoever solves it knows no history.
    const auto alone = game_->start_from_text(session.position_text());
    if (!alone) return std::optional<Puzzle>();
    if (proof.slow && !seems_won(**alone)) continue;
    const auto turns = proof.oracle(**alone);
    if (!turns) return tl::unexpected(turns.error());
    if (turns->empty()) continue;
    const auto only = only_move(*turns);
    if (!only) return std::optional<Puzzle>();
    const int level = level_of(**alone, *only);
    if (level == 1 && !random_.one_in(static_cast<std::uint64_t>(settings_.one_in_easy)))
      return std::optional<Puzzle>();
    seen_.insert(canonical);
    std::uint64_t hash = 0;
    for (const char c : game_->notation().spec() + canonical) hash = mix64(hash ^ static_cast<unsigned char>(c));
    return std::optional(Puzzle{fmt::format("{}-{:08x}", game_->info().name, hash >> 32U), notation.spec(),
                                session.position_text(), only->goal, only->text, level, themes_of(**alone, *only),
                                proof.name});
  }
  return std::optional<Puzzle>();
}

/// Whether a quick search sees a forced win. Most positions have none, and to prove that costs a hundred times as much.
bool PuzzleMaker::seems_won(const Session& session) {
  SearchLimits limits;
  limits.nodes = 5'000;
  limits.depth = 7;
  grader_->forget();
  return is_win(grader_->think(session, limits, {}, {}).info.lines.front().score);
}

/// From the positions that a search of ours looks at, for each legal move, until it prefers the solution for good: each
/// level is three times as many.
int PuzzleMaker::level_of(const Session& session, const OnlyMove& only) {
  constexpr std::uint64_t max_nodes = 200'000;
  std::uint64_t seen_at = 1;
  std::uint64_t last = 1;
  bool prefers = false;
  const auto on_progress = [&](const SearchInfo& info) {
    const bool now = info.lines.front().texts.front() == only.text;
    if (now && !prefers) seen_at = last;
    prefers = now;
    last = info.nodes;
  };
  grader_->forget();
  SearchLimits limits;
  limits.nodes = max_nodes;
  limits.depth = 12;
  const Decision decision = grader_->think(session, limits, {}, on_progress);
  const std::uint64_t needed = decision.text != only.text ? max_nodes : seen_at;
  const double share = static_cast<double>(needed) / static_cast<double>(session.count_turns_up_to(max_nodes));
  return std::clamp(1 + static_cast<int>(std::log(std::max(share, 1.0)) / std::log(3.0)), 1, max_puzzle_level);
}

}  // namespace paika::study
