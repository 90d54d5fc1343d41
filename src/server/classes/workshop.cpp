#include "server/classes/workshop.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <limits>
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
#include "play/referee.hpp"
#include "sandbox/run_program.hpp"
#include "sandbox/scratch.hpp"
#include "server/classes/bot_files.hpp"
#include "tournament/folder_pack.hpp"
#include "tournament/order.hpp"

namespace paika::server {

namespace {

namespace fs = std::filesystem;
using Cut = sandbox::ProgramRun::Cut;

constexpr std::chrono::seconds time_to_build(60);
constexpr std::uint64_t build_memory = std::uint64_t{2} << 30;
constexpr std::uint64_t built_bytes = std::uint64_t{128} << 20;
/// A turn may be so much later: the machine has other things to do.
constexpr Milliseconds margin{50};
/// All moves of a bot together in a game that checks it, which is cut off then.
constexpr Milliseconds time_to_check = std::chrono::seconds(30);
constexpr int min_check = 12;  // moves of both sides in a game that checks a bot
constexpr int max_check = 300;
constexpr std::uint64_t check_nodes = 300;  // of the engine that a bot is checked against

constexpr mode_t readable_folder = 0755;
constexpr mode_t readable_file = 0644;

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

/// 0 for what is none, or too large.
int natural_number(const Json& number) {
  if (!number.is_number_unsigned() || number.get<std::uint64_t>() > std::numeric_limits<int>::max()) return 0;
  return number.get<int>();
}

/// One bot that is built and checked, in a folder that goes with it.
class BotCheck {
 public:
  BotCheck(const WorkshopSettings& settings, BotOrder order, std::string folder, const JobContext& context)
      : settings_(settings), order_(std::move(order)), folder_(std::move(folder)), context_(context) {}
  BotCheck(const BotCheck&) = delete;
  BotCheck& operator=(const BotCheck&) = delete;
  ~BotCheck() { remove_folder(folder_); }

  /// Nothing if we were told to stop.
  [[nodiscard]] Result<std::optional<JobResult>> run(const std::string& files) {
    auto built = make(files);
    if (context_.stop.stop_requested()) return std::nullopt;
    if (!built) return refused(built.error().message);
    context_.set_phase(checking_phase);
    report("checking\n");
    auto checked = check(std::move(*built));
    if (context_.stop.stop_requested()) return std::nullopt;
    if (!checked) return refused(checked.error().message);
    auto pack = tournament::pack_folder(folder_, tournament::Links::kept);
    if (!pack) return refused(*checked + "what was built cannot be used: " + pack.error().message);
    const std::string hash = tournament::sha256_hex(*pack);
    JobResult result{verdict_text({true, tail_of(std::move(*checked), max_report_bytes), hash}), {}};
    result.files.push_back({hash, std::move(*pack)});
    return result;
  }

 private:
  [[nodiscard]] static std::optional<JobResult> refused(std::string why) {
    return JobResult{verdict_text({false, tail_of(std::move(why), max_report_bytes), ""}), {}};
  }

  /// The bot's folder with what its build command makes; what that said.
  [[nodiscard]] Result<std::string> make(const std::string& files) {
    const auto list = read_bot_files(Json::parse(files, nullptr, false));
    if (!list) return tl::unexpected(list.error());
    std::error_code error;
    fs::create_directories(folder_, error);
    if (const auto written = write_bot_files(folder_, *list); !written) return tl::unexpected(written.error());
    settle(folder_);
    auto built = build();
    settle(folder_);
    return built;
  }

  [[nodiscard]] protocols::SandboxPolicy policy() const {
    protocols::SandboxPolicy policy = bot_policy(order_.memory_mb);
    policy.confinement.sandbox = settings_.sandbox;
    policy.confinement.readable = settings_.readable;
    return policy;
  }

  /// To those who follow it, who see the beginning of what is too long.
  void report(std::string_view text);
  /// What it said; an error says that too, and why it failed.
  [[nodiscard]] Result<std::string> build();
  [[nodiscard]] protocols::Participant participant() const;
  /// The text so far, and what the games were like; an error says that too, and what was wrong.
  [[nodiscard]] Result<std::string> check(std::string text);
  /// One of the games that check it.
  [[nodiscard]] Result<void> check_game(std::size_t side, const GamePtr& game,
                                        const std::function<void(const std::string&)>& add);

  const WorkshopSettings& settings_;
  BotOrder order_;
  std::string folder_;
  const JobContext& context_;
  std::size_t reported_ = 0;  // bytes
};

void BotCheck::report(std::string_view text) {
  if (reported_ >= max_transcript_bytes) return;
  // With whole characters: PostgreSQL takes only good UTF-8.
  std::string_view rest = text;
  while (!rest.empty() && reported_ < max_transcript_bytes) reported_ += take_character(rest).size();
  context_.report(text.substr(0, text.size() - rest.size()));
}

Result<std::string> BotCheck::build() {
  if (order_.build.empty()) return std::string();
  sandbox::Confinement confinement = policy().confinement;
  confinement.limits.memory = build_memory;
  confinement.limits.written = built_bytes;
  confinement.limits.cpu_seconds = static_cast<int>(time_to_build.count());
  play::Launch launch = sandbox::confined(confinement, fmt::format("exec 2>&1\n{}", order_.build), "", folder_);
  launch.error_log = "/dev/null";
  const auto deadline = std::chrono::steady_clock::now() + time_to_build;
  report(fmt::format("$ {}\n", order_.build));
  const auto run = sandbox::run_program(launch, "", deadline, confinement.limits.output, context_.stop,
                                        [&](std::string_view line) { report(plain_text(line) + "\n"); });
  if (!run) return tl::unexpected(run.error());
  std::string output = fmt::format("$ {}\n{}", order_.build, tail_of(plain_text(run->output), max_report_bytes / 2));
  const auto failed = [&](const std::string& why) {
    report(why + "\n");
    return fail("{}{}", output, why);
  };
  if (run->cut == Cut::flood) return failed("building it produced too much output");
  if (run->cut == Cut::late) return failed(fmt::format("building it took longer than {} s", time_to_build.count()));
  if (!run->ended_well()) return failed("building it failed: " + words_for(*run));
  return output;
}

protocols::Participant BotCheck::participant() const {
  protocols::Participant participant;
  participant.name = "bot";
  participant.player.text = "bot:" + order_.run;
  participant.player.command = order_.run;
  participant.protocol = protocols::read_protocol(order_.protocol).value_or(protocols::BotProtocol::ugi);
  participant.folder = folder_;
  return participant;
}

Result<std::string> BotCheck::check(std::string text) {
  const auto add = [&](const std::string& more) {
    text += more;
    report(more);
  };
  const auto game = open_game(order_.spec);
  if (!game) return fail("{}{}\n", text, game.error().message);
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    if (const auto good = check_game(side, *game, add); !good) return fail("{}{}", text, good.error().message);
    if (context_.stop.stop_requested()) break;
  }
  return text;
}

Result<void> BotCheck::check_game(std::size_t side, const GamePtr& game,
                                  const std::function<void(const std::string&)>& add) {
  const auto scratch = sandbox::ScratchFolder::make();
  if (!scratch) return tl::unexpected(scratch.error());
  const std::string log = scratch->path() + "/log";
  auto game_player = protocols::make_game_player(participant(), game, policy(), log);
  if (!game_player) return tl::unexpected(game_player.error());
  SearchSettings weak;
  weak.level = 1;
  play::EnginePlayer engine(*game, "engine", weak);
  SearchLimits few;
  few.nodes = check_nodes;
  play::GamePlan plan;
  plan.game = game;
  plan.number = side + 1;
  plan.max_turns =
      static_cast<int>(std::clamp<std::int64_t>(2 * time_to_check.count() / order_.turn_ms, min_check, max_check));
  plan.margin = margin;
  SearchLimits limits;
  limits.move_time = Milliseconds(order_.turn_ms);
  const play::Side own{**game_player, limits};
  const play::Side other{engine, few};
  const auto played =
      side == 0 ? play_game(plan, {own, other}, context_.stop) : play_game(plan, {other, own}, context_.stop);
  if (played.stopped) return {};
  const auto fault = fault_of(played, side);
  add(fmt::format("{}. A game against the weakest engine, moving {}: {} moves, {}\n", side + 1,
                  side == 0 ? "first" : "second", played.record.turns.size(),
                  fault ? "lost by " + *fault : ending_of(played)));
  game_player->reset();
  if (!fault) return {};
  add(fmt::format("What it said and was told:\n{}", read_tail(log)));
  return fail("");
}

}  // namespace

std::string tail_of(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t from = text.size() - most;
  const std::size_t line = text.find('\n', from);
  if (line != std::string::npos && line + 1 < text.size()) from = line + 1;
  // With a whole character: PostgreSQL takes only good UTF-8.
  while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0U) == 0x80U) ++from;
  return "[…]\n" + text.substr(from);
}

protocols::SandboxPolicy bot_policy(int memory_mb) {
  protocols::SandboxPolicy policy;
  policy.confinement.limits.memory = static_cast<std::uint64_t>(memory_mb) << 20U;
  policy.margin = margin;
  return policy;
}

std::string order_text(const BotOrder& order) {
  return Json{{"spec", order.spec},         {"turn_ms", order.turn_ms}, {"memory_mb", order.memory_mb},
              {"protocol", order.protocol}, {"build", order.build},     {"run", order.run},
              {"files", order.files}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<BotOrder> read_bot_order(std::string_view text) try {
  const Json json = Json::parse(text);
  const int turn_ms = natural_number(json.at("turn_ms"));
  const int memory_mb = natural_number(json.at("memory_mb"));
  if (turn_ms == 0 || memory_mb == 0) return fail("a bot needs time and memory");
  return BotOrder{json.at("spec"),  turn_ms,        memory_mb,       json.at("protocol"),
                  json.at("build"), json.at("run"), json.at("files")};
} catch (const Json::exception&) {
  return fail("this is no bot to build: {}", in_quotes(text));
}

std::string verdict_text(const BotVerdict& verdict) {
  return Json{{"accepted", verdict.accepted}, {"report", verdict.report}, {"pack", verdict.pack}}.dump(
      -1, ' ', false, Json::error_handler_t::replace);
}

Result<BotVerdict> read_verdict(std::string_view text) try {
  const Json json = Json::parse(text);
  BotVerdict verdict{json.at("accepted").get<bool>(), json.at("report").get<std::string>(),
                     json.at("pack").get<std::string>()};
  verdict.report = tail_of(plain_text(verdict.report), max_report_bytes);
  if (verdict.accepted != tournament::is_hash(verdict.pack)) return fail("a bot is accepted with what was built");
  return verdict;
} catch (const Json::exception&) {
  return fail("this is no verdict on a bot: {}", in_quotes(text));
}

JobKind bot_worker(WorkshopSettings settings) {
  std::error_code error;
  fs::create_directories(settings.folder, error);
  // Bots that run as users of their own must get through to their folder, but nobody need see which there are.
  fs::permissions(settings.folder, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec, error);
  for (fs::directory_iterator it(settings.folder, error), end; !error && it != end; it.increment(error)) {
    remove_folder(it->path());
  }
  return [settings = std::make_shared<const WorkshopSettings>(std::move(settings))](
             const TakenJob& taken, const JobFiles& get) -> Result<JobWork> {
    auto order = read_bot_order(taken.order);
    if (!order) return tl::unexpected(order.error());
    auto files = get(order->files);
    if (!files || tournament::sha256_hex(*files) != order->files)
      return fail("the files of a bot are not in the queue");
    return [settings, order = std::move(*order), files = std::move(*files),
            folder = fmt::format("{}/{}.{}", settings->folder, taken.id, taken.fence)](const JobContext& context) {
      return BotCheck(*settings, order, folder, context).run(files);
    };
  };
}

}  // namespace paika::server
