// BatchEnvironment: many games of one spec, stepped together into arrays, for programs that learn.
//
// All arrays have one row per game and stay where they are for the life of the environment, so that whoever looks at
// them (numpy) sees each step without copying. Actions and planes are those of rules/actions.hpp. Every game has random
// numbers of its own: what happens depends on the seed and the actions, not on the number of threads.
//
// An environment is used by one thread at a time; it steps its games on threads of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

#include "base/function_ref.hpp"
#include "base/result.hpp"
#include "rules/board.hpp"
#include "rules/outcome.hpp"
#include "rules/spec.hpp"
#include "rules/turn.hpp"

namespace paika {

struct EnvironmentSettings {
  int games = 1;    // at least 1
  int threads = 1;  // at least 1, the caller's included
  std::uint64_t seed = 0;
  int max_moves = 0;      // a game is cut off, drawn, after so many moves; 0: never
  bool autoreset = true;  // a game that has ended begins anew in the same step
};

/// The most games and threads of an environment.
inline constexpr int max_environment_games = 1'000'000;
inline constexpr int max_environment_threads = 256;

struct EnvironmentShape {
  int planes = 0;
  int rows = 0;
  int cols = 0;
  int actions = 0;
};

/// What a step leaves for every game.
struct EnvironmentArrays {
  std::vector<std::uint8_t> observations;  // games x planes x rows x cols, as the side to move sees it
  std::vector<std::uint8_t> masks;         // games x actions: 1 for what may be done
  std::vector<float> rewards;              // games x 2: what the step brought the first and the second player
  std::vector<std::uint8_t> terminated;    // games: 1 if the step ended the game by its rules
  std::vector<std::uint8_t> truncated;     // games: 1 if it was cut off
  std::vector<std::uint8_t> players;       // games: who acts next, 0 or 1
  std::vector<std::int32_t> moves;         // games: how many moves have been played
};

class BatchEnvironment {
 public:
  BatchEnvironment() = default;
  BatchEnvironment(const BatchEnvironment&) = delete;
  BatchEnvironment& operator=(const BatchEnvironment&) = delete;
  virtual ~BatchEnvironment() = default;

  [[nodiscard]] virtual const EnvironmentSettings& settings() const = 0;
  [[nodiscard]] virtual const EnvironmentShape& shape() const = 0;
  [[nodiscard]] virtual EnvironmentArrays& arrays() = 0;

  /// Begins all games anew, with random numbers from this seed.
  virtual void reset(std::uint64_t seed) = 0;
  /// Begins one game at a board that the game's notation accepts. Requires 0 <= game < games.
  virtual void start_from(int game, const Board& board) = 0;
  /// One action for every game; those of games that have ended, which only stay so without autoreset, are not looked
  /// at. An error names the first action that is not allowed, and then nothing has changed.
  [[nodiscard]] virtual Result<void> step(std::span<const std::int64_t> actions) = 0;
  /// Game targets[i] becomes what game sources[i] is after actions[i], and all other games stay as they are: a tree
  /// search keeps its nodes so. The targets are different games, none of them the source of another. On an error
  /// nothing has changed. Random numbers stay with their game.
  [[nodiscard]] virtual Result<void> branch(std::span<const std::int64_t> sources,
                                            std::span<const std::int64_t> actions,
                                            std::span<const std::int64_t> targets) = 0;
  /// An allowed action for every game, each as likely; -1 for games that have ended.
  virtual void sample(std::span<std::int64_t> actions) = 0;

  // What follows requires 0 <= game < games.

  /// The board where the present move began.
  [[nodiscard]] virtual Board board(int game) const = 0;
  /// The steps of the present move so far.
  [[nodiscard]] virtual Turn begun(int game) const = 0;
  [[nodiscard]] virtual Outcome outcome(int game) const = 0;
  /// The steps that an action adds to the present move; an error if it is not allowed.
  [[nodiscard]] virtual Result<Turn> steps(int game, std::int64_t action) const = 0;
  /// The actions that make the rest of a move which begins as the present one; an error if none do.
  [[nodiscard]] virtual Result<std::vector<std::int64_t>> encode(int game, const Turn& turn) const = 0;
};

/// A game's environments, in src/instances/<game>/environment.cpp; the build lists them
/// (src/instances/environments.cpp.in).
struct EnvironmentModule {
  const GameInfo& (*info)();
  Result<std::unique_ptr<BatchEnvironment>> (*open)(std::string_view spec, const EnvironmentSettings& settings);
};

/// The environments of this program. Defined by the program, not by this layer.
[[nodiscard]] std::span<const EnvironmentModule> environment_modules();

/// An environment of a spec; an error if the spec or a setting is wrong.
[[nodiscard]] Result<std::unique_ptr<BatchEnvironment>> open_environment(std::string_view spec,
                                                                         const EnvironmentSettings& settings);

/// Threads that share out a range again and again, with no more cost than waking them.
class RangeThreads {
 public:
  /// Requires threads >= 1; one of them is the caller.
  explicit RangeThreads(int threads);
  RangeThreads(const RangeThreads&) = delete;
  RangeThreads& operator=(const RangeThreads&) = delete;
  ~RangeThreads();

  /// Calls work(from, to) for parts of 0 to count-1, each number once, on all threads; returns when all is done.
  /// Requires 0 <= count < 2^31; `work` must not throw.
  void run(int count, FunctionRef<void(int from, int to)> work);

 private:
  void serve();
  void help();

  // A round and the next number of it to work on, in one word: who takes a part knows that its round is not over.
  std::atomic<std::uint64_t> ticket_{0};
  std::atomic<std::uint32_t> round_{0};
  std::atomic<int> done_{0};
  std::atomic<bool> closing_{false};
  std::atomic<const FunctionRef<void(int, int)>*> work_{nullptr};
  std::atomic<int> count_{0};
  std::atomic<int> part_{1};
  std::vector<std::jthread> threads_;
};

}  // namespace paika
