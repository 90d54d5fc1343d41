#include "engine/move_value.hpp"

#include <cstdlib>
#include <utility>

#include "base/check.hpp"

namespace paika {

std::string_view name(ValueKind kind) noexcept {
  return kind == ValueKind::win ? "win" : kind == ValueKind::loss ? "loss" : "draw";
}

MoveValue move_value(Value value) {
  if (!value.has_distance()) return {value.kind(), 0, Measure::none};
  return {value.kind(), value.turns(), Measure::turns};
}

MoveValue value_of_margin(int margin) {
  const ValueKind kind = margin > 0 ? ValueKind::win : margin < 0 ? ValueKind::loss : ValueKind::draw;
  return {kind, std::abs(margin), Measure::discs};
}

int margin_of(const MoveValue& value) {
  PAIKA_CHECK(value.measure == Measure::discs);
  return value.kind == ValueKind::loss ? -value.amount : value.amount;
}

Oracle search_oracle(std::shared_ptr<ExactSearch> search, int max_empty, std::stop_token stop) {
  return [search = std::move(search), max_empty,
          stop = std::move(stop)](const Session& session) -> Result<std::vector<OracleTurn>> {
    std::vector<OracleTurn> judged;
    if (empty_squares(session.board()) > max_empty) return judged;
    const auto turns = search->turns(session, stop);
    if (!turns) return tl::unexpected(turns.error());
    for (const ExactTurn& turn : *turns) judged.push_back({turn.text, value_of_margin(turn.margin)});
    return judged;
  };
}

Oracle ending_oracle(const Game& game, const SearchSettings& settings, int max_empty, const std::stop_token& stop) {
  if (!solved_by_search(game)) return {};
  auto search = ExactSearch::open(game, settings.threads, settings.hash_mb);
  return search ? search_oracle(std::move(*search), max_empty, stop) : Oracle{};
}

}  // namespace paika
