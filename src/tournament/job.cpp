#include "tournament/job.hpp"

#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/random.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "engine/registry.hpp"
#include "play/openings.hpp"
#include "play/record.hpp"
#include "play/referee.hpp"
#include "play/start.hpp"

namespace paika::tournament {

namespace {

/// Somebody who could not be made: loses the moment the game starts.
class Absent final : public play::GamePlayer {
 public:
  Absent(std::string name, std::string why) : name_(std::move(name)), why_(std::move(why)) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] tl::expected<void, play::Failed> start(std::uint64_t) override {
    return tl::unexpected(play::Failed{play::Failure::protocol, why_});
  }
  [[nodiscard]] tl::expected<play::Choice, play::Failed> choose(const play::GameSoFar&, const play::Allowance&,
                                                                const std::stop_token&) override {
    return tl::unexpected(play::Failed{play::Failure::protocol, why_});
  }

 private:
  std::string name_;
  std::string why_;
};

struct Seat {
  std::unique_ptr<play::GamePlayer> game_player;
  SearchLimits limits;
};

Result<Seat> take_seat(const GameJob& job, std::size_t side, const GamePtr& game, const std::string& log) {
  const JobPlayer& player = job.players[side];
  const auto each = play::read_settings(job.settings);
  if (!each) return tl::unexpected(each.error());
  auto text = play::read_player(player.text, *each);
  if (!text) return tl::unexpected(text.error());
  Seat seat{nullptr, text->settings.limits};
  const protocols::Participant participant{player.name, *text, player.protocol, player.folder, player.readable};
  auto made = protocols::make_game_player(participant, game, job.policy, player.is_bot() ? log : "");
  if (made) {
    seat.game_player = std::move(*made);
  } else {
    seat.game_player = std::make_unique<Absent>(player.name, made.error().message);
  }
  return seat;
}

SideReport side_report(const play::Timing& timing, const std::string& logs, const std::string& log) {
  SideReport side{timing.turns, timing.total.count(), timing.slowest.count(), std::nullopt, ""};
  if (timing.max_over) side.max_over_us = timing.max_over->count();
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::path(logs) / log, error)) side.log = log;
  return side;
}

FinishedGame finished(const GameJob& job, const play::GameReport& report) {
  FinishedGame game;
  game.id = job.id;
  game.spec = job.spec;
  game.verdict = report.record.result.verdict;
  game.reason = report.record.result.reason;
  if (report.failure) {
    game.failure = play::name(*report.failure);
    game.evidence = report.record.result.remark;
  }
  game.record = play::record_text(report.record);
  for (std::size_t side = 0; side < 2; ++side) game.players[side] = job.players[side].name;
  if (job.players[0].is_bot() || job.players[1].is_bot()) game.sandbox = sandbox::name(job.policy.confinement.sandbox);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  game.ended = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  return game;
}

/// A job may come from another machine: its beginning is looked at before it is relied on.
Result<void> check_beginning(const GameJob& job, const Game& game) {
  const auto session = play::start_at(game, job.start);
  if (!session) return tl::unexpected(session.error());
  for (const std::string& turn : job.opening) {
    if (!(*session)->try_play(turn)) return fail("the opening of {} has an illegal move {}", job.id, in_quotes(turn));
  }
  if ((*session)->outcome().over()) return fail("the game {} is over before it starts", job.id);
  return {};
}

/// People read logs in a terminal, and programs write what they like to standard error. A log that cannot be made plain
/// is none.
void make_plain(const std::filesystem::path& log) {
  constexpr std::uintmax_t max_bytes = std::uintmax_t{8} << 20U;
  std::error_code error;
  if (!std::filesystem::exists(log, error)) return;
  std::string bytes(std::min<std::uintmax_t>(std::filesystem::file_size(log, error), max_bytes), '\0');
  std::ifstream in(log, std::ios::binary);
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  const bool is_whole = in.peek() == std::ifstream::traits_type::eof();
  const std::filesystem::path plain = log.string() + ".plain";
  std::ofstream out(plain, std::ios::binary);
  out << plain_text(bytes) << (is_whole ? "" : "\n# the log is full: the rest is not recorded\n");
  out.close();
  if (out) std::filesystem::rename(plain, log, error);
  if (!out || error) std::filesystem::remove(log, error);
}

Result<std::optional<FinishedGame>> play_it(const GameJob& job, const std::string& logs, const std::stop_token& stop) {
  const auto opened = open_game(job.spec);
  if (!opened) return tl::unexpected(opened.error());
  if (const auto good = check_beginning(job, **opened); !good) return tl::unexpected(good.error());
  std::array<Seat, 2> seats;
  std::array<std::string, 2> names;
  std::error_code error;
  for (std::size_t side = 0; side < 2; ++side) {
    names[side] = log_name(job.id, job.players[side].name);
    const auto log = std::filesystem::path(logs) / names[side];
    std::filesystem::remove(log, error);  // of a game that was broken off
    auto seat = take_seat(job, side, *opened, log.string());
    if (!seat) return tl::unexpected(seat.error());
    seats[side] = std::move(*seat);
  }
  const play::GamePlan plan{*opened,       job.start,         job.opening,  job.number,
                            job.max_turns, job.policy.margin, job.max_total};
  const std::array<play::Side, 2> sides = {play::Side{*seats[0].game_player, seats[0].limits},
                                           play::Side{*seats[1].game_player, seats[1].limits}};
  play::GameReport report = play::play_game(plan, sides, stop);
  for (Seat& seat : seats) seat.game_player.reset();  // their last words are in the logs now
  for (const std::string& name : names) make_plain(std::filesystem::path(logs) / name);
  if (report.stopped) return std::optional<FinishedGame>{};
  report.record.players = {job.players[0].name, job.players[1].name};
  report.record.notes.push_back("game " + job.id);
  FinishedGame game = finished(job, report);
  for (std::size_t side = 0; side < 2; ++side) {
    game.sides[side] = side_report(report.timings[side], logs, names[side]);
  }
  return std::optional(std::move(game));
}

}  // namespace

std::string file_name(const std::string& id) {
  std::string name;
  for (const char c : id) {
    const bool plain = is_digit(c) || (lowered(c) >= 'a' && lowered(c) <= 'z') || c == '.' || c == '_';
    name += plain ? c : '-';
  }
  return name;
}

std::string log_name(const std::string& id, const std::string& player) {
  return fmt::format("{}.{}.log", file_name(id), player);
}

GameJob make_job(const TournamentPlan& plan, const Fixture& fixture) {
  GameJob job;
  job.id = fixture.id;
  job.spec = plan.games[fixture.spec];
  job.number = mix64(fixture.opening ^ fixture.players[0]) >> 1;
  job.max_turns = plan.max_turns;
  job.settings = plan.settings;
  job.policy = plan.policy;
  for (std::size_t side = 0; side < 2; ++side) {
    const PlannedPlayer& player = plan.players[fixture.players[side]];
    job.players[side] = {player.name, player.text, player.protocol, player.folder_found, player.readable};
  }
  if (!plan.starts.empty()) {
    job.start = plan.starts[fixture.opening % plan.starts.size()];
  } else if (plan.opening_plies > 0) {
    const GamePtr game = *open_game(job.spec);
    auto good = plan.balance > 0 ? play::balanced(game, plan.balance) : play::Openings::Filter{};
    job.opening = play::Openings(game, "", plan.opening_plies, fixture.opening, std::move(good)).next();
  }
  return job;
}

Result<std::optional<FinishedGame>> play_job(const GameJob& job, const std::string& logs, const std::stop_token& stop) {
  try {
    return play_it(job, logs, stop);
  } catch (const std::exception& error) {
    return fail("the game {} could not be played: {}", job.id, error.what());
  }
}

}  // namespace paika::tournament
