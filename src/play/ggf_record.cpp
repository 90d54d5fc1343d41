// GGF from and to game records.
#include <algorithm>
#include <fmt/format.h>

#include "base/text.hpp"
#include "engine/diagram.hpp"
#include "engine/registry.hpp"
#include "play/ggf.hpp"
#include "play/start.hpp"

namespace paika::play {

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

/// What GGF has in RE: Black's pawns less White's; a question mark for a game that its rules have not ended.
std::string result_text(const Session& session) {
  if (!session.outcome().over()) return "?";
  const Board board = session.board();
  const auto count = [&](Player p) { return count_cells(board, [&](const Cell& c) { return c.belongs_to(p); }); };
  return fmt::format("{:+}", count(Player::first) - count(Player::second));
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
  GameRecord record;
  const auto game = open_game(fmt::format("othello:{0}x{0}", ggf->size));
  if (!game) return tl::unexpected(game.error());
  record.spec = (*game)->notation().spec();
  record.players = ggf->players;
  auto session = (*game)->start_from_text(ggf->position);
  if (!session) return tl::unexpected(session.error());
  if ((*session)->board() != (*game)->notation().initial()) record.start = (*session)->position_text();
  for (const GgfMove& move : ggf->moves) {
    if (move.text != pass && (*session)->try_play(pass)) record.turns.push_back({std::string(pass), {}, {}, 0});
    if (const auto turn = (*session)->try_play(move.text); !turn) {
      return fail(phrase("move {}, {}: {}", record.turns.size() + 1, in_quotes(move.text),
                         refusal_phrase((*game)->notation(), turn.error())));
    }
    RecordedTurn turn{move.text, {}, {}, 0};
    if (move.time.count() > 0) turn.time = move.time;
    record.turns.push_back(std::move(turn));
  }
  if (ggf->time) {
    for (SearchLimits& limits : record.limits) limits.clock = GameClock{*ggf->time, Milliseconds{0}};
  }
  if (const Outcome outcome = (*session)->outcome(); outcome.over()) {
    record.result = {outcome.verdict, std::string(name(outcome.reason)), ""};
  }
  return record;
}

Result<std::string> ggf_text(const GameRecord& record) {
  const auto game = open_game(record.spec);
  if (!game) return tl::unexpected(game.error());
  if ((*game)->info().name != "othello") return fail(phrase("GGF is a form for games of othello only"));
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
  return fmt::format("(;GM[Othello]PC[Paika]PB[{}]PW[{}]RE[{}]{}TY[{}]BO[{}]{};)\n", ggf_value(record.players[0]),
                     ggf_value(record.players[1]), result_text(**session), time, (*session)->board().cells.cols(),
                     board, moves);
}

}  // namespace paika::play
