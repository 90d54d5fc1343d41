// What operators do (`paika admin`): requests and answers as JSON, carried out in one transaction of the store.
//
// The same functions serve a server that runs, which gets requests through its admin socket (admin_socket.hpp), and the
// command line on a database that no server uses. Everything that changes something is noted in the store: who, what,
// whom, and why.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "engine/json.hpp"
#include "server/store/store.hpp"

namespace paika::server {

struct AdminRequest {
  std::string action;   // "ban"
  std::string subject;  // a person's name, a session's id, an address, the id of a room or class; by the action
  std::string reason;   // for the record
  int most = 100;       // rows of a list
};

/// The actions that there are.
[[nodiscard]] std::vector<std::string> admin_actions();

/// Reads {"action": …, "subject": …, "reason": …, "most": …}. An error names what is wrong.
[[nodiscard]] Result<AdminRequest> read_admin_request(std::string_view line);
[[nodiscard]] std::string admin_line(const AdminRequest& request);

/// What came of a request.
struct AdminAnswer {
  Json body;            // {"error": …} if it could not be done
  PersonId person = 0;  // whom it was about, if it was about a person
  bool changed = false;

  [[nodiscard]] bool failed() const;
};

/// Carries it out on behalf of the user `by` of this machine. Throws StoreError.
[[nodiscard]] AdminAnswer administer(Store& store, const AdminRequest& request, const std::string& by, WallTime now);

/// The name of a user of this machine with its number: "root (0)".
[[nodiscard]] std::string machine_user(unsigned uid);

}  // namespace paika::server
