// TypedArena: an Arena over one SearchTraits type with a linear evaluation.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "rules/history.hpp"
#include "search/search.hpp"
#include "tools/tune/arena.hpp"

namespace paika::tune {

/// A game's traits with weights and parameters from outside.
template <LinearTraits K>
class Variant : public K {
 public:
  Variant(const K& traits, const Player& player) : K(traits), params_(player.params) {
    std::array<Weight, K::feature_names.size()> weights{};
    std::copy(player.weights.begin(), player.weights.end(), weights.begin());
    this->set_weights(LinearWeights<K::feature_names.size()>(weights));
  }
  [[nodiscard]] SearchParams params() const { return params_; }

 private:
  SearchParams params_;
};

/// The row of a sample: LinearWeights::value without the weights.
template <std::size_t N>
void append_row(std::vector<float>& rows, const Features<N>& f) {
  constexpr auto whole = static_cast<float>(Features<N>::whole);
  const float ending = static_cast<float>(f.phase) / whole;
  const float scale = static_cast<float>(f.scale) / whole;
  for (const auto value : f.values) {
    rows.push_back(static_cast<float>(value) * scale * (1 - ending));
    rows.push_back(static_cast<float>(value) * scale * ending);
  }
}

template <LinearTraits K>
class TypedDuel final : public Duel {
 public:
  using Rules = typename K::RulesType;
  using Position = typename Rules::Position;
  using Move = typename Rules::Move;

  TypedDuel(const K& traits, bool repetition_draws, const Player& a, const Player& b)
      : traits_(traits),
        repetition_draws_(repetition_draws),
        nodes_{a.nodes, b.nodes},
        a_(Variant<K>(traits, a), settings_of(a)),
        b_(Variant<K>(traits, b), settings_of(b)) {}

  [[nodiscard]] PlayedGame play(const GamePlan& plan) override {
    a_.forget();
    b_.forget();
    occurrences_.clear();
    kept_.clear();
    PlayedGame game;
    Position p = opening(plan);
    const Side first = rules().to_move(p);
    Outcome outcome = arrive(p);
    bool a_moves = plan.a_begins;
    while (!outcome.over() && game.plies < plan.max_plies) {
      p = rules().play(p, think(a_moves, p, plan));
      outcome = arrive(p);
      a_moves = !a_moves;
      ++game.plies;
    }
    const double begun = !outcome.over() || outcome.verdict == Verdict::draw ? 0.5 : outcome.won_by(first) ? 1 : 0;
    game.score = plan.a_begins ? begun : 1 - begun;
    for (const Kept& kept : kept_) {
      append_row(game.samples.rows, kept.features);
      game.samples.results.push_back(static_cast<float>(kept.mover == first ? begun : 1 - begun));
    }
    return game;
  }

 private:
  using Side = paika::Player;
  struct Kept {
    Features<K::feature_names.size()> features;
    Side mover;
  };

  [[nodiscard]] const Rules& rules() const { return traits_.rules(); }

  static SearchSettings settings_of(const Player& player) {
    SearchSettings settings;
    settings.hash_mb = 4;
    settings.features = player.features;
    return settings;
  }

  /// The position after some turns at random, none of which ends the game if that can be helped.
  [[nodiscard]] Position opening(const GamePlan& plan) const {
    Random random(mix64(plan.seed));
    const int spread = plan.max_random - plan.min_random + 1;
    const int plies = plan.min_random + static_cast<int>(random.below(static_cast<std::uint64_t>(spread)));
    Position p = rules().initial();
    for (int i = 0; i < plies; ++i) {
      std::vector<Move> moves;
      rules().for_each_turn(p, [&](const Move& m) {
        if (!rules().outcome(rules().play(p, m)).over()) moves.push_back(m);
        return moves.size() < 10'000;
      });
      if (moves.empty()) break;
      p = rules().play(p, moves[random.index(moves.size())]);
    }
    return p;
  }

  [[nodiscard]] Outcome arrive(const Position& p) {
    const Outcome outcome = rules().outcome(p);
    if (outcome.over() || !repetition_draws_) return outcome;
    if (++occurrences_[rules().key(p)] >= occurrences_for_draw) return Outcome::draw(EndReason::repetition);
    return outcome;
  }

  [[nodiscard]] Move think(bool a_moves, const Position& p, const GamePlan& plan) {
    PastKeys past;
    past.draws = repetition_draws_;
    for (const auto& [key, times] : occurrences_) {
      if (times >= 2) past.twice.push_back(key);
    }
    SearchLimits limits;
    limits.nodes = nodes_[a_moves ? 0 : 1];
    const auto result = (a_moves ? a_ : b_).run(p, past, limits);
    if (plan.sample) keep(p, result.report.lines.front(), plan.tactical);
    return result.move;
  }

  /// Keeps the position at the end of the line that the search expects: there it was evaluated.
  void keep(Position p, const SearchLine<Move>& line, bool tactical) {
    if (is_win(line.score) || is_loss(line.score)) return;
    for (const Move& m : line.moves) p = rules().play(p, m);
    if (rules().outcome(p).over()) return;
    const bool quiet = rules().for_each_turn(p, [&](const Move& m) { return traits_.tactical_score(p, m) <= 0; });
    if (quiet || tactical) kept_.push_back({traits_.features(p), rules().to_move(p)});
  }

  K traits_;
  bool repetition_draws_;
  std::array<std::uint64_t, 2> nodes_;
  Search<Variant<K>> a_;
  Search<Variant<K>> b_;
  std::map<std::uint64_t, int> occurrences_;
  std::vector<Kept> kept_;
};

template <LinearTraits K>
class TypedArena final : public Arena {
 public:
  TypedArena(const typename K::RulesType& rules, bool repetition_draws)
      : rules_(rules), repetition_draws_(repetition_draws) {}

  [[nodiscard]] std::vector<std::string_view> feature_names() const override {
    return {K::feature_names.begin(), K::feature_names.end()};
  }
  [[nodiscard]] std::string weights_file() const override {
    return std::string(K(rules_, Evaluation::plain).weights_file());
  }
  [[nodiscard]] Player player(Evaluation evaluation) const override {
    const K traits(rules_, evaluation);
    Player player;
    for (std::size_t i = 0; i < K::feature_names.size(); ++i) player.weights.push_back(traits.weights()[i]);
    player.params = traits.params();
    return player;
  }
  [[nodiscard]] std::unique_ptr<Duel> duel(const Player& a, const Player& b) const override {
    return std::make_unique<TypedDuel<K>>(K(rules_, Evaluation::plain), repetition_draws_, a, b);
  }

 private:
  typename K::RulesType rules_;
  bool repetition_draws_;
};

}  // namespace paika::tune
