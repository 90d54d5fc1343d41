#include "database/database.hpp"

#include "base/check.hpp"

namespace paika {

Query::Query(Database& database, Prepared& prepared) : database_(database), prepared_(prepared) {
  PAIKA_CHECK(!prepared_.at_work);
  prepared_.at_work = true;
}

Query::~Query() {
  prepared_.at_work = false;
  prepared_.statement->reset();
}

template <class Work>
auto Database::guarded(Work work) {
  const bool was_lost = depth_ > 0 && !connection_->in_transaction();
  try {
    return work();
  } catch (const StoreError& error) {
    if (depth_ > 0 && !was_lost && !connection_->in_transaction()) {
      lost_.clear();  // first: there may be no memory for the new one
      lost_ = error.what();
    }
    throw;
  }
}

bool Query::next() {
  return database_.guarded([this] { return prepared_.statement->step(); });
}

void Database::run_once(Sql sql) {
  check_not_lost();
  guarded([&] { connection_->run_script(sql.text()); });
}

Query::Prepared& Database::prepared(std::string_view text) {
  check_not_lost();
  const auto known = prepared_.find(text);
  if (known != prepared_.end()) return known->second;
  auto statement = guarded([&] { return connection_->prepare(text); });
  return prepared_.try_emplace(text, Query::Prepared{std::move(statement)}).first->second;
}

int Database::run_to_end(Query&& query) {
  while (query.next()) {
  }
  return query.prepared_.statement->changes();
}

void Database::run_text(std::string_view text) { run_to_end(Query(*this, prepared(text))); }

void Database::check_not_lost() const {
  if (!is_stuck_ && (depth_ == 0 || connection_->in_transaction())) return;
  throw StoreError(lost_.empty() ? "the storage failed, and what was done with this was undone" : lost_);
}

void Database::begin_part() {
  if (depth_ == 0) connection_->prepare_undo();
  run_text(depth_ > 0 ? "SAVEPOINT part" : connection_->begin_text());
  ++depth_;
}

void Database::end_part() {
  try {
    run_text(depth_ > 1 ? "RELEASE part" : "COMMIT");
  } catch (...) {
    undo_part();
    throw;
  }
  --depth_;
}

void Database::undo_part() noexcept {
  --depth_;
  if (!connection_->in_transaction()) return;
  if (depth_ > 0 && connection_->undo(false)) return;
  // What cannot be undone alone is undone with everything around it, and whoever goes on in that hears so.
  lost_.clear();
  (void)connection_->undo(true);
  is_stuck_ = connection_->in_transaction();
}

}  // namespace paika
