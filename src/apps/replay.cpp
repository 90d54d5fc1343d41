// `paika replay` and `paika demo`: games that are looked at turn by turn.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "apps/terminal/characters.hpp"
#include "apps/terminal/locale.hpp"
#include "apps/terminal/theme.hpp"
#include "apps/terminal/walk_screen.hpp"
#include "base/text.hpp"
#include "engine/registry.hpp"
#include "play/ggf.hpp"

namespace paika::apps {

namespace {

/// How to show a walk, from the options and the environment.
struct Showing {
  Catalogue catalogue;
  std::string language;
  terminal::ScreenOptions screen;
  bool full_screen = false;
};

Result<Showing> showing_of(const ShowArgs& args) {
  Showing showing;
  showing.language = args.language.empty() ? terminal::language_of_environment() : args.language;
  auto catalogue = catalogue_of(showing.language);
  if (!catalogue) return tl::unexpected(catalogue.error());
  showing.catalogue = std::move(*catalogue);
  const auto theme = terminal::read_theme(args.theme);
  if (!theme) return tl::unexpected(theme.error());
  showing.screen.theme = *theme;
  showing.screen.unicode = !args.ascii && terminal::unicode_of_environment();
  showing.screen.colours = terminal::colours_of_environment();
  showing.screen.animation = !args.no_animation;
  showing.full_screen = !args.plain && isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
  return showing;
}

terminal::WalkEnd show_walk(const terminal::Walk& walk, const Showing& showing, bool more) {
  if (showing.full_screen) return terminal::run_walk_screen(walk, showing.catalogue, showing.screen, more);
  if (isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0) {
    return terminal::converse_walk(walk, showing.catalogue, showing.screen.unicode, more, stdin, stdout);
  }
  terminal::print_walk(walk, showing.screen.unicode, stdout);
  if (more) fmt::print("\n");
  return {finish(exit_done), more};
}

/// The demonstrations of the game that a spec names.
std::vector<std::string> demos_of_game(std::string_view game) {
  std::vector<std::string> names;
  for (const std::string& name : play::demo_names()) {
    if (name.starts_with(std::string(game) + "-")) names.push_back(name);
  }
  return names;
}

int list_demos(const std::vector<std::string>& names, const Showing& showing) {
  for (const std::string& name : names) {
    const auto demo = play::find_demo(name);
    if (!demo) return complain(demo.error().message);
    const std::string title(demo->title.in(showing.language));
    fmt::print("{:<24} {}\n", name, showing.screen.unicode ? title : terminal::ascii_of(title));
  }
  return finish(exit_done);
}

bool is_file_name(const std::string& text) {
  std::error_code error;
  return std::filesystem::is_regular_file(text, error);
}

/// What `paika demo WHAT` shows: all of a game, one by its name, or a file.
Result<std::vector<play::Demo>> demos_for(const std::string& what) {
  std::vector<std::string> names = play::demo_names();
  const bool known = std::find(names.begin(), names.end(), what) != names.end();
  if (known) {
    names = {what};
  } else if (const auto game = find_game(spec_name(what))) {
    names = demos_of_game((*game)->name);
  } else if (is_file_name(what)) {
    const auto text = read_text_file(what);
    if (!text) return tl::unexpected(text.error());
    return play::read_demo(what, *text).map([](play::Demo demo) { return std::vector<play::Demo>{std::move(demo)}; });
  } else {
    return fail("{}; nor is that a game or a file", play::find_demo(what).error().message);
  }
  std::vector<play::Demo> demos;
  for (const std::string& name : names) {
    auto demo = play::find_demo(name);
    if (!demo) return tl::unexpected(demo.error());
    demos.push_back(std::move(*demo));
  }
  return demos;
}

}  // namespace

int run_replay(const ReplayArgs& args) {
  const auto showing = showing_of(args.show);
  if (!showing) return complain(showing.error().message);
  const auto record = read_game(args.file, args.game);
  if (!record) return complain(record.error().message);
  const auto walk = terminal::walk_of(*record, showing->catalogue);
  if (!walk) return complain(fmt::format("{}: {}", in_quotes(args.file), walk.error().message));
  return show_walk(*walk, *showing, false).status;
}

int run_demo(const DemoArgs& args) {
  const auto showing = showing_of(args.show);
  if (!showing) return complain(showing.error().message);
  if (args.list || args.what.empty()) {
    if (args.what.empty()) return list_demos(play::demo_names(), *showing);
    const auto game = find_game(spec_name(args.what));
    if (!game) return complain(game.error().message);
    return list_demos(demos_of_game((*game)->name), *showing);
  }
  const auto demos = demos_for(args.what);
  if (!demos) return complain(demos.error().message);
  for (const play::Demo& demo : *demos) {
    const terminal::Walk walk = terminal::walk_of(demo, showing->catalogue, showing->language);
    const terminal::WalkEnd end = show_walk(walk, *showing, &demo != &demos->back());
    if (!end.go_on) return end.status;
  }
  return exit_done;
}

}  // namespace paika::apps
