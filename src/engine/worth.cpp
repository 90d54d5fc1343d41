#include "engine/worth.hpp"

#include <cstdlib>
#include <utility>

#include "base/check.hpp"

namespace paika {

std::string_view name(ValueKind kind) noexcept {
  return kind == ValueKind::win ? "win" : kind == ValueKind::loss ? "loss" : "draw";
}

Worth worth_of(Value value) { return {value.kind(), value.turns(), Measure::turns}; }

Worth worth_of_margin(int margin) {
  const ValueKind kind = margin > 0 ? ValueKind::win : margin < 0 ? ValueKind::loss : ValueKind::draw;
  return {kind, std::abs(margin), Measure::discs};
}

int margin_of(const Worth& worth) {
  PAIKA_CHECK(worth.measure == Measure::discs);
  return worth.kind == ValueKind::loss ? -worth.amount : worth.amount;
}

Judge judge_by_table(std::shared_ptr<TableBook> book) {
  return [book = std::move(book)](const Session& session) -> Result<std::vector<JudgedTurn>> {
    const auto turns = book->turns(session);
    if (!turns) return tl::unexpected(turns.error());
    std::vector<JudgedTurn> judged;
    if (!*turns) return judged;
    for (const ValuedTurn& turn : **turns) judged.push_back({turn.text, worth_of(turn.value)});
    return judged;
  };
}

Judge judge_by_search(std::shared_ptr<ExactSearch> search, int most_empty) {
  return [search = std::move(search), most_empty](const Session& session) -> Result<std::vector<JudgedTurn>> {
    std::vector<JudgedTurn> judged;
    if (empty_squares(session.board()) > most_empty) return judged;
    const auto turns = search->turns(session);
    if (!turns) return tl::unexpected(turns.error());
    for (const ExactTurn& turn : *turns) judged.push_back({turn.text, worth_of_margin(turn.margin)});
    return judged;
  };
}

}  // namespace paika
