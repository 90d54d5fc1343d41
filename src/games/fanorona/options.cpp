// The options of Fanorona: one table, and the reading and writing of spec strings.
#include "base/text.hpp"
#include "games/fanorona/game.hpp"

namespace paika::fanorona {

namespace {

Result<void> check_size(SizeGiven size) {
  const auto wrong = [](int n) { return n < 1 || n > max_side || n % 2 == 0; };
  if (!wrong(size.before) && !wrong(size.after)) return {};
  const auto say = [&](auto pattern) { return fail(phrase_of(pattern, size.before, size.after, max_side)); };
  if (!wrong(size.after))
    return say(translatable<3>("size {}x{}: columns must be odd, 1 to {} (columns x rows, such as 9x5)"));
  if (!wrong(size.before))
    return say(translatable<3>("size {}x{}: rows must be odd, 1 to {} (columns x rows, such as 9x5)"));
  return say(translatable<3>("size {}x{}: columns and rows must be odd, 1 to {} (columns x rows, such as 9x5)"));
}

}  // namespace

const GameInfo& info() {
  static const GameInfo table = {
      .name = "fanorona",
      .aliases = {},
      .title = translatable("Fanorona"),
      .summary = translatable("The game of Madagascar: capture by approach or by withdrawal, in chains."),
      .size_form = translatable("COLSxROWS, both odd, 1 to 13"),
      .standard_size = "9x5",
      .options = {{.key = "sacrifice",
                   .values = {"on", "off"},
                   .bare = "on",
                   .standard = "on",
                   .meaning = translatable("a player may give up a stone, which blocks its point for one move (2.5)")},
                  {.key = "limit",
                   .values = {},
                   .bare = "",
                   .standard = translatable("10 times the rows"),
                   .meaning = translatable("the game is a draw after this many moves in all; 0 for no limit (3.2)")}},
      .presets = {{.key = "tournament",
                   .values = {},
                   .bare = "",
                   .standard = "",
                   .meaning = "sacrifice on, limit 10 times the rows (the standard)"},
                  {.key = "classic", .values = {}, .bare = "", .standard = "", .meaning = "sacrifice off, no limit"}},
      .examples = {"fanorona", "fanorona:5x5", "fanorona:classic", "fanorona:7x3,sacrifice=off,limit=0"}};
  return table;
}

Result<Options> read_options(std::string_view spec) {
  const auto values = read_spec(spec, info());
  if (!values) return tl::unexpected(values.error());
  Options options;
  if (values->size) {
    if (const auto ok = check_size(*values->size); !ok) return tl::unexpected(ok.error());
    options.cols = values->size->before;
    options.rows = values->size->after;
  }
  // 3.5: the preset first, so that options given one by one win wherever they stand.
  const bool classic = values->preset == "classic";
  options.sacrifice = !classic;
  options.limit = classic ? 0 : standard_limit(options.rows);
  if (const auto sacrifice = values->value("sacrifice")) options.sacrifice = *sacrifice == "on";
  if (const auto limit = values->number("limit")) {
    if (*limit < 0 || *limit > max_limit) {
      return fail(phrase("limit={}: the limit must be 0 (none) to {} moves", *limit, max_limit));
    }
    options.limit = static_cast<int>(*limit);
  }
  return options;
}

std::string canonical_spec(const Options& options) {
  std::string spec = fmt::format("fanorona:{}x{}", options.cols, options.rows);
  if (!options.sacrifice) spec += ",sacrifice=off";
  if (options.limit != standard_limit(options.rows)) spec += fmt::format(",limit={}", options.limit);
  return spec;
}

}  // namespace paika::fanorona
