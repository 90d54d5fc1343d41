// Ladder: the thread that builds and checks the bots of classes, and lets those that were accepted play.
//
// One thing at a time, so that all bots have the same machine. New bots come first, then the classes take turns, a game
// each. What was under way when the server ended is begun anew: a bot waits again, a game was never counted.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "engine/json.hpp"
#include "sandbox/confinement.hpp"
#include "server/classes/workshop.hpp"
#include "server/store/classes.hpp"
#include "server/store/writer.hpp"

namespace paika::server {

struct LadderSettings {
  std::string database;  // it opens a reader of its own
  std::string folder;    // for the bots' files; made when it is needed
  bool unsafe = false;   // without a sandbox, if that was asked for by name
  int niceness = 10;
};

/// What a ladder needs of the world around it.
struct LadderDeps {
  Writer& writer;
  std::function<void(std::string_view event, const Json& fields)> log_event;  // to the log, from any thread
};

struct LadderCounts {
  std::uint64_t games = 0, accepted = 0, refused = 0, failures = 0;
};

/// What the ladder does at the moment.
struct LadderWork {
  enum class Kind : unsigned char { building, checking, playing };
  Kind kind = Kind::building;
  ClassId class_id;
  std::array<BotId, 2> bots{};
};
[[nodiscard]] std::string_view name(LadderWork::Kind kind) noexcept;

class Ladder {
 public:
  /// Begins to work at once.
  Ladder(LadderSettings settings, LadderDeps deps);
  Ladder(const Ladder&) = delete;
  Ladder& operator=(const Ladder&) = delete;
  ~Ladder() { close(); }

  /// Ends what is under way and waits for it.
  void close();
  /// There may be something new to do. From any thread.
  void poke();

  /// The sandbox that bots are kept in; an error if there are none and nobody said that it is fine. Takes a moment the
  /// first time: not for the network thread.
  [[nodiscard]] Result<sandbox::Sandbox> sandbox() const;
  [[nodiscard]] std::optional<LadderWork> work() const;
  [[nodiscard]] LadderCounts counts() const;

 private:
  void run(const std::stop_token& stop);
  /// Does the next thing; false if there is nothing to do.
  [[nodiscard]] bool step(Store& reader, const std::stop_token& stop);
  void examine(Store& reader, const BotRow& bot, const std::stop_token& stop);
  [[nodiscard]] bool play_in(ClassStore& classes, const ClassRow& in, const std::stop_token& stop);
  /// Keeps something and waits until it is on the disk. False if that failed, or we were told to stop.
  bool commit(Writer::Job job, const std::stop_token& stop);
  void set_work(std::optional<LadderWork> work);
  void wait(const std::stop_token& stop);

  LadderSettings settings_;
  LadderDeps deps_;
  std::unique_ptr<Workshop> workshop_;
  ClassId last_class_;  // that played
  bool reported_no_sandbox_ = false;

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  bool poked_ = false;
  std::optional<LadderWork> work_;
  LadderCounts counts_;
  std::jthread thread_;  // last: it uses all the others
};

}  // namespace paika::server
