// Workshop: how a worker builds and checks the bots that were handed in, all of it in a sandbox; and what it and the
// ladder tell each other about that through the queue of jobs.
//
// A bot's files come out of the queue. What its build command made of them goes back packed, if the bot is accepted,
// and so gets to whoever plays its games.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "database/job_worker.hpp"
#include "protocols/participant.hpp"

namespace paika::server {

inline constexpr std::string_view bot_kind = "bot";
/// The phase of a job whose bot is built and plays its first games.
inline constexpr std::string_view checking_phase = "checking";

/// A bot that is to be built and checked.
struct BotOrder {
  std::string spec;
  int turn_ms = 0;
  int memory_mb = 0;
  std::string protocol;
  std::string build;  // a command for the shell; empty: nothing to build
  std::string run;
  std::string files;  // the hash of their list (bot_files_json) in the queue
};

/// What came of it.
struct BotVerdict {
  bool accepted = false;
  std::string report;  // for the owner and the teacher
  std::string pack;    // the hash of what was built, packed, in the queue; only if it was accepted
};

[[nodiscard]] std::string order_text(const BotOrder& order);
[[nodiscard]] Result<BotOrder> read_bot_order(std::string_view text);
[[nodiscard]] std::string verdict_text(const BotVerdict& verdict);
/// Whatever a worker wrote: the report is plain text of bounded length, and an accepted bot has a hash.
[[nodiscard]] Result<BotVerdict> read_verdict(std::string_view text);

struct WorkshopSettings {
  std::string folder;  // for what is being built; made if there is none
  sandbox::Sandbox sandbox = sandbox::Sandbox::bubblewrap;
  std::vector<std::string> readable;  // files and folders that bots may read here beside their own
};

/// Builds bots and lets each play a game with each colour against the weakest engine.
[[nodiscard]] JobKind bot_worker(WorkshopSettings settings);

/// How bots of a class with so much memory are kept and judged, in its games too.
[[nodiscard]] protocols::SandboxPolicy bot_policy(int memory_mb);

inline constexpr std::size_t max_log_bytes = std::size_t{1} << 14;
inline constexpr std::size_t max_report_bytes = std::size_t{1} << 14;
/// Of what is seen while a bot is built and checked.
inline constexpr std::size_t max_transcript_bytes = std::size_t{1} << 16;

/// The last `most` bytes of a text, from the beginning of a line, with a note if something is missing.
[[nodiscard]] std::string tail_of(std::string text, std::size_t most);

}  // namespace paika::server
