#include "play/played_position.hpp"

#include <utility>

#include "base/check.hpp"
#include "engine/registry.hpp"
#include "play/start.hpp"

namespace paika::play {

PlayedPosition::PlayedPosition(GamePtr game, std::shared_ptr<const Session> session)
    : game_(std::move(game)), session_(std::move(session)) {}

PlayedPosition PlayedPosition::start(GamePtr game) {
  std::shared_ptr<const Session> session = game->start();
  return {std::move(game), std::move(session)};
}

Result<PlayedPosition> PlayedPosition::parse(GamePtr game, std::string_view text) {
  auto session = game->start_from_text(text);
  if (!session) return tl::unexpected(session.error());
  PlayedPosition position(std::move(game), std::move(*session));
  position.start_ = position.session().position_text();
  return position;
}

PlayedPosition PlayedPosition::of(const GameRecord& record) {
  auto game = open_game(record.spec);
  PAIKA_CHECK(game.has_value());  // reading the record opened it
  std::vector<std::string> moves;
  for (const RecordedTurn& turn : record.turns) moves.push_back(turn.text);
  return replayed(std::move(*game), record.start, std::move(moves));
}

PlayedPosition PlayedPosition::in(const GamePtr& game) const {
  return game == game_ ? *this : replayed(game, start_, moves_);
}

PlayedPosition PlayedPosition::replayed(GamePtr game, const std::string& start, std::vector<std::string> moves) {
  auto session = known_start(*game, start);
  for (const std::string& text : moves) PAIKA_CHECK(session->try_play(text).has_value());
  PlayedPosition position(std::move(game), std::move(session));
  position.start_ = start;
  position.moves_ = std::move(moves);
  return position;
}

tl::expected<PlayedPosition, Refusal> PlayedPosition::play(std::string_view text) const {
  const auto turn = session_->read_turn(text);
  if (!turn) return tl::unexpected(turn.error());
  return after(*turn);
}

tl::expected<PlayedPosition, Refusal> PlayedPosition::play(const Turn& turn) const {
  if (auto refusal = session_->refuse(turn)) return tl::unexpected(std::move(*refusal));
  return after(turn);
}

PlayedPosition PlayedPosition::after(const Turn& turn) const {
  PlayedPosition next = *this;
  next.moves_.push_back(notation().turn_text(session_->board(), turn));
  auto session = session_->clone();
  session->play(turn);
  next.session_ = std::move(session);
  return next;
}

std::optional<PlayedPosition> PlayedPosition::undone() const {
  if (moves_.empty()) return std::nullopt;
  PlayedPosition previous = *this;
  auto session = session_->clone();
  session->undo();
  previous.session_ = std::move(session);
  previous.moves_.pop_back();
  return previous;
}

GameRecord PlayedPosition::record(std::string_view first, std::string_view second) const {
  GameRecord record;
  record.spec = notation().spec();
  record.players = {std::string(first), std::string(second)};
  record.start = start_;
  for (const std::string& text : moves_) record.turns.push_back({.text = text, .time = {}, .score = {}});
  const Outcome outcome = session_->outcome();
  if (outcome.over()) record.result = {outcome.verdict, std::string(name(outcome.reason)), {}};
  return record;
}

bool operator==(const PlayedPosition& a, const PlayedPosition& b) {
  return a.session().key() == b.session().key() && a.notation().spec() == b.notation().spec() &&
         a.session().board() == b.session().board();
}

}  // namespace paika::play
