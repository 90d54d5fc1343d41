#include "play/review.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/check.hpp"
#include "engine/module.hpp"
#include "engine/scene.hpp"
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
  accuracy.sum += accuracy_of(turn.cost());
  switch (turn.grade) {
    case TurnGrade::best: ++accuracy.best; break;
    case TurnGrade::weaker: ++accuracy.weaker; break;
    case TurnGrade::mistake: ++accuracy.mistakes; break;
  }
}

double chances_of(const MoveValue& value) {
  return value.kind == ValueKind::win ? 100 : value.kind == ValueKind::loss ? 0 : 50;
}

/// What is known of a position: all its turns with certain values, or what the engine thinks, or that the game is over.
struct Judgement {
  std::vector<OracleTurn> turns;  // best first
  std::optional<InfoLine> line;
  std::optional<double> chances;  // of the side to move
};

/// The certain value of a line; nothing if it is an estimate.
std::optional<MoveValue> certain_value(const InfoLine& line, bool by_discs) {
  constexpr int points_per_disc = 100;
  if (!line.exact) return std::nullopt;
  if (by_discs) return value_of_margin(line.score / points_per_disc);
  if (is_won(line.score) || is_lost(line.score)) {
    const bool known = !line.at_most && (is_win(line.score) || is_loss(line.score));
    return MoveValue{is_won(line.score) ? ValueKind::win : ValueKind::loss, known ? plies_to(line.score) : 0,
                     known ? Measure::turns : Measure::none};
  }
  return MoveValue{};
}

/// The value for the other player, one turn earlier.
MoveValue turned(MoveValue value) {
  if (value.kind == ValueKind::draw) return value;
  value.kind = value.kind == ValueKind::win ? ValueKind::loss : ValueKind::win;
  if (value.measure == Measure::turns) ++value.amount;
  return value;
}

/// Judges the positions of a game: first those that are certain, then the others.
class Reviewer {
 public:
  Reviewer(const Game& game, const ReviewRequest& request)
      : request_(request), by_discs_(module_of(game).exact_squares > 0) {}

  /// `session` stands at the end of `turns`, and does so again afterwards. One judgement for each position.
  Result<std::vector<Judgement>> judge(Session& session, const std::vector<RecordedTurn>& turns) {
    judged_.assign(turns.size() + 1, {});
    for (std::size_t i = turns.size() + 1; i-- > 0;) {
      if (auto done = look_up(session, judged_[i]); !done) return tl::unexpected(done.error());
      if (i > 0) PAIKA_CHECK(session.undo());
    }
    left_ = std::count_if(judged_.begin(), judged_.end(), [](const Judgement& j) { return !j.chances; });
    for (std::size_t i = 0; i <= turns.size(); ++i) {
      if (auto done = think(session, judged_[i]); !done) return tl::unexpected(done.error());
      if (i < turns.size()) PAIKA_CHECK(session.try_play(turns[i].text).has_value());
    }
    return std::move(judged_);
  }

  [[nodiscard]] bool by_discs() const { return by_discs_; }

 private:
  using Clock = std::chrono::steady_clock;

  /// What the rules and the oracle say.
  Result<void> look_up(const Session& session, Judgement& judgement) {
    if (auto going = step(); !going) return going;
    if (const Outcome outcome = session.outcome(); outcome.over()) {
      const bool drawn = outcome.verdict == Verdict::draw;
      judgement.chances = drawn ? 50 : outcome.winner() == session.board().to_move ? 100 : 0;
      return {};
    }
    if (!request_.oracle || !worth_asking()) return {};
    const auto start = Clock::now();
    auto turns = request_.oracle(session);
    if (!turns) return tl::unexpected(turns.error());
    last_asked_ = Clock::now() - start;
    asked_ += last_asked_;
    judgement.turns = std::move(*turns);
    if (!judgement.turns.empty()) judgement.chances = chances_of(judgement.turns.front().value);
    return {};
  }

  /// Whether the oracle will probably answer in time: an ending with one more empty square takes up to three times as
  /// long.
  [[nodiscard]] bool worth_asking() const {
    constexpr int growth = 3;
    return !request_.oracle_time || asked_ + growth * last_asked_ <= *request_.oracle_time;
  }

  /// What the engine says, where nothing else is known. The time that is left is shared out evenly over those
  /// positions.
  Result<void> think(const Session& session, Judgement& judgement) {
    if (auto going = step(); !going) return going;
    if (judgement.chances || request_.engine == nullptr) return {};
    SearchLimits limits;
    limits.move_time = std::max((request_.time - spent_) / left_--, Milliseconds(1));
    const auto start = Clock::now();
    judgement.line = request_.engine->think(session, limits, request_.stop).info.lines.front();
    spent_ += std::chrono::duration_cast<Milliseconds>(Clock::now() - start);
    const auto certain = certain_value(*judgement.line, by_discs_);
    judgement.chances = certain ? chances_of(*certain) : play::chances_of(judgement.line->score);
    return {};
  }

  /// Each position is visited twice: for what is certain, and for the engine.
  Result<void> step() {
    if (request_.stop.stop_requested()) return fail("the review was stopped");
    ++steps_;
    if (request_.on_progress)
      request_.on_progress(static_cast<double>(steps_) / static_cast<double>(2 * judged_.size()));
    return {};
  }

  const ReviewRequest& request_;
  bool by_discs_;
  std::vector<Judgement> judged_;
  std::size_t steps_ = 0;
  std::ptrdiff_t left_ = 0;  // positions for the engine
  Milliseconds spent_{0};    // by it
  Clock::duration asked_{0};
  Clock::duration last_asked_{0};
};

/// Fills in what is certain of the turn `played`, whose position and the next were judged; false if nothing is.
bool look_up(ReviewedTurn& played, const Judgement& here) {
  if (here.turns.empty()) return false;
  const MoveValue best = here.turns.front().value;
  for (const OracleTurn& turn : here.turns) {
    if (turn.text == played.text) played.did = turn.value;
  }
  if (!played.did) return false;
  played.could = best;
  played.before = chances_of(best);
  played.after = chances_of(*played.did);
  played.grade = grade_of(best, *played.did);
  if (played.grade == TurnGrade::best) return true;
  for (const OracleTurn& turn : here.turns) {
    if (turn.value == best) played.better.push_back(turn.text);
  }
  return true;
}

/// What the next position is worth for its mover, if that is certain.
std::optional<MoveValue> certain_here(const Judgement& judgement, bool by_discs) {
  if (!judgement.turns.empty()) return judgement.turns.front().value;
  if (judgement.line) return certain_value(*judgement.line, by_discs);
  return std::nullopt;
}

/// The same by the engine: the turn is worth what it thinks of the next position.
void estimate(ReviewedTurn& played, const Judgement& here, const Judgement& next, bool by_discs) {
  constexpr double some = 5;
  constexpr double many = 20;
  if (!here.line || !next.chances) return;
  const std::string& choice = here.line->texts.front();
  played.before = here.chances;
  // A deeper look afterwards may find more than there seemed to be: nothing was given away then.
  played.after = played.text == choice ? *played.before : std::min(100 - *next.chances, *played.before);
  played.grade = played.cost() >= many   ? TurnGrade::mistake
                 : played.cost() >= some ? TurnGrade::weaker
                                         : TurnGrade::best;
  if (played.grade == TurnGrade::best) return;
  played.better.push_back(choice);
  const auto could = certain_value(*here.line, by_discs);
  const auto did = certain_here(next, by_discs);
  if (!could || !did) return;
  played.could = could;
  played.did = turned(*did);
}

/// The turns that cost the most, if they cost enough to turn a game.
std::vector<std::size_t> turning_points_of(const std::vector<ReviewedTurn>& turns) {
  constexpr double enough = 10;
  constexpr std::size_t most = 3;
  std::vector<std::size_t> points;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (!turns[i].given && turns[i].cost() >= enough) points.push_back(i);
  }
  std::sort(points.begin(), points.end(), [&](std::size_t a, std::size_t b) {
    return turns[a].cost() != turns[b].cost() ? turns[a].cost() > turns[b].cost() : a < b;
  });
  if (points.size() > most) points.resize(most);
  return points;
}

/// The chances of the first player where those of the side to move are known.
std::optional<double> first_chances(const Judgement& judgement, Player to_move) {
  if (!judgement.chances) return std::nullopt;
  return to_move == Player::first ? *judgement.chances : 100 - *judgement.chances;
}

}  // namespace

double accuracy_of(double cost) noexcept {
  if (cost <= 0) return 100;
  return std::clamp(103.1668 * std::exp(-0.04354 * cost) - 3.1669, 0.0, 100.0);
}

double chances_of(int score) noexcept { return 100 / (1 + std::exp(-0.00368 * score)); }

double Accuracy::per_cent() const noexcept { return turns == 0 ? 100 : sum / turns; }

double ReviewedTurn::cost() const { return judged() ? std::max(0.0, *before - *after) : 0; }

int ReviewedTurn::discs_lost() const {
  return did && did->measure == Measure::discs ? margin_of(*could) - margin_of(*did) : 0;
}

Result<GameReview> review(const Game& game, const GameRecord& record, const ReviewRequest& request) {
  auto session = start_at(game, record.start);
  if (!session) return tl::unexpected(session.error());
  for (const RecordedTurn& turn : record.turns) {
    PAIKA_CHECK((*session)->try_play(turn.text).has_value());  // a record that was read is a legal game
  }
  Reviewer reviewer(game, request);
  auto judged = reviewer.judge(**session, record.turns);
  if (!judged) return tl::unexpected(judged.error());
  GameReview result;
  const Player mover = (*session)->board().to_move;
  for (std::size_t i = record.turns.size(); i > 0; --i) PAIKA_CHECK((*session)->undo());
  for (std::size_t i = 0; i < record.turns.size(); ++i) {
    const Judgement& here = (*judged)[i];
    const Judgement& next = (*judged)[i + 1];
    ReviewedTurn reviewed;
    reviewed.text = record.turns[i].text;
    reviewed.player = (*session)->board().to_move;
    reviewed.given = i < static_cast<std::size_t>(record.opening);
    result.chances.push_back(first_chances(here, reviewed.player));
    PAIKA_CHECK((*session)->try_play(reviewed.text).has_value());
    if (!look_up(reviewed, here)) estimate(reviewed, here, next, reviewer.by_discs());
    if (reviewed.judged() && !reviewed.given) count(result.players[seat_of(reviewed.player)], reviewed);
    result.turns.push_back(std::move(reviewed));
  }
  result.chances.push_back(first_chances(judged->back(), mover));
  result.turning_points = turning_points_of(result.turns);
  return result;
}

namespace {

/// Words for what only the engine has judged.
std::string estimate_words(const ReviewedTurn& turn) {
  if (turn.grade == TurnGrade::best) return fmt::format("good: chances {:.0f} %", *turn.after);
  return fmt::format("chances fell from {:.0f} % to {:.0f} %", *turn.before, *turn.after);
}

}  // namespace

std::string review_words(const ReviewedTurn& turn) {
  if (!turn.judged()) return "not judged";
  if (!turn.did) return estimate_words(turn);
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

// ---- As JSON ----

namespace {

Json reviewed_json(const ReviewedTurn& turn) {
  constexpr std::array<const char*, 3> grades = {"best", "weaker", "mistake"};
  Json json{{"move", turn.text}, {"seat", player_id(turn.player)}, {"opening", turn.given}};
  if (!turn.judged()) return json;
  json["chances"] = {*turn.before, *turn.after};
  json["grade"] = grades[static_cast<std::size_t>(turn.grade)];
  json["better"] = turn.better;
  if (!turn.did) return json;
  json["could"] = value_json(*turn.could);
  json["did"] = value_json(*turn.did);
  if (turn.did->measure == Measure::discs) json["discs_lost"] = turn.discs_lost();
  return json;
}

}  // namespace

Json review_json(const GameReview& review) {
  Json json{{"moves", Json::array()}, {"players", Json::array()}};
  for (const ReviewedTurn& turn : review.turns) json["moves"].push_back(reviewed_json(turn));
  for (const Player player : {Player::first, Player::second}) {
    const Accuracy& a = review.players[seat_of(player)];
    json["players"].push_back({{"seat", player_id(player)},
                               {"moves", a.turns},
                               {"best", a.best},
                               {"weaker", a.weaker},
                               {"mistakes", a.mistakes},
                               {"discs_lost", a.discs_lost},
                               {"accuracy", a.per_cent()}});
  }
  json["turning_points"] = Json::array();
  for (const std::size_t i : review.turning_points) json["turning_points"].push_back(i + 1);
  json["chances"] = Json::array();
  for (const auto& chances : review.chances) json["chances"].push_back(chances ? Json(*chances) : Json());
  return json;
}

}  // namespace paika::play
