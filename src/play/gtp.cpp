#include "play/gtp.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <new>
#include <utility>

#include "base/text.hpp"
#include "engine/diagram.hpp"
#include "engine/registry.hpp"
#include "play/pass.hpp"

namespace paika::play {

namespace {

constexpr Milliseconds time_without_limits{1000};
constexpr std::int64_t max_gtp_number = 14 * 24 * 3600;

/// A line as the protocol wants it read: no control characters, no comment.
std::string cleaned(std::string_view line) {
  std::string out;
  for (const char c : line.substr(0, line.find('#'))) {
    if (c == '\t') out += ' ';
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) out += c;
  }
  return out;
}

bool is_number(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// A whole number of seconds, or of moves.
std::optional<std::int64_t> take_count(std::string_view& words) {
  const auto number = parse_int(take_word(words));
  if (!number || *number < 0 || *number > max_gtp_number) return std::nullopt;
  return number;
}

/// A move as the protocol writes it.
std::string gtp_move(std::string_view text) { return text == "pass" ? "PASS" : std::string(text); }

}  // namespace

GtpTime GtpTimeSettings::start() const noexcept {
  return main.count() > 0 || stones == 0 ? GtpTime{main, 0} : GtpTime{period, stones};
}

GtpTime GtpTimeSettings::after(const GtpTime& before, Milliseconds used) const noexcept {
  const GtpTime next{before.left - used, std::max<std::int64_t>(before.stones - 1, 0)};
  const bool over = before.stones == 0 ? next.left.count() <= 0 : next.stones == 0;
  if (over && stones > 0) return {period, stones};
  return {std::max(next.left, Milliseconds(0)), next.stones};
}

Result<std::optional<GtpTimeSettings>> read_gtp_time_settings(std::string_view words) {
  const auto main = take_count(words);
  const auto period = take_count(words);
  const auto stones = take_count(words);
  if (!main || !period || !stones || !trimmed(words).empty()) {
    return fail("time_settings is written as time_settings MAIN PERIOD STONES, whole seconds and moves");
  }
  if (*period > 0 && *stones == 0) return std::optional<GtpTimeSettings>{};
  return GtpTimeSettings{std::chrono::seconds(*main), std::chrono::seconds(*period), *stones};
}

Gtp::Gtp(GamePtr game, const EngineSettings& settings, std::string version, WriteLine write, MakeEngine make)
    : game_(std::move(game)),
      settings_(settings),
      version_(std::move(version)),
      speaker_(std::move(write)),
      make_(std::move(make)),
      session_(game_->start()) {}

const std::vector<Gtp::Command>& Gtp::commands() {
  static const std::vector<Command> all = {{"protocol_version", &Gtp::protocol_version},
                                           {"name", &Gtp::name},
                                           {"version", &Gtp::version},
                                           {"known_command", &Gtp::known_command},
                                           {"list_commands", &Gtp::list_commands},
                                           {"quit", &Gtp::quit},
                                           {"list_games", &Gtp::list_games},
                                           {"set_game", &Gtp::set_game},
                                           {"boardsize", &Gtp::board_size},
                                           {"clear_board", &Gtp::clear_board},
                                           {"play", &Gtp::play},
                                           {"genmove", nullptr},
                                           {"reg_genmove", nullptr},
                                           {"undo", &Gtp::undo},
                                           {"time_settings", &Gtp::time_settings},
                                           {"time_left", &Gtp::time_left},
                                           {"showboard", &Gtp::show_board},
                                           {"final_score", &Gtp::final_score}};
  return all;
}

bool Gtp::handle(std::string_view line) {
  const std::string text = cleaned(line);
  std::string_view words = text;
  std::string_view word = take_word(words);
  std::string id;
  if (is_number(word)) {
    id = word;
    word = take_word(words);
  }
  if (word.empty()) return true;
  if (word == "quit") search_.stop();
  search_.wait();  // one thing after the other
  const auto& all = commands();
  const auto command = std::find_if(all.begin(), all.end(), [&](const Command& c) { return c.name == word; });
  if (command == all.end()) {
    say(id, tl::unexpected(std::string("unknown command")));
  } else if (command->obey == nullptr) {
    generate(trimmed(words), word == "genmove", id);
  } else {
    say(id, (this->*command->obey)(trimmed(words)));
  }
  return !ended_;
}

void Gtp::refuse_long_line() {
  search_.wait();
  say("", tl::unexpected(fmt::format("a line longer than {} bytes was not read", max_protocol_line)));
}

/// An answer ends with an empty line, and so has none within.
void Gtp::say(std::string_view id, const Answer& answer) {
  const std::string& text = answer ? *answer : answer.error();
  bool first = true;
  for (const std::string_view line : split(text, '\n')) {
    if (first) {
      speaker_.say(fmt::format("{}{}{}{}", answer ? '=' : '?', id, line.empty() ? "" : " ", line));
    } else if (!trimmed(line).empty()) {
      speaker_.say(std::string(line));
    }
    first = false;
  }
  speaker_.say("");
}

Gtp::Answer Gtp::protocol_version(std::string_view /*words*/) { return "2"; }
Gtp::Answer Gtp::name(std::string_view /*words*/) { return "Paika"; }
Gtp::Answer Gtp::version(std::string_view /*words*/) { return version_; }

Gtp::Answer Gtp::known_command(std::string_view words) {
  const auto& all = commands();
  return std::any_of(all.begin(), all.end(), [&](const Command& c) { return c.name == words; }) ? "true" : "false";
}

Gtp::Answer Gtp::list_commands(std::string_view /*words*/) {
  std::vector<std::string_view> names;
  for (const Command& command : commands()) names.push_back(command.name);
  return fmt::format("{}", fmt::join(names, "\n"));
}

Gtp::Answer Gtp::quit(std::string_view /*words*/) {
  ended_ = true;
  return "";
}

void Gtp::begin_game() {
  session_ = game_->start();
  if (time_) left_.fill(time_->start());
}

Gtp::Answer Gtp::open(std::string_view spec) {
  auto game = open_game(spec);
  if (!game) return tl::unexpected(game.error().message);
  if ((*game)->notation().spec() != game_->notation().spec()) {
    game_ = std::move(*game);
    engine_.reset();
  }
  begin_game();
  return "";
}

/// As set_game takes them, in the case that interfaces expect: "Othello".
Gtp::Answer Gtp::list_games(std::string_view /*words*/) {
  std::vector<std::string> names;
  for (const GameInfo* info : all_games()) {
    names.push_back(info->name);
    names.back().front() = raised(names.back().front());
  }
  return fmt::format("{}", fmt::join(names, "\n"));
}

Gtp::Answer Gtp::set_game(std::string_view words) { return open(lowered(words)); }

Gtp::Answer Gtp::board_size(std::string_view words) {
  const auto size = parse_int(words);
  if (!size) return tl::unexpected(std::string("boardsize is written as boardsize N"));
  const Coordinates& board = game_->notation().coordinates();
  if (board.cols() == *size && board.rows() == *size) {
    begin_game();
    return "";
  }
  const std::string spec = game_->notation().spec();
  const auto options = spec.find(',');
  const auto opened = open(fmt::format("{}:{}x{}{}", game_->info().name, *size, *size,
                                       options == std::string::npos ? "" : spec.substr(options)));
  if (!opened) return tl::unexpected("unacceptable size: " + opened.error());
  return opened;
}

Gtp::Answer Gtp::clear_board(std::string_view /*words*/) {
  begin_game();
  return "";
}

std::optional<Player> Gtp::player_of(std::string_view colour) const {
  const std::string wanted = lowered(colour);
  for (const Player player : {Player::first, Player::second}) {
    const std::string name = lowered(game_->notation().player_name(player));
    if (wanted == name || wanted == name.substr(0, 1)) return player;
  }
  return std::nullopt;
}

tl::expected<Player, std::string> Gtp::turn_of(std::string_view colour) {
  const auto player = player_of(colour);
  const Notation& notation = game_->notation();
  if (!player) {
    return tl::unexpected(fmt::format("{} is not a colour: {} or {}", in_quotes(colour),
                                      lowered(notation.player_name(Player::first)),
                                      lowered(notation.player_name(Player::second))));
  }
  if (session_->outcome().over()) return tl::unexpected(std::string("the game is over"));
  if (session_->board().to_move == *player) return *player;
  if (!must_pass(*session_)) {
    return tl::unexpected(fmt::format("{} to move", notation.player_name(session_->board().to_move)));
  }
  session_->play({{StepKind::pass, {}}});
  return *player;
}

Gtp::Answer Gtp::play(std::string_view words) {
  const std::string_view colour = take_word(words);
  const std::string move = lowered(trimmed(words)) == "pass" ? "pass" : std::string(trimmed(words));
  const int before = session_->turns_played();
  if (const auto player = turn_of(colour); !player) return tl::unexpected("illegal move: " + player.error());
  if (const auto played = session_->try_play(move); !played) {
    while (session_->turns_played() > before) session_->undo();
    return tl::unexpected(
        fmt::format("illegal move: {}: {}", in_quotes(move), refusal_sentence(game_->notation(), played.error())));
  }
  return "";
}

Gtp::Answer Gtp::undo(std::string_view /*words*/) {
  if (!session_->undo()) return tl::unexpected(std::string("cannot undo"));
  return "";
}

Gtp::Answer Gtp::time_settings(std::string_view words) {
  const auto read = read_gtp_time_settings(words);
  if (!read) return tl::unexpected(read.error().message);
  time_ = *read;
  if (time_) left_.fill(time_->start());
  return "";
}

Gtp::Answer Gtp::time_left(std::string_view words) {
  const auto player = player_of(take_word(words));
  const auto seconds = take_count(words);
  const auto stones = take_count(words);
  if (!player || !seconds || !stones || !trimmed(words).empty()) {
    return tl::unexpected(std::string("time_left is written as time_left COLOUR SECONDS STONES"));
  }
  if (!time_) time_ = GtpTimeSettings{std::chrono::seconds(*seconds), Milliseconds(0), 0};
  left_.at(seat_of(*player)) = {std::chrono::seconds(*seconds), *stones};
  return "";
}

Gtp::Answer Gtp::show_board(std::string_view /*words*/) {
  const auto board = session_->board();
  return fmt::format("\n{}{}", diagram(game_->notation(), board),
                     session_->outcome().over()
                         ? ending_sentence(game_->notation(), board, session_->outcome())
                         : fmt::format("{} to move", game_->notation().player_name(board.to_move)));
}

/// By the pieces where the board decides, as the protocol has it for Go; else only who won.
Gtp::Answer Gtp::final_score(std::string_view /*words*/) {
  const Outcome outcome = session_->outcome();
  if (!outcome.over()) return tl::unexpected(std::string("cannot score: the game is not over"));
  if (outcome.verdict == Verdict::draw) return "0";
  const char colour = raised(game_->notation().player_name(outcome.winner()).front());
  const bool counted = outcome.reason == EndReason::board_full || outcome.reason == EndReason::blocked;
  if (!counted) return fmt::format("{}+R", colour);
  const Board board = session_->board();
  return fmt::format("{}+{}", colour,
                     count_pieces(board, outcome.winner()) - count_pieces(board, other(outcome.winner())));
}

SearchLimits Gtp::limits(Player player) const {
  SearchLimits limits = settings_.limits;
  if (time_) {
    const auto& [left, stones] = left_.at(seat_of(player));
    constexpr std::int64_t most = 1'000'000;
    const auto to_go = static_cast<int>(std::min(stones, most));
    limits.clock = GameClock{std::max(left, min_move_time), Milliseconds(0), to_go};
  }
  if (!any_limit(limits)) limits.move_time = time_without_limits;
  return limits;
}

void Gtp::generate(std::string_view words, bool played, const std::string& id) {
  const auto player = turn_of(words);
  if (!player) return say(id, tl::unexpected(player.error()));
  try {
    if (!engine_) engine_ = make_(*game_, settings_.search);
  } catch (const std::bad_alloc&) {
    return say(id, tl::unexpected(std::string("there is not enough memory for the table")));
  }
  auto work = [this, played, id, limits = limits(*player)](const std::stop_token& stop) {
    think(limits, played, id, stop);
  };
  if (!search_.run(std::move(work))) say(id, tl::unexpected(std::string("no thread could be started for the search")));
}

void Gtp::think(const SearchLimits& limits, bool played, const std::string& id, const std::stop_token& stop) {
  const auto began = std::chrono::steady_clock::now();
  const Player player = session_->board().to_move;
  const Decision decision = engine_->think(*session_, limits, stop);
  if (played) {
    session_->play(decision.turn);
    const auto used = std::chrono::ceil<Milliseconds>(std::chrono::steady_clock::now() - began);
    GtpTime& left = left_.at(seat_of(player));
    if (time_) left = time_->after(left, used);
  }
  say(id, gtp_move(decision.text));
}

}  // namespace paika::play
