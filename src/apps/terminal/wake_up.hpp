// WakeUp: lets other threads and signal handlers end a poll(2) of the thread that waits for people.
#pragma once

namespace paika::terminal {

class WakeUp {
 public:
  /// Throws std::system_error if the machine has no file descriptor left.
  WakeUp();
  WakeUp(const WakeUp&) = delete;
  WakeUp& operator=(const WakeUp&) = delete;
  ~WakeUp();

  /// Readable from wake() until drain().
  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// May be called by any thread and in a signal handler.
  void wake() const noexcept;
  void drain() const noexcept;

 private:
  int descriptor_;
};

}  // namespace paika::terminal
