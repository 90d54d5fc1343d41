// What a director and a worker tell each other through the queue: which game is to be played, and what came of it.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "tournament/job.hpp"

namespace paika::tournament {

inline constexpr std::size_t max_log_bytes = std::size_t{256} << 10;  // of a log that is sent; the rest is cut

/// A game to play. Programs' folders are files of the queue, named by their hashes; nothing in it is a path of a
/// machine.
struct GameOrder {
  GameJob job;
  std::array<std::string, 2> hashes;  // empty: not in the queue
};

/// A game that was played, with what programs wrote.
struct PlayedGame {
  FinishedGame game;
  std::array<std::string, 2> logs;
};

[[nodiscard]] std::string order_text(const GameOrder& order);
[[nodiscard]] Result<GameOrder> read_order(std::string_view text);
[[nodiscard]] std::string result_text(const PlayedGame& played);
/// Logs get the names that they have in our folder, whatever the worker called them.
[[nodiscard]] Result<PlayedGame> read_result(std::string_view text);

/// Writes the logs that came with a game to the folder, as plain text.
void write_logs(const PlayedGame& played, const std::string& folder);

/// True for the hexadecimal digits of a hash: it becomes a folder's name.
[[nodiscard]] bool is_hash(std::string_view text);
/// A text as hexadecimal digits of its SHA-256.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);

}  // namespace paika::tournament
