// `paika puzzles`: making positions with exactly one solution, and proving them again.
#include "study/puzzles.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "apps/interrupt.hpp"
#include "apps/progress.hpp"
#include "apps/stderr.hpp"
#include "apps/tables_input.hpp"
#include "base/text.hpp"
#include "engine/exact.hpp"
#include "engine/registry.hpp"
#include "study/full_width.hpp"

namespace paika::apps {

namespace {

/// Proofs are searched again with more patience than they were found with.
constexpr study::FullWidthLimits verify_limits{30, 20'000'000};
constexpr int max_verified_empty = 20;
/// What a quick search takes for won is worth a long proof.
constexpr std::uint64_t max_proof_nodes = 2'000'000;

/// The oracle that a puzzle's proof names.
Result<Oracle> oracle_of(const Game& game, std::string_view proof, const std::string& tables) {
  if (proof == "proof") return study::full_width_oracle(game, verify_limits);
  if (proof == "ending" && !solved_by_search(game))
    return fail("endings of {} are not searched", game.notation().spec());
  if (proof == "table" && solved_by_search(game)) return fail("there are no tables of {}", game.notation().spec());
  return open_oracle(game, tables, max_verified_empty);
}

/// What can prove puzzles of a game here, the best first.
Result<std::vector<study::PuzzleProof>> proofs_for(const Game& game, const PuzzlesArgs& args) {
  std::vector<study::PuzzleProof> proofs;
  if (solved_by_search(game)) {
    auto oracle = open_oracle(game, args.tables, args.max_empty);
    if (!oracle) return tl::unexpected(oracle.error());
    proofs.push_back({"ending", std::move(*oracle)});
    return proofs;
  }
  auto book = TableBook::open(game.notation().spec(), tables_folder(args.tables));
  if (!book) return tl::unexpected(book.error());
  if (*book) proofs.push_back({"table", table_oracle(std::move(*book))});
  proofs.push_back({"proof", study::full_width_oracle(game, {args.depth, max_proof_nodes}), true});
  return proofs;
}

}  // namespace

int run_puzzles_make(const PuzzlesArgs& args) {
  auto game = open_game(args.spec);
  if (!game) return complain(game.error().message);
  auto proofs = proofs_for(**game, args);
  if (!proofs) return complain(proofs.error().message);
  study::PuzzleSettings settings;
  settings.seed = static_cast<std::uint64_t>(args.seed);
  settings.max_empty = args.max_empty;
  settings.min_plies = args.min_plies;
  settings.one_in_easy = args.easy;
  study::PuzzleMaker maker(*game, std::move(*proofs), settings);
  const Interrupt interrupt;
  Progress progress("puzzles");
  const auto wanted = static_cast<std::size_t>(args.count);
  std::vector<study::Puzzle> found;
  // Where nothing has come of so many games, nothing will.
  constexpr int max_fruitless = 5'000;
  for (int fruitless = 0; found.size() < wanted && fruitless < max_fruitless && !interrupt.token().stop_requested();) {
    auto more = maker.play_on();
    if (!more) return complain(more.error().message);
    fruitless = more->empty() ? fruitless + 1 : 0;
    for (study::Puzzle& puzzle : *more) {
      if (found.size() < wanted) found.push_back(std::move(puzzle));
    }
    progress.update(static_cast<double>(found.size()) / static_cast<double>(wanted));
  }
  fmt::print("{}", study::puzzles_text(found));
  if (found.size() < wanted) to_stderr(fmt::format("paika: only {} puzzles were found\n", found.size()));
  return finish(found.empty() ? exit_no : exit_done);
}

int run_puzzles_verify(const PuzzlesArgs& args) {
  const auto text = read_text_file(args.file);
  if (!text) return complain(text.error().message);
  const auto puzzles = study::parse_puzzles(*text);
  if (!puzzles) return complain(fmt::format("{}: {}", in_quotes(args.file), puzzles.error().message));
  struct Opened {
    GamePtr game;
    Oracle oracle;
  };
  std::map<std::pair<std::string, std::string>, Opened> opened;
  Progress progress("puzzles");
  std::size_t wrong = 0;
  std::size_t proven = 0;
  for (std::size_t i = 0; i < puzzles->size(); i += static_cast<std::size_t>(args.sample)) {
    const study::Puzzle& puzzle = (*puzzles)[i];
    Opened& known = opened[{puzzle.spec, puzzle.proof}];
    if (!known.game) {
      const auto game = open_game(puzzle.spec);
      if (!game) return complain(fmt::format("line {}: {}", i + 2, game.error().message));
      auto oracle = oracle_of(**game, puzzle.proof, args.tables);
      if (!oracle) return complain(fmt::format("line {}: {}", i + 2, oracle.error().message));
      known = {*game, std::move(*oracle)};
    }
    if (const auto good = study::verify_puzzle(*known.game, puzzle, known.oracle); !good) {
      fmt::print("line {}: {}: {}\n", i + 2, puzzle.id, good.error().message);
      ++wrong;
    } else {
      ++proven;
    }
    progress.update(static_cast<double>(i + 1) / static_cast<double>(puzzles->size()));
  }
  fmt::print("{} puzzle{} proven, {} wrong\n", proven, proven == 1 ? "" : "s", wrong);
  return finish(wrong == 0 ? exit_done : exit_no);
}

}  // namespace paika::apps
