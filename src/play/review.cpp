#include "play/review.hpp"

#include <fmt/format.h>

#include "base/check.hpp"
#include "engine/registry.hpp"
#include "play/start.hpp"

namespace paika::play {

namespace {

/// "a win in 9", "a draw", "a loss in 4".
std::string with_article(Value value) {
  if (value.is_draw()) return "a draw";
  return fmt::format("a {} in {}", value.is_win() ? "win" : "loss", value.turns());
}

TurnGrade grade_of(Value could, Value did) {
  if (could.kind() != did.kind()) return TurnGrade::mistake;
  return could == did ? TurnGrade::best : TurnGrade::slower;
}

void count(Accuracy& accuracy, TurnGrade grade) {
  ++accuracy.turns;
  switch (grade) {
    case TurnGrade::best: ++accuracy.best; break;
    case TurnGrade::slower: ++accuracy.slower; break;
    case TurnGrade::mistake: ++accuracy.mistakes; break;
  }
}

/// Fills in what the table knows of the turn `played` of the session's position.
Result<void> look_up(ReviewedTurn& played, const Session& session, TableBook& book) {
  const auto turns = book.turns(session);
  if (!turns) return tl::unexpected(turns.error());
  if (!*turns || (*turns)->empty()) return {};
  const Value best = (*turns)->front().value;
  for (const ValuedTurn& turn : **turns) {
    if (turn.text == played.text) played.did = turn.value;
  }
  if (!played.did) return {};
  played.could = best;
  played.grade = grade_of(best, *played.did);
  if (played.grade == TurnGrade::best) return {};
  for (const ValuedTurn& turn : **turns) {
    if (turn.value == best) played.better.push_back(turn.text);
  }
  return {};
}

}  // namespace

double Accuracy::per_cent() const noexcept { return turns == 0 ? 100 : 100.0 * (best + slower) / turns; }

Result<GameReview> review(const GameRecord& record, TableBook& book) {
  const auto game = open_game(record.spec);
  if (!game) return tl::unexpected(game.error());
  auto session = start_at(**game, record.start);
  if (!session) return tl::unexpected(session.error());
  GameReview result;
  for (const RecordedTurn& turn : record.turns) {
    ReviewedTurn reviewed;
    reviewed.text = turn.text;
    reviewed.player = (*session)->board().to_move;
    reviewed.given = result.turns.size() < static_cast<std::size_t>(record.opening);
    if (auto done = look_up(reviewed, **session, book); !done) return tl::unexpected(done.error());
    if (reviewed.did && !reviewed.given) {
      count(result.players[reviewed.player == Player::first ? 0 : 1], reviewed.grade);
    }
    result.turns.push_back(std::move(reviewed));
    const auto played = (*session)->try_play(turn.text);
    PAIKA_CHECK(played.has_value());  // a record that was read is a legal game
  }
  return result;
}

std::string review_words(const ReviewedTurn& turn) {
  if (!turn.did) return "not in the table";
  switch (turn.grade) {
    case TurnGrade::best: return fmt::format("best: {}", with_article(*turn.did));
    case TurnGrade::slower: return fmt::format("{} instead of {}", with_article(*turn.did), with_article(*turn.could));
    case TurnGrade::mistake:
      return fmt::format("threw away {}: now {}", with_article(*turn.could), with_article(*turn.did));
  }
  return "";
}

}  // namespace paika::play
