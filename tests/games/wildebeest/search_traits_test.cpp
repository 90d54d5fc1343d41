// What the computer player knows of Wildebeest: the evaluation's fairness, and turns judged by what
// they leave on the board.
#include "games/wildebeest/search_traits.hpp"

#include <cstdlib>
#include <map>

#include "tests/games/wildebeest/support.hpp"
#include "tests/games/wildebeest/tactics.hpp"

namespace paika::wildebeest::testing {

namespace {

/// No material but a king is worth as much.
constexpr int a_king = 50'000;

BitboardTraits traits(const Options& options = standard, Evaluation evaluation = Evaluation::tuned) {
  return {BitboardRules(options), evaluation};
}

int tactical_score(const Board& b, std::string_view text) {
  const BitboardRules rules(standard);
  const Position p = rules.from_board(b);
  return traits().tactical_score(p, rules.from_turn(p, turn(text)));
}

/// Positions of random games, at least `count`, in none of which the game is over.
std::vector<Position> random_positions(const Options& options, std::size_t count, std::uint64_t seed) {
  const BitboardRules rules(options);
  const BitboardTraits k = traits(options);
  Random random(seed);
  std::vector<Position> positions;
  while (positions.size() < count) {
    Position p = rules.initial();
    for (int ply = 0; ply < 80 && !rules.outcome(p).over(); ++ply) {
      positions.push_back(p);
      std::vector<Move> moves;
      rules.for_each_turn(p, [&](const Move& m) {
        if (k.tactical_score(p, m) > -a_king) moves.push_back(m);
        return true;
      });
      if (moves.empty()) break;
      p = rules.play(p, moves[random.below(moves.size())]);
    }
  }
  return positions;
}

/// What the side to move has more than the other, in pieces of each kind; kings of both kinds are one.
std::map<Kind, int> balance(const Position& p, Player of) {
  std::map<Kind, int> balance;
  for (const Code code : p.on) {
    if (code == 0) continue;
    const Kind kind = kind_of(code) == Kind::jet_king ? Kind::king : kind_of(code);
    balance[kind] += owner_of(code) == static_cast<unsigned>(of) ? 1 : -1;
  }
  std::erase_if(balance, [](const auto& entry) { return entry.second == 0; });
  return balance;
}

}  // namespace

TEST(WildebeestTraits, features_are_antisymmetric) {
  const BitboardTraits k = traits();
  constexpr auto own = at(Feature::to_move);
  for (const Position& p : random_positions(standard, 500, 1)) {
    const auto mine = k.features(p);
    const auto theirs = k.features(k.pass(p));
    EXPECT_EQ(mine.phase, theirs.phase);
    EXPECT_EQ(mine.values[own], 1);
    EXPECT_EQ(theirs.values[own], 1);
    for (std::size_t i = 0; i < feature_count; ++i) {
      if (i == own) continue;
      ASSERT_EQ(mine.values[i], -theirs.values[i])
          << feature_table[i].name << " " << pieces(BitboardRules(standard).to_board(p).cells);
    }
  }
}

TEST(WildebeestTraits, evaluation_is_the_same_for_both_sides_and_in_the_mirror) {
  const BitboardTraits k = traits();
  const auto symmetries = make_notation(standard)->symmetries();
  EXPECT_GT(symmetries.size(), 1U);
  for (const Position& p : random_positions(standard, 300, 2)) {
    for (const Symmetry& symmetry : symmetries) EXPECT_EQ(k.evaluate(p), k.evaluate(k.rules().transform(p, symmetry)));
  }
}

TEST(WildebeestTraits, terms_add_up) {
  for (const auto evaluation : {Evaluation::tuned, Evaluation::plain}) {
    const BitboardTraits k = traits(standard, evaluation);
    for (const Position& p : random_positions(standard, 200, 3)) {
      int sum = 0;
      for (const Term& term : k.terms(p)) sum += term.value;
      EXPECT_LE(std::abs(sum - k.evaluate(p)), static_cast<int>(feature_count));
      EXPECT_LT(std::abs(k.evaluate(p)), evaluation_bound);
    }
  }
}

TEST(WildebeestTraits, tactical_score_has_the_sign_of_the_change_in_material) {
  for (const Options& options : all_options()) {
    const BitboardTraits k = traits(options);
    for (const Position& p : random_positions(options, 300, 4)) {
      k.rules().for_each_turn(p, [&](const Move& m) {
        const Position q = k.rules().play(p, m);
        auto change = balance(q, p.to_move);
        for (const auto& [kind, count] : balance(p, p.to_move)) change[kind] -= count;
        std::erase_if(change, [](const auto& entry) { return entry.second == 0; });
        const int n = k.tactical_score(p, m);
        const auto only = [&](int sign) {
          return std::ranges::all_of(change, [&](const auto& entry) { return entry.second * sign > 0; });
        };
        const Board b = k.rules().to_board(p);
        const std::string where = pieces(b.cells) + " " + make_notation(options)->turn_text(b, k.rules().to_turn(p, m));
        EXPECT_TRUE(!change.empty() || n == 0) << where << ": " << n;
        EXPECT_TRUE(change.empty() || !only(1) || n > 0) << where << ": " << n;
        EXPECT_TRUE(change.empty() || !only(-1) || n < 0) << where << ": " << n;
        return true;
      });
    }
  }
}

TEST(WildebeestTraits, an_outlook_changes_no_tactical_score) {
  for (const Options& options : all_options()) {
    const BitboardTraits k = traits(options);
    for (const Position& p : random_positions(options, 300, 6)) {
      const auto outlook = k.outlook(p);
      k.rules().for_each_turn(p, [&](const Move& m) {
        EXPECT_EQ(k.tactical_score(p, m, outlook), k.tactical_score(p, m)) << pieces(k.rules().to_board(p).cells);
        return true;
      });
    }
  }
}

TEST(WildebeestTraits, each_tactic_has_one_winning_turn_and_a_high_score) {
  const BitboardTraits k = traits();
  for (const Tactic& tactic : tactics) {
    const Board b = board(tactic.pieces, tactic.to_move);
    const Position p = k.rules().from_board(b);
    std::string winning;
    k.rules().for_each_turn(p, [&](const Move& m) {
      const std::string text = make_notation(standard)->turn_text(b, k.rules().to_turn(p, m));
      const bool wins = k.rules().outcome(k.rules().play(p, m)).won_by(tactic.to_move);
      EXPECT_EQ(k.tactical_score(p, m) > a_king, wins) << tactic.about << " " << text;
      if (wins) winning += text;
      return true;
    });
    EXPECT_EQ(winning, tactic.wins) << tactic.about;
  }
}

TEST(WildebeestTraits, twenty_three_first_turns_lose_the_own_king) {
  const BitboardTraits k = traits();
  const Position p = k.rules().initial();
  int losing = 0;
  int quiet = 0;
  k.rules().for_each_turn(p, [&](const Move& m) {
    (k.tactical_score(p, m) < -a_king ? losing : quiet) += 1;
    return true;
  });
  EXPECT_EQ(losing, 23);
  EXPECT_EQ(quiet, 7);
}

TEST(WildebeestTraits, tactical_score_counts_friends_too) {
  // 5.4: the explosion takes the Rook, a Pawn and Joey himself for two pawns.
  EXPECT_LT(tactical_score(board("Kf0 Je8 Rf10 Pa9 pd9 pe9 pk9 kk0"), "e8f9"), 0);
  // 3.2: a push onto a friend.
  EXPECT_LT(tactical_score(board("Kf0 Gc3 Nd3 Re3 kk10"), "c3d3"), 0);
  // 4.1: two Serpents poison each other; a Knight is lost to one.
  EXPECT_EQ(tactical_score(board("Kf0 Sc3 se5 kk10"), "c3d4"), 0);
  EXPECT_LT(tactical_score(board("Kf0 Nc3 sf5 kk10"), "c3e4"), 0);
  // 5.1: a pawn on the middle row charges the other side's cart, which sweeps its column.
  EXPECT_LT(tactical_score(board("Kf0 Pc4 Ra3 xa10 kk10"), "c4c5"), 0);
  EXPECT_EQ(tactical_score(board("Kf0 Pc4 Ra3 xb10 kk10"), "c4c5"), 0);
}

TEST(WildebeestTraits, cheap_pieces_capture_first) {
  const Board b = board("Kf0 Pc4 Rd0 nd5 kk10");
  EXPECT_GT(tactical_score(b, "c4d5"), tactical_score(b, "d0d5"));
  EXPECT_GT(tactical_score(b, "d0d5"), 0);
}

TEST(WildebeestTraits, history_indices_are_in_range_and_tell_sides_and_flings_apart) {
  const BitboardTraits k = traits();
  for (const Position& p : random_positions(standard, 100, 5)) {
    k.rules().for_each_turn(p, [&](const Move& m) {
      EXPECT_LT(k.history_index(p, m), BitboardTraits::history_size);
      return true;
    });
  }
  const Position p = k.rules().from_board(board("Ke4 Cf4 Ne5 kk10"));
  const auto history_index = [&](std::string_view text) {
    return k.history_index(p, k.rules().from_turn(p, turn(text)));
  };
  EXPECT_NE(history_index("Fe4g4"), history_index("e4d4"));
  EXPECT_NE(history_index("e5g4"), history_index("Fe4g4"));
}

TEST(WildebeestTraits, passing_changes_the_side_only) {
  const BitboardTraits k = traits();
  const Position p = k.rules().from_board(board("Kf0 Pe5 xa10 kk10", black));
  const Position q = k.pass(p);
  EXPECT_EQ(q.on, p.on);
  EXPECT_EQ(q.to_move, Player::first);
  EXPECT_EQ(q.key, k.rules().key_from_scratch(q));
  EXPECT_EQ(k.pass(q), p);
}

TEST(WildebeestTraits, counts_what_the_rules_threaten) {
  const BitboardTraits k = traits();
  const auto value = [&](std::string_view text, Feature feature) {
    return k.features(k.rules().from_board(board(text))).values[at(feature)];
  };
  EXPECT_EQ(value("Kf0 kk10 sd2", Feature::king_poison), 1) << "it steps to e1";
  EXPECT_EQ(value("Kf0 kk10 sd3", Feature::king_poison), 0);
  EXPECT_EQ(value("Kf0 kk10 sd2 Zc2", Feature::king_poison), 0) << "3.3: the Serpent is paralysed";
  EXPECT_EQ(value("Kf0 kk10 gf2 Nf1", Feature::king_push), 1);
  EXPECT_EQ(value("Kf0 kk10 gf2", Feature::king_push), 0) << "nothing to push";
  EXPECT_EQ(value("Kf0 kk10 Jf1 Pa1 Pb1 Pc1", Feature::king_joey_4), 1);
  EXPECT_EQ(value("Kf0 kk10 Jf1 Pa1 Pb1", Feature::king_joey_4), 0);
  EXPECT_EQ(value("Kf0 kk10 Jf1 Pa1 Pb1", Feature::king_joey), 1);
  EXPECT_EQ(value("Kf0 kk10 cb4 sa5", Feature::king_poison_fling), 1) << "flung to e1";
  EXPECT_EQ(value("Kf0 kk10 xf10", Feature::king_cart), 1);
  EXPECT_EQ(value("Kf0 kk10 Xj0 Hc10", Feature::armed_carts), 1);
  EXPECT_EQ(value("Kf0 kk10 Xj0 Pc9", Feature::armed_carts), 0);
  EXPECT_EQ(value("Kf0 kk10 Zc4 rd4 pd5 xc5", Feature::stuck_pieces), -1) << "3.3: carts are immune";
  EXPECT_EQ(value("Kf0 kk10 Rc4 nc8", Feature::hanging_pieces), 1);
  EXPECT_EQ(value("Kf0 kk10 Rc4 nc8 rc10", Feature::hanging_pieces), 0) << "defended";
}

}  // namespace paika::wildebeest::testing
