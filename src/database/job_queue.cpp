#include "database/job_queue.hpp"

#include <array>

#include "base/check.hpp"
#include "database/open.hpp"

namespace paika {

namespace {

constexpr std::int64_t queue_id = 0x50614A71;  // "PaJq"

// now_ms() is the time of the database, in milliseconds since 1970: workers may have other clocks.
constexpr Sql step_1 = R"sql(
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  topic TEXT NOT NULL,
  name TEXT NOT NULL,
  version TEXT NOT NULL,
  job_order TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done')),
  fence INTEGER NOT NULL DEFAULT 0,
  worker TEXT NOT NULL DEFAULT '',
  since INTEGER NOT NULL DEFAULT 0,
  until INTEGER NOT NULL DEFAULT 0,
  result TEXT NOT NULL DEFAULT '',
  UNIQUE (topic, name)
) STRICT;
CREATE INDEX jobs_free ON jobs (id) WHERE state <> 'done';
CREATE INDEX jobs_done ON jobs (topic, id) WHERE state = 'done';

CREATE TABLE job_files (
  topic TEXT NOT NULL,
  hash TEXT NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (topic, hash)
) STRICT, WITHOUT ROWID;

-- only postgresql
CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql AS
  $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;
)sql";

constexpr std::array<Sql, 1> steps = {step_1};

}  // namespace

Result<JobQueue> JobQueue::open(const std::string& where) {
  auto database = open_shared_database(where, {queue_id, steps});
  if (!database) return tl::unexpected(database.error());
  return JobQueue(std::move(*database));
}

// ---- For those who want something done ----

void JobQueue::add(std::string_view topic, std::string_view name, std::string_view version, std::string_view order) {
  database_->run(
      "INSERT INTO jobs (topic, name, version, job_order, state) VALUES (?, ?, ?, ?, 'waiting')"
      " ON CONFLICT (topic, name) DO NOTHING",
      topic, name, version, order);
}

std::int64_t JobQueue::count_waiting(std::string_view topic) {
  return *first_row(database_->query("SELECT count(*) FROM jobs WHERE topic = ? AND state = 'waiting'", topic),
                    first_column);
}

std::vector<RunningJob> JobQueue::running(std::string_view topic) {
  return all_rows(
      database_->query("SELECT name, worker, since FROM jobs WHERE topic = ? AND state = 'running' AND until > now_ms()"
                       " ORDER BY id",
                       topic),
      [](const Query& row) { return RunningJob{row.text(0), row.text(1), row.number(2)}; });
}

std::vector<DoneJob> JobQueue::done(std::string_view topic) {
  return all_rows(
      database_->query(
          "SELECT name, worker, result FROM jobs WHERE topic = ? AND state = 'done' ORDER BY until, id LIMIT"
          " 100",
          topic),
      [](const Query& row) { return DoneJob{row.text(0), row.text(1), row.text(2)}; });
}

void JobQueue::remove(std::string_view topic, std::string_view name) {
  database_->run("DELETE FROM jobs WHERE topic = ? AND name = ?", topic, name);
}

void JobQueue::withdraw(std::string_view topic) {
  database_->run("DELETE FROM jobs WHERE topic = ? AND (state = 'waiting' OR state = 'running' AND until < now_ms())",
                 topic);
}

void JobQueue::close(std::string_view topic) {
  Transaction transaction(*database_);
  database_->run("DELETE FROM jobs WHERE topic = ?", topic);
  database_->run("DELETE FROM job_files WHERE topic = ?", topic);
  transaction.finish();
}

void JobQueue::add_file(std::string_view topic, std::string_view hash, std::string_view bytes) {
  database_->run("INSERT INTO job_files (topic, hash, bytes) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", topic, hash,
                 Blob{bytes});
}

// ---- For those who do it ----

std::optional<TakenJob> JobQueue::take(std::string_view worker, std::string_view version, std::string_view topic) {
  Transaction transaction(*database_);
  // SQLite has one transaction at a time; PostgreSQL skips what others are about to take.
  auto taken = first_row(
      database_->query(R"sql(
UPDATE jobs SET state = 'running', fence = fence + 1, worker = ?1, since = now_ms(), until = now_ms() + ?2
WHERE id = (SELECT id FROM jobs WHERE version = ?3 AND (?4 = '' OR topic = ?4)
  AND (state = 'waiting' OR state = 'running' AND until < now_ms()) ORDER BY id LIMIT 1
-- only postgresql
  FOR UPDATE SKIP LOCKED
-- both
) RETURNING id, topic, name, job_order, fence)sql",
                       worker, lease.count(), version, topic),
      [](const Query& row) { return TakenJob{row.number(0), row.text(1), row.text(2), row.text(3), row.number(4)}; });
  transaction.finish();
  return taken;
}

bool JobQueue::renew(const TakenJob& job) {
  return database_->run("UPDATE jobs SET until = now_ms() + ? WHERE id = ? AND fence = ? AND state = 'running'",
                        lease.count(), job.id, job.fence) > 0;
}

bool JobQueue::finish(const TakenJob& job, std::string_view result) {
  return database_->run(
             "UPDATE jobs SET state = 'done', result = ?, until = now_ms() WHERE id = ? AND fence = ? AND state ="
             " 'running'",
             result, job.id, job.fence) > 0;
}

void JobQueue::give_back(const TakenJob& job) {
  database_->run("UPDATE jobs SET state = 'waiting' WHERE id = ? AND fence = ? AND state = 'running'", job.id,
                 job.fence);
}

std::optional<std::string> JobQueue::file(std::string_view topic, std::string_view hash) {
  return first_row(database_->query("SELECT bytes FROM job_files WHERE topic = ? AND hash = ?", topic, hash),
                   [](const Query& row) { return row.text(0); });
}

}  // namespace paika
