// Workshop: where bots that were handed in are built, checked and played, all of it in a sandbox.
//
// Each accepted bot has a folder with its files and what its build command made of them; programs see it read-only. A
// folder is made under another name and renamed when it is whole, so that one that is there can be used.
#pragma once

#include <array>
#include <functional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/game.hpp"
#include "play/referee.hpp"
#include "protocols/participant.hpp"
#include "server/store/classes.hpp"

namespace paika::server {

/// What came of building and checking a bot.
struct BotVerdict {
  bool accepted = false;
  bool stopped = false;  // we were told to stop: nothing is known
  std::string report;    // for the owner and the teacher
};

/// A game of the ladder as it was played.
struct LadderPlay {
  play::GameReport report;
  std::array<std::string, 2> logs;  // what the bots said, cut to max_log_bytes at the end
};

inline constexpr std::size_t max_log_bytes = std::size_t{1} << 14;
inline constexpr std::size_t max_report_bytes = std::size_t{1} << 14;

/// Hears what building and checking a bot says, as it happens; ends in whole lines.
using BotListener = std::function<void(std::string_view text)>;

/// May be used by several threads, each with bots of its own.
class Workshop {
 public:
  /// `folder` is made. It lies where the server keeps its data. All bots may read what is `readable`.
  Workshop(std::string folder, sandbox::Sandbox sandbox, std::vector<std::string> readable = {});

  /// Builds a bot (files as bot_files_json() writes them) and lets it play a game with each colour against the weakest
  /// engine. `checking` is called when that begins, `say` with what the report will contain.
  [[nodiscard]] BotVerdict examine(const ClassRow& in, const BotRow& bot, const std::string& files,
                                   const std::function<void()>& checking, const BotListener& say,
                                   const std::stop_token& stop);
  /// True if the bot's folder is there; house bots need none.
  [[nodiscard]] bool has(const BotRow& bot) const;
  /// Plays a game between two bots that are there. An error is one of the machine or the class, not of a bot.
  [[nodiscard]] Result<LadderPlay> play(const ClassRow& in, const std::array<BotRow, 2>& bots,
                                        const play::GamePlan& plan, const std::stop_token& stop);
  /// Removes all folders but those of these bots, finished or not.
  void keep_only(const std::set<BotId>& bots);

 private:
  [[nodiscard]] std::string folder_of(BotId bot) const;
  /// What it said; an error says that too, and why it failed.
  [[nodiscard]] Result<std::string> build(const ClassRow& in, const BotRow& bot, const std::string& folder,
                                          const BotListener& say, const std::stop_token& stop);
  [[nodiscard]] protocols::Participant participant(const BotRow& bot) const;
  [[nodiscard]] protocols::SandboxPolicy policy(const ClassRow& in) const;
  [[nodiscard]] BotVerdict check(const ClassRow& in, const BotRow& bot, std::string report, const BotListener& say,
                                 const std::stop_token& stop);

  std::string folder_;
  sandbox::Sandbox walls_;
  std::vector<std::string> readable_;
};

/// The limits of a bot's turn in a class.
[[nodiscard]] SearchLimits turn_limits(const ClassRow& in);

/// The last `most` bytes of a text, from the beginning of a line, with a note if something is missing.
[[nodiscard]] std::string tail_of(std::string text, std::size_t most);

}  // namespace paika::server
