#include "search/proof_budget.hpp"

namespace paika {

void ProofBudget::look() {
  if (stop_.stop_requested()) {
    give_up(ProofEnd::stopped);
    return;
  }
  if (!limits_.time && !on_progress_) return;
  const Milliseconds now = elapsed();
  if (limits_.time && now >= *limits_.time) give_up(ProofEnd::time);
  if (on_progress_ && now >= next_report_) {
    next_report_ = now + between_reports;
    on_progress_({.nodes = nodes_, .time = now, .table_permille = table_.permille(), .checking = checking_});
  }
}

}  // namespace paika
