// The SearchTraits concept: what the search needs to know of playing a game well, beside its rules.
//
// The search (src/search) is one for all games; everything it must be told about a particular game
// is here: how good a position looks, which turns are forcing, which turns resemble each other. A
// game's traits live beside its rules (src/games/<game>/search_traits.hpp) and, like them, makes no
// virtual call.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "rules/concepts.hpp"

namespace paika {

/// Evaluations lie strictly between -evaluation_bound and evaluation_bound; beyond are proven wins.
inline constexpr int evaluation_bound = 500'000;

/// One reason for an evaluation, for people: "stones" +200. The terms of a position add up to its evaluation.
struct Term {
  std::string_view name;
  int value = 0;  // for the side to move
};

/// A position of at most 64 points and two colours of stones, for tables of endgames.
struct StoneSets {
  std::uint64_t own = 0;  // of the side to move
  std::uint64_t other = 0;
  std::uint64_t block = 0;  // a point that nobody may enter
  std::int64_t moves = 0;   // played so far
};

/// Which evaluation a game's traits use.
enum class Evaluation : bool {
  tuned,  // the weights of data/
  plain   // what anybody would count, untuned: the opponent that tuning must beat
};

/// Which parts of the search suit a game, and how. Each value is measured: docs/strategy/<game>.md.
struct SearchParams {
  int unit = 100;              // what a piece more is worth on average: people see scores in pieces
  int window = 33;             // how far from the score of the last depth the next one is looked for at first
  bool null_move = false;      // needs pass(p); wrong where having to move can be a disadvantage
  int null_move_cut = 2;       // plies that a null move saves, beside its own
  bool reductions = true;      // later quiet turns are searched less deeply
  int first_reduced = 3;       // how many turns are searched in full before
  bool quiescence = true;      // tactical turns are followed beyond the last ply
  int quiescence_width = 100;  // … and at most so many of them in one position
  int quiescence_plies = 8;    // … so far at the most
  int futility = 0;            // margin a ply in which leaves' parents are believed too good or too bad; 0: never
  int probcut = 0;             // margin beyond which a search of half the depth is believed; 0: never
};

/// A search that may come before a deeper one: how deep it is, and how far beyond the window its score must be for the
/// deeper one to be left out.
struct ProbCut {
  int depth = 0;
  int margin = 0;
};

/// How a level holds the search back. The strongest level, full_level, is not held back.
struct LevelPlan {
  int depth = 0;             // 0: no limit
  std::uint64_t nodes = 0;   // 0: no limit
  int lines = 1;             // how many turns are looked at closely enough to be chosen
  double temperature = 0.0;  // in pieces: a turn that looks worse by so much is chosen about a third as often
};

inline constexpr int weakest_level = 1;
inline constexpr int full_level = 14;
/// The plans of a game's levels, the weakest first.
using LevelPlans = std::array<LevelPlan, full_level>;

template <class K>
concept SearchTraits = Rules<typename K::RulesType> && requires(const K& k, const typename K::RulesType::Position& p,
                                                                const typename K::RulesType::Move& m) {
  /// How many different values history_index() has.
  { K::history_size } -> std::convertible_to<std::size_t>;
  { k.rules() } -> std::same_as<const typename K::RulesType&>;
  { k.params() } -> std::same_as<SearchParams>;
  /// How good the position is for the side to move. Requires that the game is not over.
  { k.evaluate(p) } -> std::same_as<int>;
  /// The evaluation in parts, for people. Their sum is evaluate(p), up to rounding.
  { k.terms(p) } -> std::same_as<std::vector<Term>>;
  /// 0 for a quiet turn; more than 0 for one that changes the balance at once (captures and their
  /// like), the more the sooner it should be tried. Less than 0: quiet, and probably bad.
  { k.tactical_score(p, m) } -> std::same_as<int>;
  /// Turns with the same history index are alike wherever they are played (same piece or stone, same way):
  /// what the search learns of one it believes of the other. Less than K::history_size.
  { k.history_index(p, m) } -> std::same_as<std::size_t>;
};

// What traits may offer as well, each found by the search if it is there:
//
//   Position pass(p)                      the same board with the other side to move, for the null move
//   outlook(p), tactical_score(p, m, outlook)
//                                         the same score, faster for many turns of one position: `outlook`
//                                         is what they have in common
//   std::uint64_t result_key(p, m)        turns of one position with the same key, not 0, lead to the same
//                                         position: only the first is searched. 0: not known
//   std::uint64_t search_key(p)           the key under which scores may be remembered, if rules().key(p)
//                                         leaves out something that matters (moves left)
//   bool for_each_candidate(p, most, visit)
//                                         as rules().for_each_turn, but gives up on parts of a position
//                                         with very many turns, so that the whole costs at most about
//                                         `most` visits; at least one turn of those that exist. Returns
//                                         true only if every turn was visited
//   int final_score(p)                    the score of a finished game for the side to move, where a
//                                         win is more than a win (Othello's discs)
//   static LevelPlans levels()            the plans of the levels, where the standard ones do not suit
//   int plies_to_end(p)                   the depth at which a search from p sees the end of the game
//   bool solves_from(p, depth)            whether p, inside of such a search, is left to the solver
//   class Ending                          solves such endings exactly; see search/tree.hpp
//   double solving_cost(p)                about how many positions that solver looks at from p, for planning time
//   ProbCut probcut(p, depth)             the shallower search that a search of p may be cut off by
//   class ShallowSearch                   searches the last plies faster than the search for all games can
//   int stones(p), StoneSets stone_sets(p)
//                                         how many stones there are, and where, for tables of endgames

template <class K>
concept HasPassing = requires(const K& k, const typename K::RulesType::Position& p) {
  { k.pass(p) } -> std::same_as<typename K::RulesType::Position>;
};
template <class K>
concept HasOutlooks =
    requires(const K& k, const typename K::RulesType::Position& p, const typename K::RulesType::Move& m) {
      { k.tactical_score(p, m, k.outlook(p)) } -> std::same_as<int>;
    };
template <class K>
concept HasResultKeys =
    requires(const K& k, const typename K::RulesType::Position& p, const typename K::RulesType::Move& m) {
      { k.result_key(p, m) } -> std::same_as<std::uint64_t>;
    };
template <class K>
concept HasSearchKeys = requires(const K& k, const typename K::RulesType::Position& p) {
  { k.search_key(p) } -> std::same_as<std::uint64_t>;
};
template <class K>
concept HasCandidates = requires(const K& k, const typename K::RulesType::Position& p) {
  { k.for_each_candidate(p, 1, detail::AnyMoveVisitor<typename K::RulesType::Move>{}) } -> std::same_as<bool>;
};
template <class K>
concept HasLevels = requires {
  { K::levels() } -> std::same_as<LevelPlans>;
};
template <class K>
concept HasFinalScores = requires(const K& k, const typename K::RulesType::Position& p) {
  { k.final_score(p) } -> std::same_as<int>;
};

template <class K>
concept HasSolvingCosts = requires(const K& k, const typename K::RulesType::Position& p) {
  { k.solving_cost(p) } -> std::same_as<double>;
};

template <class K>
concept HasProbCut = requires(const K& k, const typename K::RulesType::Position& p) {
  { k.probcut(p, 5) } -> std::same_as<ProbCut>;
};

/// A search of the last plies. K::ShallowSearch is made once a thread from the traits; its
///   int search(p, alpha, beta, depth, prunes, nodes)
/// returns the score of a position, where the game may be over, if it lies between alpha and beta, else a bound
/// beyond the nearer one, for depths from 1 to max_depth() (0: for none). It believes what looks clear enough if
/// `prunes`, and adds the positions that it looked at to `nodes`; its
///   int order_score(p, depth, nodes)
/// is a guess, for the order of turns, of the score of p, which a turn of a position at `depth` leads to.
template <class K>
concept HasShallowSearch = requires(const K& k, const typename K::RulesType::Position& p,
                                    typename K::ShallowSearch& shallow, std::uint64_t& nodes) {
  typename K::ShallowSearch;
  { shallow.max_depth() } -> std::same_as<int>;
  { shallow.search(p, 0, 1, 1, true, nodes) } -> std::same_as<int>;
  { shallow.order_score(p, 1, nodes) } -> std::same_as<int>;
};

template <class K>
concept HasStoneSets = requires(const K& k, const typename K::RulesType::Position& p) {
  { k.stones(p) } -> std::same_as<int>;
  { k.stone_sets(p) } -> std::same_as<StoneSets>;
};

/// Exact endings. K::Ending is made once a thread from the traits and a table that all threads
/// share (K::EndingTable, made from the megabytes it may take); its
///   int solve(p, alpha, beta, halt)
/// returns the exact score if it lies between alpha and beta, else a bound beyond the nearer one; its
///   std::optional<Move> best_move(p)
/// gives the turn that was best when p was last solved, if that is still known.
/// A fifth argument of solve, on_level(score), is called with scores that are only likely.
/// `halt()` is called once in a while and returns true to give up (the result is then worthless);
/// it is given the number of positions looked at since the last call.
template <class K>
concept HasEndings = HasFinalScores<K> && requires(const K& k, const typename K::RulesType::Position& p,
                                                   typename K::Ending& ending, bool (*halt)(std::uint64_t)) {
  typename K::EndingTable;
  { k.plies_to_end(p) } -> std::same_as<int>;
  { k.solves_from(p, 1) } -> std::same_as<bool>;
  { ending.solve(p, 0, 1, halt) } -> std::same_as<int>;
  {
    ending.solve(p, 0, 1, halt, [](int /*score*/) {})
  } -> std::same_as<int>;
  { ending.best_move(p) } -> std::same_as<std::optional<typename K::RulesType::Move>>;
  /// The depth to search after `depth` was completed, where plies_to_end(p) makes jumping to the
  /// end sensible.
  { k.next_depth(p, 1) } -> std::same_as<int>;
};

}  // namespace paika
