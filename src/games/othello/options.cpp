// The options of Black & White: a size, nothing else.
#include <fmt/format.h>

#include "base/text.hpp"
#include "games/othello/game.hpp"

namespace paika::othello {

const GameInfo& info() {
  static const GameInfo table = {
      .name = "othello",
      .aliases = {"blackwhite"},
      .title = translatable("Black & White (Othello)"),
      .summary = translatable("Place a pawn, turn over the opposing runs it encloses, own most pawns at the end."),
      .size_form = translatable("NxN, N even, 6 to 26"),
      .standard_size = "8x8",
      .options = {},
      .presets = {},
      .examples = {"othello", "othello:6x6", "othello:10x10", "othello:26x26"},
  };
  return table;
}

Result<Options> read_options(std::string_view spec) {
  const auto values = read_spec(spec, info());
  if (!values) return tl::unexpected(values.error());
  if (!values->size) return Options{};
  const auto [before, after] = *values->size;
  if (before != after) {
    return fail(phrase("size {}x{}: the board is square, both numbers must be equal ({})", before, after,
                       phrase_of(info().size_form)));
  }
  if (before < min_size || before > max_size || before % 2 != 0) {
    return fail(phrase("size {}x{}: the number must be even, {} to {}", before, after, min_size, max_size));
  }
  return Options{before};
}

std::string canonical_spec(const Options& options) {
  return fmt::format("{}:{}x{}", info().name, options.size, options.size);
}

// 4.1: the size of the board follows from the length of a position's text.
std::string spec_for_position(std::string_view spec, std::string_view position) {
  if (spec.find(':') != std::string_view::npos) return std::string(spec);
  const std::string_view text = trimmed(position);
  const std::size_t cells = std::min(text.find_first_of(" \t\r\n;"), text.size());
  for (std::size_t n = min_size; n <= max_size; n += 2) {
    if (n * n == cells) return fmt::format("{}:{}x{}", spec, n, n);
  }
  return std::string(spec);
}

}  // namespace paika::othello
