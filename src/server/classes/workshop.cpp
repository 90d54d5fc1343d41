#include "server/classes/workshop.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "engine/registry.hpp"
#include "play/engine_player.hpp"
#include "play/openings.hpp"
#include "play/reason.hpp"
#include "sandbox/run_program.hpp"
#include "sandbox/scratch.hpp"
#include "server/classes/bot_files.hpp"

namespace paika::server {

namespace {

namespace fs = std::filesystem;
using Cut = sandbox::ProgramRun::Cut;

constexpr std::chrono::seconds time_to_build(60);
constexpr std::uint64_t build_memory = std::uint64_t{2} << 30;
constexpr std::uint64_t built_bytes = std::uint64_t{128} << 20;
constexpr std::string_view unfinished_ending = ".building";
/// A turn may be so much later: the machine has other things to do.
constexpr Milliseconds margin{50};
/// All moves of a bot together: in a game that checks it, which is cut off then, and in one of the ladder.
constexpr Milliseconds time_to_check = std::chrono::seconds(30);
constexpr Milliseconds time_to_play = std::chrono::minutes(10);
constexpr int min_check = 12;  // moves of both sides in a game that checks a bot
constexpr int max_check = 300;
constexpr std::uint64_t check_nodes = 300;  // of the engine that a bot is checked against

constexpr mode_t readable_folder = 0755;
constexpr mode_t readable_file = 0644;
constexpr mode_t passable_folder = 0711;

std::string read_tail(const std::string& path) {
  const std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return tail_of(plain_text(text.str()), max_log_bytes);
}

/// Everything in a folder becomes ours again and readable for the users that bots run as. No process of the bot lives
/// any more, so that nothing changes under our hands; links stay what they are.
void settle(const std::string& folder) {
  const auto settle_one = [](const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path, error);
    static_cast<void>(::lchown(path.c_str(), ::getuid(), ::getgid()));
    if (status.type() == fs::file_type::directory) {
      static_cast<void>(::chmod(path.c_str(), readable_folder));
    } else if (status.type() == fs::file_type::regular) {
      const bool runs = (status.permissions() & fs::perms::owner_exec) != fs::perms::none;
      static_cast<void>(::chmod(path.c_str(), runs ? readable_folder : readable_file));
    }
  };
  settle_one(folder);
  std::error_code error;
  fs::recursive_directory_iterator it(folder, error);
  for (const fs::recursive_directory_iterator end; !error && it != end; it.increment(error)) settle_one(it->path());
}

void remove_folder(const std::string& folder) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(folder, error))) return;
  settle(folder);
  fs::remove_all(folder, error);
}

/// Half the verdict of a check game: what the bot did wrong, if it did.
std::optional<std::string> fault_of(const play::GameReport& report, std::size_t bot_side) {
  if (!report.failure) return std::nullopt;
  const bool first_lost = report.record.result.verdict == Verdict::second_wins;
  if (first_lost != (bot_side == 0)) return std::nullopt;
  return fmt::format("{}: {}", name(*report.failure), report.record.result.remark);
}

/// How a game ended in which a bot did nothing wrong.
std::string ending_of(const play::GameReport& report) {
  return report.record.result.reason == play::too_long_reason ? "nothing wrong so far, which is enough"
                                                              : "played to the end";
}

}  // namespace

SearchLimits turn_limits(const ClassRow& in) {
  SearchLimits limits;
  limits.move_time = Milliseconds(in.turn_ms);
  return limits;
}

std::string tail_of(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t from = text.size() - most;
  const std::size_t line = text.find('\n', from);
  if (line != std::string::npos && line + 1 < text.size()) from = line + 1;
  // With a whole character: PostgreSQL takes only good UTF-8.
  while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0U) == 0x80U) ++from;
  return "[…]\n" + text.substr(from);
}

Workshop::Workshop(std::string folder, sandbox::Sandbox sandbox, std::vector<std::string> readable)
    : folder_(std::move(folder)), walls_(sandbox), readable_(std::move(readable)) {
  std::error_code error;
  fs::create_directories(folder_, error);
  // Bots that run as users of their own must get through to their folder, but nobody need see which there are.
  static_cast<void>(::chmod(folder_.c_str(), passable_folder));
}

std::string Workshop::folder_of(BotId bot) const { return fmt::format("{}/{}", folder_, bot); }

bool Workshop::has(const BotRow& bot) const {
  std::error_code error;
  return bot.house() || fs::is_directory(folder_of(bot.id), error);
}

protocols::Participant Workshop::participant(const BotRow& bot) const {
  protocols::Participant participant;
  participant.name = fmt::format("bot-{}", bot.id);
  if (bot.house()) {
    if (const auto settings = play::read_settings(bot.run)) participant.player.settings = *settings;
    return participant;
  }
  participant.player.text = "bot:" + bot.run;
  participant.player.command = bot.run;
  participant.protocol = protocols::read_protocol(bot.protocol).value_or(protocols::BotProtocol::ugi);
  participant.folder = folder_of(bot.id);
  return participant;
}

protocols::SandboxPolicy Workshop::policy(const ClassRow& in) const {
  protocols::SandboxPolicy policy;
  policy.confinement.sandbox = walls_;
  policy.confinement.readable = readable_;
  policy.confinement.limits.memory = static_cast<std::uint64_t>(in.memory_mb) << 20U;
  policy.margin = margin;
  return policy;
}

Result<std::string> Workshop::build(const ClassRow& in, const BotRow& bot, const std::string& folder,
                                    const BotListener& say, const std::stop_token& stop) {
  if (bot.build.empty()) return std::string();
  sandbox::Confinement confinement = policy(in).confinement;
  confinement.limits.memory = build_memory;
  confinement.limits.written = built_bytes;
  confinement.limits.cpu_seconds = static_cast<int>(time_to_build.count());
  play::Launch launch = sandbox::confined(confinement, fmt::format("exec 2>&1\n{}", bot.build), "", folder);
  launch.error_log = "/dev/null";
  const auto deadline = std::chrono::steady_clock::now() + time_to_build;
  say(fmt::format("$ {}\n", bot.build));
  const auto run = sandbox::run_program(launch, "", deadline, confinement.limits.output, stop,
                                        [&](std::string_view line) { say(plain_text(line) + "\n"); });
  if (!run) return tl::unexpected(run.error());
  std::string told = fmt::format("$ {}\n{}", bot.build, tail_of(plain_text(run->output), max_report_bytes / 2));
  if (stop.stop_requested()) return fail("stopped");
  const auto failed = [&](const std::string& why) {
    say(why + "\n");
    return fail("{}{}", told, why);
  };
  if (run->cut == Cut::flood) return failed("building it produced too much output");
  if (run->cut == Cut::late) return failed(fmt::format("building it took longer than {} s", time_to_build.count()));
  if (!run->ended_well()) return failed("building it failed: " + words_for(*run));
  return told;
}

BotVerdict Workshop::examine(const ClassRow& in, const BotRow& bot, const std::string& files,
                             const std::function<void()>& checking, const BotListener& say,
                             const std::stop_token& stop) {
  const std::string place = folder_of(bot.id);
  const std::string unfinished = place + std::string(unfinished_ending);
  remove_folder(unfinished);
  remove_folder(place);
  const auto refused = [&](std::string why) {
    remove_folder(unfinished);
    remove_folder(place);
    return BotVerdict{false, stop.stop_requested(), tail_of(std::move(why), max_report_bytes)};
  };
  const auto list = read_bot_files(Json::parse(files, nullptr, false));
  if (!list) return refused(list.error().message);
  std::error_code error;
  fs::create_directory(unfinished, error);
  if (const auto written = write_bot_files(unfinished, *list); !written) return refused(written.error().message);
  settle(unfinished);
  auto built = build(in, bot, unfinished, say, stop);
  if (!built) return refused(built.error().message);
  settle(unfinished);
  fs::rename(unfinished, place, error);
  if (error) return refused(fmt::format("the bot's folder cannot be created: {}", error.message()));
  checking();
  BotVerdict verdict = check(in, bot, std::move(*built), say, stop);
  if (!verdict.accepted) remove_folder(place);
  return verdict;
}

BotVerdict Workshop::check(const ClassRow& in, const BotRow& bot, std::string report, const BotListener& say,
                           const std::stop_token& stop) {
  const auto add = [&](const std::string& text) {
    report += text;
    say(text);
  };
  const auto verdict = [&](bool accepted) {
    return BotVerdict{accepted, stop.stop_requested(), tail_of(std::move(report), max_report_bytes)};
  };
  const auto game = open_game(in.spec);
  if (!game) {
    add(game.error().message + "\n");
    return verdict(false);
  }
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    const auto scratch = sandbox::ScratchFolder::make();
    if (!scratch) {
      add(scratch.error().message + "\n");
      return verdict(false);
    }
    const std::string log = scratch->path() + "/log";
    auto game_player = protocols::make_game_player(participant(bot), *game, policy(in), log);
    if (!game_player) {
      add(game_player.error().message + "\n");
      return verdict(false);
    }
    SearchSettings weak;
    weak.level = 1;
    play::EnginePlayer engine(**game, "engine", weak);
    SearchLimits few;
    few.nodes = check_nodes;
    play::GamePlan plan;
    plan.game = *game;
    plan.number = side + 1;
    plan.max_turns =
        static_cast<int>(std::clamp<std::int64_t>(2 * time_to_check.count() / in.turn_ms, min_check, max_check));
    plan.margin = margin;
    const play::Side own{**game_player, turn_limits(in)};
    const play::Side other{engine, few};
    const auto played = side == 0 ? play_game(plan, {own, other}, stop) : play_game(plan, {other, own}, stop);
    if (played.stopped || stop.stop_requested()) return verdict(false);
    const auto fault = fault_of(played, side);
    add(fmt::format("{}. A game against the weakest engine, moving {}: {} moves, {}\n", side + 1,
                    side == 0 ? "first" : "second", played.record.turns.size(),
                    fault ? "lost by " + *fault : ending_of(played)));
    game_player->reset();
    if (fault) {
      add(fmt::format("What it said and was told:\n{}", read_tail(log)));
      return verdict(false);
    }
  }
  return verdict(true);
}

Result<LadderPlay> Workshop::play(const ClassRow& in, const std::array<BotRow, 2>& bots, const play::GamePlan& plan,
                                  const std::stop_token& stop) {
  const auto scratch = sandbox::ScratchFolder::make();
  if (!scratch) return tl::unexpected(scratch.error());
  const std::array<std::string, 2> logs = {scratch->path() + "/first", scratch->path() + "/second"};
  LadderPlay played;
  {
    auto first = protocols::make_game_player(participant(bots[0]), plan.game, policy(in), logs[0]);
    if (!first) return tl::unexpected(first.error());
    auto second = protocols::make_game_player(participant(bots[1]), plan.game, policy(in), logs[1]);
    if (!second) return tl::unexpected(second.error());
    const SearchLimits limits = turn_limits(in);
    play::GamePlan judged = plan;
    judged.margin = margin;
    judged.max_total = time_to_play;
    played.report = play_game(judged, {play::Side{**first, limits}, play::Side{**second, limits}}, stop);
  }
  for (std::size_t side = 0; side < 2; ++side) played.logs.at(side) = read_tail(logs.at(side));
  return played;
}

void Workshop::keep_only(const std::set<BotId>& bots) {
  std::vector<std::string> gone;
  std::error_code error;
  for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    std::string name = it->path().filename().string();
    if (name.ends_with(unfinished_ending)) name.resize(name.size() - unfinished_ending.size());
    const auto id = parse_int(name);
    if (!id || !bots.contains(*id)) gone.push_back(it->path().string());
  }
  for (const std::string& path : gone) remove_folder(path);
}

}  // namespace paika::server
