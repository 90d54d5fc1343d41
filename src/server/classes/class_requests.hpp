// What people send about classes, read and checked.
#pragma once

#include <string>

#include "base/result.hpp"
#include "engine/json.hpp"
#include "server/store/classes.hpp"

namespace paika::server {

/// A new class, without its id, code and teacher.
[[nodiscard]] Result<ClassRow> read_new_class(const Json& body);

/// Changes what the body names: name, state, deadline_ms (null: none), turn_ms, memory_mb, uploads_per_day, pairs.
[[nodiscard]] Result<ClassRow> read_changed_class(ClassRow row, const Json& body);

struct JoinRequest {
  std::string code;  // as people type it: in any case, blanks and '-' left out
  std::string name;  // empty: the account's
};
[[nodiscard]] Result<JoinRequest> read_join(const Json& body);

/// A bot that is handed in: what is said of it, and its files as they are kept.
struct BotRequest {
  BotRow row;
  std::string files;
};
/// Takes a moment if the files are large.
[[nodiscard]] Result<BotRequest> read_bot(const Json& body);

}  // namespace paika::server
