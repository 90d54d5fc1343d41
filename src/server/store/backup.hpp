// Copies of a store: made while a server uses it, and put back when it is needed.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace paika::server {

/// What a copy holds.
struct BackupContents {
  std::int64_t people = 0, rooms = 0, events = 0, classes = 0;
};

/// Writes a copy of the store to `file`, readable by this user alone, as it is at one moment; a server may go on using
/// it. The copy is checked, written to the disk and only then gets its name, so that a file of that name is whole. One
/// that is there already is replaced only with `replace`. An error says what is wrong, and leaves nothing behind.
[[nodiscard]] Result<BackupContents> back_up(const std::string& database, const std::string& file, bool replace);

struct Restored {
  BackupContents contents;
  std::string kept;  // where the store that was there lies now; empty: there was none
};

/// Puts a copy in the place of the store, which is kept under another name. First the copy is checked: it is a store of
/// this program or an older one, undamaged, and the events of every room can be read. Refused while a server uses the
/// store.
[[nodiscard]] Result<Restored> restore(const std::string& file, const std::string& database);

}  // namespace paika::server
