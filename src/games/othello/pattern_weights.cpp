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

/// Where a decoder stands: its state, and the bytes that it has not read yet. A value, so that a loop keeps it in
/// registers.
struct Cursor {
  static constexpr std::uint32_t scale_bits = 14;
  static constexpr std::uint32_t scale = 1U << scale_bits;
  static constexpr std::uint32_t lowest = 1U << 23;

  std::string_view rest;
  std::uint32_t state = 0;
  int missing = 0;  // bytes that were asked for beyond the last one

  [[nodiscard]] std::uint32_t byte() {
    if (rest.empty()) {
      ++missing;
      return 0;
    }
    const auto value = static_cast<std::uint8_t>(rest.front());
    rest.remove_prefix(1);
    return value;
  }

  /// Reads what the state lacks: nothing, a byte or two. Branch-free while two bytes are left: the branches would be
  /// unpredictable.
  [[gnu::always_inline]] void refill() {
    if (rest.size() < 2) [[unlikely]] {
      while (state < lowest && missing == 0) state = state << 8 | byte();
      return;
    }
    const std::uint32_t bytes = (state < lowest ? 1U : 0U) + (state < lowest >> 8 ? 1U : 0U);
    const std::uint32_t two =
        std::uint32_t{static_cast<std::uint8_t>(rest[0])} << 8U | static_cast<std::uint8_t>(rest[1]);
    state = state << 8 * bytes | two >> (16 - 8 * bytes);
    rest.remove_prefix(bytes);
  }
};

/// Decodes weights: rANS, as tools/tune/othello/weights_file.py writes it. A weight is the difference from that of the
/// knot before, whose size chooses the table of frequencies.
class WeightDecoder {
 public:
  explicit WeightDecoder(std::string_view bytes) : cursor_{bytes} {}

  /// Reads the tables and the first state; false if the data are too short or the tables are wrong.
  [[nodiscard]] bool begin() {
    if (cursor_.rest.size() < std::size_t{512} * tables_.size() + 4) return false;
    for (Table& table : tables_) {
      std::uint32_t sum = 0;
      for (std::size_t symbol = 0; symbol < 256; ++symbol) {
        const std::uint32_t low = cursor_.byte();
        table.frequency[symbol] = static_cast<std::uint16_t>(low | (cursor_.byte() << 8));
        table.start[symbol] = static_cast<std::uint16_t>(sum);
        if (sum + table.frequency[symbol] > Cursor::scale) return false;
        std::fill_n(table.symbol.begin() + sum, table.frequency[symbol], static_cast<std::uint8_t>(symbol));
        sum += table.frequency[symbol];
      }
      if (sum != Cursor::scale) return false;
    }
    for (int i = 0; i < 4; ++i) cursor_.state = cursor_.state << 8 | cursor_.byte();
    return true;
  }

  /// Turns the weights of a knot into those of the next one.
  void advance(std::vector<std::int16_t>& knot) {
    Cursor cursor = cursor_;
    for (std::int16_t& weight : knot) {
      const auto size = static_cast<unsigned>(std::abs(weight));
      int folded = symbol(tables_[std::min<std::size_t>(std::bit_width(size), raw - 1)], cursor);
      if (folded == escape) [[unlikely]] {
        folded = symbol(tables_[raw], cursor);
        folded |= symbol(tables_[raw], cursor) << 8;
      }
      weight = static_cast<std::int16_t>(weight + ((folded >> 1) ^ -(folded & 1)));
    }
    cursor_ = cursor;
  }

  /// Whether exactly all of the data were read: the coder ends in the state that it began with.
  [[nodiscard]] bool at_end() const {
    return cursor_.rest.empty() && cursor_.missing == 0 && cursor_.state == Cursor::lowest;
  }
  /// Whether more data were asked for than there are.
  [[nodiscard]] bool overrun() const { return cursor_.missing > 0; }

 private:
  static constexpr int escape = 255;
  static constexpr std::size_t raw = 8;

  struct Table {
    std::array<std::uint16_t, 256> frequency{};
    std::array<std::uint16_t, 256> start{};
    std::array<std::uint8_t, Cursor::scale> symbol{};
  };

  [[nodiscard, gnu::always_inline]] static int symbol(const Table& table, Cursor& cursor) {
    const std::uint32_t slot = cursor.state & (Cursor::scale - 1);
    const std::uint8_t found = table.symbol[slot];
    cursor.state = table.frequency[found] * (cursor.state >> Cursor::scale_bits) + slot - table.start[found];
    cursor.refill();
    return found;
  }

  Cursor cursor_;
  std::array<Table, raw + 1> tables_;
};

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
  std::uint32_t weights = 0;
  std::vector<std::uint32_t> begins;
  for (std::size_t i = 0; i < layout.patterns().size(); ++i) {
    begins.push_back(static_cast<std::uint32_t>(counts_length + 1 + numbers_.size()));
    const std::uint32_t first = weights;
    for (const std::uint32_t number : layout.weight_numbers(i)) {
      numbers_.push_back(first + number);
      weights = std::max(weights, first + number + 1);
    }
  }
  knots_.resize(layout.knots(), std::vector<std::int16_t>(weights + counts_length));
  phases_ = std::make_unique<Phases>(layout.phases(), counts_length + 1 + numbers_.size());
  starts_.fill(static_cast<std::uint32_t>(counts_length));
  for (std::size_t i = 0; i < layout.places().size(); ++i) starts_[i] = begins[layout.places()[i].pattern];
}

PatternWeights::Phases::~Phases() {
  for (const auto& weights : weights_) {
    if (weights != nullptr) LargePages<std::int16_t>().deallocate(weights, length_);
  }
}

template <class Fill>
const std::int16_t* PatternWeights::Phases::add(std::size_t phase, Fill&& fill) {
  std::int16_t* const weights = LargePages<std::int16_t>().allocate(length_);
  fill(weights);
  std::int16_t* before = nullptr;
  if (weights_[phase].compare_exchange_strong(before, weights, std::memory_order_acq_rel)) return weights;
  LargePages<std::int16_t>().deallocate(weights, length_);
  return before;
}

const std::int16_t* PatternWeights::work_out(std::size_t phase) const noexcept {
  const auto [lower, part, whole] = layout_->knot_place(phase);
  const auto& below = knots_[lower];
  const auto& above = knots_[lower + 1];
  std::vector<std::int16_t> weights(below.size());
  const auto parts = static_cast<float>(whole);  // divides many at once; exact up to 2^24, and the bounds are far below
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const int sum = (below[i] * (whole - part) + above[i] * part) * step_;
    const int half = (sum >= 0 ? whole : -whole) / 2;
    const int rounded = static_cast<int>(static_cast<float>(sum + half) / parts);
    weights[i] = static_cast<std::int16_t>(std::clamp(rounded, -32767, 32767));
  }
  return phases_->add(phase, [&](std::int16_t* out) {
    out = std::copy(weights.end() - static_cast<std::ptrdiff_t>(counts_length), weights.end(), out);
    *out++ = 0;
    for (const std::uint32_t number : numbers_) *out++ = weights[number];
  });
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
  PatternWeights result(*layout);
  result.step_ = static_cast<int>(*step);
  auto& knots = result.knots_;
  for (std::size_t k = 0; k < knots.size(); ++k) {
    if (k > 0) knots[k] = knots[k - 1];
    decoder.advance(knots[k]);
    if (decoder.overrun()) return fail("the weights end in knot {} of {}", k + 1, knots.size());
  }
  if (!decoder.at_end()) return fail("the weights file goes on after the last weight, or is damaged");
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
  const std::int16_t* const weights = phase(layout_->phase_of(counts.pawns()));
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
