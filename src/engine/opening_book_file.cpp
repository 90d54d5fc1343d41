// Opening books in files.
#include "base/text.hpp"
#include "engine/opening_book.hpp"
#include "solve/table_storage.hpp"

namespace paika {

Result<BookPtr> read_book(const std::string& spec, const std::string& path) {
  const auto file = WholeStorage::map(path);
  if (!file) return tl::unexpected(file.error());
  auto book = OpeningBook::parse((*file)->bytes());
  if (!book) return fail("{}: {}", (*file)->name(), book.error().message);
  if (!spec.empty() && book->spec() != spec) {
    return fail("{} is a book for {}, not for {}", (*file)->name(), in_quotes(book->spec()), spec);
  }
  return std::make_shared<const OpeningBook>(std::move(*book));
}

Result<void> write_book(const OpeningBook& book, const std::string& path) {
  auto file = PartFile::create(path);
  if (!file) return tl::unexpected(file.error());
  if (auto written = file->append(book.bytes()); !written) return written;
  return file->commit();
}

}  // namespace paika
