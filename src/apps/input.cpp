#include "apps/input.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "apps/read_input.hpp"
#include "apps/stderr.hpp"
#include "base/text.hpp"
#include "engine/diagram.hpp"
#include "engine/registry.hpp"

namespace paika::apps {

namespace {

Result<std::string> refuse_if_long(Result<std::string> text, std::string_view name) {
  if (!text || text->size() <= max_input_bytes) return text;
  return fail("{} is longer than {} bytes, too long for a position", name, max_input_bytes);
}

Result<std::string> read_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) return fail("cannot open {}: {}", in_quotes(path), std::strerror(errno));
  return refuse_if_long(read_input(file.get(), in_quotes(path)), in_quotes(path));
}

/// True for anything that can be opened and read: a file, a pipe, but not a folder.
bool names_per_file(const std::string& text) {
  std::error_code error;
  const auto status = std::filesystem::status(text, error);
  return !error && std::filesystem::exists(status) && !std::filesystem::is_directory(status);
}

/// The text that --position stands for: "-" is stdin, a file's name its content, else itself.
Result<std::string> position_text(const std::string& given) {
  if (given == "-") return refuse_if_long(read_input(stdin, "standard input"), "standard input");
  if (names_per_file(given)) return read_file(given);
  return refuse_if_long(given, "the position");
}

/// A remark for a refused text that may have been meant as a file: every position has a blank in it.
std::string file_remark(const std::string& given) {
  const bool like_a_name = !given.empty() && given.size() < 256 && given.find_first_of(" \n") == std::string::npos;
  return like_a_name && given != "-" ? fmt::format("; nor is there a file {}", in_quotes(given)) : "";
}

/// The session at the position that the arguments ask for, nothing played yet.
Result<std::unique_ptr<Session>> open_start(const PositionArgs& args) {
  if (!args.has_position) {
    return open_game(args.spec).map([](const GamePtr& game) { return game->start(); });
  }
  const auto text = position_text(args.position);
  if (!text) return tl::unexpected(text.error());
  const auto game = open_game_for(args.spec, *text);
  if (!game) return tl::unexpected(game.error());
  auto session = (*game)->start_from_text(*text);
  if (session) return session;
  return fail("bad position for {}: {}{}", (*game)->notation().spec(), session.error().message,
              file_remark(args.position));
}

}  // namespace

Result<std::unique_ptr<Session>> open_position(const PositionArgs& args) {
  auto opened = open_start(args);
  if (!opened) return opened;
  std::unique_ptr<Session> session = std::move(*opened);
  for (std::size_t i = 0; i < args.play.size(); ++i) {
    if (const auto played = session->try_play(args.play[i]); !played) {
      return fail("move {} of --play, {}: {}", i + 1, in_quotes(args.play[i]),
                  refusal_sentence(session->notation(), played.error()));
    }
  }
  return session;
}

int complain(std::string_view message) {
  std::fflush(stdout);
  to_stderr(fmt::format("paika: {}\n", message));
  return exit_bad_input;
}

int finish(int status) {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return complain(fmt::format("cannot write the output: {}", std::strerror(errno)));
  }
  return status;
}

namespace {

/// Files of records grow with every match; beyond this somebody named the wrong file.
constexpr std::size_t max_file_bytes = std::size_t{64} << 20;

Result<std::string> read_long_file(const std::string& path, std::size_t max_bytes) {
  if (std::filesystem::is_directory(path)) return fail("{} is a folder, not a file", in_quotes(path));
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) return fail("cannot open {}: {}", in_quotes(path), std::strerror(errno));
  auto text = read_input(file.get(), in_quotes(path), max_bytes);
  if (text && text->size() > max_bytes) return fail("{} is longer than {} bytes", in_quotes(path), max_bytes);
  return text;
}

}  // namespace

Result<std::string> read_text_file(const std::string& path) { return read_long_file(path, max_file_bytes); }

namespace {

/// Files of names that belong to a file of games: the same name, or the name of the base, with another end.
std::vector<FilePart> files_beside(const std::filesystem::path& path) {
  std::vector<FilePart> parts;
  const std::string stem = lowered(path.stem().string());
  std::error_code error;
  for (const char* extension : {"jou", "trn"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(path.parent_path().empty() ? "." : path.parent_path(), error)) {
      const std::string other = lowered(entry.path().stem().string());
      if (lowered(entry.path().extension().string()) != fmt::format(".{}", extension)) continue;
      if (other != stem && other != "wthor") continue;
      if (auto bytes = read_text_file(entry.path().string())) parts.push_back({extension, std::move(*bytes)});
      break;
    }
  }
  return parts;
}

}  // namespace

Result<std::vector<FilePart>> read_file_parts(const std::string& path, std::size_t max_bytes) {
  const bool from_stdin = path == "-";
  auto text = from_stdin ? read_input(stdin, "standard input", max_bytes) : read_long_file(path, max_bytes);
  if (!text) return tl::unexpected(text.error());
  if (text->size() > max_bytes) return fail("standard input is longer than {} bytes", max_bytes);
  std::vector<FilePart> files{{"", std::move(*text)}};
  if (!from_stdin && lowered(path).ends_with(".wtb")) {
    for (FilePart& part : files_beside(path)) files.push_back(std::move(part));
  }
  return files;
}

Result<std::vector<study::GameTree>> read_games_file(const std::string& path, const study::ReadRequest& request) {
  const bool from_stdin = path == "-";
  const auto files = read_file_parts(path, max_file_bytes);
  if (!files) return tl::unexpected(files.error());
  auto games = study::read_games(*files, request);
  if (!games) return fail("{}: {}", from_stdin ? "standard input" : in_quotes(path), games.error().message);
  if (games->empty()) return fail("{} holds no game", from_stdin ? "standard input" : in_quotes(path));
  return games;
}

Result<play::GameRecord> read_game(const std::string& path, int number) {
  const auto games = read_games_file(path, {});
  if (!games) return tl::unexpected(games.error());
  if (number > static_cast<int>(games->size())) {
    return fail("{} holds {} game{}; there is no game {}", in_quotes(path), games->size(),
                games->size() == 1 ? "" : "s", number);
  }
  return study::record_of((*games)[static_cast<std::size_t>(number - 1)]);
}

}  // namespace paika::apps
