// `paika admin`: what those who run a server do, through the socket of the server that runs, or on its database if none
// does.
#include "server/admin/admin.hpp"

#include <chrono>
#include <filesystem>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "apps/commands.hpp"
#include "apps/database_input.hpp"
#include "apps/input.hpp"
#include "apps/stderr.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "database/postgresql.hpp"
#include "server/admin/admin_socket.hpp"
#include "server/http/address.hpp"

namespace paika::apps {

namespace {

Result<server::AdminRequest> read_request(const AdminArgs& args) {
  server::AdminRequest request{args.action, args.subject, args.reason, args.most};
  if (args.action == "delete") {
    if (args.kind != "person" && args.kind != "room" && args.kind != "class") {
      return fail("delete takes person, room or class, not {}", in_quotes(args.kind));
    }
    if (!args.yes) return fail("deleting cannot be undone: say so with --yes");
    request.action = "delete-" + args.kind;
  }
  // A name has neither dots nor colons.
  const bool bans = args.action == "ban" || args.action == "unban";
  if (bans && server::plain_address(args.subject)) request.action += "-address";
  return server::read_admin_request(server::admin_line(request));
}

/// Nobody serves the database: what is asked is done here.
Result<Json> do_here(const std::string& database, const server::AdminRequest& request) {
  std::error_code error;
  if (!is_postgresql_url(database) && !std::filesystem::exists(database, error)) {
    return fail("there is no database {}", in_quotes(database, 200));
  }
  const auto store = server::Store::open(database, server::Store::Mode::owner);
  if (!store) return tl::unexpected(store.error());
  try {
    return server::administer(**store, request, server::machine_user(::getuid()), server::wall_now()).body;
  } catch (const server::StoreError& failure) {
    return fail("{}", failure.what());
  }
}

Result<Json> ask(const std::string& database, const server::AdminRequest& request) {
  const auto files = server::files_beside(database);
  if (!files) return tl::unexpected(files.error());
  const auto answer = server::ask_server(server::admin_socket_path(*files), server::admin_line(request));
  if (!answer) return tl::unexpected(answer.error());
  if (!*answer) return do_here(database, request);
  Json body = Json::parse(**answer, nullptr, false);
  if (!body.is_object()) return fail("the server answers what makes no sense");
  return body;
}

// ---- What is shown ----

std::string date(const Json& ms) {
  if (!ms.is_number_integer() || ms.get<std::int64_t>() <= 0) return "never";
  const std::chrono::sys_time<std::chrono::seconds> time{std::chrono::seconds(ms.get<std::int64_t>() / 1000)};
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

std::string text(const Json& row, const char* field) { return plain_text(row.value(field, "")); }

void print_sessions(const Json& body) {
  fmt::print("{:12}  {:7}  {:20}  {:16}  {}\n", "ID", "KIND", "NAME", "CREATED", "ENDS / LAST USED");
  for (const Json& row : body["sessions"]) {
    fmt::print("{:12}  {:7}  {:20}  {:16}  {}\n", text(row, "id"), text(row, "kind"), text(row, "name"),
               date(row["created_ms"]), date(row.contains("until_ms") ? row["until_ms"] : row["used_ms"]));
  }
}

void print_person(const Json& row) {
  std::vector<std::string> marks = {row.value("member", false) ? "member" : "guest"};
  for (const char* mark : {"approved", "muted", "banned"}) {
    if (row.value(mark, false)) marks.emplace_back(mark);
  }
  fmt::print("{:20}  {}\n", text(row, "name"), fmt::join(marks, ", "));
}

void print_people(const Json& body) {
  for (const Json& row : body["people"]) print_person(row);
  for (const Json& address : body["addresses"]) fmt::print("{:20}  banned\n", address.get<std::string>());
}

void print_classes(const Json& body) {
  fmt::print("{:10}  {:20}  {:8}  {:>7}  {:>7}  {:>7}  {}\n", "ID", "TEACHER", "STATE", "MEMBERS", "WAITING", "GAMES",
             "NAME");
  for (const Json& row : body["classes"]) {
    fmt::print("{:10}  {:20}  {:8}  {:>7}  {:>7}  {:>7}  {}\n", text(row, "id"), text(row, "teacher"),
               text(row, "state"), row["members"].get<int>(), row["bots_waiting"].get<int>(), row["games"].get<int>(),
               text(row, "name"));
  }
}

void print_log(const Json& body) {
  for (const Json& row : body["log"]) {
    const std::string reason = text(row, "reason");
    fmt::print("{}  {}  {} {}{}\n", date(row["at_ms"]), text(row, "by"), text(row, "action"), text(row, "subject"),
               reason.empty() ? "" : ": " + reason);
  }
}

/// Groups of numbers, or fields of one answer.
void print_fields(const Json& body, const std::string& before = "") {
  for (const auto& [key, value] : body.items()) {
    const std::string name = before.empty() ? key : fmt::format("{}.{}", before, key);
    if (value.is_object()) {
      print_fields(value, name);
    } else {
      fmt::print("{:30} {}\n", name, value.is_string() ? plain_text(value.get<std::string>()) : value.dump());
    }
  }
}

void print_answer(const Json& body) {
  if (body.contains("sessions")) return print_sessions(body);
  if (body.contains("addresses")) return print_people(body);
  if (body.contains("classes") && body["classes"].is_array()) return print_classes(body);
  if (body.contains("log")) return print_log(body);
  if (body.contains("member")) return print_person(body);
  print_fields(body);
}

}  // namespace

int run_admin(const AdminArgs& args) {
  const auto request = read_request(args);
  if (!request) return complain(request.error().message);
  const auto database = database_file(args.database);
  if (!database) return complain(database.error().message);
  const auto body = ask(*database, *request);
  if (!body) return complain(body.error().message);
  const bool failed = body->contains("error");
  if (args.json) {
    fmt::print("{}\n", body->dump(2, ' ', false, Json::error_handler_t::replace));
  } else if (failed) {
    to_stderr(fmt::format("paika: {}\n", plain_text(body->value("error", ""))));
  } else {
    print_answer(*body);
  }
  return finish(failed ? exit_no : exit_done);
}

}  // namespace paika::apps
