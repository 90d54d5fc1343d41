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

Oracle table_oracle(std::shared_ptr<TableBook> book) {
  return [book = std::move(book)](const Session& session) -> Result<std::vector<OracleTurn>> {
    const auto turns = book->turns(session);
    if (!turns) return tl::unexpected(turns.error());
    std::vector<OracleTurn> judged;
    if (!*turns) return judged;
    for (const ValuedTurn& turn : **turns) judged.push_back({turn.text, move_value(turn.value)});
    return judged;
  };
}

Oracle search_oracle(std::shared_ptr<ExactSearch> search, int max_empty) {
  return [search = std::move(search), max_empty](const Session& session) -> Result<std::vector<OracleTurn>> {
    std::vector<OracleTurn> judged;
    if (empty_squares(session.board()) > max_empty) return judged;
    const auto turns = search->turns(session);
    if (!turns) return tl::unexpected(turns.error());
    for (const ExactTurn& turn : *turns) judged.push_back({turn.text, value_of_margin(turn.margin)});
    return judged;
  };
}

}  // namespace paika
