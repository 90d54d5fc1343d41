#include "play/review.hpp"

#include <fmt/format.h>

#include "base/check.hpp"
#include "play/start.hpp"

namespace paika::play {

namespace {

/// "a win in 9", "a win by 6", "a win", "a draw", "a loss in 4".
std::string with_article(const MoveValue& value) {
  if (value.kind == ValueKind::draw) return "a draw";
  if (value.measure == Measure::none) return value.kind == ValueKind::win ? "a win" : "a loss";
  return fmt::format("a {} {} {}", value.kind == ValueKind::win ? "win" : "loss",
                     value.measure == Measure::turns ? "in" : "by", value.amount);
}

/// ", 2 discs lost"; nothing where discs do not count.
std::string cost_words(const ReviewedTurn& turn) {
  const int lost = turn.discs_lost();
  return lost == 0 ? "" : fmt::format(", {} disc{} lost", lost, lost == 1 ? "" : "s");
}

TurnGrade grade_of(const MoveValue& could, const MoveValue& did) {
  if (could.kind != did.kind) return TurnGrade::mistake;
  return could == did ? TurnGrade::best : TurnGrade::weaker;
}

void count(Accuracy& accuracy, const ReviewedTurn& turn) {
  ++accuracy.turns;
  accuracy.discs_lost += turn.discs_lost();
  switch (turn.grade) {
    case TurnGrade::best: ++accuracy.best; break;
    case TurnGrade::weaker: ++accuracy.weaker; break;
    case TurnGrade::mistake: ++accuracy.mistakes; break;
  }
}

/// Fills in what the judge says of the turn `played` of the session's position.
Result<void> look_up(ReviewedTurn& played, const Session& session, const Oracle& oracle) {
  const auto turns = oracle(session);
  if (!turns) return tl::unexpected(turns.error());
  if (turns->empty()) return {};
  const MoveValue best = turns->front().value;
  for (const OracleTurn& turn : *turns) {
    if (turn.text == played.text) played.did = turn.value;
  }
  if (!played.did) return {};
  played.could = best;
  played.grade = grade_of(best, *played.did);
  if (played.grade == TurnGrade::best) return {};
  for (const OracleTurn& turn : *turns) {
    if (turn.value == best) played.better.push_back(turn.text);
  }
  return {};
}

}  // namespace

double Accuracy::per_cent() const noexcept { return turns == 0 ? 100 : 100.0 * (best + weaker) / turns; }

int ReviewedTurn::discs_lost() const {
  return did && did->measure == Measure::discs ? margin_of(*could) - margin_of(*did) : 0;
}

Result<GameReview> review(const Game& game, const GameRecord& record, const Oracle& oracle) {
  auto session = start_at(game, record.start);
  if (!session) return tl::unexpected(session.error());
  GameReview result;
  for (const RecordedTurn& turn : record.turns) {
    ReviewedTurn reviewed;
    reviewed.text = turn.text;
    reviewed.player = (*session)->board().to_move;
    reviewed.given = result.turns.size() < static_cast<std::size_t>(record.opening);
    if (auto done = look_up(reviewed, **session, oracle); !done) return tl::unexpected(done.error());
    if (reviewed.did && !reviewed.given) {
      count(result.players[reviewed.player == Player::first ? 0 : 1], reviewed);
    }
    result.turns.push_back(std::move(reviewed));
    const auto played = (*session)->try_play(turn.text);
    PAIKA_CHECK(played.has_value());  // a record that was read is a legal game
  }
  return result;
}

std::string review_words(const ReviewedTurn& turn) {
  if (!turn.did) return "not judged";
  switch (turn.grade) {
    case TurnGrade::best: return fmt::format("best: {}", with_article(*turn.did));
    case TurnGrade::weaker:
      return fmt::format("{} instead of {}{}", with_article(*turn.did), with_article(*turn.could), cost_words(turn));
    case TurnGrade::mistake:
      return fmt::format("threw away {}: now {}{}", with_article(*turn.could), with_article(*turn.did),
                         cost_words(turn));
  }
  return "";
}

}  // namespace paika::play
