// Worker: a player who thinks on a thread of its own and can be interrupted without waiting for it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "play/clock.hpp"
#include "play/game_player.hpp"

namespace paika::play {

/// A game as it stands when a player is asked, with nothing of it shared.
struct Question {
  std::unique_ptr<Session> session;
  std::string start;               // a position's text; empty: the game's own start
  std::vector<std::string> texts;  // of the turns since then
  Allowance allowance;
};

/// What a player answered, and how long it took.
struct Answer {
  tl::expected<Choice, Failed> choice;
  Microseconds time{0};
};

/// To be used by one thread, apart from its own.
class Worker {
 public:
  /// `wake` is called by the worker's thread when the player begins to think, after each answer, and when
  /// it has ended between its turns. Throws std::system_error if the machine gives no thread.
  Worker(std::unique_ptr<GamePlayer> game_player, Now now, std::function<void()> wake, std::uint64_t game_number);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  /// Stops the player and waits until it has.
  ~Worker();

  /// Begins to think; what it thought about before is dropped.
  void ask(Question question);
  /// Stops thinking without waiting for it; there will be no answer.
  void cancel();
  /// The game is over: the player thinks no more on anybody's time.
  void rest();
  /// True from ask() until the answer was collected or cancelled.
  [[nodiscard]] bool asked() const { return job_ != nullptr; }
  /// The answer, once.
  [[nodiscard]] std::optional<Answer> collect();
  /// How long it has thought; zero before it was ready to begin. Once there is an answer: how long that took.
  [[nodiscard]] Microseconds time_used() const;
  /// Why the player has ended between its turns, once; if it is asked again it is started anew.
  [[nodiscard]] std::optional<Failed> collect_death();
  /// When it began to think; nothing before it was ready to.
  [[nodiscard]] std::optional<TimePoint> began() const;

 private:
  /// One question; shared, so that a dropped one can end in peace. `mutex_` guards what both threads use.
  struct Job {
    Question question;
    std::stop_source stop;
    std::optional<TimePoint> began;
    std::optional<Answer> answer;
  };

  void work(const std::stop_token& over);
  /// Waits for a question, and looks after a player that can end meanwhile; nothing when all is over.
  [[nodiscard]] std::shared_ptr<Job> next_job(const std::stop_token& over);
  void look_after_player();
  void do_job(Job& job);
  [[nodiscard]] tl::expected<Choice, Failed> choose(Job& job);

  std::unique_ptr<GamePlayer> game_player_;
  Now now_;
  std::function<void()> wake_;
  std::uint64_t game_number_;
  bool started_ = false;  // the player is ready; used by the worker's thread only
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::shared_ptr<Job> job_;   // whose answer we want
  std::shared_ptr<Job> next_;  // not yet begun
  std::optional<Failed> death_;
  bool rest_wanted_ = false;
  std::jthread thread_;  // last: it uses all the others
};

}  // namespace paika::play
