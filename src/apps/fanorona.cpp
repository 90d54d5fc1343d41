// paika fanorona-server and paika fanorona-client: Fanorona by the class protocol over TCP.
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <optional>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "apps/interrupt.hpp"
#include "apps/stderr.hpp"
#include "apps/typed_player.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "play/match.hpp"
#include "play/record.hpp"
#include "play/settings.hpp"
#include "protocols/fanorona_game.hpp"

namespace paika::apps {

namespace {

using protocols::ClassGame;
using protocols::ClassPeer;
using protocols::ClassReport;
using protocols::ClassRole;

constexpr std::chrono::seconds time_to_connect(10);
/// Without any limit the engine thinks so long.
constexpr Milliseconds engine_time{1000};

using RecordFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// Who plays here, and what was asked about the games.
struct Setting {
  play::PlayerText player;
  protocols::ClassPatience patience;
  bool full_chains = false;
  ClassPeer::Trace trace;
  RecordFile records{nullptr, std::fclose};
};

Result<Setting> read_setting(const FanoronaArgs& args) {
  Setting setting;
  SearchLimits engine_limits;
  engine_limits.move_time = engine_time;
  auto player = play::read_seat(args.player, {}, engine_limits);
  if (!player) return tl::unexpected(player.error());
  if (player->settings.limits.clock) return fail("--player: the class protocol has a time per move, no clock");
  setting.player = std::move(*player);
  setting.patience.margin = Milliseconds(args.margin_ms);
  setting.patience.to_think = std::chrono::seconds(args.patience_s);
  setting.full_chains = args.full_chains;
  if (args.trace) {
    setting.trace = [](bool sent, std::string_view message) {
      fmt::print("{} {}\n", sent ? '>' : '<', plain_text(message));
      std::fflush(stdout);
    };
  }
  if (args.record.empty()) return setting;
  setting.records.reset(std::fopen(args.record.c_str(), "abe"));
  if (!setting.records) return fail("cannot write {}: {}", in_quotes(args.record), std::strerror(errno));
  return setting;
}

Result<ClassGame> read_game(const FanoronaArgs& args) {
  ClassGame game;
  const auto parts = split(args.size, 'x');
  const auto cols = parse_int(parts.front());
  const auto rows = parse_int(parts.back());
  const auto allowed = [](const auto& number) { return number && *number >= 1 && *number <= 13 && *number % 2 == 1; };
  if (parts.size() != 2 || !allowed(cols) || !allowed(rows)) {
    return fail("--size: a board is COLSxROWS, both odd and from 1 to 13, such as 9x5, not {}", in_quotes(args.size));
  }
  game.cols = static_cast<int>(*cols);
  game.rows = static_cast<int>(*rows);
  const std::string colour = lowered(args.colour);
  if (colour != "white" && colour != "black" && colour != "w" && colour != "b") {
    return fail("--colour is white or black, not {}", in_quotes(args.colour));
  }
  game.client = colour[0] == 'w' ? Player::second : Player::first;
  game.time_ms = args.time_ms;
  return game;
}

/// Prints each turn with its number: "12. Black c3d4A".
std::function<void(Player, std::string_view)> turn_printer(const Notation& notation) {
  return [&notation, number = 0](Player player, std::string_view turn) mutable {
    fmt::print("{}. {} {}\n", ++number, notation.player_name(player), turn);
    std::fflush(stdout);
  };
}

/// Plays one game with a peer that was greeted.
Result<ClassReport> play_with(ClassPeer& peer, ClassRole role, const ClassGame& game, Setting& setting,
                              const std::stop_token& stop) {
  const auto rules = protocols::open_class_game(game);
  if (!rules) return tl::unexpected(rules.error());
  TypedPlayer person([&peer] { return peer.closed(); });
  std::unique_ptr<play::GamePlayer> player;
  const play::MatchEntry entry = play::enter(*rules, setting.player, setting.patience.margin);
  if (!setting.player.person) {
    auto made = entry.make();
    if (!made) return tl::unexpected(made.error());
    player = std::move(*made);
  }
  const protocols::ClassSide us{player ? *player : person, setting.player.settings.limits, setting.full_chains,
                                turn_printer((*rules)->notation())};
  ClassReport report = protocols::play_class_game(peer, role, game, *rules, us, setting.patience, stop);
  if (setting.player.person && person.resigned()) {
    report.game.record.result.reason = play::resigned_reason;
    report.broke_off = false;
    report.sentence = report.game.record.result.remark + ".";
  }
  if (setting.player.person && person.left_alone()) report.sentence = "the other side hung up.";
  if (setting.records) {
    fmt::print(setting.records.get(), "{}\n", play::record_text(report.game.record));
    std::fflush(setting.records.get());
  }
  return report;
}

void print_report(std::string_view title, const ClassReport& report) {
  fmt::print("{}: {} moves: {}\n", title, report.game.record.turns.size(), report.sentence);
  std::fflush(stdout);
}

/// The exit status of a game that was played.
int end_of(const Setting& setting, const FanoronaArgs& args, bool broke_off) {
  if (setting.records && std::ferror(setting.records.get()) != 0) {
    return complain(fmt::format("not all games could be written to {}", in_quotes(args.record)));
  }
  return finish(broke_off ? exit_no : exit_done);
}

}  // namespace

int run_fanorona_server(const FanoronaArgs& args) {
  const auto game = read_game(args);
  if (!game) return complain(game.error().message);
  auto setting = read_setting(args);
  if (!setting) return complain(setting.error().message);
  const Interrupt interrupt;
  auto listener = protocols::Listener::open(args.host, args.port);
  if (!listener) return complain(listener.error().message);
  fmt::print("listening on {}\n", listener->where());
  std::fflush(stdout);
  bool broke_off = false;
  for (int number = 1; args.games == 0 || number <= args.games;) {
    auto guest = listener->accept(interrupt.token());
    if (interrupt.token().stop_requested()) break;
    if (!guest) return complain(guest.error().message);
    ClassPeer peer(std::move(guest->first), setting->trace);
    if (const auto greeted = protocols::greet(peer, *game, setting->patience, interrupt.token()); !greeted) {
      to_stderr(fmt::format("paika: {} does not start a game: {}\n", guest->second, greeted.error().message));
      continue;
    }
    const auto report = play_with(peer, ClassRole::server, *game, *setting, interrupt.token());
    if (!report) return complain(report.error().message);
    print_report(fmt::format("game {} with {}", number++, guest->second), *report);
    broke_off = broke_off || report->broke_off;
  }
  return end_of(*setting, args, broke_off);
}

int run_fanorona_client(const FanoronaArgs& args) {
  auto setting = read_setting(args);
  if (!setting) return complain(setting.error().message);
  const Interrupt interrupt;
  auto socket =
      protocols::connect_to(args.host, args.port, ClassPeer::Clock::now() + time_to_connect, interrupt.token());
  if (!socket) return complain(socket.error().message);
  ClassPeer peer(std::move(*socket), setting->trace);
  const auto game = protocols::be_greeted(peer, setting->patience, interrupt.token());
  if (!game) return complain(fmt::format("the server does not start a game: {}", game.error().message));
  fmt::print("{}x{}, {} plays here, {}\n", game->cols, game->rows, game->client == Player::first ? "White" : "Black",
             game->time_ms == 0 ? "no time limit" : fmt::format("{} ms per move", game->time_ms));
  std::fflush(stdout);
  const auto report = play_with(peer, ClassRole::client, *game, *setting, interrupt.token());
  if (!report) return complain(report.error().message);
  print_report("game", *report);
  return end_of(*setting, args, report->broke_off);
}

}  // namespace paika::apps
