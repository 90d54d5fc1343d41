// Confined: a test with a program in each kind of sandbox, counted by the kernel and by our own looking.
#pragma once

#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <sstream>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include "play/child_process.hpp"
#include "sandbox/confinement.hpp"
#include "tests/support/files.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/must.hpp"
#include "tests/support/sanitized.hpp"

namespace paika::sandbox {

using paika_tests::memory_limit;
using SandboxKind = std::pair<Sandbox, Accounting>;

inline play::ChildProcess::Clock::time_point in(int ms) {
  return play::ChildProcess::Clock::now() + std::chrono::milliseconds(ms);
}

/// What a program said to the end, and how it ended.
struct Story {
  std::string said;
  play::Ending ending;
};

class Confined : public testing::TestWithParam<SandboxKind> {
 protected:
  void SetUp() override {
    confinement_.sandbox = GetParam().first;
    confinement_.accounting = GetParam().second;
    if (confinement_.accounting == Accounting::kernel && !accounting_trouble().empty()) {
      GTEST_SKIP() << "NOT TESTED: the kernel does not count for us here: " << accounting_trouble();
    }
    // Root's bots run as another user.
    std::filesystem::permissions(own_.path(), std::filesystem::perms(0755));
    std::filesystem::permissions(other_.path(), std::filesystem::perms(0755));
    std::ofstream(own_ / "mine.txt") << "my own\n";
    std::ofstream(other_ / "secret.txt") << "not yours\n";
    const Story run = run_to_end("echo here");
    if (run.said != "here\n") {
      GTEST_SKIP() << "NOT TESTED: this sandbox does not work here: " << words_for(run.ending) << " " << errors();
    }
  }

  /// True where the limits of small programs cannot be tried: our own looking counts the address sanitizer's shadow.
  [[nodiscard]] bool counts_shadow() const {
    return paika_tests::sanitizer_bytes > 0 && confinement_.accounting == Accounting::sampled;
  }

  [[nodiscard]] std::unique_ptr<play::ChildProcess> start(const std::string& command) const {
    play::Launch launch = confined(confinement_, command, own_.path().string(), scratch_.path().string());
    launch.error_log = logs_ / "errors";
    return paika_tests::must(play::ChildProcess::start(launch), "start");
  }

  [[nodiscard]] Story run_to_end(const std::string& command) const {
    const auto child = start(command);
    Story run;
    for (const auto deadline = in(60'000);;) {
      const auto line = child->read_line(deadline, {});
      if (!line) break;
      run.said += *line + "\n";
    }
    const auto ending = child->ending();
    EXPECT_TRUE(ending) << "it still runs: " << command;
    if (ending) run.ending = *ending;
    return run;
  }

  /// The same for a Python program, which is a file of its own.
  [[nodiscard]] std::string python(const std::string& text) const {
    std::ofstream(own_ / "program.py") << text;
    return "exec /usr/bin/python3 program.py";
  }

  [[nodiscard]] std::string errors() const { return paika_tests::read_whole(logs_ / "errors"); }

  Confinement confinement_;
  paika_tests::TemporaryFolder own_;
  paika_tests::TemporaryFolder other_;
  paika_tests::TemporaryFolder scratch_;
  paika_tests::TemporaryFolder logs_;
};

inline const auto all_sandboxes = testing::Values(
    SandboxKind{Sandbox::bubblewrap, Accounting::kernel}, SandboxKind{Sandbox::bubblewrap, Accounting::sampled},
    SandboxKind{Sandbox::own, Accounting::kernel}, SandboxKind{Sandbox::own, Accounting::sampled});

inline std::string name_of_kind(const testing::TestParamInfo<SandboxKind>& kind) {
  return fmt::format("{}_{}", name(kind.param.first), name(kind.param.second));
}

/// A file of a process, which may end meanwhile.
inline std::string read_of_process(const std::filesystem::path& path) {
  const std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The processes that have this argument in their command line.
inline std::vector<std::filesystem::path> with_argument(const std::string& argument) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string line = read_of_process(entry.path() / "cmdline");
    if (line.find(std::string(1, '\0') + argument + std::string(1, '\0')) != std::string::npos) {
      found.push_back(entry.path());
    }
  }
  return found;
}

/// True if none is left, at the latest after some seconds.
inline bool all_gone(const std::string& argument) {
  for (int i = 0; i < 1000; ++i, usleep(10'000)) {
    if (with_argument(argument).empty()) return true;
  }
  return false;
}

}  // namespace paika::sandbox
