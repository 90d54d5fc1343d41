// People: who calls, and their accounts: sessions, tokens, passwords, profiles.
//
// Who calls is looked up on the network thread (microseconds); passwords have a work queue of their own, for they are
// slow on purpose. Everything that changes goes through the writer.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "server/http/route.hpp"
#include "server/http/site.hpp"
#include "server/hub.hpp"
#include "server/store/store.hpp"
#include "server/store/writer.hpp"
#include "server/work_queue.hpp"

namespace paika::server {

/// What the account functions need; all of it outlives them.
struct PeopleDeps {
  Store& reader;  // for the network thread
  Writer& writer;
  WorkQueue& passwords;
  Limiter& limiter;
  Hub& hub;
  Log& log;
  std::function<void(std::function<void()>)> post;
  std::function<void(std::chrono::milliseconds, std::function<void()>)> after;  // on the network thread
  std::function<void(PersonId)> on_sessions_ended;  // or tokens, of a person: what they opened is to be closed
  double rate_factor = 1;
};

/// Who sent a request: by the token in Authorization, or by the session's cookie.
[[nodiscard]] std::optional<Person> caller(const Request& request, Store& reader);

/// The routes under /api/session, /api/guests, /api/account, /api/login, /api/logout, /api/players, /api/ratings.
[[nodiscard]] std::vector<Route> people_routes(const PeopleDeps& deps);

/// A person for pages and programs: {name, member, since}.
[[nodiscard]] Json to_json(const Person& person);
/// A room in a list.
[[nodiscard]] Json to_json(const RoomRow& row);
/// A token without its secret.
[[nodiscard]] Json token_json(const TokenRow& row);
[[nodiscard]] Json ratings_json(Store& store, PersonId person);

}  // namespace paika::server
