#include "play/ggf.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "base/text.hpp"
#include "engine/diagram.hpp"
#include "engine/module.hpp"
#include "engine/registry.hpp"
#include "play/game_player.hpp"
#include "play/start.hpp"

namespace paika::play {

namespace {

using std::chrono::milliseconds;

constexpr double max_seconds = 1e6;
constexpr std::size_t max_moves = 2000;

std::optional<double> number_of(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

milliseconds seconds_of(std::string_view text) {
  const double seconds = number_of(text).value_or(0);
  return milliseconds(std::llround(std::clamp(seconds, 0.0, max_seconds) * 1000));
}

std::optional<int> score_of(std::string_view text) {
  constexpr double max_discs = 10'000;
  const auto discs = number_of(text);
  if (!discs) return std::nullopt;
  return static_cast<int>(std::lround(std::clamp(*discs, -max_discs, max_discs) * 100));
}

/// Reads the first of the times "15:00//02:00": hours, minutes and seconds between colons.
std::optional<milliseconds> clock_of(std::string_view text) {
  std::int64_t seconds = 0;
  for (const std::string_view part : split(text.substr(0, text.find_first_of("/,")), ':')) {
    const auto number = parse_int(trimmed(part));
    if (!number || *number < 0 || *number > 100'000) return std::nullopt;
    seconds = seconds * 60 + *number;
    if (seconds > static_cast<std::int64_t>(max_seconds)) return std::nullopt;
  }
  if (seconds == 0) return std::nullopt;
  return std::chrono::seconds(seconds);
}

/// Reads "8 ---…--- *": the size, the squares with blanks anywhere, the side to move.
Result<void> take_board(std::string_view value, GgfGame& game) {
  const std::string_view size = take_word(value);
  const auto number = parse_int(size);
  if (!number || *number < 4 || *number > 26)
    return fail(phrase("BO of the game does not begin with a size: {}", in_quotes(size)));
  game.size = static_cast<int>(*number);
  std::string cells;
  for (const char c : value) {
    if (blanks.find(c) == std::string_view::npos) cells += c;
  }
  const auto squares = static_cast<std::size_t>(game.size) * static_cast<std::size_t>(game.size);
  if (cells.size() != squares + 1) {
    return fail(phrase("BO of the game has {} characters; a {}x{} board has {} squares and the side to move",
                       cells.size(), *number, *number, squares));
  }
  game.position = cells.substr(0, squares) + " " + cells.substr(squares);
  return {};
}

/// A value without its escapes.
std::string plain_text(std::string_view value) {
  std::string out;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '\\' && i + 1 < value.size()) ++i;
    out += value[i];
  }
  return std::string(trimmed(out));
}

Result<void> take_property(std::string_view name, std::string_view value, GgfGame& game) {
  if (name == "GM") {
    const auto module = find_module(trimmed(value));
    if (!module || !(*module)->ggf) return fail(phrase("the game is {}, not Othello", in_quotes(value)));
  }
  if (name == "BO") return take_board(value, game);
  if (name == "TI") game.time = clock_of(value);
  if (name == "RE") game.result = plain_text(value);
  if (name == "PC") game.place = plain_text(value);
  if (name == "DT") game.date = plain_text(value);
  if (name == "PB") game.players[0] = plain_text(value);
  if (name == "PW") game.players[1] = plain_text(value);
  if (name != "B" && name != "W") return {};
  if (game.moves.size() >= max_moves) return fail(phrase("no game of Othello has more than {} moves", max_moves));
  auto move = read_ggf_move(value);
  if (!move) return tl::unexpected(move.error());
  game.moves.push_back(std::move(*move));
  return {};
}

/// The end of a property's value: the next ] that is not escaped.
std::size_t end_of_value(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == ']') {
      return i;
    }
  }
  return std::string_view::npos;
}

}  // namespace

Result<GgfMove> read_ggf_move(std::string_view text) {
  const auto parts = split(trimmed(text), '/');
  GgfMove move;
  move.text = lowered(trimmed(parts[0]));
  if (move.text == "pa") move.text = "pass";
  if (move.text.empty() || move.text.size() > 4) return fail(phrase("{} is not a move", in_quotes(text)));
  if (parts.size() > 1) move.score = score_of(trimmed(parts[1]));
  if (parts.size() > 2) move.time = seconds_of(trimmed(parts[2]));
  return move;
}

namespace {

/// Takes a game off the front of the text, which begins with it.
Result<GgfGame> take_ggf(std::string_view& text) {
  text.remove_prefix(2);
  GgfGame game;
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    if (text.empty()) return fail(phrase("the game in GGF has no end: ;) is missing"));
    if (text.starts_with(";)")) break;
    const auto open = text.find('[');
    if (open == std::string_view::npos)
      return fail(phrase("{} is not a property of the game: [ is missing", in_quotes(text)));
    const std::string_view name = trimmed(text.substr(0, open));
    text.remove_prefix(open + 1);
    const auto close = end_of_value(text);
    if (close == std::string_view::npos) return fail(phrase("the property {} of the game has no ]", in_quotes(name)));
    if (auto taken = take_property(name, text.substr(0, close), game); !taken) return tl::unexpected(taken.error());
    text.remove_prefix(close + 1);
  }
  text.remove_prefix(2);
  if (game.position.empty()) return fail(phrase("the game in GGF has no board: BO[...] is missing"));
  return game;
}

}  // namespace

Result<GgfGame> read_ggf(std::string_view text) {
  const auto begin = text.find("(;");
  if (begin == std::string_view::npos)
    return fail(phrase("a game in GGF begins with (; and {} has none", in_quotes(text)));
  text.remove_prefix(begin);
  return take_ggf(text);
}

Result<std::vector<GgfGame>> read_ggf_games(std::string_view text) {
  std::vector<GgfGame> games;
  for (auto begin = text.find("(;"); begin != std::string_view::npos; begin = text.find("(;")) {
    text.remove_prefix(begin);
    auto game = take_ggf(text);
    if (!game) return fail("game {}: {}", games.size() + 1, game.error().message);
    games.push_back(std::move(*game));
  }
  return games;
}

// ---- From and to game records ----

namespace {

constexpr std::string_view pass = "pass";

/// A value of GGF: a bracket or a backslash in it is escaped.
std::string ggf_value(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == ']' || c == '[' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  }
  return out;
}

/// What GGF has in RE: Black's pawns less White's, with ":r" or ":t" if a player resigned or ran out of time; a
/// question mark for a game without a result.
std::string result_text(const Session& session, const GameResult& result) {
  if (result.verdict == Verdict::ongoing) return "?";
  const Board board = session.board();
  const auto count = [&](Player p) { return count_cells(board, [&](const Cell& c) { return c.belongs_to(p); }); };
  if (session.outcome().over()) return fmt::format("{:+}", count(Player::first) - count(Player::second));
  if (result.verdict == Verdict::draw) return "0:s";
  const int squares = board.cells.cols() * board.cells.rows();
  return fmt::format("{:+}:{}", result.verdict == Verdict::first_wins ? squares : -squares,
                     result.reason == name(Failure::time) ? 't' : 'r');
}

/// The result of a game that its rules have not ended, of what RE says.
GameResult given_result(std::string_view text) {
  const auto colon = text.find(':');
  const auto margin = number_of(text.starts_with('+') ? text.substr(1, colon - 1) : text.substr(0, colon));
  if (!margin || colon == std::string_view::npos) return {};
  if (*margin == 0) return {Verdict::draw, std::string(agreed_reason), ""};
  const std::string reason(text.substr(colon + 1) == "t" ? name(Failure::time) : resigned_reason);
  return {*margin > 0 ? Verdict::first_wins : Verdict::second_wins, reason, ""};
}

std::string move_text(const RecordedTurn& turn, Player mover) {
  std::string text = turn.text == pass ? "PA" : turn.text;
  std::transform(text.begin(), text.end(), text.begin(), [](char c) { return raised(c); });
  std::string line = fmt::format("{}[{}", mover == Player::first ? 'B' : 'W', text);
  if (turn.score || turn.time) line += '/';
  if (turn.score) line += fmt::format("{:.2f}", *turn.score / 100.0);
  if (turn.time) line += fmt::format("/{:.2f}", std::chrono::duration<double>(*turn.time).count());
  return line + "]";
}

/// Size, squares from the top and side to move, with * for Black.
std::string board_text(const Board& board, const Notation& notation) {
  std::string text = notation.position_text(board);
  std::replace(text.begin(), text.end(), 'X', '*');
  return fmt::format("{} {}", board.cells.cols(), text);
}

}  // namespace

Result<GameRecord> record_of_ggf(std::string_view text) {
  const auto ggf = read_ggf(text);
  if (!ggf) return tl::unexpected(ggf.error());
  return record_of_ggf(*ggf);
}

Result<GameRecord> record_of_ggf(const GgfGame& ggf) {
  GameRecord record;
  const auto game = open_game_with(&GameModule::ggf, ggf.size, ggf.size);
  if (!game) return tl::unexpected(game.error());
  record.spec = (*game)->notation().spec();
  record.players = ggf.players;
  if (!ggf.place.empty()) record.notes.push_back("Place: " + ggf.place);
  if (!ggf.date.empty()) record.notes.push_back("Date: " + ggf.date);
  auto session = (*game)->start_from_text(ggf.position);
  if (!session) return tl::unexpected(session.error());
  if ((*session)->board() != (*game)->notation().initial()) record.start = (*session)->position_text();
  for (const GgfMove& move : ggf.moves) {
    if (move.text != pass && (*session)->try_play(pass)) record.turns.push_back({std::string(pass), {}, {}, 0});
    if (const auto turn = (*session)->try_play(move.text); !turn) {
      return fail(phrase("move {}, {}: {}", record.turns.size() + 1, in_quotes(move.text),
                         refusal_phrase((*game)->notation(), turn.error())));
    }
    RecordedTurn turn{move.text, {}, move.score, 0};
    if (move.time.count() > 0) turn.time = move.time;
    record.turns.push_back(std::move(turn));
  }
  if (ggf.time) {
    for (SearchLimits& limits : record.limits) limits.clock = GameClock{*ggf.time, Milliseconds{0}};
  }
  if (const Outcome outcome = (*session)->outcome(); outcome.over()) {
    record.result = {outcome.verdict, std::string(name(outcome.reason)), ""};
  } else {
    record.result = given_result(ggf.result);
  }
  return record;
}

Result<std::string> ggf_text(const GameRecord& record, std::string_view place, std::string_view date) {
  const auto game = open_game(record.spec);
  if (!game) return tl::unexpected(game.error());
  if (!module_of(**game).ggf) return fail(phrase("GGF is a format for othello only"));
  auto session = start_at(**game, record.start);
  if (!session) return tl::unexpected(session.error());
  const std::string board = board_text((*session)->board(), (*game)->notation());
  std::string moves;
  for (const RecordedTurn& turn : record.turns) {
    moves += move_text(turn, (*session)->board().to_move);
    if (const auto played = (*session)->try_play(turn.text); !played) {
      return fail(phrase("{}: {}", in_quotes(turn.text), refusal_phrase((*game)->notation(), played.error())));
    }
  }
  std::string time;
  if (const auto& clock = record.limits[0].clock) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(clock->left).count();
    time = fmt::format("TI[{:02}:{:02}:{:02}]", seconds / 3600, seconds / 60 % 60, seconds % 60);
  }
  const std::string when = date.empty() ? "" : fmt::format("DT[{}]", ggf_value(date));
  return fmt::format("(;GM[Othello]PC[{}]{}PB[{}]PW[{}]RE[{}]{}TY[{}]BO[{}]{};)\n", ggf_value(place), when,
                     ggf_value(record.players[0]), ggf_value(record.players[1]), result_text(**session, record.result),
                     time, (*session)->board().cells.cols(), board, moves);
}

}  // namespace paika::play
