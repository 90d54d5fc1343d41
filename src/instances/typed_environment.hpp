// TypedEnvironment: BatchEnvironment (engine/environment.hpp) over one Actions type.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "engine/environment.hpp"
#include "rules/actions.hpp"
#include "rules/history.hpp"
#include "rules/notation.hpp"

namespace paika {

template <Actions A>
class TypedEnvironment final : public BatchEnvironment {
 public:
  using R = typename A::RulesType;
  using State = typename A::State;
  using Choice = typename A::Choice;

  /// With `repetition` the third occurrence of a position is a draw.
  TypedEnvironment(const R& rules, const EnvironmentSettings& settings, bool repetition)
      : actions_(rules),
        settings_(settings),
        shape_{actions_.planes(), actions_.rows(), actions_.cols(), actions_.count()},
        repetition_(repetition),
        slots_(size(settings.games)),
        threads_(std::min(settings.threads, settings.games)) {
    arrays_.observations.resize(slots_.size() * observation_size());
    arrays_.masks.resize(slots_.size() * size(shape_.actions));
    arrays_.rewards.resize(2 * slots_.size());
    arrays_.terminated.resize(slots_.size());
    arrays_.truncated.resize(slots_.size());
    arrays_.players.resize(slots_.size());
    arrays_.moves.resize(slots_.size());
    reset_all(settings.seed);
  }

  [[nodiscard]] const EnvironmentSettings& settings() const override { return settings_; }
  [[nodiscard]] const EnvironmentShape& shape() const override { return shape_; }
  [[nodiscard]] EnvironmentArrays& arrays() override { return arrays_; }

  void reset(std::uint64_t seed) override { reset_all(seed); }

  void start_from(int game, const Board& board) override {
    clear_signals(size(game));
    begin(size(game), actions_.rules().from_board(board));
    show(size(game));
  }

  [[nodiscard]] Result<void> step(std::span<const std::int64_t> actions) override {
    if (actions.size() != slots_.size()) {
      return fail("there must be one action for each of the {} games, not {}", slots_.size(), actions.size());
    }
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (!slots_[i].over && !allowed(i, actions[i])) return not_allowed(i, actions[i]);
    }
    threads_.run(settings_.games, [&](int from, int to) {
      for (std::size_t i = size(from); i < size(to); ++i) step_one(i, actions[i]);
    });
    return {};
  }

  [[nodiscard]] Result<void> branch(std::span<const std::int64_t> sources, std::span<const std::int64_t> actions,
                                    std::span<const std::int64_t> targets) override {
    if (auto good = check_branches(sources, actions, targets); !good) return good;
    threads_.run(static_cast<int>(sources.size()), [&](int from, int to) {
      for (std::size_t i = size(from); i < size(to); ++i) branch_one(size(sources[i]), actions[i], size(targets[i]));
    });
    return {};
  }

  void sample(std::span<std::int64_t> actions) override {
    threads_.run(static_cast<int>(std::min(slots_.size(), actions.size())), [&](int from, int to) {
      for (std::size_t i = size(from); i < size(to); ++i) {
        Slot& slot = slots_[i];
        actions[i] = slot.over ? -1 : slot.allowed[slot.random.index(slot.allowed.size())].action;
      }
    });
  }

  [[nodiscard]] Board board(int game) const override {
    return actions_.rules().to_board(actions_.position(slots_[size(game)].state));
  }
  [[nodiscard]] Turn begun(int game) const override { return actions_.begun(slots_[size(game)].state); }
  [[nodiscard]] Outcome outcome(int game) const override { return slots_[size(game)].outcome; }

  [[nodiscard]] Result<Turn> steps(int game, std::int64_t action) const override {
    const std::size_t i = size(game);
    if (!allowed(i, action)) return not_allowed(i, action);
    return actions_.steps(slots_[i].state, choice(slots_[i], action));
  }

  [[nodiscard]] Result<std::vector<std::int64_t>> encode(int game, const Turn& turn) const override {
    std::vector<std::int64_t> found;
    State state = slots_[size(game)].state;
    if (slots_[size(game)].over) return fail("game {} has ended", game);
    for (bool complete = false; !complete;) {
      const Turn begun = actions_.begun(state);
      int action = -1;
      Choice chosen{};
      actions_.for_each(state, [&](int candidate, const Choice& choice) {
        Turn longer = begun;
        const Turn steps = actions_.steps(state, choice);
        longer.insert(longer.end(), steps.begin(), steps.end());
        const bool prefix = longer.size() <= turn.size() && std::equal(longer.begin(), longer.end(), turn.begin());
        // No steps: the choice to stop, which is meant only where the move is complete.
        if (prefix && (!steps.empty() || longer.size() == turn.size())) {
          action = candidate;
          chosen = choice;
        }
      });
      if (action < 0) return fail("the move is not legal in game {}", game);
      found.push_back(action);
      complete = actions_.apply(state, chosen);
    }
    return found;
  }

 private:
  struct Allowed {
    std::int32_t action;
    Choice choice;
  };

  struct Slot {
    State state{};
    Random random{0};
    std::vector<Allowed> allowed;
    std::vector<std::uint64_t> keys;  // of the positions since the last that cannot come back, where repetition counts
    int pieces = 0;
    Outcome outcome;
    bool over = false;  // by the rules or cut off
  };

  [[nodiscard]] static std::size_t size(std::int64_t number) noexcept { return static_cast<std::size_t>(number); }
  [[nodiscard]] std::size_t observation_size() const noexcept {
    return size(shape_.planes) * size(shape_.rows) * size(shape_.cols);
  }

  [[nodiscard]] bool allowed(std::size_t i, std::int64_t action) const noexcept {
    return action >= 0 && action < shape_.actions && arrays_.masks[i * size(shape_.actions) + size(action)] != 0;
  }
  [[nodiscard]] tl::unexpected<Error> not_allowed(std::size_t i, std::int64_t action) const {
    if (slots_[i].over) return fail("game {} has ended", i);
    return fail("action {} is not allowed in game {}: the actions are 0 to {}, and its mask says which are allowed now",
                action, i, shape_.actions - 1);
  }
  [[nodiscard]] const Choice& choice(const Slot& slot, std::int64_t action) const {
    return std::find_if(slot.allowed.begin(), slot.allowed.end(), [&](const Allowed& a) { return a.action == action; })
        ->choice;
  }

  void reset_all(std::uint64_t seed) {
    threads_.run(settings_.games, [&](int from, int to) {
      for (std::size_t i = size(from); i < size(to); ++i) {
        slots_[i].random = Random(mix64(seed) + i);
        clear_signals(i);
        begin(i, actions_.rules().initial());
        show(i);
      }
    });
  }

  void clear_signals(std::size_t i) noexcept {
    arrays_.rewards[2 * i] = arrays_.rewards[2 * i + 1] = 0;
    arrays_.terminated[i] = arrays_.truncated[i] = 0;
  }

  void begin(std::size_t i, const typename R::Position& position) {
    Slot& slot = slots_[i];
    slot.state = actions_.state(position);
    slot.outcome = {};
    slot.over = false;
    slot.keys.clear();
    arrays_.moves[i] = 0;
    if (repetition_) remember(slot);
    find_allowed(i);
    if (slot.allowed.empty()) end(i, actions_.rules().outcome(position));
  }

  [[nodiscard]] Result<void> check_branches(std::span<const std::int64_t> sources,
                                            std::span<const std::int64_t> actions,
                                            std::span<const std::int64_t> targets) {
    if (sources.size() != actions.size() || sources.size() != targets.size()) {
      return fail("there must be as many sources, actions and targets: there are {}, {} and {}", sources.size(),
                  actions.size(), targets.size());
    }
    for (const auto list : {sources, targets}) {
      for (const std::int64_t game : list) {
        if (game < 0 || game >= settings_.games) {
          return fail("there is no game {}: they are 0 to {}", game, settings_.games - 1);
        }
      }
    }
    std::vector<bool> target(slots_.size(), false);
    for (const std::int64_t game : targets) {
      if (target[size(game)]) return fail("game {} is a target twice", game);
      target[size(game)] = true;
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (sources[i] != targets[i] && target[size(sources[i])]) {
        return fail("game {} is a source and the target of another", sources[i]);
      }
      if (!allowed(size(sources[i]), actions[i])) return not_allowed(size(sources[i]), actions[i]);
    }
    return {};
  }

  void branch_one(std::size_t source, std::int64_t action, std::size_t target) {
    if (source != target) {
      Slot& copy = slots_[target];
      copy.state = slots_[source].state;
      copy.keys = slots_[source].keys;
      copy.pieces = slots_[source].pieces;
      copy.outcome = {};
      copy.over = false;
      arrays_.moves[target] = arrays_.moves[source];
    }
    advance(target, choice(slots_[source], action));
  }

  void step_one(std::size_t i, std::int64_t action) {
    if (slots_[i].over) return clear_signals(i);
    advance(i, choice(slots_[i], action));
  }

  /// Does what the state of a game allows. The choice is a copy: it is listed where the next ones will be.
  void advance(std::size_t i, const Choice chosen) {
    clear_signals(i);
    Slot& slot = slots_[i];
    if (actions_.apply(slot.state, chosen)) {
      ++arrays_.moves[i];
      if (repetition_ && remember(slot) >= occurrences_for_draw) return finish(i, Outcome::draw(EndReason::repetition));
    }
    find_allowed(i);
    if (slot.allowed.empty()) return finish(i, actions_.rules().outcome(actions_.position(slot.state)));
    if (settings_.max_moves > 0 && arrays_.moves[i] >= settings_.max_moves) return finish(i, {});
    show(i);
  }

  /// The game is over, or cut off without an outcome.
  void finish(std::size_t i, const Outcome& outcome) {
    end(i, outcome);
    if (settings_.autoreset) begin(i, actions_.rules().initial());
    show(i);
  }

  void end(std::size_t i, const Outcome& outcome) {
    Slot& slot = slots_[i];
    // By the rules a game that goes on with nothing to do cannot be; repetition ends one before its moves are listed.
    slot.outcome = outcome;
    slot.over = true;
    clear_allowed(i);
    (outcome.over() ? arrays_.terminated : arrays_.truncated)[i] = 1;
    if (outcome.verdict == Verdict::first_wins || outcome.verdict == Verdict::second_wins) {
      const float first = outcome.verdict == Verdict::first_wins ? 1.0F : -1.0F;
      arrays_.rewards[2 * i] = first;
      arrays_.rewards[2 * i + 1] = -first;
    }
  }

  void clear_allowed(std::size_t i) noexcept {
    std::uint8_t* const mask = arrays_.masks.data() + i * size(shape_.actions);
    for (const Allowed& a : slots_[i].allowed) mask[a.action] = 0;
    slots_[i].allowed.clear();
  }

  /// Masks are long and mostly zero: only what changes is written.
  void find_allowed(std::size_t i) {
    clear_allowed(i);
    std::uint8_t* const mask = arrays_.masks.data() + i * size(shape_.actions);
    auto& list = slots_[i].allowed;
    actions_.for_each(slots_[i].state, [&](int action, const Choice& choice) {
      list.push_back({action, choice});
      mask[action] = 1;
    });
  }

  void show(std::size_t i) noexcept {
    const State& state = slots_[i].state;
    actions_.observe(state, arrays_.observations.data() + i * observation_size());
    arrays_.players[i] = actions_.rules().to_move(actions_.position(state)) == Player::first ? 0 : 1;
  }

  /// Adds the position to those of the game; how often it has occurred. No game brings pieces back, so that what had
  /// more of them is forgotten.
  int remember(Slot& slot) const {
    const auto& position = actions_.position(slot.state);
    const int pieces = actions_.pieces(position);
    if (pieces != slot.pieces) slot.keys.clear();
    slot.pieces = pieces;
    const std::uint64_t key = actions_.rules().key(position);
    slot.keys.push_back(key);
    return static_cast<int>(std::count(slot.keys.begin(), slot.keys.end(), key));
  }

  A actions_;
  EnvironmentSettings settings_;
  EnvironmentShape shape_;
  bool repetition_;
  EnvironmentArrays arrays_;
  std::vector<Slot> slots_;
  RangeThreads threads_;
};

/// Opens the environment of a game whose actions depend on the shape of the board, with what the namespace of its
/// options has: make_notation(options) and with_rules(options, f).
template <template <class Shape> class ActionsOf, class Options>
Result<std::unique_ptr<BatchEnvironment>> open_typed_environment(const Result<Options>& options,
                                                                 const EnvironmentSettings& settings) {
  if (!options) return tl::unexpected(options.error());
  const bool repetition = make_notation(*options)->repetition_draws();
  return with_rules(*options, [&]<template <class> class RulesOf, class Shape>(const RulesOf<Shape>& rules) {
    return Result<std::unique_ptr<BatchEnvironment>>(
        std::make_unique<TypedEnvironment<ActionsOf<Shape>>>(rules, settings, repetition));
  });
}

}  // namespace paika
