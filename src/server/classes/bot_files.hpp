// BotFiles: the files of a bot that was handed in. They are data: checked here, kept as text, written to folders of
// their own, and run only in a sandbox.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "engine/json.hpp"

namespace paika::server {

inline constexpr std::size_t max_bot_files = 200;
inline constexpr std::size_t max_bot_bytes = std::size_t{1} << 20;  // of all files together
/// What a request that hands in a bot may have: the files in base64, their names and what else there is.
inline constexpr std::size_t max_upload_bytes = std::size_t{3} << 19;

struct BotFile {
  std::string path;  // relative, with '/': "src/bot.py"
  std::string content;

  friend bool operator==(const BotFile&, const BotFile&) = default;
};

/// Nothing if a bot's file may be called so: parts of letters, digits and "._+-@ ", none of them hidden, "." or "..",
/// at most 8 parts of 80 bytes and 120 bytes in all. Else why not.
[[nodiscard]] Result<void> check_bot_path(std::string_view path);

/// Reads [{"path": …, "text": … or "base64": …}, …]: at least one file, no path twice, none a folder of another, within
/// the bounds above. Errors name the file.
[[nodiscard]] Result<std::vector<BotFile>> read_bot_files(const Json& list);
/// The same list again: a file as text if it is UTF-8, else as base64.
[[nodiscard]] Json bot_files_json(const std::vector<BotFile>& files);

/// Writes the files into a folder that exists; those that begin with "#!" can be run. An error names what failed.
[[nodiscard]] Result<void> write_bot_files(const std::string& folder, const std::vector<BotFile>& files);

}  // namespace paika::server
