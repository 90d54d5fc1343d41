#include "database/postgresql.hpp"

#include <chrono>
#include <fmt/format.h>
#include <libpq-fe.h>
#include <memory>
#include <utility>

#include "base/text.hpp"
#include "database/postgresql_connection.hpp"

namespace paika {

namespace {

/// A server that was killed is forgotten by the database a moment later.
constexpr auto lock_patience = std::chrono::seconds(5);
constexpr auto reader_limit = std::chrono::seconds(10);  // also of what is no step of the owner's layout

Result<Database> open_reader(const std::string& url, const Layout& layout) {
  Database database(std::make_unique<PostgresqlConnection>(url, Access::reader, reader_limit));
  auto prepared = check_up_to_date(database, layout);
  if (!prepared) return tl::unexpected(prepared.error());
  return database;
}

Result<Database> open_owner(const std::string& url, const Layout& layout, const OwnerTerms& terms) {
  auto opened = std::make_unique<PostgresqlConnection>(url, Access::owner, reader_limit);
  PostgresqlConnection& connection = *opened;
  if (!connection.wait_for_lock(lock_patience)) {
    return fail("{} is in use by another server", in_quotes(connection.name(), 200));
  }
  connection.begin_taking_over(terms.is_replaceable);
  connection.set_limit({});  // steps of the layout may take long
  Database database(std::move(opened));
  auto prepared = bring_up_to_date(database, layout);
  if (!prepared) return tl::unexpected(prepared.error());
  connection.begin_epoch();
  connection.set_limit(terms.limit);
  return database;
}

Result<Database> open_shared_checked(const std::string& url, const Layout& layout) {
  auto opened = std::make_unique<PostgresqlConnection>(url, Access::owner, reader_limit);
  PostgresqlConnection& connection = *opened;
  connection.lock_layout(true);
  connection.use_shared_schema();
  Database database(std::move(opened));
  auto prepared = bring_up_to_date(database, layout);
  connection.lock_layout(false);
  if (!prepared) return tl::unexpected(prepared.error());
  return database;
}

/// What `open` gives, with what it throws as an error.
template <class Open>
Result<Database> as_result(Open open) {
  try {
    return open();
  } catch (const StoreError& error) {
    return tl::unexpected(Error{error.what()});
  }
}

}  // namespace

bool is_postgresql_url(std::string_view where) {
  return where.starts_with("postgresql://") || where.starts_with("postgres://");
}

Result<std::string> shown_postgresql_url(const std::string& url) {
  struct Free {
    void operator()(PQconninfoOption* options) const noexcept { PQconninfoFree(options); }
    void operator()(char* text) const noexcept { PQfreemem(text); }
  };
  char* why = nullptr;
  const std::unique_ptr<PQconninfoOption, Free> options(PQconninfoParse(url.c_str(), &why));
  const std::unique_ptr<char, Free> said(why);
  if (options == nullptr) {
    return fail("a PostgreSQL URL is postgresql://USER@HOST/DATABASE: {}", first_line(why != nullptr ? why : ""));
  }
  std::string user;
  std::string host;
  std::string port;
  std::string name;
  for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option) {
    if (option->val == nullptr) continue;
    const std::string_view key = option->keyword;
    if (key == "user") user = std::string(option->val) + "@";
    if (key == "host") host = option->val;
    if (key == "port") port = std::string(":") + option->val;
    if (key == "dbname") name = option->val;
  }
  return fmt::format("postgresql://{}{}{}/{}", user, host, port, name);
}

std::unique_ptr<Connection> connect_postgresql(const std::string& url, Access access, std::chrono::milliseconds limit) {
  return std::make_unique<PostgresqlConnection>(url, access, limit);
}

Result<Database> open_postgresql(const std::string& url, Access access, const Layout& layout, const OwnerTerms& terms) {
  return as_result([&] { return access == Access::owner ? open_owner(url, layout, terms) : open_reader(url, layout); });
}

Result<Database> open_shared_postgresql(const std::string& url, const Layout& layout) {
  return as_result([&] { return open_shared_checked(url, layout); });
}

}  // namespace paika
