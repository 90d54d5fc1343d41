#include "database/owner_watch.hpp"

#include "database/postgresql.hpp"

namespace paika {

// The lock is the one of PostgresqlConnection::take_lock().
#define PAIKA_OWNER_LOCKS                                                                           \
  "FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = 1348561259 AND objsubid = 2" \
  " AND objid = (hashtext(current_schema())::bigint & 4294967295)::oid"                             \
  " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"

OwnerWatch::OwnerWatch(const std::string& url, std::chrono::milliseconds limit)
    : database_(connect_postgresql(url, Access::owner, limit)) {}

Ownership OwnerWatch::look() {
  Ownership found;
  found.is_owned = first_row(database_.query("SELECT EXISTS (SELECT 1 " PAIKA_OWNER_LOCKS ")"), first_column) == 1;
  if (first_row(database_.query(count_owner_columns), first_column) != 2) return found;  // nobody has owned it yet
  Query row = database_.query(
      "SELECT epoch, owner, coalesce((1000 * extract(epoch FROM now() - beat))::bigint, 0) FROM paika_layout");
  if (!row.next()) return found;
  found.epoch = row.number(0);
  found.owner = row.text(1);
  found.silence = std::chrono::milliseconds(row.number(2));
  return found;
}

bool OwnerWatch::depose(std::int64_t epoch, std::chrono::milliseconds silence) {
  // One that has just got the lock has not been silent: what the table says is still of the last owner.
  const auto ended = first_row(
      database_.query(
          "SELECT count(pg_terminate_backend(pid)) " PAIKA_OWNER_LOCKS
          " AND EXISTS (SELECT 1 FROM paika_layout, pg_stat_activity AS a WHERE a.pid = pg_locks.pid"
          " AND a.backend_start < now() - ?2 * interval '1 millisecond'"
          " AND epoch = ?1 AND owner <> '' AND beat < now() - ?2 * interval '1 millisecond'"
          " AND (owner <> ?3 OR a.state <> 'active' AND a.state_change < now() - ?2 * interval '1 millisecond'))",
          epoch, std::int64_t{silence.count()}, std::string_view(starting_owner)),
      first_column);
  return ended.value_or(0) > 0;
}

#undef PAIKA_OWNER_LOCKS

}  // namespace paika
