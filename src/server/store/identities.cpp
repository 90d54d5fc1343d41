#include "server/store/identities.hpp"

#include <algorithm>

#include "server/store/impl.hpp"

namespace paika::server {

namespace {

IdentityRow identity_row(const Query& row) {
  return {row.number(0), row.text(1), row.text(2), row.number(3), row.number(4), row.number(5)};
}

}  // namespace

Database& IdentityStore::database() { return store_.impl_->database; }

std::optional<IdentityRow> IdentityStore::find(std::string_view issuer, std::string_view subject) {
  return first_row(database().query("SELECT id, issuer, subject, person, created, used FROM identities"
                                    " WHERE issuer = ? AND subject = ?",
                                    issuer, subject),
                   identity_row);
}

std::vector<IdentityRow> IdentityStore::of_person(PersonId person) {
  return all_rows(database().query("SELECT id, issuer, subject, person, created, used FROM identities"
                                   " WHERE person = ? ORDER BY id",
                                   person),
                  identity_row);
}

bool IdentityStore::add(std::string_view issuer, std::string_view subject, PersonId person, WallTime now) {
  if (const auto known = find(issuer, subject)) return known->person == person;
  database().run("INSERT INTO identities (issuer, subject, person, created, used) VALUES (?1, ?2, ?3, ?4, ?4)", issuer,
                 subject, person, now);
  return true;
}

void IdentityStore::set_used(std::int64_t id, WallTime now) {
  database().run("UPDATE identities SET used = ? WHERE id = ?", now, id);
}

IdentityStore::Dropped IdentityStore::drop(PersonId person, std::int64_t id) {
  const auto all = of_person(person);
  if (std::none_of(all.begin(), all.end(), [&](const IdentityRow& row) { return row.id == id; })) {
    return Dropped::unknown;
  }
  const auto hash = store_.password_hash(person);
  if (all.size() == 1 && (!hash || hash->empty())) return Dropped::only_login;
  database().run("DELETE FROM identities WHERE person = ? AND id = ?", person, id);
  return Dropped::done;
}

}  // namespace paika::server
