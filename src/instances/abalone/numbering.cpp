#include "instances/abalone/numbering.hpp"

#include "engine/numbering.hpp"
#include "games/abalone/instances.hpp"
#include "games/abalone/space.hpp"
#include "instances/abalone/module.hpp"

namespace paika::abalone {

Result<Options> solvable_options(std::string_view spec) {
  auto options = read_options(spec);
  if (!options) return options;
  if (auto fits = can_number(*options); !fits) return tl::unexpected(fits.error());
  return options;
}

Result<std::string> table_label(std::string_view spec, int /*stones*/) {
  return solvable_options(spec).map(landscape<Options>).map(canonical_spec);
}

Result<std::unique_ptr<Numbering>> open_numbering(std::string_view spec, int /*stones*/) {
  const auto options = solvable_options(spec);
  if (!options) return tl::unexpected(options.error());
  const Options of_table = landscape(*options);
  using Shape = RuntimeShape<64>;
  return std::make_unique<SpaceNumbering<Space<Shape>>>(canonical_spec(of_table), TurnsLeft{},
                                                        BitboardRules<Shape>(of_table));
}

}  // namespace paika::abalone
