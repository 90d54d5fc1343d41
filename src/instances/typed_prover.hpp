// The proof of a value (engine/prover.hpp) over one Rules type.
#pragma once

#include <utility>

#include "engine/prover.hpp"
#include "search/proof.hpp"

namespace paika {

template <Rules R, class KeyOf, class Probe>
[[nodiscard]] ProofReport prove_with(const Session& session, const R& rules, const ProofRequest& request, KeyOf key_of,
                                     Probe probe) {
  ProofSettings settings;
  settings.table_bytes = static_cast<std::size_t>(request.memory / 2);
  settings.check_bytes = static_cast<std::size_t>(request.memory / 4);
  settings.path_bytes = static_cast<std::size_t>(request.memory / 4);
  ProofSearch<R, KeyOf, Probe> search(rules, settings, std::move(key_of), std::move(probe));
  const auto root = rules.from_board(session.board());
  const auto result = search.value(root, request.limits, request.stop, request.on_progress);
  const bool by_opponent = result.value == KnownValue::loss;
  const auto& told = by_opponent ? *result.opponent : result.mover;

  ProofReport report;
  report.value = result.value;
  report.length = told.length;
  report.ends_in_table = told.ends_in_probe;
  report.checked = result.mover.answer != ProofAnswer::unknown ? result.mover.checked : false;
  report.nodes = result.mover.nodes;
  report.time = result.mover.time;
  if (result.opponent) {
    report.checked =
        (report.checked || result.mover.answer == ProofAnswer::unknown || by_opponent) && result.opponent->checked;
    report.nodes += result.opponent->nodes;
    report.time += result.opponent->time;
  }
  const auto text_of = [&](const auto& p, const auto& m) {
    return session.notation().turn_text(rules.to_board(p), rules.to_turn(p, m));
  };
  if (result.value == KnownValue::win) {
    for (const auto& m : told.winning) report.winning.push_back(text_of(root, m));
  }
  if (result.value == KnownValue::win || by_opponent) {
    auto p = root;
    for (const auto& m : told.line) {
      report.line.push_back(text_of(p, m));
      p = rules.play(p, m);
    }
  }
  return report;
}

}  // namespace paika
