// `paika puzzles`: making positions with exactly one solution, and proving them again.
#include "study/puzzles.hpp"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <thread>
#include <tuple>

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
  const auto wanted = static_cast<std::size_t>(args.count);
  // A ladder climbs, and no theme is most of it.
  settings.max_per_level = 10 + wanted / 4;
  settings.max_per_theme = 10 + wanted / 2;
  study::PuzzleMaker maker(*game, std::move(*proofs), settings);
  const Interrupt interrupt;
  Progress progress("puzzles");
  std::vector<study::Puzzle> found;
  // Where nothing has come of so many games, the shares are full; of so many more, nothing will.
  constexpr int patience = 200;
  constexpr int max_fruitless = 5'000;
  for (int fruitless = 0; found.size() < wanted && fruitless < max_fruitless && !interrupt.token().stop_requested();) {
    auto more = maker.play_on();
    if (!more) return complain(more.error().message);
    fruitless = more->empty() ? fruitless + 1 : 0;
    if (fruitless > 0 && fruitless % patience == 0) maker.raise_shares();
    for (study::Puzzle& puzzle : *more) {
      if (found.size() < wanted) found.push_back(std::move(puzzle));
    }
    progress.update(static_cast<double>(found.size()) / static_cast<double>(wanted));
  }
  std::sort(found.begin(), found.end(), [](const study::Puzzle& a, const study::Puzzle& b) {
    return std::tie(a.level, a.position) < std::tie(b.level, b.position);
  });
  fmt::print("{}", study::puzzles_text(found));
  if (found.size() < wanted) to_stderr(fmt::format("paika: only {} puzzles were found\n", found.size()));
  return finish(found.empty() ? exit_no : exit_done);
}

namespace {

/// Proves puzzles again; each thread has one of its own.
class Verifier {
 public:
  explicit Verifier(std::string tables) : tables_(std::move(tables)) {}

  Result<void> verify(const study::Puzzle& puzzle) {
    const auto opened = open(puzzle);
    return opened ? study::verify_puzzle(*(*opened)->game, puzzle, (*opened)->oracle) : tl::unexpected(opened.error());
  }

  struct Opened {
    GamePtr game;
    Oracle oracle;
  };
  /// What proves such a puzzle, opened once for all that are alike.
  Result<const Opened*> open(const study::Puzzle& puzzle) {
    Opened& known = opened_[{puzzle.spec, puzzle.proof}];
    if (known.game) return &known;
    const auto game = open_game(puzzle.spec);
    if (!game) return tl::unexpected(game.error());
    auto oracle = oracle_of(**game, puzzle.proof, tables_);
    if (!oracle) return tl::unexpected(oracle.error());
    known = {*game, std::move(*oracle)};
    return &known;
  }

 private:
  std::string tables_;
  std::map<std::pair<std::string, std::string>, Opened> opened_;
};

/// Whether there is something to prove each puzzle with; an error names the first line for which there is nothing.
Result<void> can_prove(std::span<const study::Puzzle> puzzles, const PuzzlesArgs& args) {
  Verifier verifier(args.tables);
  for (std::size_t i = 0; i < puzzles.size(); i += static_cast<std::size_t>(args.sample)) {
    if (const auto opened = verifier.open(puzzles[i]); !opened)
      return fail("{}: line {}: {}", in_quotes(args.file), i + 2, opened.error().message);
  }
  return {};
}

/// What is wrong with every puzzle that is looked at; "" if nothing is. Nothing for those that are not.
using Verdicts = std::vector<std::optional<std::string>>;

Verdicts verdicts_on(std::span<const study::Puzzle> puzzles, const PuzzlesArgs& args) {
  Verdicts verdicts(puzzles.size());
  const auto step = static_cast<std::size_t>(args.sample);
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> done = 0;
  const auto work = [&](const std::function<void()>& on_progress) {
    Verifier verifier(args.tables);
    for (std::size_t i = next.fetch_add(step); i < puzzles.size(); i = next.fetch_add(step)) {
      const auto good = verifier.verify(puzzles[i]);
      verdicts[i] = good ? std::string() : good.error().message;
      done += step;
      on_progress();
    }
  };
  Progress progress("puzzles");
  std::vector<std::jthread> helpers;
  for (int i = 1; i < args.threads; ++i) helpers.emplace_back([&] { work([] {}); });
  work([&] { progress.update(std::min(1.0, static_cast<double>(done.load()) / static_cast<double>(puzzles.size()))); });
  return verdicts;
}

}  // namespace

int run_puzzles_verify(const PuzzlesArgs& args) {
  const auto text = read_text_file(args.file);
  if (!text) return complain(text.error().message);
  const auto puzzles = study::parse_puzzles(*text);
  if (!puzzles) return complain(fmt::format("{}: {}", in_quotes(args.file), puzzles.error().message));
  if (const auto able = can_prove(*puzzles, args); !able) return complain(able.error().message);
  const auto verdicts = verdicts_on(*puzzles, args);
  const auto faults = study::ladder_faults(*puzzles);
  std::size_t wrong = 0;
  std::size_t proven = 0;
  for (std::size_t i = 0; i < puzzles->size(); ++i) {
    if (!verdicts[i]) continue;
    const auto fault = faults.find(i);
    const std::string& message = verdicts[i]->empty() && fault != faults.end() ? fault->second : *verdicts[i];
    if (!message.empty()) fmt::print("line {}: {}: {}\n", i + 2, (*puzzles)[i].id, message);
    ++(message.empty() ? proven : wrong);
  }
  fmt::print("{} puzzle{} proven, {} wrong\n", proven, proven == 1 ? "" : "s", wrong);
  return finish(wrong == 0 ? exit_done : exit_no);
}

}  // namespace paika::apps
