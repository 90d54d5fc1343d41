// What a turn does, stage by stage in the order of rules 3, 4 and 5, on a plain grid.
#include <span>
#include <utility>

#include "games/wildebeest/notation.hpp"

namespace paika::wildebeest {

namespace {

/// The stages of a turn. Effects of one stage happen at the same time.
enum class Stage : unsigned char { move, promotion, first_poison, sweep, pads, second_poison, explosion };

/// Plays one turn on a grid of its own and writes down what happens.
class Chronicle {
 public:
  Chronicle(const Board& board, const Options& options) : cells_(board.cells), options_(options) {}

  std::vector<Effect> of(const Turn& turn) {
    if (turn.size() == 3) {
      fling(turn.front().square, turn.back().square);
    } else {
      move(turn.front().square, turn.back().square);
    }
    poison(Stage::first_poison);
    sweep();
    teleport();
    if (options_.poison == Poison::twice) poison(Stage::second_poison);
    explode();
    return std::move(effects_);
  }

 private:
  [[nodiscard]] bool stands(Square s) const { return cells_.contains(s) && cells_[s].owner != Owner::nobody; }
  [[nodiscard]] bool stands(Square s, Player p, char kind) const {
    return cells_.contains(s) && cells_[s].belongs_to(p) && cells_[s].kind == kind;
  }
  [[nodiscard]] bool is_poisoner(Square s) const {
    return stands(s) && (cells_[s].kind == 'S' || cells_[s].kind == 'E');
  }

  /// 4.1: does the piece on `from` poison the one on `to`?
  [[nodiscard]] bool poisons(Square from, Square to) const {
    return is_poisoner(from) && stands(to) && adjacent(from, to) && cells_[from].owner != cells_[to].owner &&
           cells_[to].kind != 'X' && cells_[to].kind != 'H';
  }

  template <class F>
  void for_each_piece(F&& f) const {
    cells_.for_each_square([&](Square s) {
      if (stands(s)) f(s);
    });
  }
  template <class F>
  static void for_each_neighbour(Square s, F&& f) {
    for (const Direction d : all_directions) f(step(s, d));
  }

  /// Notes an effect; it happens on the grid when its stage is finished.
  void note(EffectKind kind, Stage stage, std::optional<Square> from, std::optional<Square> to, Cell piece,
            std::optional<Square> cause, std::string clause) {
    effects_.push_back({kind, static_cast<int>(stage), from, to, piece, cause, std::move(clause), 0});
  }
  void gone(EffectKind kind, Stage stage, Square s, Square cause, std::string clause) {
    note(kind, stage, s, std::nullopt, cells_[s], cause, std::move(clause));
  }
  void finish_stage() {
    const std::span<const Effect> fresh(effects_.begin() + static_cast<std::ptrdiff_t>(done_), effects_.end());
    cells_ = replayed(std::move(cells_), fresh, [](Square s) { return Cell{Owner::nobody, empty_sign(s)}; });
    done_ = effects_.size();
  }

  void move(Square from, Square to) {
    const Cell mover = cells_[from];
    const bool pushes = mover.kind == 'G' && stands(to);
    const Square beyond{2 * to.col - from.col, 2 * to.row - from.row};
    const Square prey = pushes ? beyond : to;
    if (stands(prey)) gone(EffectKind::captured, Stage::move, prey, from, pushes ? "3.2" : "2");
    if (pushes) note(EffectKind::pushed, Stage::move, to, beyond, cells_[to], from, "3.2");
    note(EffectKind::moved, Stage::move, from, to, mover, std::nullopt, pushes ? "3.2" : "2");
    finish_stage();
    promote(prey);
  }

  void fling(Square from, Square to) {
    const Square catapult = step(from, *direction_to(from, to));
    if (stands(to)) gone(EffectKind::captured, Stage::move, to, from, "3.1");
    note(EffectKind::flung, Stage::move, from, to, cells_[from], catapult, "3.1");
    finish_stage();
    promote(to);
  }

  /// 2: what came to rest on `s` may change its kind there.
  void promote(Square s) {
    Cell piece = cells_[s];
    if (piece.kind == 'P' && s.row == far_row(player_of(piece))) piece.kind = 'H';
    if (piece.kind == 'K' && s == jet_pack) piece.kind = 'W';
    if (piece != cells_[s]) note(EffectKind::transformed, Stage::promotion, std::nullopt, s, piece, std::nullopt, "2");
    finish_stage();
  }

  /// Who poisons the piece on `s`: a Serpent before an Empress; nothing if nobody does.
  [[nodiscard]] std::optional<Square> poisoner_of(Square s) const {
    std::optional<Square> found;
    for_each_neighbour(s, [&](Square n) {
      if (cells_.contains(n) && poisons(n, s) && (!found || cells_[*found].kind == 'E')) found = n;
    });
    return found;
  }

  /// 4.3: does the Old Woman on `o` take a Serpent with her even if she is a victim herself?
  [[nodiscard]] bool avenges(Square o) const { return options_.serpent == Serpent::dies || !poisoner_of(o); }

  /// 4.3: an Old Woman other than the victim, next to a victim of the Serpent on `s`.
  [[nodiscard]] std::optional<Square> avenger_of(Square s) const {
    std::optional<Square> found;
    for_each_neighbour(s, [&](Square victim) {
      if (!cells_.contains(victim) || !poisons(s, victim)) return;
      for_each_neighbour(victim, [&](Square o) {
        if (!found && stands(o, player_of(cells_[victim]), 'O') && avenges(o)) found = o;
      });
    });
    return found;
  }

  /// 4.3: the Serpent whose victim stands next to the Old Woman on `o`.
  [[nodiscard]] std::optional<Square> serpent_avenged_by(Square o) const {
    const Player serpents = other(player_of(cells_[o]));
    std::optional<Square> found;
    for_each_neighbour(o, [&](Square victim) {
      for_each_neighbour(victim, [&](Square s) {
        if (!found && stands(s, serpents, 'S') && cells_.contains(victim) && poisons(s, victim)) found = s;
      });
    });
    return found;
  }

  void poison(Stage stage) {
    for_each_piece([&](Square s) {
      if (const auto poisoner = poisoner_of(s)) {
        gone(EffectKind::poisoned, stage, s, *poisoner, "4.1");
      } else if (const auto avenger = cells_[s].kind == 'S' ? avenger_of(s) : std::nullopt) {
        gone(EffectKind::removed, stage, s, *avenger, "4.3");
      } else if (const auto serpent = cells_[s].kind == 'O' ? serpent_avenged_by(s) : std::nullopt) {
        note(EffectKind::transformed, stage, std::nullopt, s, {cells_[s].owner, 'E'}, serpent, "4.3");
      }
    });
    finish_stage();
  }

  [[nodiscard]] bool sweeps(Square s) const {
    return stands(s) && cells_[s].kind == 'X' && (s.row == 0 || s.row == last_row) && charger_of(cells_, s).has_value();
  }

  void sweep() {
    for (int col = 0; col < board_side; ++col) {
      const Square top{col, 0};
      const Square bottom{col, last_row};
      if (!sweeps(top) && !sweeps(bottom)) continue;
      const bool both = sweeps(top) && sweeps(bottom);
      const Square cart = sweeps(top) ? top : bottom;
      for (int row = 0; row < board_side; ++row) {
        const Square s{col, row};
        if (!stands(s) || (s == cart && !both)) continue;
        gone(EffectKind::swept, Stage::sweep, s, s == cart ? bottom : cart, "5.2");
      }
      if (both) continue;
      const Square end = cart == top ? bottom : top;
      note(EffectKind::swept, Stage::sweep, cart, end, cells_[cart], charger_of(cells_, cart), "5.1");
    }
    finish_stage();
  }

  void teleport() {
    for (const Square pad : transporter_pads) {
      if (!stands(pad)) continue;
      note(EffectKind::teleported, Stage::pads, pad, pad_exit(pad, options_.pads), cells_[pad], pad, "5.3");
    }
    finish_stage();
  }

  [[nodiscard]] int pieces_in_row(int row) const {
    int pieces = 0;
    for (int col = 0; col < board_side; ++col) pieces += stands({col, row}) ? 1 : 0;
    return pieces;
  }
  [[nodiscard]] bool explodes(Square s) const {
    return stands(s) && cells_[s].kind == 'J' && pieces_in_row(s.row) % 5 == 0;
  }

  void explode() {
    for_each_piece([&](Square s) {
      std::optional<Square> joey;
      if (explodes(s)) joey = s;
      for_each_neighbour(s, [&](Square n) {
        if (!joey && cells_.contains(n) && explodes(n)) joey = n;
      });
      if (!joey) return;
      gone(EffectKind::exploded, Stage::explosion, s, *joey, "5.4");
      if (*joey == s) effects_.back().count = pieces_in_row(s.row);
    });
    finish_stage();
  }

  Grid<Cell> cells_;
  const Options& options_;
  std::vector<Effect> effects_;
  std::size_t done_ = 0;
};

}  // namespace

bool is_second_poison(const Effect& effect) noexcept { return effect.stage == static_cast<int>(Stage::second_poison); }

std::vector<Effect> list_effects(const Board& board, const Turn& turn, const Options& options) {
  return Chronicle(board, options).of(turn);
}

}  // namespace paika::wildebeest
