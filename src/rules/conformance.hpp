// The conformance suite: properties that every game must have, checked over random games.
//
// It holds a game's rules (Rules) and its notation together, and both to themselves. It knows no
// test framework: it returns what failed, so tests, tools and future games can all call it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "base/text.hpp"
#include "rules/concepts.hpp"
#include "rules/notation.hpp"

namespace paika {

struct ConformancePlan {
  int games = 10;
  int plies = 60;  // at most, a game
  std::uint64_t seed = 1;
  int probes = 60;                // random, mostly illegal turns tried at each position
  std::size_t heavy_turns = 300;  // at most so many turns of a position get the expensive checks
  std::vector<Board> starts{};    // where games begin, one after the other; empty: at the initial position
};

struct ConformanceReport {
  std::uint64_t positions = 0;
  std::uint64_t turns = 0;
  std::uint64_t refusals = 0;
  std::uint64_t finished_games = 0;
  std::vector<std::string> failures;  // the first few, each with the position it happened in
};

/// Where game number `game` of a plan begins, counted from 0.
template <Rules R>
[[nodiscard]] typename R::Position start_of(const R& rules, const ConformancePlan& plan, int game) {
  if (plan.starts.empty()) return rules.initial();
  return rules.from_board(plan.starts[static_cast<std::size_t>(game) % plan.starts.size()]);
}

/// A random turn for probing refusals: sometimes a legal one bent a little, sometimes rubbish.
[[nodiscard]] Turn random_probe(Random& random, const Board& board, const std::vector<Turn>& legal);

namespace detail {

/// One run of the suite; a class only to share the rules, the notation and the report.
template <Rules R>
class Conformance {
 public:
  using Position = typename R::Position;
  using Move = typename R::Move;

  Conformance(const R& rules, const Notation& notation, ConformancePlan plan)
      : rules_(rules),
        notation_(notation),
        plan_(std::move(plan)),
        random_(plan_.seed),
        symmetries_(notation.symmetries()) {}

  ConformanceReport run() {
    expect(rules_.to_board(rules_.initial()) == notation_.initial(), "both halves start from one board");
    for (int game = 0; game < plan_.games && report_.failures.empty(); ++game) play_one_game(game);
    return report_;
  }

 private:
  void play_one_game(int game) {
    Position p = start_of(rules_, plan_, game);
    for (int ply = 0; ply < plan_.plies; ++ply) {
      here_ = p;
      check_position(p);
      if (!report_.failures.empty() || moves_.empty()) break;
      p = random_next(p);
    }
    if (rules_.outcome(p).over()) ++report_.finished_games;
  }

  /// The position after a random turn; one that does not end the game is preferred, because random
  /// play ends some games at once and would never see what comes later.
  Position random_next(const Position& p) {
    constexpr int tries = 8;
    Position next = rules_.play(p, moves_[random_.index(moves_.size())]);
    for (int i = 0; i < tries && rules_.outcome(next).over(); ++i) {
      next = rules_.play(p, moves_[random_.index(moves_.size())]);
    }
    return next;
  }

  void check_position(const Position& p) {
    ++report_.positions;
    const Board board = rules_.to_board(p);
    check_text_and_keys(p, board);
    collect_turns(p, board);
    check_count(p);
    check_outcome(p, board);
    check_turns(p, board);
    if (!moves_.empty()) check_refusals(board);
    check_symmetry(p, board, symmetries_[random_.index(symmetries_.size())]);
  }

  void check_text_and_keys(const Position& p, const Board& board) {
    const std::string text = notation_.position_text(board);
    const auto read = notation_.parse_position(text);
    expect(read.has_value(), "the position's own text is accepted");
    if (read) expect(*read == board, "position text round trip");
    expect(rules_.from_board(board) == p, "board round trip");
    expect(rules_.key(p) == rules_.key_from_scratch(p), "incremental key equals key from scratch");
    expect(rules_.to_move(p) == board.to_move, "side to move");
  }

  void collect_turns(const Position& p, const Board& board) {
    moves_.clear();
    turns_.clear();
    by_text_.clear();
    rules_.for_each_turn(p, [&](const Move& m) {
      moves_.push_back(m);
      turns_.push_back(rules_.to_turn(p, m));
      const bool fresh = by_text_.emplace(notation_.turn_text(board, turns_.back()), moves_.size() - 1).second;
      expect(fresh, "each turn is listed once, and has a text of its own");
      return true;
    });
    report_.turns += moves_.size();
  }

  void check_count(const Position& p) {
    expect(rules_.count_turns(p) == moves_.size(), "count_turns counts what for_each_turn lists");
    std::size_t seen = 0;
    const bool whole = rules_.for_each_turn(p, [&](const Move& m) {
      expect(m == moves_[seen], "the order of turns is stable");
      ++seen;
      return seen < 3;
    });
    expect(whole == (moves_.size() < 3), "for_each_turn says whether it was stopped");
    expect(seen == std::min<std::size_t>(3, moves_.size()), "for_each_turn stops when told");
  }

  void check_outcome(const Position& p, const Board& board) {
    const Outcome outcome = rules_.outcome(p);
    expect(outcome.over() == moves_.empty(), "no legal turn if and only if the game is over");
    expect(outcome.over() == (outcome.reason != EndReason::none), "an ending has a reason");
    if (!outcome.over()) return;
    const Ending ending = notation_.ending(board, outcome);
    expect(!ending.sentence.english().empty() && !ending.clause.empty(), "an ending is told with its clause");
  }

  void check_turns(const Position& p, const Board& board) {
    const std::size_t stride = 1 + moves_.size() / plan_.heavy_turns;
    const auto empty = [&](Square s) { return notation_.empty_cell(s); };
    for (std::size_t i = 0; i < moves_.size(); i += stride) {
      const Turn& turn = turns_[i];
      const std::string text = notation_.turn_text(board, turn);
      const auto read = notation_.parse_turn(board, text);
      expect(read.has_value() && *read == turn, "turn text round trip of " + text);
      expect(rules_.from_turn(p, turn) == moves_[i], "turn round trip of " + text);
      const auto refusal = notation_.refuse(board, turn);
      expect(!refusal, "a legal turn is not refused: " + text + (refusal ? ": " + refusal->message.english() : ""));
      if (refusal) continue;
      const Position next = rules_.play(p, moves_[i]);
      const Grid<Cell> grid = replayed(board.cells, notation_.effects(board, turn), empty);
      expect(grid == rules_.to_board(next).cells, "effects replayed give the next board: " + text);
      expect(rules_.key(next) == rules_.key_from_scratch(next), "incremental key after " + text);
      expect(rules_.to_move(next) == other(board.to_move), "the other player is to move after " + text);
    }
  }

  void check_refusals(const Board& board) {
    for (int i = 0; i < plan_.probes; ++i) {
      const Turn probe = random_probe(random_, board, turns_);
      bool legal = false;
      for (const Turn& turn : turns_) legal = legal || turn == probe;
      const auto refusal = notation_.refuse(board, probe);
      expect(legal == !refusal, refusal ? "a legal probe was refused: " + refusal->message.english()
                                        : "an illegal turn was not refused: " + words(probe));
      if (!refusal) continue;
      ++report_.refusals;
      expect(!refusal->clause.empty() && !refusal->message.english().empty(), "a refusal has a clause and a sentence");
      const std::string message = refusal->message.english();
      expect(can_follow_a_colon(message), "a refusal does not begin with a capital: " + message);
      for (const Square s : refusal->squares) expect(board.cells.contains(s), "a refusal's squares are on the board");
    }
  }

  void check_symmetry(const Position& p, const Board& board, Symmetry symmetry) {
    const Board image = transformed(board, symmetry);
    const Position q = rules_.transform(p, symmetry);
    expect(rules_.to_board(q) == image, "transform agrees with the board's symmetry");
    expect(rules_.key(q) == rules_.key_from_scratch(q), "the key of a transformed position");
    expect(mirrored(rules_.outcome(p), symmetry) == rules_.outcome(q), "symmetric positions have symmetric outcomes");
    std::size_t count = 0;
    std::unordered_map<std::string, bool> texts;
    rules_.for_each_turn(q, [&](const Move& m) {
      ++count;
      texts.emplace(notation_.turn_text(image, rules_.to_turn(q, m)), true);
      return true;
    });
    expect(count == moves_.size(), "symmetric positions have as many turns");
    for (const Turn& turn : turns_) {
      const Turn moved = transformed(turn, symmetry.map, board.cells.cols(), board.cells.rows());
      expect(texts.contains(notation_.turn_text(image, moved)), "symmetric positions have symmetric turns");
    }
  }

  static Outcome mirrored(Outcome outcome, Symmetry symmetry) {
    if (!symmetry.swap_players) return outcome;
    if (outcome.verdict == Verdict::first_wins) return {Verdict::second_wins, outcome.reason};
    if (outcome.verdict == Verdict::second_wins) return {Verdict::first_wins, outcome.reason};
    return outcome;
  }

  /// Refusals are shown after a colon, so only the name of a player may bring a capital letter.
  [[nodiscard]] bool can_follow_a_colon(std::string_view message) const {
    return message.empty() || lowered(message[0]) == message[0] ||
           message.starts_with(notation_.player_name(Player::first)) ||
           message.starts_with(notation_.player_name(Player::second));
  }

  [[nodiscard]] std::string words(const Turn& turn) const {
    std::string out;
    for (const Step& s : turn) {
      out += std::string(name(s.kind));
      if (has_square(s.kind) || s.square != Square{}) out += " " + notation_.coordinates().name(s.square);
      out += "; ";
    }
    return out;
  }

  void expect(bool holds, const std::string& what) {
    constexpr std::size_t enough = 5;
    if (holds || report_.failures.size() >= enough) return;
    report_.failures.push_back(notation_.spec() + " at " + notation_.position_text(rules_.to_board(here_)) + ": " +
                               what);
  }

  const R& rules_;
  const Notation& notation_;
  ConformancePlan plan_;
  Random random_;
  std::vector<Symmetry> symmetries_;
  ConformanceReport report_;
  Position here_ = rules_.initial();
  std::vector<Move> moves_;
  std::vector<Turn> turns_;
  std::unordered_map<std::string, std::size_t> by_text_;
};

}  // namespace detail

/// Runs the suite over random games.
template <Rules R>
[[nodiscard]] ConformanceReport check_conformance(const R& rules, const Notation& notation, ConformancePlan plan) {
  return detail::Conformance<R>(rules, notation, std::move(plan)).run();
}

/// What an implementation of a game's rules says of one position.
struct WalkedPosition {
  Board board;
  std::uint64_t key;
  Outcome outcome;
  std::uint64_t count;  // of the legal turns, as counted without making them
  std::vector<Turn> turns;

  friend bool operator==(const WalkedPosition&, const WalkedPosition&) = default;
};

/// The positions of random games. Two implementations of the same rules (fixed and runtime grids, say) walk the same
/// way with the same plan.
template <Rules R>
[[nodiscard]] std::vector<WalkedPosition> random_walk(const R& rules, const ConformancePlan& plan) {
  std::vector<WalkedPosition> walk;
  Random random(plan.seed);
  for (int game = 0; game < plan.games; ++game) {
    auto p = start_of(rules, plan, game);
    for (int ply = 0; ply < plan.plies; ++ply) {
      std::vector<Turn> turns;
      rules.for_each_turn(p, [&](const auto& m) {
        turns.push_back(rules.to_turn(p, m));
        return true;
      });
      walk.push_back({rules.to_board(p), rules.key(p), rules.outcome(p), rules.count_turns(p), std::move(turns)});
      const std::vector<Turn>& found = walk.back().turns;
      if (found.empty()) break;
      p = rules.play(p, rules.from_turn(p, found[random.index(found.size())]));
    }
  }
  return walk;
}

/// Compares the walks of two implementations and reports where they part. Walks instead of rules: a shape is compiled
/// once and not once for each that it is compared with.
[[nodiscard]] ConformanceReport check_agreement(const std::vector<WalkedPosition>& a,
                                                const std::vector<WalkedPosition>& b, const Notation& notation);

}  // namespace paika
