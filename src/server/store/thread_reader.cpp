#include "server/store/thread_reader.hpp"

#include <utility>

namespace paika::server {

Store* thread_reader(const std::string& database) {
  thread_local std::unique_ptr<Store> reader;
  thread_local std::string path;
  if (reader == nullptr || path != database) {
    auto opened = Store::open(database, Store::Mode::reader);
    if (!opened) return nullptr;
    reader = std::move(*opened);
    path = database;
  }
  return reader.get();
}

}  // namespace paika::server
