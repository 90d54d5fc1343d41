// Interrupt: a Ctrl-C that ends the work cleanly, in one or more steps; one more ends the program at once.
#pragma once

#include <cstddef>
#include <stop_token>
#include <thread>
#include <vector>

namespace paika::apps {

/// While it lives, SIGINT and SIGTERM request stops instead of ending the program: each of the first `steps` the next.
class Interrupt {
 public:
  explicit Interrupt(std::size_t steps = 1);
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  [[nodiscard]] std::stop_token token(std::size_t step = 0) const { return sources_[step].get_token(); }

 private:
  std::vector<std::stop_source> sources_;
  std::jthread watcher_;
};

}  // namespace paika::apps
