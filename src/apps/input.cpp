#include "apps/input.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>

#include "base/text.hpp"
#include "engine/diagram.hpp"
#include "engine/registry.hpp"

namespace paika::apps {

namespace {

Result<std::string> read_stream(std::FILE* file, std::string_view what) {
  std::string text(most_input_bytes + 1, '\0');
  const std::size_t size = std::fread(text.data(), 1, text.size(), file);
  if (std::ferror(file) != 0) return fail("cannot read {}: {}", what, std::strerror(errno));
  if (size > most_input_bytes) {
    return fail("{} is longer than {} bytes: that is no position of any game", what, most_input_bytes);
  }
  text.resize(size);
  return text;
}

Result<std::string> read_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) return fail("cannot open {}: {}", in_quotes(path), std::strerror(errno));
  return read_stream(file.get(), in_quotes(path));
}

bool names_a_file(const std::string& text) {
  std::error_code error;
  return text.size() < 4096 && std::filesystem::is_regular_file(text, error);
}

/// The text that --position stands for: "-" is stdin, a file's name its content, else itself.
Result<std::string> position_text(const std::string& given) {
  if (given == "-") return read_stream(stdin, "standard input");
  if (names_a_file(given)) return read_file(given);
  if (given.size() > most_input_bytes) return fail("the position is longer than {} bytes", most_input_bytes);
  return given;
}

}  // namespace

Result<std::unique_ptr<Session>> open_position(const PositionArgs& args) {
  const auto game = open_game(args.spec);
  if (!game) return tl::unexpected(game.error());
  std::unique_ptr<Session> session = (*game)->start();
  if (args.has_position) {
    const auto text = position_text(args.position);
    if (!text) return tl::unexpected(text.error());
    auto there = (*game)->start_from_text(*text);
    if (!there) return fail("bad position for {}: {}", (*game)->face().spec(), there.error().message);
    session = std::move(*there);
  }
  for (std::size_t i = 0; i < args.play.size(); ++i) {
    if (const auto played = session->try_play(args.play[i]); !played) {
      return fail("turn {} of --play, {}: {}", i + 1, in_quotes(args.play[i]),
                  refusal_sentence(session->face(), played.error()));
    }
  }
  return session;
}

int complain(std::string_view message) {
  std::fflush(stdout);
  fmt::print(stderr, "paika: {}\n", message);
  return exit_bad_input;
}

int finish(int status) {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return complain(fmt::format("cannot write the output: {}", std::strerror(errno)));
  }
  return status;
}

}  // namespace paika::apps
