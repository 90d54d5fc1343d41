#include "tests/support/test_database.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "database/files.hpp"
#include "database/open.hpp"

namespace paika_tests {

namespace {

using paika::Access;

constexpr uid_t nobody = 65534;

/// PostgreSQL as a program of an ordinary user, in a folder of its own, reached by a socket there.
class Cluster {
 public:
  Cluster() {
    if (geteuid() == 0 && chown(folder_.path().c_str(), nobody, nobody) != 0) throw std::runtime_error("cannot chown");
    const pid_t made = run({"initdb", "-D", data(), "-U", "paika", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8",
                            "--no-sync", "--no-instructions"});
    int status = -1;
    if (waitpid(made, &status, 0) != made || status != 0) throw std::runtime_error("initdb has failed: " + log());
    start();
  }
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  ~Cluster() { stop(SIGQUIT); }

  void start() {
    server_ = run({"postgres", "-D", data(), "-k", folder_.path().string(), "-c", "listen_addresses=", "-c",
                   "fsync=off", "-c", "max_connections=300"});
    for (int tries = 0;; ++tries) {
      try {
        static_cast<void>(paika::connect_to_database(url(""), Access::owner));
        return;
      } catch (const paika::StoreError& error) {
        if (tries > 600) throw std::runtime_error(std::string(error.what()) + log());
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      }
    }
  }
  void stop(int signal) {
    if (server_ <= 0) return;
    kill(server_, signal);
    waitpid(server_, nullptr, 0);
    server_ = 0;
  }

  std::string new_schema() {
    const std::string name = fmt::format("t{}", ++schemas_);
    paika::connect_to_database(url(""), Access::owner)->run_script("CREATE SCHEMA " + name);
    return url("&options=-csearch_path%3D" + name);
  }

 private:
  [[nodiscard]] std::string data() const { return folder_ / "data"; }
  [[nodiscard]] std::string url(const std::string& more) const {
    return fmt::format("postgresql:///postgres?host={}&user=paika{}", folder_.path().string(), more);
  }
  [[nodiscard]] std::string log() const { return " (see " + (folder_ / "log") + ")"; }

  /// Starts a program of PostgreSQL as an ordinary user; it ends with us, however we end.
  [[nodiscard]] pid_t run(const std::vector<std::string>& words) const {
    const std::string program = std::string(PAIKA_POSTGRESQL_PROGRAMS) + "/" + words.front();
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const std::string log = folder_ / "log";
    const pid_t child = fork();
    if (child != 0) return child;
    const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (geteuid() == 0 && (setgid(nobody) != 0 || setuid(nobody) != 0)) _exit(3);
    prctl(PR_SET_PDEATHSIG, SIGQUIT);
    if (dup2(output, 1) < 0 || dup2(output, 2) < 0 || chdir("/") != 0) _exit(3);
    execv(program.c_str(), arguments.data());
    _exit(4);
  }

  TemporaryFolder folder_;
  pid_t server_ = 0;
  int schemas_ = 0;
};

Cluster& cluster() {
  static Cluster one;
  return one;
}

}  // namespace

bool on_postgresql() {
  const char* const engine = std::getenv("PAIKA_TEST_DB");  // NOLINT(concurrency-mt-unsafe): nobody changes it
  return engine != nullptr && std::string_view(engine) == "postgresql";
}

std::string new_postgresql_database() { return cluster().new_schema(); }
void kill_postgresql() { cluster().stop(SIGKILL); }
void start_postgresql_again() { cluster().start(); }

std::string new_database(const TemporaryFolder& folder) {
  return on_postgresql() ? new_postgresql_database() : folder / "games.db";
}

std::string made_database(const TemporaryFolder& folder) {
  std::string where = new_database(folder);
  if (!on_postgresql() && !paika::make_private_file(where)) throw std::runtime_error("cannot make " + where);
  return where;
}

void tamper(const std::string& database, const std::string& sql) {
  paika::connect_to_database(database, Access::owner)->run_script(sql);
}

}  // namespace paika_tests
