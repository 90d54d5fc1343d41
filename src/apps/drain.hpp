// Drain: a first Ctrl-C that lets running work end, a second one that breaks it off, a third one that ends the program.
#pragma once

#include <stop_token>
#include <thread>

namespace paika::apps {

/// While it lives, SIGINT and SIGTERM are counted instead of ending the program.
class Drain {
 public:
  Drain();
  Drain(const Drain&) = delete;
  Drain& operator=(const Drain&) = delete;
  ~Drain();

  /// Requested by the first signal: begin nothing new.
  [[nodiscard]] std::stop_token drain() const { return drain_.get_token(); }
  /// Requested by the second: stop at once.
  [[nodiscard]] std::stop_token stop() const { return stop_.get_token(); }

 private:
  std::stop_source drain_;
  std::stop_source stop_;
  std::jthread watcher_;
};

}  // namespace paika::apps
