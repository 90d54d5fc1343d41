#include "database/layout.hpp"

#include "base/text.hpp"

namespace paika {

Result<int> layout_version(Database& database, const Layout& layout) {
  const LayoutMark mark = database.connection().layout_mark();
  if (mark.application == layout.application && mark.version > 0) return mark.version;
  if (mark.application == 0 && mark.version == 0 && mark.is_empty) return 0;
  return fail("{} is not a database of this server", in_quotes(database.name(), 200));
}

Result<void> bring_up_to_date(Database& database, const Layout& layout) {
  const auto version = layout_version(database, layout);
  if (!version) return tl::unexpected(version.error());
  const auto known = static_cast<int>(layout.steps.size());
  if (*version > known) {
    return fail("{} has the layout version {}, of a newer program; this one knows versions up to {}",
                in_quotes(database.name(), 200), *version, known);
  }
  for (int gone = *version; gone < known; ++gone) {
    Transaction transaction(database);
    // Where several open a database at once, another one may have been quicker.
    if (database.connection().layout_mark().version == gone) {
      database.run_once(layout.steps[static_cast<std::size_t>(gone)]);
      database.connection().set_layout_mark(layout.application, gone + 1);
    }
    transaction.finish();
  }
  return {};
}

Result<void> check_up_to_date(Database& database, const Layout& layout) {
  const auto version = layout_version(database, layout);
  if (!version) return tl::unexpected(version.error());
  if (*version == static_cast<int>(layout.steps.size())) return {};
  return fail("{} has the layout version {}, this program reads version {}; the server brings older ones up to date",
              in_quotes(database.name(), 200), *version, layout.steps.size());
}

}  // namespace paika
