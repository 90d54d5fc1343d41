// `paika engine`: the engine protocols on standard input and output.
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "base/text.hpp"
#include "engine/module.hpp"
#include "engine/opening_book.hpp"
#include "engine/registry.hpp"
#include "play/gtp.hpp"
#include "play/line_buffer.hpp"
#include "play/nboard.hpp"
#include "play/ugi.hpp"

namespace paika::apps {

namespace {

void write_line(std::string_view line) {
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fputc('\n', stdout);
  std::fflush(stdout);
}

/// The first game that the protocol can play.
std::string default_game(bool othello) {
  for (const GameModule& module : game_modules()) {
    if (!othello || module.ggf) return module.info().name;
  }
  return {};
}

Result<std::unique_ptr<play::Protocol>> make_protocol(const EngineArgs& args) {
  const std::string protocol = lowered(args.protocol);
  if (protocol != "ugi" && protocol != "nboard" && protocol != "gtp") {
    return fail("there is no protocol {}; the protocols are ugi, nboard and gtp", in_quotes(args.protocol));
  }
  auto settings = play::read_settings(args.settings);
  if (!settings) return fail("in --settings: {}", settings.error().message);
  const bool nboard = protocol == "nboard";
  const auto game = open_game(args.game.empty() ? default_game(protocol != "ugi") : args.game);
  if (!game) return tl::unexpected(game.error());
  if (nboard && !module_of(**game).ggf) return fail("nboard is a protocol for {} only", default_game(true));
  auto& book = settings->search.book;
  if (!book) book = builtin_book_name;
  if (const auto read = choose_book((*game)->notation().spec(), *book); !read) {
    return fail("in --settings: {}", read.error().message);
  }
  if (nboard) return std::make_unique<play::NBoard>(*game, *settings, write_line);
  if (protocol == "gtp") return std::make_unique<play::Gtp>(*game, *settings, PAIKA_VERSION, write_line);
  if (play::any_limit(settings->limits)) {
    return fail("in --settings: in this protocol the limits ({}) come with every go",
                play::limits_text(settings->limits));
  }
  return std::make_unique<play::Ugi>(*game, settings->search, PAIKA_VERSION, write_line);
}

/// Hands on the lines that have arrived; false when the conversation is over.
bool obey(play::Protocol& protocol, play::LineBuffer& lines) {
  while (const auto line = lines.next()) {
    if (line->too_long) {
      protocol.refuse_long_line();
    } else if (!protocol.handle(line->text)) {
      return false;
    }
  }
  return true;
}

void converse(play::Protocol& protocol) {
  play::LineBuffer lines(play::max_protocol_line);
  std::array<char, 1 << 16> bytes{};
  while (std::ferror(stdout) == 0) {
    const ssize_t count = read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    lines.add({bytes.data(), static_cast<std::size_t>(count)});
    if (!obey(protocol, lines)) return;
  }
  // A last line may come without its end.
  if (const auto line = lines.rest(); line && !line->too_long && !protocol.handle(line->text)) return;
  protocol.finish();
}

}  // namespace

int run_engine(const EngineArgs& args) {
  const auto protocol = make_protocol(args);
  if (!protocol) return complain(protocol.error().message);
  // A peer that has gone away is no reason to die by a signal.
  std::signal(SIGPIPE, SIG_IGN);
  converse(**protocol);
  return finish(exit_done);
}

}  // namespace paika::apps
