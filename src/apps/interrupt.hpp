// Interrupt: a Ctrl-C that ends the work cleanly; a second one ends the program at once.
#pragma once

#include <stop_token>
#include <thread>

namespace paika::apps {

/// While it lives, the first SIGINT or SIGTERM requests a stop instead of ending the program.
class Interrupt {
 public:
  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::jthread watcher_;
};

}  // namespace paika::apps
