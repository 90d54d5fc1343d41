// People in the store: guests, members and their passwords; and by which secrets they are known again.
#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>

#include "base/check.hpp"
#include "base/text.hpp"
#include "server/store/impl.hpp"
#include "server/store/secrets.hpp"

namespace paika::server {

namespace {

constexpr std::string_view guest_prefix = "guest-";
constexpr std::size_t min_name = 2;
constexpr std::size_t max_name = 20;
/// So many sessions, and so many guests, are looked at in one call of drop_idle_guests(): commits wait for it.
constexpr int rows_per_call = 1000;
/// A guest who has not played after this time will not.
constexpr WallTime idle_guest_time = std::chrono::milliseconds(std::chrono::hours(24)).count();

/// Of a statement that selects id, name, whether there is a password, since, approved, muted, banned.
std::optional<Person> person_of(Query query) {
  if (!query.next()) return std::nullopt;
  return Person{query.number(0),      query.text(1),        query.number(2) != 0, query.number(3),
                query.number(4) != 0, query.number(5) != 0, query.number(6) != 0};
}

bool is_letter(char c) { return lowered(c) >= 'a' && lowered(c) <= 'z'; }

}  // namespace

std::optional<Error> name_fault(std::string_view name) {
  if (name.size() < min_name || name.size() > max_name) {
    return Error{fmt::format("a name has {} to {} characters, not {}", min_name, max_name, name.size())};
  }
  const bool has_only_good =
      std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '_'; });
  if (!has_only_good) {
    return Error{fmt::format("a name consists of letters a to z, digits, '-' and '_', not {}", in_quotes(name))};
  }
  if (!is_letter(name.front())) return Error{fmt::format("a name begins with a letter, not as {}", in_quotes(name))};
  constexpr std::array<std::string_view, 4> kept = {erased_name, "paika", "engine", "admin"};
  const std::string small = lowered(name);
  if (small.starts_with(guest_prefix) || std::find(kept.begin(), kept.end(), small) != kept.end()) {
    return Error{fmt::format("the name {} is reserved", in_quotes(name))};
  }
  return std::nullopt;
}

Person Store::add_guest(WallTime now) {
  // Five characters are nice to read. On a server with a great many guests longer names are free at once.
  for (std::size_t length = 5;; ++length) {
    const std::string name = std::string(guest_prefix) + random_name(length);
    Query added = impl_->database.query(
        "INSERT INTO people (name, since) VALUES (?, ?) ON CONFLICT (name) DO NOTHING RETURNING id", name, now);
    if (!added.next()) continue;
    const PersonId id = added.number(0);
    PAIKA_CHECK(!added.next());  // at its end, so that it is committed
    return {id, name, false, now};
  }
}

Result<Person> Store::make_member(PersonId guest, std::string_view name, std::string_view password_hash) {
  if (auto fault = name_fault(name)) return tl::unexpected(*fault);
  std::optional<Error> wrong;
  atomically([&] {
    const auto person = this->person(guest);
    if (!person) {
      wrong = Error{"there is no such guest anymore"};
    } else if (person->member) {
      wrong = Error{fmt::format("{} already has an account", in_quotes(person->name))};
    } else if (person_named(name)) {
      wrong = Error{fmt::format("the name {} is taken", in_quotes(name))};
    } else {
      impl_->database.run("UPDATE people SET name = ?, password_hash = ? WHERE id = ?", name, password_hash, guest);
    }
  });
  if (wrong) return tl::unexpected(*wrong);
  return *person(guest);
}

std::optional<Person> Store::person(PersonId id) {
  return person_of(
      impl_->database.query("SELECT id, name, password_hash IS NOT NULL, since, approved, muted, banned"
                            " FROM people WHERE id = ?",
                            id));
}

std::optional<Person> Store::person_named(std::string_view name) {
  return person_of(
      impl_->database.query("SELECT id, name, password_hash IS NOT NULL, since, approved, muted, banned"
                            " FROM people WHERE name = ?",
                            name));
}

std::optional<std::string> Store::password_hash(PersonId id) {
  Query query = impl_->database.query("SELECT password_hash FROM people WHERE id = ?", id);
  if (!query.next() || query.is_null(0)) return std::nullopt;
  return query.text(0);
}

void Store::set_password_hash(PersonId id, std::string_view hash) {
  // Not for guests: a password would make one a member without a name.
  const int changes =
      impl_->database.run("UPDATE people SET password_hash = ? WHERE id = ? AND password_hash IS NOT NULL", hash, id);
  if (changes == 0) throw StoreError(fmt::format("there is no member with the number {}", id));
}

int Store::drop_idle_guests(WallTime now) {
  Database& database = impl_->database;
  int dropped = 0;
  atomically([&] {
    database.run(
        "DELETE FROM sessions WHERE secret_hash IN (SELECT secret_hash FROM sessions WHERE until <= ? LIMIT ?)", now,
        rows_per_call);
    Query reached = database.query(
        "SELECT count(*), max(id) FROM (SELECT id FROM people WHERE password_hash IS NULL AND id > ?"
        " ORDER BY id LIMIT ?) AS guests",
        impl_->looked_at, rows_per_call);
    PAIKA_CHECK(reached.next());
    const bool is_last = reached.number(0) < rows_per_call;
    const PersonId last = reached.number(1);
    dropped = database.run(
        "DELETE FROM people WHERE password_hash IS NULL AND id > ?1 AND id <= ?2"
        " AND NOT EXISTS (SELECT 1 FROM rooms WHERE first_person = people.id)"
        " AND NOT EXISTS (SELECT 1 FROM rooms WHERE second_person = people.id)"
        " AND (since <= ?4 AND NOT EXISTS (SELECT 1 FROM visitors WHERE person = people.id)"
        "      AND NOT EXISTS (SELECT 1 FROM tokens WHERE person = people.id AND greatest(created, used) > ?4)"
        "   OR NOT EXISTS (SELECT 1 FROM sessions WHERE person = people.id AND until > ?3)"
        "      AND NOT EXISTS (SELECT 1 FROM tokens WHERE person = people.id))",
        impl_->looked_at, last, now, now - idle_guest_time);
    impl_->looked_at = is_last ? 0 : last;
  });
  return dropped;
}

// ---- Sessions of browsers and tokens of programs. Only hashes of the secrets come here. ----

void Store::add_session(PersonId person, std::string_view secret_hash, WallTime now, WallTime until) {
  impl_->database.run("INSERT INTO sessions (secret_hash, person, created, until) VALUES (?, ?, ?, ?)", secret_hash,
                      person, now, until);
  impl_->database.run(
      "DELETE FROM sessions WHERE person = ?1 AND secret_hash <> ?2 AND secret_hash NOT IN"
      " (SELECT secret_hash FROM sessions WHERE person = ?1 AND secret_hash <> ?2"
      "  ORDER BY until DESC, secret_hash LIMIT ?3)",
      person, secret_hash, max_sessions - 1);
}

std::optional<PersonId> Store::session_person(std::string_view secret_hash, WallTime now) {
  return first_row(
      impl_->database.query("SELECT person FROM sessions WHERE secret_hash = ? AND until > ?", secret_hash, now),
      first_column);
}

std::optional<WallTime> Store::session_created(std::string_view secret_hash) {
  return first_row(impl_->database.query("SELECT created FROM sessions WHERE secret_hash = ?", secret_hash),
                   first_column);
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
  return first_row(impl_->database.query("SELECT person FROM tokens WHERE secret_hash = ?", secret_hash), first_column);
}

void Store::token_used(std::string_view secret_hash, WallTime now) {
  impl_->database.run("UPDATE tokens SET used = greatest(used, ?) WHERE secret_hash = ?", now, secret_hash);
}

std::vector<TokenRow> Store::tokens(PersonId person) {
  return all_rows(
      impl_->database.query("SELECT id, label, created, used FROM tokens WHERE person = ? ORDER BY id", person),
      [](const Query& row) { return TokenRow{row.number(0), row.text(1), row.number(2), row.number(3)}; });
}

void Store::end_tokens(PersonId person, std::string_view but_hash) {
  impl_->database.run("DELETE FROM tokens WHERE person = ? AND secret_hash <> ?", person, but_hash);
}

bool Store::drop_token(PersonId person, std::int64_t token) {
  return impl_->database.run("DELETE FROM tokens WHERE person = ? AND id = ?", person, token) > 0;
}

}  // namespace paika::server
