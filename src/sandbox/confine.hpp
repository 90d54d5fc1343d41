// Confine: the work of `paika confine`, which runs a program in a sandbox and watches it from outside.
//
//   watcher (ours, outside) ── sandbox ── process 1 (ours, filtered like the program) ── the program and all it starts
//
// The program has the watcher's standard input and output, which the watcher closes for itself. The watcher dies with
// whoever started it, everything inside dies with the watcher, and everything else inside dies with the program. These
// functions fork and wait for any child: they are for a process of their own with one thread.
#pragma once

#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "base/result.hpp"
#include "play/launch.hpp"
#include "sandbox/confinement.hpp"

namespace paika::sandbox {

struct ConfineOrder {
  Confinement confinement;
  std::vector<std::string> words;  // the program and its arguments
  std::string folder;              // where it runs, and what it may read; empty: in its home
  std::string scratch;             // a folder whose files are copied to its home, and back at the end; empty: none
  uid_t user = 0;                  // who it is to become; 0: whoever we are
  int channel = -1;                // set by confine(): the socket between the watcher and process 1
};

/// Where a program in a sandbox finds others, as $PATH.
inline constexpr std::string_view program_path = "/usr/local/bin:/usr/bin:/bin";

/// The words of a command line that `paika confine` reads as this order, from "confine" on.
[[nodiscard]] std::vector<std::string> confine_words(const ConfineOrder& order);

/// Runs the program to its end. The error is that of an order that cannot be followed.
[[nodiscard]] Result<play::Ending> confine(ConfineOrder order);

/// The work of process 1: takes its order from the channel, starts the program when the watcher says so, stops and
/// continues all that runs inside when it is told to, and ends with the program, or with the watcher.
[[noreturn]] void be_process_one(int channel);

/// The last step: limits this process and becomes the program. If that fails it says so and ends with status 127.
[[noreturn]] void become_program(const ConfineOrder& order);

/// The folder as an absolute path without links; an error if there is none.
[[nodiscard]] Result<std::string> real_folder(const std::string& folder);

// ---- The two kinds of sandbox; both replace this process, or end it with status 125 and a message. ----

[[noreturn]] void enter_bubblewrap(const ConfineOrder& order);
[[noreturn]] void enter_own_sandbox(const ConfineOrder& order);

/// Ends this process if the watcher is gone. The system kills us when our parent ends, but only from the moment on when
/// it was told so: this is for what happened before.
void go_on_only_if_watched(int channel);

/// Says what failed, with the system's reason, and ends the process with status 125.
[[noreturn]] void give_up_entering(const std::string& what);

/// Texts as execve() takes them; valid while `texts` is.
[[nodiscard]] std::vector<char*> exec_words(std::vector<std::string>& texts);

}  // namespace paika::sandbox
