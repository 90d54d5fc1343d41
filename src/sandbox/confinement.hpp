// Confinement: a sandbox around a program that is not ours.
//
// A confined program has a process group, no network, a file system it can only read (system folders, its own folder)
// but for a scratch folder, no new privileges, and limits. It is started through `paika confine`, which watches it from
// outside the sandbox and tells how it ended.
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

struct BotLimits {
  std::uint64_t memory = std::uint64_t{1} << 30;   // of all its processes together, in bytes
  std::uint64_t written = std::uint64_t{1} << 26;  // in its scratch folder, in bytes
  std::uint64_t output = std::uint64_t{1} << 26;   // what it may say for one turn, in bytes
  int processes = 64;                              // threads count too
  int open_files = 256;
  int cpu_seconds = 0;  // in all; 0: no limit
};

struct Confinement {
  Sandbox sandbox = Sandbox::bubblewrap;
  bool trusted = false;  // the person's own program: started by the shell like any other, whatever the rest says
  BotLimits limits;
  std::vector<std::string> readable;  // more files and folders that it may read
};

/// How `command` (for the shell) is to be started inside the sandbox, in `folder`; `scratch` is the one folder it may
/// write, its $HOME and $TMPDIR.
[[nodiscard]] play::Launch confined(const Confinement& confinement, const std::string& command,
                                    const std::string& folder, const std::string& scratch);

}  // namespace paika::sandbox
