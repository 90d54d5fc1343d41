// ProofSearch: can one side force a win? For positions that are too many for a table of all of them.
//
// The search is df-pn (search/proof_tree.hpp). Three things could make such a search lie, and this is why
// this one does not:
//
// Loops. A position that comes back on the path is no win for the attacker there, so a position can look
// refuted only because of the positions that happened to be before it; met again on another path, that
// would be wrong. *Proofs* never suffer: they rest on positions proven before them and on won endings, never
// on a loop. *Refutations* that rest on a loop are remembered and used, but marked. If the answer at the
// root rests on one, it is checked: from the root a set of positions is gathered such that after any turn
// of the attacker, and after at least one turn of the defender, the game is in the set again, or over
// without a win of the attacker. In such a set the defender can stay for ever, whatever was played before,
// so the attacker cannot force a win: no path enters into the argument. Positions that are missing are
// searched. If a member turns out to be won, it is remembered as won, and what rested on it is mended or
// is won too; so the check either closes the set, or proves the root, or the limits end it: unknown.
//
// Equal keys. Positions are known to the table by 64-bit keys, and two could have the same. So every answer
// is walked through once more with whole positions (a refutation as above; a proof with one turn of the
// attacker and all turns of the defender, down to won endings), as far as memory and limits allow;
// `checked` says whether it was done to the end. An answer that is not checked could be wrong if two of the
// positions met share a key, which for a thousand million of them has a chance of about 1 in 37.
// (A refutation that rests on a loop is never given without the check.)
//
// Counters. A key leaves out move numbers. Where they decide games (a limit of moves), KeyOf must
// mix them in, so that "the same key" means "the same future".
//
// One thread; the same question gives the same answer and the same number of nodes, unless time or a stop
// ends it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "rules/concepts.hpp"
#include "search/proof_check.hpp"
#include "search/proof_table.hpp"
#include "search/proof_tree.hpp"
#include "search/proof_types.hpp"

namespace paika {

/// The key of a position for the table, where positions have no counters that matter.
struct PlainKey {
  template <Rules R>
  [[nodiscard]] std::uint64_t operator()(const R& rules, const typename R::Position& p) const {
    return rules.key(p);
  }
};

/// Nothing is known beforehand.
struct NoProbe {
  template <class Position>
  [[nodiscard]] ProbeAnswer operator()(const Position& /*p*/, Player /*attacker*/) const {
    return ProbeAnswer::unknown;
  }
};

/// key_of(rules, position) is the table's key: positions with equal keys have the same future.
/// probe(position, attacker) is asked of positions whose game is not over, perhaps more than once; it must
/// be right, and always say the same.
template <Rules R, class KeyOf = PlainKey, class Probe = NoProbe>
class ProofSearch {
 public:
  using Position = typename R::Position;
  using Move = typename R::Move;

  /// May throw std::bad_alloc if the table is too large.
  explicit ProofSearch(R rules, const ProofSettings& settings = {}, KeyOf key_of = {}, Probe probe = {})
      : rules_(std::move(rules)),
        settings_(settings),
        key_of_(std::move(key_of)),
        probe_(std::move(probe)),
        table_(settings.table_bytes) {}

  /// Can `attacker` force a win from `root`? The positions before `root` do not count.
  ProofResult<Move> ask(const Position& root, Player attacker, const ProofLimits& limits = {},
                        const std::stop_token& stop = {}, const OnProgress& on_progress = {}) {
    table_.clear();
    ProofBudget budget(limits, stop, on_progress, table_);
    Tree tree(rules_, key_of_, probe_, attacker, table_, budget, settings_.path_bytes);
    ProofResult<Move> result;
    if (const ProbeAnswer known = tree.known(root); known != ProbeAnswer::unknown) {
      result.answer = known == ProbeAnswer::attacker_wins ? ProofAnswer::proven : ProofAnswer::disproven;
      result.checked = true;
      result.ends_in_probe = !rules_.outcome(root).over();
      if (known == ProbeAnswer::attacker_wins && !result.ends_in_probe) result.length = 0;
    } else {
      settle(root, tree, result);
    }
    if (result.answer == ProofAnswer::unknown) result.end = budget.end();
    result.nodes = budget.nodes();
    result.time = budget.elapsed();
    result.table_permille = table_.permille();
    return result;
  }

  /// The value of `root` for its mover, by asking whether the mover can force a win and, if that is not
  /// so or not known, whether the opponent can. The limits hold for each question.
  ValueResult<Move> value(const Position& root, const ProofLimits& limits = {}, const std::stop_token& stop = {},
                          const OnProgress& on_progress = {}) {
    ValueResult<Move> result;
    const Player mover = rules_.to_move(root);
    result.mover = ask(root, mover, limits, stop, on_progress);
    if (result.mover.answer == ProofAnswer::proven) {
      result.value = KnownValue::win;
      return result;
    }
    result.opponent = ask(root, other(mover), limits, stop, on_progress);
    const bool no_win = result.mover.answer == ProofAnswer::disproven;
    switch (result.opponent->answer) {
      case ProofAnswer::proven: result.value = KnownValue::loss; break;
      case ProofAnswer::disproven: result.value = no_win ? KnownValue::draw : KnownValue::at_least_draw; break;
      case ProofAnswer::unknown: result.value = no_win ? KnownValue::at_most_draw : KnownValue::unknown; break;
    }
    return result;
  }

 private:
  using Tree = ProofTree<R, KeyOf, Probe>;
  using Walk = ProofWalk<Tree>;

  /// A check that the answer does not depend on may cost as much as the search did, and this.
  static constexpr std::uint64_t small_check = 100'000;

  void settle(const Position& root, Tree& tree, ProofResult<Move>& result) {
    const ProofNumbers found = tree.solve(root);
    if (!found.settled()) return;
    const bool won = found.won(tree.attackers_turn(root));
    const bool loops = !won && found.loop != ProofNumbers::no_loop;
    const std::uint64_t nodes = tree.budget().nodes();
    tree.budget().start_check(loops ? UINT64_MAX : nodes + small_check);
    if (!won) {
      RefutationCheck<Tree> check(tree, settings_.check_bytes);
      const ProofAnswer answer = check.run(root);
      result.checked_positions = check.positions();
      result.checked = answer == ProofAnswer::disproven;
      if (result.checked || (answer == ProofAnswer::unknown && !loops)) result.answer = ProofAnswer::disproven;
      if (answer != ProofAnswer::proven) return;
      tree.budget().start_check(tree.budget().nodes() + small_check);
    }
    show_proof(root, tree, won ? found.length : unknown_length, result);
  }

  void show_proof(const Position& root, Tree& tree, std::uint32_t length, ProofResult<Move>& result) {
    Walk walk(tree, settings_.check_bytes);
    result.checked = walk.run(root);
    result.checked_positions = walk.positions();
    if (walk.contradicted()) {
      tree.budget().give_up(ProofEnd::key_clash);
      return;
    }
    result.answer = ProofAnswer::proven;
    result.ends_in_probe = walk.reached_probe();
    if (result.checked) length = *walk.walked(root);
    if (length != unknown_length) result.length = static_cast<int>(length);
    if (tree.attackers_turn(root)) {
      visit_turns(rules_, root, [&](const Move& m) {
        if (walk.length(rules_.play(root, m))) result.winning.push_back(m);
        return true;
      });
    }
    result.line = line(root, tree, walk);
  }

  /// Follows the proof that was walked, and beyond it the table as far as it reaches.
  [[nodiscard]] std::vector<Move> line(Position p, const Tree& tree, const Walk& walk) const {
    std::vector<Move> moves;
    std::uint32_t left = unknown_length;
    while (tree.known(p) == ProbeAnswer::unknown) {
      const bool attackers = tree.attackers_turn(p);
      auto best = step(p, attackers, [&](const Position& q) { return walk.walked(q); });
      if (!best) best = step(p, attackers, [&](const Position& q) { return walk.length(q); });
      // Every step must come nearer to the end; parts that were proven anew need not.
      if (!best || best->length >= left) break;
      left = best->length;
      moves.push_back(best->move);
      p = rules_.play(p, best->move);
    }
    return moves;
  }

  struct LineStep {
    Move move;
    std::uint32_t length;
  };
  /// The attacker's turn with the shortest length, or the defender's with the longest.
  template <class LengthOf>
  [[nodiscard]] std::optional<LineStep> step(const Position& p, bool attackers, const LengthOf& length_of) const {
    std::optional<LineStep> best;
    visit_turns(rules_, p, [&](const Move& m) {
      const auto length = length_of(rules_.play(p, m));
      if (!length || *length == unknown_length) return true;
      if (!best || (attackers ? *length < best->length : *length > best->length)) best = LineStep{m, *length};
      return true;
    });
    return best;
  }

  R rules_;
  ProofSettings settings_;
  KeyOf key_of_;
  Probe probe_;
  ProofTable table_;
};

}  // namespace paika
