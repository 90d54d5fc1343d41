#include "games/othello/pattern_weights.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <optional>

#include "base/data.hpp"
#include "base/text.hpp"

namespace paika::othello {

namespace {

constexpr std::string_view first_line = "paika othello pattern weights 2";
constexpr std::size_t counts_length = count_names.size() * count_values;

/// Decodes weights: rANS, as tools/tune/othello/weights_file.py writes it. A weight is the difference from that of the
/// knot before, whose size chooses the table of frequencies.
class WeightDecoder {
 public:
  explicit WeightDecoder(std::string_view bytes) : rest_(bytes) {}

  /// Reads the tables and the first state; false if the data are too short or the tables are wrong.
  [[nodiscard]] bool begin() {
    if (rest_.size() < 2 * 256 * tables_.size() + 4) return false;
    for (Table& table : tables_) {
      std::uint32_t sum = 0;
      for (std::size_t symbol = 0; symbol < 256; ++symbol) {
        const std::uint32_t low = byte();
        table.frequency[symbol] = static_cast<std::uint16_t>(low | (byte() << 8));
        table.start[symbol] = static_cast<std::uint16_t>(sum);
        if (sum + table.frequency[symbol] > scale) return false;
        std::fill_n(table.symbol.begin() + sum, table.frequency[symbol], static_cast<std::uint8_t>(symbol));
        sum += table.frequency[symbol];
      }
      if (sum != scale) return false;
    }
    for (int i = 0; i < 4; ++i) state_ = state_ << 8 | byte();
    return true;
  }

  /// The weight whose predecessor is `before`.
  [[nodiscard]] std::int16_t next(std::int16_t before) {
    const auto size = static_cast<unsigned>(std::abs(before));
    int folded = symbol(tables_[std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(size)), raw - 1)]);
    if (folded == escape) {
      folded = symbol(tables_[raw]);
      folded |= symbol(tables_[raw]) << 8;
    }
    const int difference = folded % 2 == 0 ? folded / 2 : -(folded + 1) / 2;
    return static_cast<std::int16_t>(before + difference);
  }

  /// Whether exactly all of the data were read: the coder ends in the state that it began with.
  [[nodiscard]] bool at_end() const { return rest_.empty() && missing_ == 0 && state_ == lowest; }
  /// Whether more data were asked for than there are.
  [[nodiscard]] bool overrun() const { return missing_ > 0; }

 private:
  static constexpr std::uint32_t scale_bits = 14;
  static constexpr std::uint32_t scale = 1U << scale_bits;
  static constexpr std::uint32_t lowest = 1U << 23;
  static constexpr int escape = 255;
  static constexpr std::size_t raw = 8;

  struct Table {
    std::array<std::uint16_t, 256> frequency{};
    std::array<std::uint16_t, 256> start{};
    std::array<std::uint8_t, scale> symbol{};
  };

  [[nodiscard]] std::uint32_t byte() {
    if (rest_.empty()) {
      ++missing_;
      return 0;
    }
    const auto value = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return value;
  }

  [[nodiscard]] int symbol(const Table& table) {
    const std::uint32_t slot = state_ & (scale - 1);
    const std::uint8_t found = table.symbol[slot];
    state_ = table.frequency[found] * (state_ >> scale_bits) + slot - table.start[found];
    while (state_ < lowest && missing_ == 0) state_ = state_ << 8 | byte();
    return found;
  }

  std::string_view rest_;
  std::uint32_t state_ = 0;
  int missing_ = 0;
  std::array<Table, raw + 1> tables_;
};

/// Which weight every state of every pattern has.
using WeightNumbers = std::vector<std::vector<std::uint32_t>>;

WeightNumbers weight_numbers(const PatternLayout& layout) {
  WeightNumbers numbers;
  for (std::size_t i = 0; i < layout.patterns().size(); ++i) numbers.push_back(layout.weight_numbers(i));
  return numbers;
}

std::size_t count_of(const std::vector<std::uint32_t>& numbers) {
  return *std::max_element(numbers.begin(), numbers.end()) + std::size_t{1};
}

/// The number on the line of the head that begins with `name`.
std::optional<std::int64_t> number_line(std::string_view head, std::string_view name) {
  for (const std::string_view line : split(head, '\n')) {
    if (line.starts_with(name) && line.size() > name.size() && line[name.size()] == ' ') {
      return parse_int(line.substr(name.size() + 1));
    }
  }
  return {};
}

}  // namespace

PatternWeights::PatternWeights(const PatternLayout& layout) : layout_(&layout) {
  std::vector<std::uint32_t> begins;
  std::size_t length = counts_length + 1;
  for (std::size_t i = 0; i < layout.patterns().size(); ++i) {
    begins.push_back(static_cast<std::uint32_t>(length));
    length += layout.states(i);
  }
  phase_length_ = length;
  starts_.fill(static_cast<std::uint32_t>(counts_length));
  for (std::size_t i = 0; i < layout.places().size(); ++i) starts_[i] = begins[layout.places()[i].pattern];
}

/// Every phase by what lies between its knots; `knots` are in steps, numbered like the weights of the patterns.
void PatternWeights::fill(const std::vector<std::vector<std::int16_t>>& knots, int step,
                          const std::vector<std::vector<std::uint32_t>>& numbers) {
  weights_.reserve(phase_length_ * layout_->phases());
  std::vector<std::int16_t> phase_weights(knots.front().size());
  for (std::size_t phase = 0; phase < layout_->phases(); ++phase) {
    const auto [lower, part, whole] = layout_->knot_place(phase);
    for (std::size_t i = 0; i < phase_weights.size(); ++i) {
      const int sum = (knots[lower][i] * (whole - part) + knots[lower + 1][i] * part) * step;
      const int rounded = (sum + (sum >= 0 ? whole : -whole) / 2) / whole;
      phase_weights[i] = static_cast<std::int16_t>(std::clamp(rounded, -32767, 32767));
    }
    const auto counts = phase_weights.end() - static_cast<std::ptrdiff_t>(counts_length);
    weights_.insert(weights_.end(), counts, phase_weights.end());
    weights_.push_back(0);
    std::size_t begin = 0;
    for (const auto& table : numbers) {
      for (const std::uint32_t number : table) weights_.push_back(phase_weights[begin + number]);
      begin += count_of(table);
    }
  }
}

Result<PatternWeights> PatternWeights::read(std::string_view file) {
  if (!file.starts_with(first_line)) return fail("not a weights file: it must begin with \"{}\"", first_line);
  constexpr std::string_view last_line = "\ndata\n";
  const std::size_t end = file.find(last_line);
  if (end == std::string_view::npos) return fail("a weights file needs a line \"data\" before its numbers");
  const auto size = number_line(file.substr(0, end), "size");
  const PatternLayout* const layout = size ? PatternLayout::of_size(static_cast<int>(*size)) : nullptr;
  if (layout == nullptr) return fail("a weights file needs a line \"size 6\", \"size 8\" or \"size 10\"");
  const auto step = number_line(file.substr(0, end), "step");
  if (!step || *step < 1 || *step > 100) return fail("a weights file needs a line \"step N\", N from 1 to 100");

  WeightDecoder decoder(file.substr(end + last_line.size()));
  if (!decoder.begin()) return fail("the tables of frequencies are wrong or cut short");
  const WeightNumbers numbers = weight_numbers(*layout);
  std::size_t length = counts_length;
  for (const auto& table : numbers) length += count_of(table);
  std::vector<std::vector<std::int16_t>> knots(layout->knots(), std::vector<std::int16_t>(length));
  for (std::size_t k = 0; k < knots.size(); ++k) {
    for (std::size_t i = 0; i < length; ++i) {
      knots[k][i] = decoder.next(k == 0 ? std::int16_t{0} : knots[k - 1][i]);
    }
    if (decoder.overrun()) return fail("the weights end in knot {} of {}", k + 1, knots.size());
  }
  if (!decoder.at_end()) return fail("the weights file goes on after the last weight, or is damaged");
  PatternWeights result(*layout);
  result.fill(knots, static_cast<int>(*step), numbers);
  return result;
}

const PatternWeights* PatternWeights::built_in(int size) {
  // Read when a size is first asked for: each takes a moment and some megabytes.
  const auto of_size = []<int Size>() -> const PatternWeights* {
    static const auto weights = read(data_file(fmt::format("othello-{0}x{0}.weights", Size)));
    return weights && weights->layout().size() == Size ? &*weights : nullptr;
  };
  if (size == 6) return of_size.template operator()<6>();
  if (size == 8) return of_size.template operator()<8>();
  if (size == 10) return of_size.template operator()<10>();
  return nullptr;
}

std::vector<int> PatternWeights::parts(const PatternLanes& lanes, const Counts& counts) const {
  const std::int16_t* const weights = weights_.data() + layout_->phase_of(counts.pawns()) * phase_length_;
  const PatternLanes::Numbers states = lanes.numbers();
  std::vector<int> parts(layout_->patterns().size() + count_names.size());
  for (std::size_t i = 0; i < layout_->places().size(); ++i) {
    parts[layout_->places()[i].pattern] += weights[starts_[i] + states[i]];
  }
  for (std::size_t i = 0; i < count_names.size(); ++i) {
    parts[layout_->patterns().size() + i] = weights[i * count_values + counts.values[i]];
  }
  return parts;
}

}  // namespace paika::othello
