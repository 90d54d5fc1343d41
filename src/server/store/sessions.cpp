// Sessions of browsers and tokens of programs: who has shown which secret. Only hashes of the secrets come here.
#include "base/check.hpp"
#include "server/store/impl.hpp"

namespace paika::server {

namespace {

std::optional<PersonId> person_of(Query query) {
  if (!query.next()) return std::nullopt;
  return query.number(0);
}

}  // namespace

void Store::add_session(PersonId person, std::string_view secret_hash, WallTime now, WallTime until) {
  impl_->database.run("INSERT INTO sessions (secret_hash, person, created, until) VALUES (?, ?, ?, ?)", secret_hash,
                      person, now, until);
}

std::optional<PersonId> Store::session_person(std::string_view secret_hash, WallTime now) {
  return person_of(
      impl_->database.query("SELECT person FROM sessions WHERE secret_hash = ? AND until > ?", secret_hash, now));
}

void Store::end_session(std::string_view secret_hash) {
  impl_->database.run("DELETE FROM sessions WHERE secret_hash = ?", secret_hash);
}

void Store::end_sessions(PersonId person, std::string_view but_hash) {
  impl_->database.run("DELETE FROM sessions WHERE person = ? AND secret_hash <> ?", person, but_hash);
}

TokenRow Store::add_token(PersonId person, std::string_view label, std::string_view secret_hash, WallTime now) {
  Query added = impl_->database.query(
      "INSERT INTO tokens (person, label, secret_hash, created, used) VALUES (?1, ?2, ?3, ?4, 0) RETURNING id", person,
      label, secret_hash, now);
  PAIKA_CHECK(added.next());
  const std::int64_t id = added.number(0);
  PAIKA_CHECK(!added.next());  // at its end, so that it is committed
  return {id, std::string(label), now, 0};
}

std::optional<PersonId> Store::token_person(std::string_view secret_hash) {
  return person_of(impl_->database.query("SELECT person FROM tokens WHERE secret_hash = ?", secret_hash));
}

void Store::token_used(std::string_view secret_hash, WallTime now) {
  impl_->database.run("UPDATE tokens SET used = max(used, ?) WHERE secret_hash = ?", now, secret_hash);
}

std::vector<TokenRow> Store::tokens(PersonId person) {
  std::vector<TokenRow> rows;
  Query query =
      impl_->database.query("SELECT id, label, created, used FROM tokens WHERE person = ? ORDER BY id", person);
  while (query.next()) rows.push_back({query.number(0), query.text(1), query.number(2), query.number(3)});
  return rows;
}

bool Store::drop_token(PersonId person, std::int64_t token) {
  return impl_->database.run("DELETE FROM tokens WHERE person = ? AND id = ?", person, token) > 0;
}

}  // namespace paika::server
