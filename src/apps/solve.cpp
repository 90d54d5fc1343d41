// `paika solve`: the value of a position under perfect play, from a table that is made if there is none.
#include <filesystem>
#include <fmt/format.h>
#include <new>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "apps/interrupt.hpp"
#include "apps/peers.hpp"
#include "apps/progress.hpp"
#include "apps/stderr.hpp"
#include "apps/tables_input.hpp"

namespace paika::apps {

namespace {

constexpr std::size_t most_line = 200;

/// What is printed, in words or as JSON.
struct Answer {
  Value value;
  std::vector<std::string> best;
  std::vector<std::string> line;
  std::optional<ValueCounts> counts;
};

void print_text(const Session& session, const TableBook& book, const Answer& answer) {
  fmt::print("{}\n", value_sentence(session.face(), session.board().to_move, answer.value));
  if (!answer.best.empty()) fmt::print("best: {}\n", fmt::join(answer.best, " "));
  if (!answer.line.empty()) fmt::print("line: {}\n", fmt::join(answer.line, " "));
  if (answer.counts) {
    const ValueCounts& c = *answer.counts;
    fmt::print("reachable positions: {} up to symmetry, for the side to move won {}, lost {}, drawn {}\n",
               c.positions(), c.wins, c.losses, c.draws);
    fmt::print("longest: a win in {}, a loss in {}\n", c.longest_win, c.longest_loss);
  }
  fmt::print("table: {}\n", book.path());
}

void print_json(const Session& session, const TableBook& book, const Answer& answer) {
  Json json{{"spec", session.face().spec()}, {"position", session.position_text()}};
  json.update(value_json(answer.value));
  json["best"] = answer.best;
  json["line"] = answer.line;
  if (answer.counts) {
    const ValueCounts& c = *answer.counts;
    json["reachable"] = {{"positions", c.positions()},   {"wins", c.wins},
                         {"losses", c.losses},           {"draws", c.draws},
                         {"longest_win", c.longest_win}, {"longest_loss", c.longest_loss}};
  }
  json["table"] = book.path();
  fmt::print("{}\n", json.dump(2));
}

void print_plan(const Solver& solver, std::uint64_t memory, bool json) {
  Json tiers = Json::array();
  std::uint64_t positions = 0;
  for (const TierPlan& plan : solver.plan(memory)) {
    positions += plan.positions;
    if (json) {
      tiers.push_back(
          {{"tier", plan.name}, {"positions", plan.positions}, {"bytes", plan.bytes}, {"parts", plan.parts}});
    } else {
      fmt::print("tier {}: {} positions, {}{}\n", plan.name, plan.positions, memory_text(plan.bytes),
                 plan.parts == 1 ? "" : fmt::format(", in {} parts on disk", plan.parts));
    }
  }
  if (json) {
    fmt::print("{}\n", Json{{"table", solver.label()}, {"positions", positions}, {"tiers", tiers}}.dump(2));
  } else {
    fmt::print("{} positions up to symmetry in all\n", positions);
  }
}

/// Makes the table if it is not there.
Result<void> make_table(const Solver& solver, const std::string& path, const SolveArgs& args, std::uint64_t memory,
                        Peers* peers, const std::stop_token& stop) {
  std::error_code error;
  bool there = std::filesystem::exists(path, error);
  if (peers != nullptr) there = peers->greatest(there ? 1 : 0) != 0;  // all must do the same
  if (there) return {};
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  if (error) return fail("cannot make the folder of {}: {}", path, error.message());
  Progress progress("solving " + solver.label());
  SolveSettings settings;
  settings.table = path;
  settings.memory = memory;
  settings.threads = args.threads;
  settings.parts = static_cast<std::uint64_t>(args.parts);
  settings.save_every = std::chrono::seconds(args.save_every);
  settings.stop = stop;
  settings.peers = peers;
  if (progress.shown()) settings.tell = [&](const SolveProgress& p) { progress.update(p.done); };
  try {
    return solver.solve(std::move(settings));
  } catch (const std::bad_alloc&) {
    return fail("there is not the memory that --memory {} allows; give less, and more will be kept on disk",
                args.memory);
  }
}

Result<Answer> look_up(TableBook& book, const Session& session) {
  Answer answer;
  const auto value = book.value(session);
  if (!value) return tl::unexpected(value.error());
  if (!*value) return fail("the table {} does not hold this position", book.path());
  answer.value = **value;
  if (session.outcome().over()) return answer;
  const auto turns = book.turns(session);
  if (!turns) return tl::unexpected(turns.error());
  if (*turns) {
    for (const ValuedTurn& turn : **turns) {
      if (turn.value == (*turns)->front().value) answer.best.push_back(turn.text);
    }
  }
  auto line = perfect_line(book, session, most_line);
  if (!line) return tl::unexpected(line.error());
  answer.line = std::move(*line);
  return answer;
}

int solve_by_table(const Session& session, const Solver& solver, const SolveArgs& args, std::uint64_t memory) {
  if (args.plan) {
    print_plan(solver, memory, args.at.json);
    return finish(exit_done);
  }
  const auto peers = join_peers();
  if (!peers) return complain(peers.error().message);
  const Interrupt interrupt;
  const std::string path = table_path(tables_folder(args.tables), solver.label());
  if (const auto made = make_table(solver, path, args, memory, peers->get(), interrupt.token()); !made) {
    return complain(made.error().message);
  }
  if (*peers && (*peers)->rank() != 0) return exit_done;  // the first one answers
  const auto book = TableBook::open_file(session.face().spec(), path);
  if (!book) return complain(book.error().message);
  auto answer = look_up(**book, session);
  if (!answer) return complain(answer.error().message);
  if (args.count) {
    const TableWork work{memory, args.threads, interrupt.token(), {}};
    const auto counts = solver.count_reachable((*book)->table(), session.board(), work);
    if (!counts) return complain(counts.error().message);
    answer->counts = *counts;
  }
  args.at.json ? print_json(session, **book, *answer) : print_text(session, **book, *answer);
  return finish(exit_done);
}

}  // namespace

int run_solve(const SolveArgs& args) {
  const auto session = open_position(args.at);
  if (!session) return complain(session.error().message);
  const auto memory = read_memory(args.memory);
  if (!memory) return complain("--memory: " + memory.error().message);
  const auto solver = open_solver((*session)->face().spec());
  if (!solver) return complain(solver.error().message);
  return solve_by_table(**session, **solver, args, *memory);
}

}  // namespace paika::apps
