#include "sandbox/run_program.hpp"

#include <memory>
#include <thread>
#include <utility>

#include "base/text.hpp"
#include "play/child_process.hpp"

namespace paika::sandbox {

namespace {

using play::ChildProcess;
using Clock = ChildProcess::Clock;
using Cut = ProgramRun::Cut;

Cut cut_of(ChildProcess::Trouble trouble) {
  switch (trouble) {
    case ChildProcess::Trouble::timeout: return Cut::late;
    case ChildProcess::Trouble::flood: return Cut::flood;
    case ChildProcess::Trouble::stopped: return Cut::stopped;
    case ChildProcess::Trouble::closed: break;
  }
  return Cut::no;
}

/// Gives it the input. A program that does not read all of it has not failed for that alone.
Cut write_all(ChildProcess& program, std::string_view input, Clock::time_point deadline) {
  if (input.empty()) return Cut::no;
  if (input.ends_with('\n')) input.remove_suffix(1);
  for (const std::string_view line : split(input, '\n')) {
    const auto written = program.write_line(line, deadline);
    if (!written) return cut_of(written.error());
  }
  return Cut::no;
}

Cut read_all(ChildProcess& program, std::string& output, Clock::time_point deadline, const std::stop_token& stop,
             const std::function<void(std::string_view)>& on_line) {
  for (;;) {
    auto line = program.read_line(deadline, stop);
    if (!line) {
      if (line.error() == ChildProcess::Trouble::closed) output += program.rest();
      return cut_of(line.error());
    }
    output += *line + "\n";
    if (on_line) on_line(*line);
  }
}

}  // namespace

bool ProgramRun::ended_well() const {
  return cut == Cut::no && ending && ending->kind == play::Ending::Kind::exited && ending->number == 0;
}

Result<ProgramRun> run_program(const play::Launch& launch, std::string_view input, Clock::time_point deadline,
                               std::size_t max_output, const std::stop_token& stop,
                               const std::function<void(std::string_view)>& on_line) {
  play::Launch bounded = launch;
  bounded.max_output = max_output;
  const auto program = ChildProcess::start(bounded);
  if (!program) return tl::unexpected(program.error());
  ProgramRun run;
  run.cut = write_all(**program, input, deadline);
  (*program)->end_input();
  if (run.cut == Cut::no) run.cut = read_all(**program, run.output, deadline, stop, on_line);
  // It may have closed its output and work on.
  while (run.cut == Cut::no && !run.ending) {
    const auto until = (*program)->put_off(deadline);
    const bool late = Clock::now() >= until;
    run.ending = (*program)->ending();
    if (run.ending) break;
    if (late) run.cut = Cut::late;
    if (stop.stop_requested()) run.cut = Cut::stopped;
  }
  run.use = (*program)->use();
  return run;
}

std::string words_for(const ProgramRun& run) {
  switch (run.cut) {
    case Cut::late: return "it did not end in time";
    case Cut::flood: return "it wrote far too much";
    case Cut::stopped: return "it was stopped";
    case Cut::no: break;
  }
  return run.ending ? play::words_for(*run.ending) : "it has ended";
}

}  // namespace paika::sandbox
