// Confinement: a sandbox around a program that is not ours.
//
// A confined program has no network, a file system it can only read (system folders, its own folder) but for one folder
// in memory, no new privileges, few system calls, and limits. It is started through `paika confine`, which watches it
// from outside the sandbox, stops it while it is not its turn, and tells how it ended.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "play/launch.hpp"

namespace paika::sandbox {

/// What holds a program.
enum class Sandbox : unsigned char {
  bubblewrap,  // bwrap
  own,         // user namespaces and seccomp, set up by ourselves
  none         // only limits and a process group; must be asked for by name
};

[[nodiscard]] std::string_view name(Sandbox sandbox) noexcept;

/// The best sandbox that works on this machine (tried out, not guessed); an error says what was tried and that
/// --unsafe-bots would do without.
[[nodiscard]] Result<Sandbox> find_sandbox();

/// Who counts what a program uses.
enum class Accounting : unsigned char {
  any,     // the kernel where it does, else we
  kernel,  // control groups: nothing is missed
  sampled  // our watcher, who looks often: a program that knows how can hide something
};

[[nodiscard]] std::string_view name(Accounting accounting) noexcept;

/// Why the kernel does not count for us here (tried out); empty if it does.
[[nodiscard]] std::string accounting_trouble();

struct BotLimits {
  std::uint64_t memory = std::uint64_t{1} << 30;   // of all its processes together, in bytes
  std::uint64_t written = std::uint64_t{1} << 26;  // in all files together, in bytes
  std::uint64_t output = std::uint64_t{1} << 26;   // what it may say for one turn, in bytes
  int processes = 64;                              // threads count too
  int open_files = 256;
  int cpu_seconds = 0;  // in all; 0: no limit
  int processors = 2;   // who uses more of them at once is charged more time than passes
};

struct Confinement {
  Sandbox sandbox = Sandbox::bubblewrap;
  Accounting accounting = Accounting::any;
  bool trusted = false;  // the person's own program: started by the shell like any other, whatever the rest says
  BotLimits limits;
  std::vector<std::string> readable;  // more files and folders that it may read
};

/// The home of a program in a sandbox, its $HOME and $TMPDIR, in the folder /tmp that is all it can write. It is gone
/// with the program.
inline constexpr std::string_view home_inside = "/tmp/paika-home";

/// Where a program finds the files of a scratch folder.
[[nodiscard]] std::string scratch_inside(const Confinement& confinement, const std::string& scratch);

/// How `command` (for the shell) is to be started inside the sandbox, in `folder`, or in its home if that is empty. The
/// files in `scratch` (if it is not empty) are copied to its home, and when it has ended those that are there are
/// copied back. Without a sandbox it works in these folders themselves.
[[nodiscard]] play::Launch confined(const Confinement& confinement, const std::string& command,
                                    const std::string& folder, const std::string& scratch);

}  // namespace paika::sandbox
