#include "study/puzzles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "base/text.hpp"
#include "engine/diagram.hpp"
#include "engine/exact.hpp"
#include "engine/module.hpp"
#include "engine/registry.hpp"

namespace paika::study {

namespace {

constexpr std::string_view header = "id\tspec\tposition\tgoal\tmoves\tsolution\tlevel\tthemes\tproof";
constexpr std::array<std::string_view, 3> proof_names = {"table", "proof", "ending"};

/// Goal and moves.
Result<void> read_goal(std::string_view goal, std::string_view moves, Puzzle& puzzle) {
  constexpr int max_moves = 100;
  if (goal != "win" && goal != "draw") return fail("the goal is win or draw, not {}", in_quotes(goal));
  if (goal == "draw") puzzle.goal = ValueKind::draw;
  if (moves.empty()) return {};
  const auto number = parse_int(moves);
  if (!number || *number < 1 || *number > max_moves)
    return fail("the moves are a whole number from 1 to {}, or nothing, not {}", max_moves, in_quotes(moves));
  if (puzzle.goal == ValueKind::draw) return fail("a draw is not reached in a number of moves");
  puzzle.moves = static_cast<int>(*number);
  return {};
}

Result<Puzzle> parse_line(std::string_view line) {
  const auto fields = split(line, '\t');
  const std::size_t expected = split(header, '\t').size();
  if (fields.size() != expected) return fail("there are {} columns; {} are needed", fields.size(), expected);
  Puzzle puzzle;
  puzzle.id = fields[0];
  puzzle.spec = fields[1];
  puzzle.position = fields[2];
  puzzle.solution = fields[5];
  puzzle.proof = fields[8];
  if (puzzle.id.empty()) return fail("the id is empty");
  if (const auto read = read_goal(fields[3], fields[4], puzzle); !read) return tl::unexpected(read.error());
  const auto level = parse_int(fields[6]);
  if (!level || *level < 1 || *level > max_puzzle_level)
    return fail("the level is a whole number from 1 to {}, not {}", max_puzzle_level, in_quotes(fields[6]));
  puzzle.level = static_cast<int>(*level);
  if (!fields[7].empty()) {
    for (const std::string_view theme : split(fields[7], ',')) puzzle.themes.emplace_back(theme);
  }
  if (std::find(proof_names.begin(), proof_names.end(), puzzle.proof) == proof_names.end())
    return fail("the proof is table, proof or ending, not {}", in_quotes(puzzle.proof));
  return puzzle;
}

}  // namespace

std::string puzzles_text(std::span<const Puzzle> puzzles) {
  std::string out = fmt::format("{}\n", header);
  for (const Puzzle& p : puzzles) {
    out += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", p.id, p.spec, p.position, name(p.goal),
                       p.moves == 0 ? "" : fmt::to_string(p.moves), p.solution, p.level, fmt::join(p.themes, ","),
                       p.proof);
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

int winners_moves(const MoveValue& value) {
  return value.kind == ValueKind::win && value.measure == Measure::turns ? (value.amount + 1) / 2 : 0;
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

namespace {

/// So many moves ahead a search sees at once, and people do not: the level that the length of a win asks for.
int min_level(const OnlyMove& only) {
  constexpr int max_moves_ahead = 3;
  return only.goal == ValueKind::win ? std::clamp(winners_moves(only.value), 1, max_moves_ahead) : 1;
}

/// The number that a puzzle's column of moves has: by search alone it is part of the goal.
int moves_of_goal(const OnlyMove& only, std::string_view proof) {
  return proof == "proof" && only.goal == ValueKind::win ? winners_moves(only.value) : 0;
}

/// Whether what a puzzle says of its solution is so.
Result<void> check_columns(const Session& session, const Puzzle& puzzle, const OnlyMove& only) {
  if (const int moves = moves_of_goal(only, puzzle.proof); puzzle.moves != moves)
    return fail("its moves are {}, not {}", moves, puzzle.moves);
  if (const int min = min_level(only); puzzle.level < min)
    return fail("its level is {}; a win in {} moves is of level {} at least", puzzle.level, winners_moves(only.value),
                min);
  if (const auto themes = themes_of(session, only); puzzle.themes != themes)
    return fail("its themes are {}, not {}", in_quotes(fmt::to_string(fmt::join(themes, ","))),
                in_quotes(fmt::to_string(fmt::join(puzzle.themes, ","))));
  return {};
}

}  // namespace

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
  return check_columns(**session, puzzle, *only);
}

std::map<std::size_t, std::string> ladder_faults(std::span<const Puzzle> puzzles) {
  std::map<std::size_t, std::string> faults;
  std::map<std::string, std::string> seen;  // canonical positions, and whose they are
  for (std::size_t i = 0; i < puzzles.size(); ++i) {
    const Puzzle& puzzle = puzzles[i];
    if (i > 0 && puzzle.level < puzzles[i - 1].level) {
      faults[i] = fmt::format("its level {} comes after level {}", puzzle.level, puzzles[i - 1].level);
    }
    const auto game = open_game(puzzle.spec);
    const auto board = game ? (*game)->notation().parse_position(puzzle.position) : tl::unexpected(game.error());
    if (!board) continue;
    const auto [other, fresh] =
        seen.try_emplace(puzzle.spec + '\t' + canonical_position((*game)->notation(), *board), puzzle.id);
    if (!fresh) faults[i] = fmt::format("it is {} up to symmetry", other->second);
  }
  return faults;
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

bool is_edge(const Board& board, Square s) {
  return s.col == 0 || s.col == board.cells.cols() - 1 || s.row == 0 || s.row == board.cells.rows() - 1;
}

/// Themes of placings on boards that fill up.
void add_placing_themes(std::vector<std::string>& themes, const Board& board, Square square) {
  if (is_edge(board, square)) add_theme(themes, is_corner(board, square) ? "corner" : "edge");
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
  int flipped = 0;
  for (const Effect& effect : notation.effects(board, *turn)) {
    add_theme(themes, theme_of(effect.kind));
    taken = taken || (effect.from && !effect.to && effect.kind != EffectKind::removed);  // a block goes by itself
    flipped += effect.kind == EffectKind::flipped ? 1 : 0;
  }
  const auto steps = std::count_if(turn->begin(), turn->end(), [](const Step& s) { return s.kind == StepKind::to; });
  if (steps >= 3) add_theme(themes, "chain");
  const bool places = turn->front().kind == StepKind::place;
  if (places) add_placing_themes(themes, board, turn->front().square);
  if (places ? flipped == 1 : !taken && themes.empty()) add_theme(themes, "quiet");
  if (only.goal == ValueKind::draw) add_theme(themes, "defence");
  if (only.value.measure == Measure::turns && only.goal == ValueKind::win) {
    constexpr int far = 9;
    if (only.value.amount == 1) add_theme(themes, "one-move");
    if (only.value.amount == 3) add_theme(themes, "two-moves");
    if (only.value.amount == 5) add_theme(themes, "three-moves");
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

Result<std::vector<Puzzle>> PuzzleMaker::play_on() {
  std::vector<Puzzle> found;
  const auto session = game_->start();
  const bool endings = solved_by_search(*game_);
  // Looking at every position of a game would make its puzzles neighbours.
  int next = settings_.min_plies + static_cast<int>(random_.below(static_cast<std::uint64_t>(settings_.min_plies) + 1));
  for (int ply = 0; ply < settings_.max_plies && !session->outcome().over(); ++ply) {
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
    play_one(*session, turns, ply);
  }
  return found;
}

/// Where it is costly to prove anything, the engine mostly chooses after a glance: by chance alone, sides leave so much
/// hanging that hardly a position needs thought.
void PuzzleMaker::play_one(Session& session, const std::vector<Turn>& turns, int ply) {
  constexpr int plies_by_chance = 6;
  constexpr std::uint64_t one_in = 8;
  const bool cheap = std::none_of(proofs_.begin(), proofs_.end(), [](const PuzzleProof& proof) { return proof.slow; });
  if (cheap || ply < plies_by_chance || random_.one_in(one_in)) return play_by_chance(session, turns);
  SearchLimits limits;
  limits.nodes = 400;
  session.play(grader_->think(session, limits, {}, {}).turn);
}

/// By chance, but half the time a capture if there is one, and seldom a move that ends the game: games of random moves
/// alone are unlike any that people play, and short.
void PuzzleMaker::play_by_chance(Session& session, const std::vector<Turn>& turns) {
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
    std::vector<std::string> themes = themes_of(**alone, *only);
    if (!has_room(themes)) return std::optional<Puzzle>();
    const int level = level_of(**alone, *only);
    if (!has_room(level)) return std::optional<Puzzle>();
    seen_.insert(canonical);
    ++of_level_[level];
    for (const std::string& theme : themes) ++of_theme_[theme];
    std::uint64_t hash = 0;
    for (const char c : game_->notation().spec() + canonical) hash = mix64(hash ^ static_cast<unsigned char>(c));
    return std::optional(Puzzle{fmt::format("{}-{:08x}", game_->info().name, hash >> 32U), notation.spec(),
                                session.position_text(), only->goal, moves_of_goal(*only, proof.name), only->text,
                                level, std::move(themes), proof.name});
  }
  return std::optional<Puzzle>();
}

void PuzzleMaker::raise_shares() noexcept {
  settings_.max_per_level += (settings_.max_per_level + 1) / 2;
  settings_.max_per_theme += (settings_.max_per_theme + 1) / 2;
}

bool PuzzleMaker::has_room(int level) const {
  const auto found = of_level_.find(level);
  return found == of_level_.end() || found->second < settings_.max_per_level;
}

bool PuzzleMaker::has_room(const std::vector<std::string>& themes) const {
  return std::none_of(themes.begin(), themes.end(), [&](const std::string& theme) {
    const auto found = of_theme_.find(theme);
    return found != of_theme_.end() && found->second >= settings_.max_per_theme;
  });
}

/// Whether a quick search sees a forced win, of a side that is ahead at a glance. Most positions have none, and to
/// prove that costs a hundred times as much.
bool PuzzleMaker::seems_won(const Session& session) {
  constexpr int ahead = 200;  // hundredths of a piece
  const auto score = [&](std::uint64_t nodes) {
    SearchLimits limits;
    limits.nodes = nodes;
    limits.depth = 9;
    grader_->forget();
    return grader_->think(session, limits, {}, {}).info.lines.front().score;
  };
  return score(400) >= ahead && is_win(score(10'000));
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
  const int level =
      std::clamp(1 + static_cast<int>(std::log(std::max(share, 1.0)) / std::log(3.0)), 1, max_puzzle_level);
  return std::max(level, min_level(only));
}

}  // namespace paika::study
