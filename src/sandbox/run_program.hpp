// run_program: a program that is given a text, writes its answer and ends.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "play/child_process.hpp"
#include "play/launch.hpp"

namespace paika::sandbox {

/// What came of it.
struct ProgramRun {
  /// Why we did not wait for its end.
  enum class Cut : unsigned char {
    no,      // it ended by itself
    late,    // at the deadline
    flood,   // it wrote more than it may
    stopped  // we were told to stop
  };
  std::string output;  // what it wrote to standard output, carriage returns at line ends left out
  Cut cut = Cut::no;
  std::optional<play::Ending> ending;  // nothing if it was cut
  play::ChildProcess::Use use;         // all of it, if it was watched and not cut

  /// True if it ended by itself, with status 0.
  [[nodiscard]] bool ended_well() const;
};

/// Runs a program with `input` on its standard input until it ends. Nothing of it is left afterwards. The error says
/// why it cannot be started. `max_output` is in bytes. `on_line`, if there is one, hears each line of the output as it
/// comes.
[[nodiscard]] Result<ProgramRun> run_program(const play::Launch& launch, std::string_view input,
                                             std::chrono::steady_clock::time_point deadline, std::size_t max_output,
                                             const std::stop_token& stop,
                                             const std::function<void(std::string_view)>& on_line = {});

/// How it ended badly, for people: "it was ended by signal 11 (segmentation fault)", "it did not end in time".
[[nodiscard]] std::string words_for(const ProgramRun& run);

}  // namespace paika::sandbox
