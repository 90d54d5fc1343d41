#include "instances/fanorona/numbering.hpp"

#include <fmt/format.h>

#include "games/fanorona/space.hpp"
#include "instances/fanorona/module.hpp"

namespace paika::fanorona {

namespace {

using AllStones = Space<RuntimeShape<64>>;
using FewStones = Endgames<RuntimeShape<64>>;

}  // namespace

Result<Options> solvable_options(std::string_view spec, int stones) {
  auto options = read_options(spec);
  if (!options) return options;
  const int points = options->cols * options->rows;
  const int most = stones == 0 ? AllStones::max_points : FewStones::max_points;
  if (points <= most) return options;
  if (stones != 0) {
    return fail("{} has {} points; tables of few stones are made for boards of at most {}", canonical_spec(*options),
                points, most);
  }
  return fail("{} has {} points; tables of all positions are made for boards of at most {}{}", canonical_spec(*options),
              points, most, points <= FewStones::max_points ? ", and of few stones for this one (--stones 5)" : "");
}

std::string table_label(const Options& of_table, int stones) {
  const std::string spec = canonical_spec(of_table);
  return stones == 0 ? spec : fmt::format("{} of {} stones", spec, stones);
}

Result<std::string> table_label(std::string_view spec, int stones) {
  return solvable_options(spec, stones).map([&](const Options& options) {
    return table_label(table_options(options), stones);
  });
}

Result<std::unique_ptr<Numbering>> open_numbering(std::string_view spec, int stones) {
  const auto options = solvable_options(spec, stones);
  if (!options) return tl::unexpected(options.error());
  const Options of_table = table_options(*options);
  std::string label = table_label(of_table, stones);
  TurnsLeft left = turns_left_within(options->limit);
  if (stones == 0) return std::make_unique<SpaceNumbering<AllStones>>(std::move(label), std::move(left), of_table);
  return std::make_unique<SpaceNumbering<FewStones>>(std::move(label), std::move(left), of_table, stones);
}

}  // namespace paika::fanorona
