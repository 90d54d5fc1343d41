#include "database/job_queue.hpp"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

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

// Kinds of jobs, what is said of them while they are done, and what happened to them.
constexpr Sql step_2 = R"sql(
ALTER TABLE jobs ADD COLUMN kind TEXT NOT NULL DEFAULT 'game';
ALTER TABLE jobs ADD COLUMN request TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN added INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN phase TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN progress TEXT NOT NULL DEFAULT '';
ALTER TABLE job_files ADD COLUMN added INTEGER NOT NULL DEFAULT 0;

CREATE TABLE job_counts (
  kind TEXT NOT NULL,
  what TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (kind, what)
) STRICT, WITHOUT ROWID;
)sql";

constexpr std::array<Sql, 2> steps = {step_1, step_2};

/// Files that somebody may be about to need.
constexpr std::chrono::milliseconds new_file_age = std::chrono::minutes(10);

/// As JobCount says.
std::string duration_name(std::chrono::milliseconds took) {
  for (const int bound : duration_bounds) {
    if (took <= std::chrono::seconds(bound)) return fmt::format("within_{}", bound);
  }
  return "within_0";
}

}  // namespace

Result<JobQueue> JobQueue::open(const std::string& where) {
  auto database = open_shared_database(where, {queue_id, steps});
  if (!database) return tl::unexpected(database.error());
  return JobQueue(std::move(*database));
}

// ---- For those who want something done ----

void JobQueue::add(const NewJob& job) {
  database_->run(
      "INSERT INTO jobs (topic, name, kind, version, job_order, request, state, added) VALUES (?, ?, ?, ?, ?, ?,"
      " 'waiting', now_ms()) ON CONFLICT (topic, name) DO NOTHING",
      job.topic, job.name, job.kind, job.version, job.order, job.request);
}

std::int64_t JobQueue::count_waiting(std::string_view topic) {
  return *first_row(database_->query("SELECT count(*) FROM jobs WHERE topic = ? AND state = 'waiting'", topic),
                    first_column);
}

std::set<std::string> JobQueue::names(std::string_view topic) {
  const auto names = all_rows(database_->query("SELECT name FROM jobs WHERE topic = ?", topic),
                              [](const Query& row) { return row.text(0); });
  return {names.begin(), names.end()};
}

std::vector<RunningJob> JobQueue::running(std::string_view topic) {
  return all_rows(database_->query("SELECT name, worker, since, fence, phase, progress FROM jobs WHERE topic = ? AND"
                                   " state = 'running' AND until > now_ms() ORDER BY id",
                                   topic),
                  [](const Query& row) {
                    return RunningJob{row.text(0), row.text(1), row.number(2), row.number(3), row.text(4), row.text(5)};
                  });
}

std::vector<DoneJob> JobQueue::done(std::string_view topic) {
  return all_rows(database_->query("SELECT name, worker, result, until - since, progress FROM jobs WHERE topic = ? AND"
                                   " state = 'done' ORDER BY until, id LIMIT 100",
                                   topic),
                  [](const Query& row) {
                    return DoneJob{row.text(0), row.text(1), row.text(2), std::chrono::milliseconds(row.number(3)),
                                   row.text(4)};
                  });
}

void JobQueue::remove(std::string_view topic, std::string_view name) {
  database_->run("DELETE FROM jobs WHERE topic = ? AND name = ?", topic, name);
}

bool JobQueue::take_back(std::string_view topic, std::string_view name) {
  return database_->run("DELETE FROM jobs WHERE topic = ? AND name = ? AND state = 'waiting'", topic, name) > 0;
}

void JobQueue::clear(std::string_view topic) { database_->run("DELETE FROM jobs WHERE topic = ?", topic); }

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
  database_->run(
      "INSERT INTO job_files (topic, hash, bytes, added) VALUES (?, ?, ?, now_ms())"
      " ON CONFLICT (topic, hash) DO UPDATE SET added = excluded.added",
      topic, hash, Blob{bytes});
}

void JobQueue::set_file(std::string_view topic, std::string_view name, std::string_view bytes) {
  database_->run(
      "INSERT INTO job_files (topic, hash, bytes, added) VALUES (?, ?, ?, now_ms())"
      " ON CONFLICT (topic, hash) DO UPDATE SET bytes = excluded.bytes, added = excluded.added",
      topic, name, Blob{bytes});
}

void JobQueue::keep_files(std::string_view topic, const std::set<std::string>& hashes) {
  const auto old = all_rows(database_->query("SELECT hash FROM job_files WHERE topic = ? AND added < now_ms() - ?",
                                             topic, new_file_age.count()),
                            [](const Query& row) { return row.text(0); });
  for (const std::string& hash : old) {
    if (hashes.contains(hash)) continue;
    database_->run("DELETE FROM job_files WHERE topic = ? AND hash = ? AND added < now_ms() - ?", topic, hash,
                   new_file_age.count());
  }
}

void JobQueue::drop_old(std::string_view kind, std::chrono::milliseconds age) {
  database_->run("DELETE FROM jobs WHERE kind = ? AND added < now_ms() - ?", kind, age.count());
}

void JobQueue::reject(std::string_view kind) { count(kind, "rejected"); }

void JobQueue::count(std::string_view kind, std::string_view what, std::int64_t by) {
  database_->run(
      "INSERT INTO job_counts (kind, what, count) VALUES (?, ?, ?)"
      " ON CONFLICT (kind, what) DO UPDATE SET count = job_counts.count + excluded.count",
      kind, what, by);
}

// ---- For those who do it ----

std::optional<TakenJob> JobQueue::take(const JobTaker& taker) {
  const std::string kinds = fmt::format(",{},", fmt::join(taker.kinds, ","));
  Transaction transaction(*database_);
  // SQLite has one transaction at a time; PostgreSQL skips what others are about to take.
  auto found = first_row(database_->query(R"sql(
SELECT j.id, j.topic, j.name, j.kind, j.job_order, j.request, j.fence + 1, j.state = 'running' FROM jobs j
LEFT JOIN (SELECT topic, count(*) AS jobs FROM jobs WHERE state = 'running' GROUP BY topic) busy ON busy.topic = j.topic
WHERE j.version = ?1 AND (?2 = '' OR j.topic = ?2) AND ?3 LIKE '%,' || j.kind || ',%'
  AND (j.state = 'waiting' OR j.state = 'running' AND j.until < now_ms()) ORDER BY coalesce(busy.jobs, 0), j.id LIMIT 1
-- only postgresql
  FOR UPDATE OF j SKIP LOCKED
-- both
)sql",
                                          taker.version, taker.topic, kinds),
                         [](const Query& row) {
                           const TakenJob job{row.number(0), row.text(1), row.text(2),  row.text(3),
                                              row.text(4),   row.text(5), row.number(6)};
                           return std::pair(job, row.number(7) != 0);
                         });
  if (!found) return std::nullopt;
  const auto& [job, was_lost] = *found;
  database_->run(
      "UPDATE jobs SET state = 'running', fence = ?, worker = ?, since = now_ms(), until = now_ms() + ?, phase = '',"
      " progress = '' WHERE id = ?",
      job.fence, taker.name, lease.count(), job.id);
  if (was_lost) count(job.kind, "expired");
  count(job.kind, "taken");
  transaction.finish();
  return job;
}

bool JobQueue::renew(const TakenJob& job, std::string_view said, std::string_view phase) {
  return database_->run(
             "UPDATE jobs SET until = now_ms() + ?, progress = progress || ?, phase = ? WHERE id = ? AND fence = ? AND"
             " state = 'running'",
             lease.count(), said, phase, job.id, job.fence) > 0;
}

bool JobQueue::finish(const TakenJob& job, std::string_view result) {
  Transaction transaction(*database_);
  const auto took = first_row(
      database_->query("UPDATE jobs SET state = 'done', result = ?, until = now_ms() WHERE id = ? AND fence = ? AND"
                       " state = 'running' RETURNING until - since",
                       result, job.id, job.fence),
      first_column);
  if (!took) return false;
  count(job.kind, "done");
  count(job.kind, duration_name(std::chrono::milliseconds(*took)));
  count(job.kind, "worked_ms", *took);
  transaction.finish();
  return true;
}

void JobQueue::give_back(const TakenJob& job) {
  const int changed = database_->run(
      "UPDATE jobs SET state = 'waiting' WHERE id = ? AND fence = ? AND state = 'running'", job.id, job.fence);
  if (changed > 0) count(job.kind, "given_back");
}

std::optional<std::string> JobQueue::file(std::string_view topic, std::string_view hash) {
  return first_row(database_->query("SELECT bytes FROM job_files WHERE topic = ? AND hash = ?", topic, hash),
                   [](const Query& row) { return row.text(0); });
}

bool JobQueue::has_file(std::string_view topic, std::string_view hash) {
  return database_->query("SELECT 1 FROM job_files WHERE topic = ? AND hash = ?", topic, hash).next();
}

std::vector<std::string> JobQueue::versions() {
  return all_rows(database_->query("SELECT DISTINCT version FROM jobs ORDER BY version"),
                  [](const Query& row) { return row.text(0); });
}

// ---- For those who look on ----

std::vector<JobDepth> JobQueue::depths() {
  return all_rows(
      database_->query("SELECT kind, sum(CASE WHEN state = 'waiting' THEN 1 ELSE 0 END), sum(CASE WHEN state ="
                       " 'running' THEN 1 ELSE 0 END), now_ms() - min(CASE WHEN state = 'waiting' THEN added END)"
                       " FROM jobs WHERE state <> 'done' GROUP BY kind ORDER BY kind"),
      [](const Query& row) {
        return JobDepth{row.text(0), row.number(1), row.number(2), std::chrono::milliseconds(row.number(3))};
      });
}

std::vector<JobCount> JobQueue::counts() {
  return all_rows(database_->query("SELECT kind, what, count FROM job_counts ORDER BY kind, what"),
                  [](const Query& row) { return JobCount{row.text(0), row.text(1), row.number(2)}; });
}

}  // namespace paika
