// Answers: the shapes of JSON responses, and of errors, that programs can rely on.
#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "base/result.hpp"
#include "engine/json.hpp"
#include "server/http/site.hpp"
#include "server/rooms/room.hpp"

namespace paika::server {

[[nodiscard]] Response json_response(const Json& body, int status = 200);

/// {"error": {"code": …, "message": …, and the details}}. The code never changes its meaning; the message is for
/// people. Never fails: what is not UTF-8 is replaced. A number "retry_after_ms" among the details becomes a header
/// Retry-After too.
[[nodiscard]] Json error_json(std::string_view code, std::string_view message, const Json& details = Json::object());
[[nodiscard]] Response error_response(int status, std::string_view code, std::string_view message,
                                      const Json& details = Json::object());
/// The same for functions that give what was asked for or the response that says why not.
[[nodiscard]] inline tl::unexpected<Response> refuse(int status, std::string_view code, std::string_view message) {
  return tl::unexpected(error_response(status, code, message));
}
/// 400 with the code bad_request.
[[nodiscard]] Response bad_request(const Error& error);
/// 429 with the code too_often: how long to wait.
[[nodiscard]] Response too_often_response(std::chrono::milliseconds wait,
                                          std::string_view message = "too many requests of this kind");
/// 503 with the code busy.
[[nodiscard]] Response busy_response();
/// The status that goes with the code of a refusal (422 for illegal, 409 for late, over, taken, …; 403, 429).
[[nodiscard]] Response refusal_response(const Refused& refused);

/// Reads a body as a JSON object in UTF-8. Bounded: depth 16, 1,000 fields per object. An error says where it stops
/// making sense. Of a field that is there twice the last counts.
[[nodiscard]] Result<Json> read_object(std::string_view body);

/// A field of an object, by type; the default if it is missing or null; an error that names the field and the type
/// otherwise.
[[nodiscard]] Result<std::string> text_field(const Json& object, std::string_view name, std::string_view missing);
[[nodiscard]] Result<std::int64_t> number_field(const Json& object, std::string_view name, std::int64_t missing,
                                                std::int64_t least, std::int64_t most);
[[nodiscard]] Result<bool> flag_field(const Json& object, std::string_view name, bool missing);
/// Nothing, or an error that names a field that is not among `known`: typos must not go unnoticed.
[[nodiscard]] Result<void> only_fields(const Json& object, std::initializer_list<std::string_view> known);

}  // namespace paika::server
