// BotTalk: a conversation with a bot under test; every line of it is kept for a while as evidence.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/game.hpp"
#include "play/child_process.hpp"

namespace paika::protocols {

class BotTalk {
 public:
  using Clock = play::ChildProcess::Clock;

  explicit BotTalk(std::unique_ptr<play::ChildProcess> bot) : bot_(std::move(bot)) {}

  /// Nothing, or what went wrong.
  using Problem = std::optional<std::string>;

  [[nodiscard]] Problem say(std::string_view line, Clock::time_point deadline);
  /// Waits for a line that begins with `word`, whose rest goes to `rest`. Queries are answered from `session`, if there
  /// is one.
  [[nodiscard]] Problem wait_for(std::string_view word, Clock::time_point deadline, std::string& rest,
                                 const Session* session = nullptr);
  /// Waits for its end, after its input has ended.
  [[nodiscard]] Problem wait_for_end(Clock::time_point deadline);
  /// How it ended, if it has.
  [[nodiscard]] Problem has_ended();
  [[nodiscard]] std::vector<std::string> last_lines() const { return {lines_.begin(), lines_.end()}; }
  [[nodiscard]] play::ChildProcess& bot() { return *bot_; }

 private:
  void keep(std::string_view who, std::string_view line);
  [[nodiscard]] std::string trouble_text(play::ChildProcess::Trouble trouble, std::string_view word);

  std::unique_ptr<play::ChildProcess> bot_;
  std::deque<std::string> lines_;
};

}  // namespace paika::protocols
