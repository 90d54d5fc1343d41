// Joining other processes that were started together (mpirun); the program without MPI hands over to the
// one with it, so that nobody else pays for loading MPI.
#pragma once

#include <memory>

#include "base/result.hpp"
#include "solve/peers.hpp"

namespace paika::apps {

/// The processes that this one was started with; nothing if it is alone. To be called once, before any
/// output. In the program without MPI it does not return if there are others: it becomes the program with MPI.
[[nodiscard]] Result<std::unique_ptr<Peers>> join_peers();

/// Keeps the command line for join_peers. Requires that it stays where it is.
void remember_command_line(char** argv);

}  // namespace paika::apps
