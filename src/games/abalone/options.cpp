// The option table of Abalone, and spec strings to and from Options.
#include "games/abalone/game.hpp"

namespace paika::abalone {

namespace {

GameInfo make_info() {
  GameInfo game;
  game.name = "abalone";
  game.title = translatable("Abalone (rectangular)");
  game.summary = translatable("Push the other side's pieces off a rectangular board by outnumbering them in a line.");
  game.size_form = translatable("ROWSxCOLUMNS, 3 to 99 rows and 3 to 26 columns");
  game.standard_size = "4x4";
  game.options = {
      {"captures", {}, "", "2", translatable("how many captures end the game: 1 to rows + columns - 3")},
      {"misere",
       {"on", "off"},
       "on",
       "off",
       translatable("the side that makes the captures first loses; a trapped player wins")},
      {"freeze",
       {"off", "strict", "initiator"},
       "strict",
       "off",
       translatable("pieces that the opponent could push may not be moved (strict) or not be chosen (initiator)")},
      {"must", {"on", "off"}, "on", "off", translatable("a capturing push must be played when there is one")},
  };
  game.examples = {"abalone", "abalone:5x5,captures=3", "abalone:5x4,misere,freeze",
                   "abalone:6x8,freeze=initiator,must"};
  return game;
}

Result<void> check_size(int rows, int cols) {
  if (rows < min_side || rows > max_rows) {
    return fail(
        phrase("size {}x{}: the number of rows (before the x) must be {} to {}", rows, cols, min_side, max_rows));
  }
  if (cols < min_side || cols > max_cols) {
    return fail(
        phrase("size {}x{}: the number of columns (after the x) must be {} to {}", rows, cols, min_side, max_cols));
  }
  return {};
}

Result<int> checked_captures(std::int64_t captures, const Options& options) {
  const int most = pieces_each(options);
  if (captures < 1 || captures > most) {
    return fail(phrase("captures={}: on {} rows and {} columns it must be 1 to {}, the pieces of a side", captures,
                       options.rows, options.cols, most));
  }
  return static_cast<int>(captures);
}

Freeze freeze_of(std::string_view word) {
  return word == "strict" ? Freeze::strict : word == "initiator" ? Freeze::initiator : Freeze::off;
}

}  // namespace

const GameInfo& info() {
  static const GameInfo game = make_info();
  return game;
}

Result<Options> read_options(std::string_view spec) {
  const auto values = read_spec(spec, info());
  if (!values) return tl::unexpected(values.error());
  Options options;
  if (values->size) {
    options.rows = values->size->before;
    options.cols = values->size->after;
    if (const auto ok = check_size(options.rows, options.cols); !ok) return tl::unexpected(ok.error());
  }
  if (const auto number = values->number("captures")) {
    const auto captures = checked_captures(*number, options);
    if (!captures) return tl::unexpected(captures.error());
    options.captures = *captures;
  }
  options.misere = values->value("misere") == "on";
  options.freeze = freeze_of(values->value("freeze").value_or("off"));
  options.must = values->value("must") == "on";
  return options;
}

std::string canonical_spec(const Options& options) {
  const Options standard;
  std::string spec = fmt::format("abalone:{}x{}", options.rows, options.cols);
  if (options.captures != standard.captures) spec += fmt::format(",captures={}", options.captures);
  if (options.misere) spec += ",misere";
  if (options.freeze == Freeze::strict) spec += ",freeze";
  if (options.freeze == Freeze::initiator) spec += ",freeze=initiator";
  if (options.must) spec += ",must";
  return spec;
}

}  // namespace paika::abalone
