// `paika completion` and `paika man`: what packages install beside the program.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fstream>

#include "apps/command_tree.hpp"
#include "apps/input.hpp"
#include "base/text.hpp"
#include "engine/registry.hpp"

namespace paika::apps {

namespace {

/// Today, or the day of SOURCE_DATE_EPOCH: then what is written is the same on every day.
Result<std::string> page_date() {
  std::time_t now = std::time(nullptr);
  const char* epoch = std::getenv("SOURCE_DATE_EPOCH");  // NOLINT(concurrency-mt-unsafe): nothing sets the environment
  if (epoch != nullptr) {
    const auto seconds = parse_int(epoch);
    if (!seconds || *seconds < 0) {
      return fail("SOURCE_DATE_EPOCH must be a number of seconds since 1970, not {}", in_quotes(epoch));
    }
    now = static_cast<std::time_t>(*seconds);
  }
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(now));
}

}  // namespace

int run_completion(const CommandNode& root, const ReferenceArgs& args) {
  std::vector<std::string> games;
  for (const GameInfo* game : all_games()) games.emplace_back(game->name);
  const auto script = completion_script(root, args.shell, games);
  if (!script)
    return complain(fmt::format("there is completion for bash, zsh and fish, not {}", in_quotes(args.shell)));
  fmt::print("{}", *script);
  return finish(exit_done);
}

int run_man(const CommandNode& root, const ReferenceArgs& args) {
  const auto date = page_date();
  if (!date) return complain(date.error().message);
  std::error_code error;
  std::filesystem::create_directories(args.folder, error);
  for (const ManPage& page : man_pages(root, PAIKA_VERSION, *date)) {
    const auto path = std::filesystem::path(args.folder) / page.file;
    std::ofstream file(path, std::ios::binary);
    file << page.text;
    file.close();
    if (!file) return complain(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
  }
  return finish(exit_done);
}

}  // namespace paika::apps
