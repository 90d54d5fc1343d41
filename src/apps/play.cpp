// `paika play`: a game at the terminal.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <random>
#include <string>
#include <unistd.h>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "apps/tables_input.hpp"
#include "apps/terminal/conversation.hpp"
#include "apps/terminal/locale.hpp"
#include "apps/terminal/plain.hpp"
#include "apps/terminal/screen.hpp"
#include "apps/terminal/theme.hpp"
#include "apps/terminal/wake_up.hpp"
#include "base/catalogue.hpp"
#include "base/text.hpp"
#include "engine/module.hpp"
#include "engine/registry.hpp"
#include "play/autosave.hpp"
#include "play/live_game.hpp"
#include "play/settings.hpp"

namespace paika::apps {

namespace {

namespace fs = std::filesystem;
using play::EngineSettings;
using play::GameRecord;
using play::LiveGame;
using play::PlayerText;

// A newcomer plays first, against a computer that can be beaten.
constexpr const char* default_first = "human";
constexpr const char* default_second = "engine:level=5";

/// The words of the command line for each seat; empty where it says nothing.
using SeatWords = std::array<std::string, 2>;

Result<SeatWords> seat_words(const PlayArgs& args, const Notation& notation) {
  SeatWords words = {args.first, args.second};
  for (const auto& [colour, who] : {std::pair{"white", &args.white}, std::pair{"black", &args.black}}) {
    if (who->empty()) continue;
    const bool first = lowered(notation.player_name(Player::first)) == colour;
    std::string& word = words[first ? 0 : 1];
    if (!word.empty())
      return fail("--{} and --{} are the same player of this game", colour, first ? "first" : "second");
    word = *who;
  }
  return words;
}

/// What both players have, unless they say something else themselves.
Result<EngineSettings> common_settings(const PlayArgs& args) {
  EngineSettings each;
  if (args.time_ms > 0) each.limits.move_time = Milliseconds(args.time_ms);
  if (!args.clock.empty()) {
    if (const auto applied = play::apply_setting(each, "clock", args.clock); !applied) {
      return fail("in --clock: {}", applied.error().message);
    }
  }
  if (args.seed) each.search.seed = static_cast<std::uint64_t>(*args.seed);
  return each;
}

Result<PlayerText> read_seat(const std::string& word, const EngineSettings& each) {
  SearchLimits engine_limits;
  engine_limits.move_time = Milliseconds(1000);
  auto player = play::read_seat(word, each, engine_limits);
  if (player) player->text = play::seat_text(*player);
  return player;
}

bool has_cursor_control() {
  const char* terminal = std::getenv("TERM");  // NOLINT(concurrency-mt-unsafe): nothing here sets the environment
  return terminal != nullptr && *terminal != '\0' && std::string_view(terminal) != "dumb";
}

/// True if the game will be played on the full screen, as far as one can know before the position was read: if
/// that comes from standard input, the terminal takes its place.
bool fills_screen(const PlayArgs& args) {
  const bool typed = isatty(STDIN_FILENO) != 0 || (args.at.has_position && args.at.position == "-");
  return !args.plain && typed && isatty(STDOUT_FILENO) != 0 && has_cursor_control();
}

/// The file for programs' standard error; one that nobody wrote to goes with the object.
struct ErrorLog {
  std::string path;  // empty: none

  ErrorLog() = default;
  ErrorLog(const ErrorLog&) = delete;
  ErrorLog& operator=(const ErrorLog&) = delete;
  ~ErrorLog() {
    std::error_code error;
    if (!path.empty() && fs::file_size(path, error) == 0 && !error) fs::remove(path, error);
  }
};

/// What a conversation and the game need of the world.
struct PlayDeps {
  ErrorLog error_log;
  terminal::WakeUp wake_up;
  terminal::ConversationSetup setup;
};

Result<void> prepare(PlayDeps& deps, const PlayArgs& args) {
  deps.setup.language = args.lang.empty() ? terminal::language_of_environment() : args.lang;
  deps.setup.flipped = args.flip;
  auto catalogue = catalogue_of(deps.setup.language);
  if (!catalogue) return fail("in --lang: {}", catalogue.error().message);
  deps.setup.catalogue = std::move(*catalogue);
  deps.setup.autosave_folder = play::state_folder();
  deps.setup.tables = tables_folder(args.tables);
  deps.setup.live.make = play::default_players("", deps.setup.tables);
  deps.setup.record_file = args.record;
  deps.setup.live.wake = [&deps] { deps.wake_up.wake(); };
  if (fills_screen(args)) {
    // What a program writes there must not be written over the board.
    const std::string& folder = deps.setup.autosave_folder;
    if (!folder.empty()) deps.error_log.path = play::error_log_in(folder);
    deps.setup.error_log = deps.error_log.path;
    deps.setup.live.make = play::default_players(folder.empty() ? "/dev/null" : deps.error_log.path, deps.setup.tables);
  }
  if (!args.seed) deps.setup.live.number = std::random_device{}();
  if (args.record.empty()) return {};
  return play::add_to_file(args.record, "");
}

Result<std::unique_ptr<LiveGame>> begin_game(const PlayArgs& args, PlayDeps& deps) {
  if (args.at.spec.empty()) {
    std::vector<std::string> names;
    for (const GameModule& module : game_modules()) names.push_back(module.info().name);
    return fail("which game? Give its name: {} (`paika games` has their options)", listed(names));
  }
  const auto session = open_position(args.at);
  if (!session) return tl::unexpected(session.error());
  const auto game = open_game((*session)->notation().spec());
  if (!game) return tl::unexpected(game.error());
  auto words = seat_words(args, (*game)->notation());
  if (!words) return tl::unexpected(words.error());
  const auto each = common_settings(args);
  if (!each) return tl::unexpected(each.error());
  play::LivePlan plan;
  plan.game = *game;
  if (args.at.has_position) plan.start = (*session)->position_text();
  for (std::size_t i = 0; i < 2; ++i) {
    const bool computer_first = !(*words)[0].empty() && !lowered((*words)[0]).starts_with("human");
    const char* usual = i == 0 || computer_first ? default_first : default_second;
    auto player = read_seat((*words)[i].empty() ? usual : (*words)[i], *each);
    if (!player) return tl::unexpected(player.error());
    plan.players[i] = std::move(*player);
  }
  return LiveGame::begin(std::move(plan), deps.setup.live);
}

// ---- Going on with a game ----

bool in_folder(const std::string& file, const std::string& folder) {
  std::error_code error;
  return !folder.empty() && fs::equivalent(fs::absolute(file, error).parent_path(), folder, error);
}

/// The game to go on with. One of our own files is gone on with in that file; others are only read.
Result<GameRecord> left_game(const PlayArgs& args, PlayDeps& deps) {
  const std::string& folder = deps.setup.autosave_folder;
  if (args.resume_file.empty()) {
    auto left = play::Autosave::newest_left(folder);
    if (!left) return fail("there is no unfinished game in {}", in_quotes(folder, 200));
    deps.setup.autosave = std::move(left->save);
    return std::move(left->record);
  }
  // Elsewhere than among the running games a file is only read.
  if (!in_folder(args.resume_file, folder)) return play::last_record(args.resume_file);
  auto left = play::Autosave::take(args.resume_file);
  if (!left) return tl::unexpected(left.error());
  deps.setup.autosave = std::move(left->save);
  return std::move(left->record);
}

Result<std::unique_ptr<LiveGame>> resume_game(const PlayArgs& args, PlayDeps& deps) {
  if (!args.at.spec.empty() || args.at.has_position) {
    return fail("--resume continues a game, whose rules and position are set: give it without them");
  }
  const bool timed = args.time_ms > 0 || !args.clock.empty();
  if (timed && args.first.empty() && args.second.empty() && args.white.empty() && args.black.empty()) {
    return fail(
        "--resume keeps the players' times: give --time-ms or --clock with a new player, or type \"set time\" or \"set "
        "clock\" in the game");
  }
  auto record = left_game(args, deps);
  if (!record) return tl::unexpected(record.error());
  const auto game = open_game(record->spec);
  if (!game) return tl::unexpected(game.error());
  const auto words = seat_words(args, (*game)->notation());
  if (!words) return tl::unexpected(words.error());
  const auto each = common_settings(args);
  if (!each) return tl::unexpected(each.error());
  for (std::size_t i = 0; i < 2; ++i) {
    std::string& text = record->players[i];
    if ((*words)[i].empty()) {
      if (deps.setup.autosave || !lowered(text).starts_with("bot:")) continue;
      return fail(
          "the game in {} was played by {}; programs named in a file are not run automatically: name it again with "
          "--{}",
          in_quotes(args.resume_file, 200), in_quotes(text, 200), i == 0 ? "first" : "second");
    }
    const auto player = read_seat((*words)[i], *each);
    if (!player) return tl::unexpected(player.error());
    text = player->text;
    record->limits[i] = player->settings.limits;
    record->since[i] = static_cast<int>(record->turns.size());
  }
  return LiveGame::from_record(*record, deps.setup.live);
}

/// A position that came from standard input leaves nothing there to play with: the terminal takes its place.
void listen_to_terminal_again(const PlayArgs& args) {
  if (!args.at.has_position || args.at.position != "-" || isatty(STDIN_FILENO) != 0) return;
  const int terminal = isatty(STDOUT_FILENO) != 0 ? open("/dev/tty", O_RDONLY) : -1;
  if (terminal < 0) return;
  dup2(terminal, STDIN_FILENO);
  close(terminal);
}

}  // namespace

int run_play(const PlayArgs& args) {
  const auto theme = args.theme.empty() ? Result<terminal::ThemeName>(terminal::ThemeName::standard)
                                        : terminal::read_theme(args.theme);
  if (!theme) return complain(theme.error().message);
  PlayDeps deps;
  if (const auto ready = prepare(deps, args); !ready) return complain(ready.error().message);
  auto game = args.resume ? resume_game(args, deps) : begin_game(args, deps);
  if (!game) return complain(game.error().message);
  listen_to_terminal_again(args);
  const bool typed = isatty(STDIN_FILENO) != 0;
  const bool seen = isatty(STDOUT_FILENO) != 0;
  const bool colours = seen && terminal::colours_of_environment() && has_cursor_control();
  const int wake_fd = deps.wake_up.descriptor();
  terminal::Conversation conversation(std::move(*game), std::move(deps.setup));
  if (typed && seen && !args.plain && has_cursor_control()) {
    terminal::ScreenOptions options;
    options.unicode = !args.ascii && terminal::unicode_of_environment();
    options.theme = *theme;
    options.colours = colours;
    options.animation = !args.no_animation;
    options.wake_fd = wake_fd;
    const int status = terminal::run_screen(conversation, options);
    return status == exit_done && conversation.record_lost() ? exit_bad_input : status;
  }
  const int status = finish(terminal::run_plain(conversation, {colours, args.ascii, typed, wake_fd}));
  return status == exit_done && conversation.record_lost() ? exit_bad_input : status;
}

}  // namespace paika::apps
