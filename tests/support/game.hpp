// A game as its tests ask it: specs, positions and turns go in as text, and rules and notation answer.
//
// Each question also checks what must hold of every answer: the rules list each turn once, the
// face refuses exactly the others, the notation's effects lead to the rules' board, and what it says
// can be said in every language.
// Specs, positions and turns that a test takes for granted throw when they are not good.
#pragma once

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "board/shape.hpp"
#include "rules/conformance.hpp"
#include "rules/history.hpp"
#include "rules/notation.hpp"
#include "rules/perft.hpp"
#include "tests/support/must.hpp"
#include "tests/support/translated.hpp"

namespace paika_tests {

/// Calls check.operator()<Kind>() with each kind of grids.
template <class Check>
void for_both_grids(Check&& check) {
  check.template operator()<paika::Grids::best>();
  check.template operator()<paika::Grids::runtime>();
}

using Texts = std::vector<std::string>;

inline ::testing::AssertionResult contains(std::string_view text, std::string_view part) {
  if (text.find(part) != std::string_view::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "\"" << part << "\" is not in \"" << text.substr(0, 1000) << "\"";
}

/// "ongoing", or verdict and reason: "first_wins captures".
inline std::string outcome_words(const paika::Outcome& outcome) {
  if (!outcome.over()) return "ongoing";
  return fmt::format("{} {}", name(outcome.verdict), name(outcome.reason));
}

/// Shows the failures of a conformance run, and that it has looked at more than `positions`.
inline void expect_clean(const paika::ConformanceReport& report, const std::string& what, std::uint64_t positions = 0) {
  for (const auto& failure : report.failures) ADD_FAILURE() << what << ": " << failure;
  EXPECT_GT(report.positions, positions) << what;
}

/// `ReadOptions` is the game's read_options; the rest of the game is found by the type of its options.
/// Where a method takes `where`, that is a Board or the text of a position, "start" for the first one.
template <auto ReadOptions>
class TestGame {
 public:
  using Options = typename decltype(ReadOptions(std::string_view{}))::value_type;
  using Board = paika::Board;
  using Turn = paika::Turn;
  using Refusal = paika::Refusal;
  using Outcome = paika::Outcome;

  explicit TestGame(const std::string& spec) : TestGame(must(ReadOptions(spec), spec)) {}
  explicit TestGame(const Options& options) : options_(options), notation_(make_notation(options)) {}

  /// The error of a bad spec; "" if it is accepted.
  [[nodiscard]] static std::string spec_error(std::string_view spec) {
    const auto options = ReadOptions(spec);
    return options ? "" : options.error().message;
  }

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] const paika::Notation& notation() const { return *notation_; }

  [[nodiscard]] std::string start() const { return text(notation_->initial()); }
  [[nodiscard]] std::string text(const Board& board) const { return notation_->position_text(board); }
  [[nodiscard]] Board board(const Board& board) const { return board; }
  [[nodiscard]] Board board(const std::string& position) const {
    return position == "start" ? notation_->initial() : must(notation_->parse_position(position), position);
  }
  /// The error of a bad position; "" if it is accepted.
  [[nodiscard]] std::string position_error(std::string_view position) const {
    const auto read = notation_->parse_position(position);
    return read ? "" : read.error().message;
  }

  [[nodiscard]] Turn turn(std::string_view text) const {
    return must(notation_->parse_turn(notation_->initial(), text), text);
  }
  /// Why a text is no turn; an empty refusal if it is one.
  [[nodiscard]] Refusal turn_error(std::string_view text) const {
    const auto read = notation_->parse_turn(notation_->initial(), text);
    if (!read) expect_translated(read.error().message);
    return read ? Refusal{} : read.error();
  }

  /// The texts of the rules' turns, in its order.
  template <class Where>
  [[nodiscard]] Texts listed(const Where& where) const {
    const Board here = board(where);
    Texts texts;
    for (const Turn& turn : steps(here)) texts.push_back(notation_->turn_text(here, turn));
    EXPECT_EQ(std::set<std::string>(texts.begin(), texts.end()).size(), texts.size()) << "a turn is listed twice";
    return texts;
  }
  /// The same, sorted.
  template <class Where>
  [[nodiscard]] Texts turns(const Where& where) const {
    Texts texts = listed(where);
    std::sort(texts.begin(), texts.end());
    return texts;
  }
  template <class Where>
  [[nodiscard]] bool is_legal(const Where& where, const std::string& move) const {
    const Texts texts = listed(where);
    return std::find(texts.begin(), texts.end(), move) != texts.end();
  }

  /// The board after a turn in its canonical text; throws if it is not legal.
  template <class Where>
  [[nodiscard]] Board played(const Where& where, const std::string& move) const {
    const Board here = board(where);
    if (!is_legal(here, move)) throw std::runtime_error(move + " is not legal at " + text(here));
    const Turn chosen = turn(move);
    return with_rules(options_, [&](const auto& rules) {
      const auto p = rules.from_board(here);
      const auto q = rules.play(p, rules.from_turn(p, chosen));
      Board next = rules.to_board(q);
      Board shown = next;
      shown.cells = replayed(here.cells, notation_->effects(here, chosen),
                             [&](paika::Square s) { return notation_->empty_cell(s); });
      EXPECT_TRUE(shown == next) << "effects of " << move << ": " << text(shown) << " instead of " << text(next);
      EXPECT_TRUE(rules.from_board(next) == q) << move;
      EXPECT_EQ(rules.key(q), rules.key_from_scratch(q)) << move;
      EXPECT_EQ(next.to_move, other(here.to_move)) << move;
      return next;
    });
  }
  template <class Where>
  [[nodiscard]] std::string after(const Where& where, const std::string& move) const {
    return text(played(where, move));
  }

  /// Plays the moves from `where` on and counts after each how often its position has occurred (rules/history.hpp).
  template <class Where>
  [[nodiscard]] std::vector<int> occurrences(const Where& where, const Texts& moves) const {
    Board here = board(where);
    return with_rules(options_, [&](const auto& rules) {
      paika::History history(rules.from_board(here));
      std::vector<int> counts;
      for (const std::string& move : moves) {
        here = played(here, move);
        history.push(rules.from_board(here));
        counts.push_back(history.occurrences(rules));
      }
      return counts;
    });
  }

  template <class Where>
  [[nodiscard]] Outcome outcome(const Where& where) const {
    return with_rules(options_, [&](const auto& rules) { return rules.outcome(rules.from_board(board(where))); });
  }
  template <class Where>
  [[nodiscard]] std::string outcome_words(const Where& where) const {
    return paika_tests::outcome_words(outcome(where));
  }
  /// The ending in words with its clause: "Black wins: … [3.1]".
  template <class Where>
  [[nodiscard]] std::string ending(const Where& where, const Outcome& outcome) const {
    const paika::Ending ending = notation_->ending(board(where), outcome);
    expect_translated(ending.sentence);
    return ending.sentence.english() + " [" + ending.clause + "]";
  }
  template <class Where>
  [[nodiscard]] std::string ending(const Where& where) const {
    return ending(where, outcome(where));
  }

  /// Why a turn may not be played; an empty refusal if it may.
  template <class Where>
  [[nodiscard]] Refusal refusal(const Where& where, const Turn& turn) const {
    const Board here = board(where);
    const auto refused = notation_->refuse(here, turn);
    const auto legal = steps(here);
    const bool listed = std::find(legal.begin(), legal.end(), turn) != legal.end();
    // The notation is not asked whether the game is over: then nothing is listed.
    EXPECT_TRUE(legal.empty() || listed == !refused) << notation_->turn_text(here, turn);
    if (refused) expect_translated(refused->message);
    return refused.value_or(Refusal{});
  }
  template <class Where>
  [[nodiscard]] Refusal refusal(const Where& where, std::string_view text) const {
    const Board here = board(where);
    const auto turn = notation_->parse_turn(here, text);
    return turn ? refusal(here, *turn) : turn.error();
  }
  /// The same in words, "message [clause] squares"; "" if the turn is legal.
  template <class Where>
  [[nodiscard]] std::string refusal_words(const Where& where, std::string_view text) const {
    const Refusal refused = refusal(where, text);
    if (refused.message.empty()) return "";
    const std::string squares = names(refused.squares);
    return fmt::format("{} [{}]{}{}", refused.message.english(), refused.clause, squares.empty() ? "" : " ", squares);
  }
  /// The names of squares in order, with blanks between them.
  [[nodiscard]] std::string names(const std::vector<paika::Square>& squares) const {
    Texts names;
    for (const paika::Square s : squares) names.push_back(notation_->coordinates().name(s));
    return fmt::format("{}", fmt::join(names, " "));
  }

  /// Perft from the start for depth 1 to `depths`. `Kind` is passed on to with_rules, where the game has them.
  template <paika::Grids... Kind>
  [[nodiscard]] std::vector<std::uint64_t> perft_counts(int depths) const {
    std::vector<std::uint64_t> counts;
    const auto count = [&](const auto& rules) {
      for (int depth = 1; depth <= depths; ++depth) counts.push_back(paika::perft(rules, rules.initial(), depth));
    };
    with_rules<Kind...>(options_, count);
    return counts;
  }

 private:
  /// The bitboard rules's turns: legal ones, or where the game knows such a thing, all successors, which
  /// do not ask whether the game is over.
  [[nodiscard]] std::vector<Turn> steps(const Board& here) const {
    std::vector<Turn> turns;
    with_rules(options_, [&](const auto& rules) {
      const auto p = rules.from_board(here);
      const auto visit = [&](const auto& move) {
        turns.push_back(rules.to_turn(p, move));
        EXPECT_TRUE(rules.from_turn(p, turns.back()) == move) << notation_->turn_text(here, turns.back());
        const auto refused = notation_->refuse(here, turns.back());
        EXPECT_FALSE(refused) << notation_->turn_text(here, turns.back()) << ": " << refused->message.english();
        return true;
      };
      if constexpr (requires { rules.count_successors(p); }) {
        rules.for_each_successor(p, visit);
        EXPECT_EQ(rules.count_successors(p), turns.size());
      } else {
        rules.for_each_turn(p, visit);
        EXPECT_EQ(rules.count_turns(p), turns.size());
      }
    });
    return turns;
  }

  Options options_;
  std::unique_ptr<paika::Notation> notation_;
};

}  // namespace paika_tests
