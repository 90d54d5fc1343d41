// TypedEngine: the computer player (engine/engine.hpp) over one SearchTraits type.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "engine/engine.hpp"
#include "engine/module.hpp"
#include "instances/typed_game.hpp"
#include "search/search.hpp"

namespace paika {

template <SearchTraits K>
class TypedEngine final : public Engine {
 public:
  using Position = typename K::RulesType::Position;
  using Move = typename K::RulesType::Move;

  TypedEngine(std::shared_ptr<const TypedGame<K>> game, const SearchSettings& settings)
      : game_(std::move(game)),
        tuned_(settings.features.tuned),
        tables_(settings.tables),
        search_(new_search(settings)) {}

  [[nodiscard]] Decision think(const Session& session, const SearchLimits& limits, std::stop_token stop,
                               const std::function<void(const SearchInfo&)>& on_progress) override {
    const auto* typed = dynamic_cast<const TypedSession<K>*>(&session);
    PAIKA_CHECK(typed != nullptr && &typed->notation() == &game_->notation());
    PAIKA_CHECK(!session.outcome().over());
    const Position& root = typed->history().now();
    typename Search<K>::OnProgress report_typed;
    if (on_progress) report_typed = [&](const SearchReport<Move>& report) { on_progress(info_of(root, report)); };
    const auto result = search_->run(root, past_of(typed->history()), limits, std::move(stop), report_typed);
    Decision decision;
    decision.turn = rules().to_turn(root, result.move);
    decision.text = game_->notation().turn_text(rules().to_board(root), decision.turn);
    decision.info = info_of(root, result.report);
    decision.reasons = reasons_of(root, result.report.lines.front().moves);
    return decision;
  }

  void set(const SearchSettings& settings) override {
    if (settings.features.tuned == tuned_ && settings.tables == tables_) {
      search_->set(settings);
    } else {
      search_ = new_search(settings);
      tuned_ = settings.features.tuned;
      tables_ = settings.tables;
    }
  }
  void forget() override { search_->forget(); }

 private:
  [[nodiscard]] const typename K::RulesType& rules() const { return game_->rules(); }

  [[nodiscard]] std::unique_ptr<Search<K>> new_search(const SearchSettings& settings) const {
    const auto evaluation = settings.features.tuned ? Evaluation::tuned : Evaluation::plain;
    return std::make_unique<Search<K>>(K(rules(), evaluation), settings, game_->notation().symmetries(),
                                       probe_of(settings.tables));
  }

  /// How the search looks endgames up, where the game has tables of them.
  [[nodiscard]] OpenProbe probe_of([[maybe_unused]] const std::string& tables) const {
    if constexpr (HasStoneSets<K>) {
      const auto open = module_of(*game_).endgame_probe;
      if (open != nullptr && !tables.empty()) return open(game_->notation().spec(), tables);
    }
    return {};
  }

  [[nodiscard]] PastKeys past_of(const History<Position>& history) const {
    PastKeys past;
    past.draws = game_->notation().repetition_draws();
    if (!past.draws) return past;
    std::vector<std::uint64_t> keys;
    for (const Position& p : history.positions()) keys.push_back(rules().key(p));
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 1; i < keys.size(); ++i) {
      if (keys[i] == keys[i - 1] && (past.twice.empty() || past.twice.back() != keys[i])) past.twice.push_back(keys[i]);
    }
    return past;
  }

  [[nodiscard]] InfoLine line_of(Position p, const SearchLine<Move>& line) const {
    InfoLine out;
    out.score = line.score;
    out.exact = line.exact;
    out.at_most = line.at_most;
    for (const Move& m : line.moves) {
      out.turns.push_back(rules().to_turn(p, m));
      out.texts.push_back(game_->notation().turn_text(rules().to_board(p), out.turns.back()));
      p = rules().play(p, m);
    }
    return out;
  }

  [[nodiscard]] SearchInfo info_of(const Position& root, const SearchReport<Move>& report) const {
    SearchInfo out;
    out.depth = report.depth;
    out.selective_depth = report.selective_depth;
    out.nodes = report.nodes;
    out.time = report.time;
    out.table_permille = report.table_permille;
    for (const auto& line : report.lines) out.lines.push_back(line_of(root, line));
    return out;
  }

  /// What the evaluation sees at the end of a line, for the side to move at the root.
  [[nodiscard]] std::vector<Reason> reasons_of(const Position& root, const std::vector<Move>& line) const {
    Position p = root;
    for (const Move& m : line) p = rules().play(p, m);
    std::vector<Reason> reasons;
    if (rules().outcome(p).over()) return reasons;
    const int sign = rules().to_move(p) == rules().to_move(root) ? 1 : -1;
    const K& traits = search_->traits();
    for (const Term& term : traits.terms(p)) {
      reasons.push_back({std::string(term.name), sign * term.value * 100 / traits.params().unit});
    }
    return reasons;
  }

  std::shared_ptr<const TypedGame<K>> game_;
  bool tuned_;
  std::string tables_;
  std::unique_ptr<Search<K>> search_;
};

template <SearchTraits K>
std::unique_ptr<Engine> TypedGame<K>::searcher(const SearchSettings& settings) const {
  return std::make_unique<TypedEngine<K>>(this->shared_from_this(), settings);
}

/// A game over its Rules and what the computer player knows of it.
template <SearchTraits K>
[[nodiscard]] GamePtr make_game(const GameInfo& info, std::unique_ptr<Notation> notation,
                                const typename K::RulesType& rules) {
  return std::make_shared<const TypedGame<K>>(info, std::move(notation), rules);
}

}  // namespace paika
