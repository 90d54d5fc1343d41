// OwnerWatch: who owns a PostgreSQL database now, for servers of which one owns it and the others wait to be next.
//
// An owner that can be replaced says who it is and that it is still there, again and again, on the connection by which
// it writes (Connection::say_owner). One that has gone silent although its connection stands (its machine hangs, or
// cannot reach the database) is deposed: the database ends that connection, and the owner's lock is free. What a
// deposed owner still has to write is refused (database/postgresql.hpp).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "database/database.hpp"

namespace paika {

/// What an owner that can be replaced says of itself from the lock until it says more. It may be bringing the database
/// up to date, which can take long: it is silent only if its connection does nothing either.
inline constexpr const char* starting_owner = "starting";

struct Ownership {
  bool is_owned = false;                 // somebody holds the owner's lock
  std::int64_t epoch = 0;                // of the last owner; 0: there has been none
  std::string owner;                     // what it says of itself; empty: it cannot be replaced
  std::chrono::milliseconds silence{0};  // how long ago it said so
};

/// A connection beside that of the owner, for one thread. What fails throws StoreError; it may be used again then.
class OwnerWatch {
 public:
  /// With a limit, what the database has not answered by then fails (connect_postgresql).
  explicit OwnerWatch(const std::string& url, std::chrono::milliseconds limit = {});

  [[nodiscard]] Ownership look();
  /// Ends the connection of the owner of this epoch if it has been silent for so long; false if there is none such.
  bool depose(std::int64_t epoch, std::chrono::milliseconds silence);

 private:
  Database database_;
};

}  // namespace paika
