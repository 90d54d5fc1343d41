// `paika solve`: the value of a position under perfect play, from a table that is made if there is none.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <new>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "apps/interrupt.hpp"
#include "apps/peers.hpp"
#include "apps/progress.hpp"
#include "apps/stderr.hpp"
#include "apps/tables_input.hpp"
#include "apps/tier_reporter.hpp"
#include "engine/prover.hpp"
#include "engine/solver.hpp"
#include "solve/device_job.hpp"

namespace paika::apps {

namespace {

constexpr std::size_t max_line = 200;

/// What is printed, in words or as JSON.
struct Answer {
  Value value;
  std::vector<std::string> best;
  std::vector<std::string> line;
  std::optional<ValueCounts> counts;
};

void print_text(const Session& session, const TableBook& book, const Answer& answer) {
  fmt::print("{}\n", value_sentence(session.notation(), session.board().to_move, answer.value));
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

void print_json(const Session& session, const TableBook& book, const Answer& answer,
                const Json& more = Json::object()) {
  Json json{{"spec", session.notation().spec()}, {"position", session.position_text()}};
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
  json.update(more);
  fmt::print("{}\n", json.dump(2));
}

/// What solving on a GPU adds to an answer, beside the tiers.
void print_device(const DeviceReport& report, const TierDevice& device) {
  const DeviceTimes& t = device.times();
  fmt::print(
      "{}: solved in {:.2f} s, {} values verified in {:.2f} s; by the processor {} at random, {} on best lines\n",
      device.name(), t.solving(), report.verified, t.verify, report.sampled, report.on_lines);
}

Json device_json(const DeviceReport& report, const TierDevice& device) {
  const DeviceTimes& t = device.times();
  return {{"name", device.name()},       {"tiers", tiers_json(report.tiers)}, {"solve_s", t.solving()},
          {"verify_s", t.verify},        {"verified", report.verified},       {"sampled", report.sampled},
          {"on_lines", report.on_lines}, {"parked_bytes", device.parked()}};
}

void print_plan(const Solver& solver, std::uint64_t memory, bool json) {
  Json tiers = Json::array();
  std::uint64_t positions = 0;
  std::uint64_t unfolded = 0;
  for (const TierPlan& plan : solver.plan(memory)) {
    positions += plan.positions;
    unfolded += plan.unfolded;
    if (json) {
      tiers.push_back(
          {{"tier", plan.name}, {"positions", plan.positions}, {"bytes", plan.bytes}, {"parts", plan.parts}});
      if (plan.unfolded != 0) tiers.back()["unfolded"] = plan.unfolded;
    } else {
      fmt::print("tier {}: {} positions, {}{}\n", plan.name, plan.positions, memory_text(plan.bytes),
                 plan.parts == 1 ? "" : fmt::format(", in {} parts on disk", plan.parts));
    }
  }
  if (json) {
    Json all{{"table", solver.label()}, {"positions", positions}, {"tiers", tiers}};
    if (unfolded != 0) all["unfolded"] = unfolded;
    fmt::print("{}\n", all.dump(2));
  } else {
    fmt::print("{} positions up to symmetry in all{}\n", positions,
               unfolded == 0 ? "" : fmt::format(", {} if symmetric ones are counted each", unfolded));
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
  Result<void> made;
  if (error) made = fail("cannot create the folder of {}: {}", path, error.message());
  if (auto all = agree(peers, made); !all) return all;
  Progress progress("solving " + solver.label());
  SolveSettings settings;
  settings.table = path;
  settings.memory = memory;
  settings.distances = args.stones == 0 || args.distances;
  settings.verify = args.stones != 0 && args.verify;
  settings.threads = args.threads;
  settings.parts = static_cast<std::uint64_t>(args.parts);
  settings.save_every = std::chrono::seconds(args.save_every);
  settings.stop = stop;
  settings.peers = peers;
  if (progress.shown()) settings.on_progress = [&](const SolveProgress& p) { progress.update(p.done); };
  try {
    return solver.solve(std::move(settings));
  } catch (const std::bad_alloc&) {
    auto short_of =
        fail("there is less memory than --memory {} allows; give less, and more is kept on disk", args.memory);
    // The others do not know and may be waiting for this one.
    if (peers != nullptr && peers->count() > 1) peers->abandon(complain(short_of.value().message));
    return short_of;
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
  const auto line = perfect_line(book, session, max_line);
  if (!line) return tl::unexpected(line.error());
  for (const ValuedTurn& turn : *line) answer.line.push_back(turn.text);
  return answer;
}

int print_device_plan(const Solver& solver, const TierDevice& device, bool json) {
  const DevicePlan plan = device.plan();
  if (json) {
    fmt::print("{}\n", Json{{"table", solver.label()},
                            {"gpu", device.name()},
                            {"values_bytes", plan.values},
                            {"working_bytes", plan.working},
                            {"peak_bytes", plan.peak + plan.fixed},
                            {"free_bytes", plan.free},
                            {"fits", plan.fits()},
                            {"parks", plan.parks()}}
                           .dump(2));
  } else {
    fmt::print("{}: {} for the values, {} to work, at least {} at the same time; {} are free on {}\n",
               !plan.fits()   ? "does not fit"
               : plan.parks() ? "fits, with tiers parked in the host's memory or in their files"
                              : "fits",
               memory_text(plan.values), memory_text(plan.working + plan.fixed), memory_text(plan.peak + plan.fixed),
               memory_text(plan.free), device.name());
  }
  return finish(exit_done);
}

/// Solves on a GPU and answers from its memory; the table, if one is wanted, is written on the way.
int solve_by_gpu(const Session& session, const std::shared_ptr<const Solver>& solver, const SolveArgs& args) {
  const auto device = solver->open_device();
  if (!device) return complain(device.error().message);
  if (!args.gpu_memory.empty()) {
    const auto limit = read_memory(args.gpu_memory);
    if (!limit) return complain(limit.error().message);
    (*device)->limit_memory(*limit);
  }
  if (args.plan) return print_device_plan(*solver, **device, args.at.json);
  const Interrupt interrupt;
  std::uint64_t positions = 0;
  for (const TierPlan& tier : solver->plan(0)) positions += tier.positions;
  TierReporter reporter(solver->label(), positions, args.at.json, stdout);
  const auto failed = [&](const Error& error) {
    reporter.failed(error.message, (*device)->name());
    return complain(error.message);
  };
  DeviceSettings settings;
  settings.threads = args.threads;
  settings.distances = args.stones == 0 || args.distances;
  settings.verify = args.verify;
  settings.start = session.board();
  settings.stop = interrupt.token();
  std::string where = (*device)->name();
  if (args.table) {
    where = settings.table = table_path(tables_folder(args.tables), solver->label());
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(where).parent_path(), error);
    if (error) return complain(fmt::format("cannot create the folder of {}: {}", where, error.message()));
  }
  settings.on_tier = [&](const SolvedTier& tier) { reporter.finished(tier); };
  const auto report = solver->solve_on(**device, settings);
  if (!report) return failed(report.error());
  const auto lookup = [&](TierIndex place) -> Result<Value> {
    const auto values = (*device)->fetch(std::span<const TierIndex>(&place, 1));
    if (!values) return tl::unexpected(values.error());
    return values->front();
  };
  const auto book = TableBook::over(solver, lookup, where);
  if (args.stones != 0 && !solver->place(session.board())) {
    if (args.at.json) {
      fmt::print("{}\n", Json{{"table", where}, {"gpu", device_json(*report, **device)}}.dump(2));
    } else {
      print_device(*report, **device);
      fmt::print("table: {}\n", where);
    }
    return finish(exit_done);
  }
  const auto answer = look_up(*book, session);
  if (!answer) return failed(answer.error());
  if (args.at.json) {
    print_json(session, *book, *answer, {{"gpu", device_json(*report, **device)}});
  } else {
    print_device(*report, **device);
    print_text(session, *book, *answer);
  }
  return finish(exit_done);
}

/// What a table of positions with few stones holds, and the value of the position if it is one of them.
int print_endgames(TableBook& book, const Session& session, const SolveArgs& args) {
  ValueCounts all;
  for (const TableSection& tier : book.table().tiers()) {
    const TierStatistics& s = tier.statistics();
    all.wins += s.wins;
    all.losses += s.losses;
    all.draws += s.draws;
    all.longest_win = std::max(all.longest_win, static_cast<int>(s.longest_win));
    all.longest_loss = std::max(all.longest_loss, static_cast<int>(s.longest_loss));
  }
  std::optional<Answer> answer;
  if (book.numbering().place(session.board())) {
    auto found = look_up(book, session);
    if (!found) return complain(found.error().message);
    answer = std::move(*found);
  }
  if (args.at.json) {
    const Json counted{
        {"stones", args.stones},
        {"held", {{"positions", all.positions()}, {"wins", all.wins}, {"losses", all.losses}, {"draws", all.draws}}}};
    if (answer) {
      print_json(session, book, *answer, counted);
    } else {
      Json json = counted;
      json["table"] = book.path();
      fmt::print("{}\n", json.dump(2));
    }
    return finish(exit_done);
  }
  fmt::print("positions with at most {} stones: {} up to symmetry, for the side to move won {}, lost {}, drawn {}\n",
             args.stones, all.positions(), all.wins, all.losses, all.draws);
  if (all.longest_win > 0) fmt::print("longest: a win in {}, a loss in {}\n", all.longest_win, all.longest_loss);
  if (answer) {
    print_text(session, book, *answer);
  } else {
    fmt::print("table: {}\n", book.path());
  }
  return finish(exit_done);
}

int solve_by_table(const Session& session, const std::shared_ptr<const Solver>& solver, const SolveArgs& args,
                   std::uint64_t memory) {
  if (args.plan) {
    print_plan(*solver, memory, args.at.json);
    return finish(exit_done);
  }
  const auto peers = join_peers();
  if (!peers) return complain(peers.error().message);
  const Interrupt interrupt;
  const std::string path = table_path(tables_folder(args.tables), solver->label());
  const auto made = make_table(*solver, path, args, memory, peers->get(), interrupt.token());
  // The first one answers; all have the same error.
  if (*peers && (*peers)->rank() != 0) return made ? exit_done : exit_bad_input;
  if (!made) return complain(made.error().message);
  const auto book = TableBook::open_file(solver, path);
  if (!book) return complain(book.error().message);
  if (args.stones != 0) {
    const auto tiers = (*book)->table().tiers();
    if (args.distances && std::any_of(tiers.begin(), tiers.end(), [](const auto& t) { return t.is_packed(); })) {
      return complain(path +
                      " is there already and has no distances; remove it, or choose another folder with --tables");
    }
    return print_endgames(**book, session, args);
  }
  auto answer = look_up(**book, session);
  if (!answer) return complain(answer.error().message);
  if (args.count) {
    const TableWork work{memory, args.threads, interrupt.token(), {}};
    const auto counts = solver->count_reachable((*book)->table(), session.board(), work);
    if (!counts) return complain(counts.error().message);
    answer->counts = *counts;
  }
  args.at.json ? print_json(session, **book, *answer) : print_text(session, **book, *answer);
  return finish(exit_done);
}

std::string proof_sentence(const Notation& notation, Player mover, const ProofReport& report) {
  const auto wins = [&](Player winner) {
    return fmt::format(
        "{} wins{}", notation.player_name(winner),
        // How long it takes after that only the table's distances would tell.
        report.length && !report.ends_in_table ? fmt::format(" in at most {} moves", *report.length) : "");
  };
  switch (report.value) {
    case KnownValue::win: return wins(mover);
    case KnownValue::loss: return wins(other(mover));
    case KnownValue::draw: return "a draw";
    case KnownValue::at_least_draw: return fmt::format("{} has at least a draw", notation.player_name(mover));
    case KnownValue::at_most_draw: return fmt::format("{} has at most a draw", notation.player_name(mover));
    case KnownValue::unknown: break;
  }
  return "not known";
}

std::string_view proof_word(KnownValue value) {
  switch (value) {
    case KnownValue::win: return "win";
    case KnownValue::loss: return "loss";
    case KnownValue::draw: return "draw";
    case KnownValue::at_least_draw: return "at least draw";
    case KnownValue::at_most_draw: return "at most draw";
    case KnownValue::unknown: break;
  }
  return "unknown";
}

void print_proof(const Session& session, const ProofReport& report, bool json) {
  const bool decided =
      report.value == KnownValue::win || report.value == KnownValue::loss || report.value == KnownValue::draw;
  if (json) {
    Json out{{"spec", session.notation().spec()},
             {"position", session.position_text()},
             {"value", proof_word(report.value)},
             {"best", report.winning},
             {"line", report.line},
             {"checked", report.checked},
             {"nodes", report.nodes},
             {"time_ms", report.time.count()}};
    if (report.length && !report.ends_in_table) out["moves_at_most"] = *report.length;
    fmt::print("{}\n", out.dump(2));
    return;
  }
  fmt::print("{}\n", proof_sentence(session.notation(), session.board().to_move, report));
  if (!report.winning.empty()) fmt::print("best: {}\n", fmt::join(report.winning, " "));
  if (!report.line.empty()) {
    fmt::print("line: {}{}\n", fmt::join(report.line, " "), report.ends_in_table ? " (then by a table)" : "");
  }
  if (decided) fmt::print("{}\n", report.checked ? "checked: every step was verified again" : "not checked");
  std::fflush(stdout);
  to_stderr(fmt::format("{} positions in {} ms\n", report.nodes, report.time.count()));
}

int solve_by_proof(const Session& session, const SolveArgs& args, std::uint64_t memory) {
  const Interrupt interrupt;
  ProofRequest request;
  request.memory = memory;
  request.stop = interrupt.token();
  request.tables = tables_folder(args.tables);
  if (args.nodes > 0) request.limits.nodes = static_cast<std::uint64_t>(args.nodes);
  if (args.time_ms > 0) request.limits.time = Milliseconds(args.time_ms);
  const auto report = prove(session, request);
  if (!report) return complain(report.error().message);
  print_proof(session, *report, args.at.json);
  return finish(report->value == KnownValue::unknown ? exit_no : exit_done);
}

/// Othello: positions never come back, so the exact ending search goes to the end of the game.
int solve_by_search(const Session& session, const SolveArgs& args, std::uint64_t memory) {
  if (session.outcome().over()) return complain("the game is over");
  const Interrupt interrupt;
  const int hash_mb = static_cast<int>(std::min<std::uint64_t>(memory >> 21, max_hash_mb));
  const auto search = ExactSearch::open(session.game(), args.threads, hash_mb);
  if (!search) return complain(search.error().message);
  const auto line = (*search)->best(session, interrupt.token());
  if (!line) return complain(line.error().message);
  const MoveValue value = value_of_margin(line->margin);
  if (args.at.json) {
    Json json{{"spec", session.notation().spec()}, {"position", session.position_text()}};
    json.update(value_json(value));
    json["best"] = Json::array({line->turns.front()});
    json["line"] = line->turns;
    fmt::print("{}\n", json.dump(2));
    return finish(exit_done);
  }
  const Player mover = session.board().to_move;
  const std::string_view winner = session.notation().player_name(line->margin > 0 ? mover : other(mover));
  fmt::print("{}\n", line->margin == 0 ? "a draw" : fmt::format("{} wins by {}", winner, value.amount));
  fmt::print("best: {}\nline: {}\n", line->turns.front(), fmt::join(line->turns, " "));
  return finish(exit_done);
}

}  // namespace

int run_solve(const SolveArgs& args) {
  const auto session = open_position(args.at);
  if (!session) return complain(session.error().message);
  const auto memory = read_memory(args.memory);
  if (!memory) return complain("--memory: " + memory.error().message);
  if (!args.table && !args.gpu) return complain("--no-table goes with --gpu: without a GPU the table is the answer");
  if (args.gpu && args.proof) return complain("--gpu solves all positions and --proof one; give one of them");
  if (args.stones == 0 && args.distances) return complain("--distances goes with --stones: other tables have them");
  if (!args.gpu && !args.gpu_memory.empty()) return complain("--gpu-memory goes with --gpu");
  if (args.stones == 0 && !args.verify)
    return complain("--no-verify goes with --stones: paika table verify checks others");
  if (args.stones != 0 && args.proof)
    return complain("--stones solves many positions and --proof one; give one of them");
  if (args.proof) return solve_by_proof(**session, args, *memory);
  if (solved_by_search((*session)->game()) && !args.gpu && args.stones == 0) {
    return solve_by_search(**session, args, *memory);
  }
  auto solver = open_solver((*session)->notation().spec(), args.stones);
  if (!solver) return complain(solver.error().message);
  if (args.gpu) return solve_by_gpu(**session, std::move(*solver), args);
  return solve_by_table(**session, std::move(*solver), args, *memory);
}

}  // namespace paika::apps
