// Databases for tests, of either engine: PAIKA_TEST_DB=postgresql runs a test program on PostgreSQL instead of SQLite.
#pragma once

#include <string>

#include "tests/support/folder.hpp"

namespace paika_tests {

/// True if this program tests PostgreSQL. A test of SQLite's files has nothing to do then:
///   if (on_postgresql()) GTEST_SKIP() << "about files of SQLite";
[[nodiscard]] bool on_postgresql();

/// Where a new, empty database is to be opened: a file in the folder, or a schema of a private PostgreSQL cluster,
/// which is started when it is first needed and ends with this process. Throws if that cannot be started.
[[nodiscard]] std::string new_database(const TemporaryFolder& folder);

/// The same, but a file is there already, and empty: for those who only connect.
[[nodiscard]] std::string made_database(const TemporaryFolder& folder);

/// Changes a database behind its owner's back.
void tamper(const std::string& database, const std::string& sql);

/// The cluster as those see it who want to hurt it.
[[nodiscard]] std::string new_postgresql_database();
void kill_postgresql();
void start_postgresql_again();

}  // namespace paika_tests
