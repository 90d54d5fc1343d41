// `paika convert`: games from one format into another.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "base/text.hpp"
#include "study/formats.hpp"

namespace paika::apps {

namespace {

Result<void> write_file(const std::string& path, std::string_view bytes) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"), std::fclose);
  if (!file) return fail("cannot write {}: {}", in_quotes(path), std::strerror(errno));
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
  if (!written || std::fflush(file.get()) != 0)
    return fail("cannot write {}: {}", in_quotes(path), std::strerror(errno));
  return {};
}

/// The first file goes where it was asked for, the others beside it.
Result<void> write_files(const std::string& output, const std::vector<FilePart>& files) {
  for (const FilePart& file : files) {
    const bool first = &file == &files.front();
    const std::string path = first ? output : std::filesystem::path(output).replace_extension(file.extension).string();
    if (!first && path == output) return fail("{} is the name of another file of this format", in_quotes(output));
    if (auto written = write_file(path, file.bytes); !written) return written;
  }
  return {};
}

}  // namespace

int run_convert(const ConvertArgs& args) {
  const auto games = read_games_file(args.file, {args.from, args.spec});
  if (!games) return complain(games.error().message);
  const auto files = study::write_games(*games, args.to);
  if (!files) return complain(files.error().message);
  if (!args.output.empty()) {
    const auto written = write_files(args.output, *files);
    return written ? finish(exit_done) : complain(written.error().message);
  }
  if (files->size() > 1) {
    return complain(fmt::format("{} is written to several files: name the first with --output FILE.{}", args.to,
                                files->front().extension));
  }
  std::fwrite(files->front().bytes.data(), 1, files->front().bytes.size(), stdout);
  return finish(exit_done);
}

}  // namespace paika::apps
