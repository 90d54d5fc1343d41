// SQLite under fault injection: a VFS between SQLite and the system's one whose operations fail when they have to
// (io), and an allocator that has no memory when it has to (memory).
#pragma once

namespace paika_tests {

/// Puts both into SQLite, for all databases of this process; once, and before any is opened.
void put_faults_into_sqlite();

}  // namespace paika_tests
