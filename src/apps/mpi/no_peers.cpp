#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

#include "apps/peers.hpp"

namespace paika::apps {

namespace {

char** command_line = nullptr;

/// How many processes mpirun started; 1 if it did not start this one.
int started_together() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing of ours changes the environment
    if (const char* size = std::getenv(name)) return std::atoi(size);  // NOLINT(cert-err34-c): mpirun writes numbers
  }
  return 1;
}

}  // namespace

void remember_command_line(char** argv) { command_line = argv; }

Result<std::unique_ptr<Peers>> join_peers() {
  if (started_together() <= 1) return std::unique_ptr<Peers>();
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string program = (self.parent_path() / "paika-mpi").string();
  ::execv(program.c_str(), command_line);
  return fail("cannot work with other processes: {}: {}", program, std::strerror(errno));
}

}  // namespace paika::apps
