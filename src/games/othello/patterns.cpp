#include "games/othello/patterns.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/data.hpp"
#include "base/text.hpp"
#include "games/othello/ternary.hpp"

namespace paika::othello {

namespace {

constexpr std::string_view first_line = "paika othello pattern weights 1";

constexpr std::size_t states_of(const Pattern& pattern) noexcept {
  std::size_t states = 1;
  for (int i = std::popcount(pattern.squares); i > 0; --i) states *= 3;
  return states;
}

/// Where each pattern's states start among the weights of a phase; last: where the counts start.
constexpr std::array<std::size_t, patterns.size() + 1> starts = [] {
  std::array<std::size_t, patterns.size() + 1> table{};
  for (std::size_t i = 0; i < patterns.size(); ++i) table[i + 1] = table[i] + states_of(patterns[i]);
  return table;
}();
constexpr std::size_t phase_length = starts.back() + count_names.size() * count_values;

constexpr std::uint64_t upside_down(std::uint64_t b) noexcept { return __builtin_bswap64(b); }

constexpr std::uint64_t mirrored(std::uint64_t b) noexcept {
  b = ((b >> 1) & 0x5555555555555555) | ((b & 0x5555555555555555) << 1);
  b = ((b >> 2) & 0x3333333333333333) | ((b & 0x3333333333333333) << 2);
  return ((b >> 4) & 0x0f0f0f0f0f0f0f0f) | ((b & 0x0f0f0f0f0f0f0f0f) << 4);
}

/// Rows become columns.
constexpr std::uint64_t transposed(std::uint64_t b) noexcept {
  std::uint64_t t = (b ^ (b >> 7)) & 0x00aa00aa00aa00aa;
  b ^= t ^ (t << 7);
  t = (b ^ (b >> 14)) & 0x0000cccc0000cccc;
  b ^= t ^ (t << 14);
  t = (b ^ (b >> 28)) & 0x00000000f0f0f0f0;
  return b ^ t ^ (t << 28);
}

constexpr std::array<std::uint64_t, 8> images_of(std::uint64_t b) noexcept {
  const std::uint64_t mirror = mirrored(b);
  const std::uint64_t turned = transposed(b);
  const std::uint64_t mirror_turned = mirrored(turned);
  return {b,      upside_down(b),      mirror,        upside_down(mirror),
          turned, upside_down(turned), mirror_turned, upside_down(mirror_turned)};
}

/// The empty squares next to a pawn of `pawns`.
constexpr std::uint64_t open_neighbours(std::uint64_t pawns, std::uint64_t taken) noexcept {
  constexpr std::uint64_t not_left = 0xfefefefefefefefe;
  constexpr std::uint64_t not_right = 0x7f7f7f7f7f7f7f7f;
  const std::uint64_t rows = pawns | ((pawns << 1) & not_left) | ((pawns >> 1) & not_right);
  return (rows | (rows << 8) | (rows >> 8)) & ~taken;
}

/// The weight numbers of all patterns, worked out once.
const std::array<std::vector<std::uint32_t>, patterns.size()>& all_weight_numbers() {
  static const auto table = [] {
    std::array<std::vector<std::uint32_t>, patterns.size()> numbers;
    for (std::size_t i = 0; i < patterns.size(); ++i) numbers[i] = weight_numbers(patterns[i]);
    return numbers;
  }();
  return table;
}

/// Takes numbers off the front of the data part: 16 bits each, low byte first; after a zero comes how
/// many more zeros follow.
class PackedNumbers {
 public:
  explicit PackedNumbers(std::string_view bytes) : bytes_(bytes) {}

  /// The next number, or nothing if the data end.
  std::optional<std::int16_t> next() {
    if (zeros_ > 0) {
      --zeros_;
      return std::int16_t{0};
    }
    const auto word = take();
    if (!word || *word != 0) return word ? std::optional(static_cast<std::int16_t>(*word)) : std::nullopt;
    const auto more = take();
    if (!more) return std::nullopt;
    zeros_ = *more;
    return std::int16_t{0};
  }
  [[nodiscard]] bool at_end() const { return bytes_.empty() && zeros_ == 0; }

 private:
  std::optional<std::uint16_t> take() {
    if (bytes_.size() < 2) return std::nullopt;
    const auto low = static_cast<std::uint8_t>(bytes_[0]);
    const auto high = static_cast<std::uint8_t>(bytes_[1]);
    bytes_.remove_prefix(2);
    return static_cast<std::uint16_t>(low | (high << 8));
  }

  std::string_view bytes_;
  int zeros_ = 0;
};

/// Fills `list` with the next `count` numbers; false if there are not so many.
bool read_numbers(PackedNumbers& data, std::size_t count, std::vector<std::int16_t>& list) {
  list.resize(count);
  for (std::int16_t& value : list) {
    const auto number = data.next();
    if (!number) return false;
    value = *number;
  }
  return true;
}

}  // namespace

BoardImages board_images(const WordPair& board) noexcept {
  const auto own = images_of(board.own);
  const auto opponent = images_of(board.opponent);
  BoardImages images;
  for (std::size_t i = 0; i < images.size(); ++i) images[i] = {own[i], opponent[i]};
  return images;
}

Counts counts_of(const WordPair& board, std::uint64_t placings, std::uint64_t opponent_placings) noexcept {
  const std::uint64_t taken = board.own | board.opponent;
  const auto count = [](std::uint64_t set) {
    return static_cast<std::uint8_t>(
        std::min<std::size_t>(count_values - 1, static_cast<unsigned>(std::popcount(set))));
  };
  return {{count(placings), count(opponent_placings), count(open_neighbours(board.opponent, taken)),
           count(open_neighbours(board.own, taken)), count(taken)}};
}

std::vector<std::vector<int>> digit_symmetries(const Pattern& pattern) {
  std::vector<int> squares;
  for (int i = 0; i < 64; ++i) {
    if (((pattern.squares >> i) & 1) != 0) squares.push_back(i);
  }
  std::vector<std::vector<int>> found;
  for (std::size_t image = 0; image < 8; ++image) {
    if (images_of(pattern.squares)[image] != pattern.squares) continue;
    std::vector<int> digits;
    for (const int square : squares) {
      const int to = std::countr_zero(images_of(std::uint64_t{1} << square)[image]);
      digits.push_back(static_cast<int>(std::find(squares.begin(), squares.end(), to) - squares.begin()));
    }
    if (std::find(found.begin(), found.end(), digits) == found.end()) found.push_back(digits);
  }
  return found;
}

std::vector<std::uint32_t> weight_numbers(const Pattern& pattern) {
  constexpr std::uint32_t unknown = 0xffff'ffff;
  const auto symmetries = digit_symmetries(pattern);
  std::vector<std::size_t> powers = {1};
  while (powers.size() <= symmetries.front().size()) powers.push_back(3 * powers.back());
  std::vector<std::uint32_t> numbers(states_of(pattern), unknown);
  std::uint32_t next = 0;
  for (std::size_t state = 0; state < numbers.size(); ++state) {
    if (numbers[state] != unknown) continue;
    for (const auto& digits : symmetries) {
      std::size_t image = 0;
      for (std::size_t d = 0; d < digits.size(); ++d) {
        image += state / powers[d] % 3 * powers[static_cast<std::size_t>(digits[d])];
      }
      numbers[image] = next;
    }
    ++next;
  }
  return numbers;
}

Result<PatternWeights> PatternWeights::read(std::string_view file) {
  if (!file.starts_with(first_line)) return fail("not a weights file: it must begin with \"{}\"", first_line);
  constexpr std::string_view last_line = "\ndata\n";
  const std::size_t end = file.find(last_line);
  if (end == std::string_view::npos) return fail("a weights file needs a line \"data\" before its numbers");
  PackedNumbers data(file.substr(end + last_line.size()));
  PatternWeights result;
  result.weights_.reserve(phase_length * phases);
  std::vector<std::int16_t> numbers;
  for (int phase = 0; phase < phases; ++phase) {
    for (const auto& table : all_weight_numbers()) {
      const std::size_t count = *std::max_element(table.begin(), table.end()) + std::size_t{1};
      if (!read_numbers(data, count, numbers)) return fail("the weights end in phase {} of {}", phase + 1, phases);
      for (const std::uint32_t number : table) result.weights_.push_back(numbers[number]);
    }
    if (!read_numbers(data, count_names.size() * count_values, numbers)) {
      return fail("the weights end in phase {} of {}", phase + 1, phases);
    }
    result.weights_.insert(result.weights_.end(), numbers.begin(), numbers.end());
  }
  if (!data.at_end()) return fail("the weights file goes on after the last weight");
  return result;
}

const PatternWeights* PatternWeights::built_in() {
  static const Result<PatternWeights> weights = read(data_file("othello.weights"));
  return weights ? &*weights : nullptr;
}

std::array<int, patterns.size() + count_names.size()> PatternWeights::parts(const WordPair& board,
                                                                            const Counts& counts) const noexcept {
  const auto phase = static_cast<std::size_t>(phase_of(std::popcount(board.own | board.opponent)));
  const std::int16_t* const weights = weights_.data() + phase * phase_length;
  const BoardImages images = board_images(board);
  std::array<int, patterns.size() + count_names.size()> parts{};
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    for (std::size_t image = 0; image < images.size(); ++image) {
      if (((patterns[i].images >> image) & 1) == 0) continue;
      parts[i] += weights[starts[i] + ternary_index(images[image].own, images[image].opponent, patterns[i].squares)];
    }
  }
  for (std::size_t i = 0; i < count_names.size(); ++i) {
    parts[patterns.size() + i] = weights[starts.back() + i * count_values + counts.values[i]];
  }
  return parts;
}

namespace {

/// The sum of one pattern's weights in all its places, unrolled at compile time.
template <std::size_t I, std::size_t... Images>
[[gnu::always_inline]] inline int pattern_sum(const std::int16_t* weights, const BoardImages& images,
                                              std::index_sequence<Images...> /*all*/) noexcept {
  constexpr Pattern pattern = patterns[I];
  const auto one = [&]<std::size_t Image>() -> int {
    if constexpr (((pattern.images >> Image) & 1) == 0) {
      return 0;
    } else {
      return weights[starts[I] + ternary_index(images[Image].own, images[Image].opponent, pattern.squares)];
    }
  };
  return (one.template operator()<Images>() + ...);
}

template <std::size_t... I>
[[gnu::always_inline]] inline int all_sums(const std::int16_t* weights, const BoardImages& images,
                                           std::index_sequence<I...> /*all*/) noexcept {
  return (pattern_sum<I>(weights, images, std::make_index_sequence<8>{}) + ...);
}

}  // namespace

int PatternWeights::evaluate(const WordPair& board, const Counts& counts) const noexcept {
  const auto phase = static_cast<std::size_t>(phase_of(std::popcount(board.own | board.opponent)));
  const std::int16_t* const weights = weights_.data() + phase * phase_length;
  int sum = all_sums(weights, board_images(board), std::make_index_sequence<patterns.size()>{});
  for (std::size_t i = 0; i < count_names.size(); ++i) {
    sum += weights[starts.back() + i * count_values + counts.values[i]];
  }
  return sum;
}

}  // namespace paika::othello
