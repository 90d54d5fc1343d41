// Hinter: looks for a good turn in the background, for a person who asks.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "engine/engine.hpp"
#include "play/background.hpp"
#include "play/live_game.hpp"

namespace paika::terminal {

/// To be used by one thread.
class Hinter {
 public:
  /// `wake` is called by another thread when a hint is ready. Tables of perfect play in the folder `tables` are used.
  Hinter(std::function<void()> wake, Milliseconds time, std::string tables)
      : wake_(std::move(wake)), time_(time), tables_(std::move(tables)) {}
  Hinter(const Hinter&) = delete;
  Hinter& operator=(const Hinter&) = delete;
  ~Hinter() { cancel(); }

  /// Begins to look at the position of a game that is not over; what it looked at before is dropped. False
  /// if the machine has no thread or no memory for it.
  bool ask(const play::LiveGame& game);
  /// Stops looking; waits the few milliseconds that a search takes to stop.
  void cancel();
  /// True from ask() until the hint was collected or cancelled.
  [[nodiscard]] bool asked() const { return asked_; }
  /// The hint, once.
  [[nodiscard]] std::optional<Decision> collect();

 private:
  std::function<void()> wake_;
  Milliseconds time_;
  std::string tables_;
  GamePtr game_;  // of the engine
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Session> session_;
  bool asked_ = false;
  std::mutex mutex_;
  std::optional<Decision> found_;  // guarded by mutex_
  play::Background background_;    // last: it uses all the others
};

}  // namespace paika::terminal
