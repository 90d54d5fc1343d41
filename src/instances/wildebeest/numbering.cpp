#include "instances/wildebeest/numbering.hpp"

#include <fmt/format.h>

#include "engine/numbering.hpp"
#include "games/wildebeest/space.hpp"
#include "instances/wildebeest/module.hpp"

namespace paika::wildebeest {

std::string table_label(const Options& options) {
  return fmt::format("{} of {} pieces", canonical_spec(options), table_pieces);
}

Result<std::string> table_label(std::string_view spec, int /*stones*/) {
  return read_options(spec).map([](const Options& options) { return table_label(options); });
}

Result<std::unique_ptr<Numbering>> open_numbering(std::string_view spec, int /*stones*/) {
  const auto options = read_options(spec);
  if (!options) return tl::unexpected(options.error());
  return std::make_unique<SpaceNumbering<Space>>(table_label(*options), TurnsLeft{}, BitboardRules(*options),
                                                 table_pieces);
}

}  // namespace paika::wildebeest
