// Git as a program: found once, run without a shell, with an environment and limits of our own.
//
// What runs here reads what strangers have sent. It sees no configuration but ours, which the environment carries, so
// that nothing in a repository or on the machine changes what it does; and it has limits of memory, processor time and
// file size, which what it starts inherits.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "base/result.hpp"

namespace paika::server {

/// What a repository is allowed.
inline constexpr std::size_t max_push_bytes = std::size_t{8} << 20;         // of the pack of one push
inline constexpr std::size_t max_repository_bytes = std::size_t{64} << 20;  // beyond it, no push is taken

/// The path of a git that can serve repositories (with `git http-backend`); an error says what is missing. Looked for
/// once.
[[nodiscard]] const Result<std::string>& find_git();

/// A run of git. Requires find_git().
struct GitOrder {
  std::vector<std::string> words;        // what follows "git"
  std::vector<std::string> variables{};  // "NAME=VALUE", beside those that every run has
  std::string folder{};                  // where it runs; empty: where we are
  std::string hooks{};                   // the folder of the hooks; empty: there are none
  bool as_hook = false;   // we are a hook of git: its environment, which names the objects under way, is passed on
  bool answered = false;  // hooks get a socket to us, under the number hook_socket
};
inline constexpr int hook_socket = 3;

/// A git that runs. All ends are non-blocking; those that are closed are -1. Destroyed, it ends with all that it
/// started.
class GitProcess {
 public:
  [[nodiscard]] static Result<std::unique_ptr<GitProcess>> start(const GitOrder& order);
  GitProcess(const GitProcess&) = delete;
  GitProcess& operator=(const GitProcess&) = delete;
  ~GitProcess();

  enum End : unsigned char { input, output, errors, hook };
  [[nodiscard]] int end(End which) const { return ends_.at(which); }
  void close(End which);

  /// Asks it and all that it started to end, and to clean up.
  void terminate() const;
  /// Its exit status, 128 and more for a signal; nothing if it still runs.
  [[nodiscard]] std::optional<int> status();

 private:
  GitProcess(pid_t process, const std::array<int, 4>& ends) : process_(process), ends_(ends) {}

  pid_t process_;
  std::array<int, 4> ends_;
  std::optional<int> status_;
};

/// What came of a run that was waited for.
struct GitRun {
  int status = 0;
  std::string output;
  std::string errors;
};
/// Runs git to its end. An error if it cannot be started, takes too long, writes more than `max_output` bytes or we are
/// told to stop; its exit status is the caller's affair.
[[nodiscard]] Result<GitRun> run_git(const GitOrder& order, std::string_view input = {},
                                     std::size_t max_output = std::size_t{1} << 16,
                                     std::chrono::seconds time = std::chrono::seconds(60),
                                     const std::stop_token& stop = {});

}  // namespace paika::server
