#include "server/admin/admin.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <pwd.h>
#include <sys/types.h>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "server/http/address.hpp"
#include "server/http/answers.hpp"
#include "server/store/classes.hpp"
#include "server/store/operators.hpp"

namespace paika::server {

namespace {

constexpr std::size_t max_reason = 500;
constexpr int max_rows = 100'000;

/// One request at work.
struct Act {
  Store& store;
  OperatorStore operators;
  const AdminRequest& request;
  WallTime now;
  AdminAnswer& answer;
  std::string subject;  // as the record names it

  void refuse(std::string message) { answer.body = {{"error", std::move(message)}}; }
  void done(Json body) {
    answer.changed = true;
    answer.body = std::move(body);
  }
  [[nodiscard]] std::optional<Person> person() {
    auto found = store.person_named(request.subject);
    if (!found) {
      refuse(fmt::format("there is nobody called {}", in_quotes(request.subject)));
      return std::nullopt;
    }
    answer.person = found->id;
    subject = found->name;
    return found;
  }
};

Json person_json(const Person& person) {
  return {{"name", person.name},         {"member", person.member}, {"since_ms", person.since},
          {"approved", person.approved}, {"muted", person.muted},   {"banned", person.banned}};
}

Json session_json(const SessionRow& row) {
  Json json = {{"id", row.id}, {"kind", row.kind}, {"name", row.name}, {"created_ms", row.created}};
  if (row.kind == "session") json["until_ms"] = row.until;
  if (row.kind == "token") json["used_ms"] = row.used == 0 ? Json(nullptr) : Json(row.used);
  return json;
}

// ---- Looking ----

void list_sessions(Act& act) {
  std::optional<PersonId> of;
  if (!act.request.subject.empty()) {
    const auto person = act.person();
    if (!person) return;
    of = person->id;
  }
  Json list = Json::array();
  for (const SessionRow& row : act.operators.sessions(of, act.now, act.request.most)) list.push_back(session_json(row));
  act.answer.body = {{"sessions", list}};
}

void list_people(Act& act) {
  Json list = Json::array();
  if (act.request.subject.empty()) {
    for (const Person& person : act.operators.marked()) list.push_back(person_json(person));
  } else if (const auto person = act.person()) {
    list.push_back(person_json(*person));
  } else {
    return;
  }
  act.answer.body = {{"people", list}, {"addresses", act.operators.banned_addresses()}};
}

void list_classes(Act& act) {
  Json list = Json::array();
  for (const ClassSummary& row : act.operators.classes(act.request.most)) {
    list.push_back({{"id", row.id},
                    {"name", plain_text(row.name)},
                    {"teacher", row.teacher},
                    {"state", row.state},
                    {"members", row.members},
                    {"bots_waiting", row.bots_waiting},
                    {"games", row.games}});
  }
  act.answer.body = {{"classes", list}};
}

void list_acts(Act& act) {
  Json list = Json::array();
  for (const OperatorAct& row : act.operators.acts(act.request.most)) {
    list.push_back(
        {{"at_ms", row.at}, {"by", row.by}, {"action", row.action}, {"subject", row.subject}, {"reason", row.reason}});
  }
  act.answer.body = {{"log", list}};
}

void statistics(Act& act) {
  const StoreCounts counts = act.operators.counts(act.now);
  act.answer.body = {
      {"people",
       {{"members", counts.members},
        {"guests", counts.guests},
        {"sessions", counts.sessions},
        {"tokens", counts.tokens},
        {"approved", counts.approved},
        {"muted", counts.muted},
        {"banned", counts.banned},
        {"banned_addresses", counts.banned_addresses}}},
      {"rooms", {{"open", counts.open_rooms}, {"running", counts.running_rooms}, {"ended", counts.ended_rooms}}},
      {"classes",
       {{"classes", counts.classes},
        {"bots", counts.bots},
        {"bots_waiting", counts.bots_waiting},
        {"games", counts.ladder_games}}},
      {"database", {{"bytes", counts.bytes}, {"version", store_version}}}};
}

// ---- Changing ----

void end_session(Act& act) {
  const int found = act.operators.end_session(act.request.subject);
  if (found > 1) return act.refuse(fmt::format("{} sessions begin so: give more digits", found));
  if (found == 0) return act.refuse(fmt::format("there is no session {}", in_quotes(act.request.subject)));
  act.subject = act.request.subject;
  act.done({{"ended", 1}});
}

void end_all(Act& act) {
  if (const auto person = act.person()) act.done({{"ended", act.operators.end_all(person->id)}});
}

template <Mark Kind, bool Wanted>
void set_mark(Act& act) {
  const auto person = act.person();
  if (!person) return;
  const bool before = Kind == Mark::approved ? person->approved : Kind == Mark::muted ? person->muted : person->banned;
  if (before != Wanted) act.operators.set_mark(person->id, Kind, Wanted ? act.now : 0);
  act.done(person_json(*act.store.person(person->id)));
  act.answer.changed = before != Wanted;
}

/// The client of an address, as it is banned; nothing, and refused, if it is no address.
std::optional<std::string> client(Act& act) {
  if (!plain_address(act.request.subject)) {
    act.refuse(
        fmt::format("{} is no address: give one such as 192.0.2.7 or 2001:db8::7", in_quotes(act.request.subject)));
    return std::nullopt;
  }
  act.subject = client_of(act.request.subject);
  return act.subject;
}

void ban_address(Act& act) {
  const auto banned = client(act);
  if (!banned) return;
  const bool changed = act.operators.ban_address(*banned, act.now);
  act.done({{"address", *banned}, {"banned", true}});
  act.answer.changed = changed;
}

void unban_address(Act& act) {
  const auto banned = client(act);
  if (!banned) return;
  if (!act.operators.unban_address(*banned)) return act.refuse(fmt::format("{} is not banned", *banned));
  act.done({{"address", *banned}, {"banned", false}});
}

void delete_person(Act& act) {
  const auto person = act.person();
  if (!person) return;
  act.store.erase_person(person->id);
  act.subject = "deleted";  // no name is kept of somebody who was erased
  act.done({{"deleted", person->name}});
}

void delete_room(Act& act) {
  if (!act.operators.drop_room(act.request.subject)) {
    return act.refuse(fmt::format("there is no room {}", in_quotes(act.request.subject)));
  }
  act.subject = act.request.subject;
  act.done({{"deleted", act.request.subject}});
}

void delete_class(Act& act) {
  ClassStore classes(act.store);
  if (!classes.find(act.request.subject)) {
    return act.refuse(fmt::format("there is no class {}", in_quotes(act.request.subject)));
  }
  classes.drop_class(act.request.subject);
  act.subject = act.request.subject;
  act.done({{"deleted", act.request.subject}});
}

struct Action {
  std::string_view name;
  void (*run)(Act&);
};

constexpr std::array<Action, 18> actions = {{{"sessions", list_sessions},
                                             {"people", list_people},
                                             {"classes", list_classes},
                                             {"statistics", statistics},
                                             {"log", list_acts},
                                             {"end-session", end_session},
                                             {"end-all", end_all},
                                             {"approve", set_mark<Mark::approved, true>},
                                             {"unapprove", set_mark<Mark::approved, false>},
                                             {"mute", set_mark<Mark::muted, true>},
                                             {"unmute", set_mark<Mark::muted, false>},
                                             {"ban", set_mark<Mark::banned, true>},
                                             {"unban", set_mark<Mark::banned, false>},
                                             {"ban-address", ban_address},
                                             {"unban-address", unban_address},
                                             {"delete-person", delete_person},
                                             {"delete-room", delete_room},
                                             {"delete-class", delete_class}}};

}  // namespace

bool AdminAnswer::failed() const { return body.contains("error"); }

std::vector<std::string> admin_actions() {
  std::vector<std::string> names;
  for (const Action& action : actions) names.emplace_back(action.name);
  return names;
}

Result<AdminRequest> read_admin_request(std::string_view line) {
  const auto object = read_object(line);
  if (!object) return tl::unexpected(object.error());
  if (const auto known = only_fields(*object, {"action", "subject", "reason", "most"}); !known) {
    return tl::unexpected(known.error());
  }
  AdminRequest request;
  for (const auto& [field, text] : {std::pair{"action", &request.action}, std::pair{"subject", &request.subject},
                                    std::pair{"reason", &request.reason}}) {
    auto read = text_field(*object, field, "");
    if (!read) return tl::unexpected(read.error());
    *text = std::move(*read);
  }
  const auto most = number_field(*object, "most", request.most, 1, max_rows);
  if (!most) return tl::unexpected(most.error());
  request.most = static_cast<int>(*most);
  const auto names = admin_actions();
  if (std::find(names.begin(), names.end(), request.action) == names.end()) {
    return fail("there is no action {}; the actions are {}", in_quotes(request.action), listed(names, "and"));
  }
  if (request.reason.size() > max_reason) return fail("the reason is longer than {} bytes", max_reason);
  return request;
}

std::string admin_line(const AdminRequest& request) {
  const Json json = {
      {"action", request.action}, {"subject", request.subject}, {"reason", request.reason}, {"most", request.most}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

AdminAnswer administer(Store& store, const AdminRequest& request, const std::string& by, WallTime now) {
  const auto action =
      std::find_if(actions.begin(), actions.end(), [&](const Action& a) { return a.name == request.action; });
  AdminAnswer answer;
  answer.body = Json::object();
  Act act{store, OperatorStore(store), request, now, answer, ""};
  if (action == actions.end()) {
    act.refuse(fmt::format("there is no action {}", in_quotes(request.action)));
    return answer;
  }
  store.atomically([&] {
    action->run(act);
    if (!act.answer.changed) return;
    const bool gone = request.action == "delete-person";
    act.operators.add_act(
        {now, by, request.action, gone ? 0 : act.answer.person, act.subject, gone ? "" : plain_text(request.reason)});
  });
  return answer;
}

std::string machine_user(unsigned uid) {
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(uid, &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) {
    return fmt::format("user {}", uid);
  }
  return fmt::format("{} ({})", found->pw_name, uid);
}

}  // namespace paika::server
