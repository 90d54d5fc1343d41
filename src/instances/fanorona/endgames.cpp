#include "instances/fanorona/endgames.hpp"

#include <filesystem>
#include <utility>

#include "base/bit_count.hpp"
#include "engine/tables.hpp"
#include "instances/fanorona/module.hpp"
#include "search/types.hpp"

namespace paika::fanorona {

namespace {

constexpr std::size_t reader_bytes = std::size_t{16} << 20;

class Probe final : public EndgameProbe {
 public:
  explicit Probe(std::shared_ptr<const EndgameTable> table) : table_(std::move(table)), reader_(table_->reader()) {}

  [[nodiscard]] int max_stones() const override { return table_->max_stones(); }
  [[nodiscard]] std::optional<ScoreBounds> look_up(const StoneSets& position) override {
    const auto value = table_->value(reader_, position);
    if (!value) return std::nullopt;
    if (value->is_draw()) return ScoreBounds{0, 0};
    const ScoreBounds won = bounds_of_win(*value, table_->turns_left(position));
    return value->is_win() ? won : ScoreBounds{-won.upper, -won.lower};
  }

 private:
  /// What a win is worth to the winner: with a limit of moves a draw if there are too few left, or perhaps.
  [[nodiscard]] static ScoreBounds bounds_of_win(Value value, int turns_left) {
    const bool limited = turns_left < Value::max_turns;
    if (!value.has_distance()) return {limited ? 0 : table_win_score, table_win_score};
    if (value.turns() > turns_left) return {0, 0};
    const int score = win_in(value.turns());
    return {score, score};
  }

  std::shared_ptr<const EndgameTable> table_;
  TableReader reader_;
};

}  // namespace

std::shared_ptr<const EndgameTable> EndgameTable::find(const Options& options, const std::string& folder) {
  if (options.cols * options.rows > Endgames<RuntimeShape<64>>::max_points) return nullptr;
  for (int stones = max_table_stones; stones >= min_table_stones; --stones) {
    const std::string label = table_label(table_options(options), stones);
    const std::string path = table_path(folder, label);
    std::error_code error;
    if (!std::filesystem::exists(path, error)) continue;
    auto table = ValueTable::open(path);
    if (!table || table->spec() != label) return nullptr;  // a damaged table is as good as none
    return std::shared_ptr<const EndgameTable>(new EndgameTable(options, stones, std::move(*table)));
  }
  return nullptr;
}

TableReader EndgameTable::reader() const { return table_.reader(reader_bytes); }

/// The points as the table counts them, on the landscape board.
std::uint64_t EndgameTable::of_table(std::uint64_t points) const noexcept {
  if (options_.rows <= options_.cols) return points;
  std::uint64_t turned = 0;
  for (; points != 0; points &= points - 1) {
    const int at = lowest_one(points);
    turned |= std::uint64_t{1} << (at % options_.cols * options_.rows + at / options_.cols);
  }
  return turned;
}

std::optional<Value> EndgameTable::value(TableReader& reader, const StoneSets& position) const {
  Endgames<RuntimeShape<64>>::Position p;
  p.own.words[0] = of_table(position.own);
  p.opp.words[0] = of_table(position.other);
  p.block.words[0] = of_table(position.block);
  const auto place = space_.place(p);
  if (!place) return std::nullopt;
  const auto value = table_.lookup(reader, place->tier, place->index);
  if (!value || value->kind() == ValueKind::none) return std::nullopt;
  return *value;
}

OpenProbe open_probe(std::string_view spec, const std::string& folder) {
  const auto options = read_options(spec);
  if (!options) return {};
  auto table = EndgameTable::find(*options, folder);
  if (!table) return {};
  return [table = std::move(table)] { return std::make_unique<Probe>(table); };
}

}  // namespace paika::fanorona
