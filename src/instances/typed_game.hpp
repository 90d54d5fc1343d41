// TypedGame and TypedSession: the virtual door (engine/game.hpp) over one Rules type.
//
// This is the only place where a game's own Position and Move types meet the type-erased world.
#pragma once

#include <cassert>
#include <memory>
#include <utility>
#include <vector>

#include "engine/game.hpp"
#include "instances/parallel_perft.hpp"
#include "rules/concepts.hpp"
#include "rules/history.hpp"
#include "rules/search_traits.hpp"

namespace paika {

template <SearchTraits K>
class TypedGame final : public Game, public std::enable_shared_from_this<TypedGame<K>> {
 public:
  using R = typename K::RulesType;

  TypedGame(const GameInfo& info, std::unique_ptr<Notation> notation, R rules)
      : info_(info), notation_(std::move(notation)), rules_(std::move(rules)) {}

  [[nodiscard]] const GameInfo& info() const override { return info_; }
  [[nodiscard]] const Notation& notation() const override { return *notation_; }
  [[nodiscard]] const R& rules() const { return rules_; }
  [[nodiscard]] std::unique_ptr<Session> start() const override;
  [[nodiscard]] std::unique_ptr<Session> start_from(const Board& board) const override;

 protected:
  [[nodiscard]] std::unique_ptr<Engine> searcher(const SearchSettings& settings) const override;

 private:
  const GameInfo& info_;
  std::unique_ptr<Notation> notation_;
  R rules_;
};

template <SearchTraits K>
class TypedSession final : public Session {
 public:
  using R = typename K::RulesType;
  using Position = typename R::Position;
  using Move = typename R::Move;

  TypedSession(std::shared_ptr<const TypedGame<K>> game, History<Position> history)
      : game_(std::move(game)), history_(std::move(history)) {}

  [[nodiscard]] const History<Position>& history() const { return history_; }
  [[nodiscard]] const Game& game() const override { return *game_; }
  [[nodiscard]] Board board() const override { return rules().to_board(now()); }
  [[nodiscard]] std::uint64_t key() const override { return rules().key(now()); }

  [[nodiscard]] Outcome outcome() const override {
    const Outcome outcome = rules().outcome(now());
    if (!outcome.over() && repeated()) return Outcome::draw(EndReason::repetition);
    return outcome;
  }

  bool for_each_turn(const std::function<bool(const ListedTurn&)>& visit) const override {
    if (repeated()) return true;
    const Board before = board();
    return visit_turns(rules(), now(), [&](const Move& m) {
      ListedTurn listed;
      listed.steps = rules().to_turn(now(), m);
      listed.text = notation().turn_text(before, listed.steps);
      listed.position_after = notation().position_text(rules().to_board(rules().play(now(), m)));
      return visit(listed);
    });
  }
  [[nodiscard]] std::uint64_t count_turns_up_to(std::uint64_t most) const override {
    std::uint64_t count = 0;
    if (most > 0 && !repeated()) visit_turns(rules(), now(), [&](const Move&) { return ++count < most; });
    return count;
  }

  [[nodiscard]] std::unique_ptr<Session> clone() const override {
    return std::make_unique<TypedSession>(game_, history_);
  }
  void play(const Turn& turn) override {
    assert(!refuse(turn));
    history_.push(rules().play(now(), rules().from_turn(now(), turn)));
  }
  bool undo() override { return history_.pop(); }
  [[nodiscard]] int turns_played() const override { return history_.length() - 1; }

  [[nodiscard]] PerftResult perft(const PerftRequest& request) const override {
    // Repetition is known only here, at the root: below it perft looks at positions alone.
    if (request.depth > 0 && repeated()) return {.nodes = 0, .finished = 1, .divide = {}};
    const Board before = board();
    return run_perft(rules(), now(), request,
                     [&](const Move& m) { return notation().turn_text(before, rules().to_turn(now(), m)); });
  }

 private:
  [[nodiscard]] const R& rules() const { return game_->rules(); }
  [[nodiscard]] const Position& now() const { return history_.now(); }
  [[nodiscard]] bool repeated() const {
    return notation().repetition_draws() && history_.occurrences(rules()) >= occurrences_for_draw;
  }

  std::shared_ptr<const TypedGame<K>> game_;
  History<Position> history_;
};

template <SearchTraits K>
std::unique_ptr<Session> TypedGame<K>::start() const {
  return std::make_unique<TypedSession<K>>(this->shared_from_this(), History(rules_.initial()));
}

template <SearchTraits K>
std::unique_ptr<Session> TypedGame<K>::start_from(const Board& board) const {
  return std::make_unique<TypedSession<K>>(this->shared_from_this(), History(rules_.from_board(board)));
}

}  // namespace paika
