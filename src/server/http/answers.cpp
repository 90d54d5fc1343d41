#include "server/http/answers.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.hpp"

namespace paika::server {

namespace {

constexpr std::size_t deepest = 16;
// Objects keep the order of their keys and look for a key one by one, so the time grows with the square of their
// number.
constexpr std::size_t max_keys = 1'000;

struct Code {
  std::string_view word;
  int status;
};
constexpr std::array<Code, 14> refusal_codes = {{{"illegal", 422},
                                                 {"no_room", 404},
                                                 {"storage", 503},
                                                 {"busy", 503},
                                                 {"damaged", 500},
                                                 {"late", 409},
                                                 {"over", 409},
                                                 {"not_begun", 409},
                                                 {"not_yours", 403},
                                                 {"taken", 409},
                                                 {"no_offer", 409},
                                                 {"too_often", 429},
                                                 {"too_many_rooms", 429},
                                                 {"bad_request", 400}}};

/// Nothing, or why a text that may be JSON is not even looked at. Brackets and colons inside strings do not count.
std::optional<Error> shape_fault(std::string_view text) {
  std::size_t depth = 0;
  std::array<std::size_t, deepest + 1> keys{};  // of the object that is open at each depth
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > deepest) return Error{fmt::format("byte {}: nested deeper than {} levels", i + 1, deepest)};
      keys[depth] = 0;
    } else if (c == '}' || c == ']') {
      if (depth > 0) --depth;
    } else if (c == '\0') {
      // The parser would take it for the end of the text.
      return Error{fmt::format("byte {}: a zero byte", i + 1)};
    } else if (c == ':' && ++keys[depth] > max_keys) {
      return Error{fmt::format("byte {}: more than {} fields", i + 1, max_keys)};
    }
  }
  return std::nullopt;
}

/// A field that is there and not null.
const Json* value_of(const Json& object, std::string_view name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

}  // namespace

Response json_response(const Json& body, int status) {
  Response response;
  response.status = status;
  // Bytes that are no UTF-8 become replacement characters: an answer must never fail.
  response.body = body.dump(-1, ' ', false, Json::error_handler_t::replace);
  return response;
}

Json error_json(std::string_view code, std::string_view message, const Json& details) {
  Json error = {{"code", std::string(code)}, {"message", std::string(message)}};
  if (details.is_object()) {
    for (const auto& [key, value] : details.items()) {
      if (key != "code" && key != "message") error[key] = value;
    }
  }
  return Json{{"error", std::move(error)}};
}

Response error_response(int status, std::string_view code, std::string_view message, const Json& details) {
  Response response = json_response(error_json(code, message, details), status);
  // Programs that know HTTP only wait for this long; it counts in whole seconds.
  const Json* wait = value_of(details, "retry_after_ms");
  if (wait != nullptr && wait->is_number_integer()) {
    const auto seconds = (std::max<std::int64_t>(0, wait->get<std::int64_t>()) + 999) / 1000;
    response.headers.emplace_back("Retry-After", std::to_string(std::max<std::int64_t>(1, seconds)));
  }
  return response;
}

Response bad_request(const Error& error) { return error_response(400, "bad_request", error.message); }

Response too_often_response(std::chrono::milliseconds wait, std::string_view message) {
  return error_response(429, "too_often", message, {{"retry_after_ms", wait.count()}});
}

Response busy_response() {
  return error_response(503, "busy", "the server has too much to do; try again in a moment",
                        {{"retry_after_ms", 2000}});
}

Response refusal_response(const Refused& refused) {
  const auto* const known =
      std::find_if(refusal_codes.begin(), refusal_codes.end(), [&](const Code& c) { return c.word == refused.code; });
  const int status = known == refusal_codes.end() ? 409 : known->status;
  return error_response(status, refused.code, refused.message, refused.details);
}

Result<Json> read_object(std::string_view body) {
  if (trimmed(body).empty()) return fail("the body is empty; a JSON object such as {{}} is expected");
  if (auto fault = shape_fault(body)) return tl::unexpected(*std::move(fault));
  try {
    Json json = Json::parse(body);
    if (!json.is_object()) return fail("the body is JSON, but {} instead of an object", json.type_name());
    return json;
  } catch (const Json::parse_error& error) {
    const std::size_t at = std::min(error.byte == 0 ? 0 : error.byte - 1, body.size());
    return fail("byte {}: the body is not JSON from here on: {}", at + 1, in_quotes(body.substr(at), 20));
  } catch (const Json::exception&) {
    return fail("the body has a number that is too large");
  }
}

Result<std::string> text_field(const Json& object, std::string_view name, std::string_view missing) {
  const Json* value = value_of(object, name);
  if (value == nullptr) return std::string(missing);
  if (!value->is_string()) return fail("\"{}\" must be a text, not {}", name, value->type_name());
  return value->get<std::string>();
}

Result<std::int64_t> number_field(const Json& object, std::string_view name, std::int64_t missing, std::int64_t least,
                                  std::int64_t most) {
  const Json* value = value_of(object, name);
  if (value == nullptr) return missing;
  if (!value->is_number_integer())
    return fail("\"{}\" must be a whole number from {} to {}, not {}", name, least, most,
                value->is_number() ? "one with a fraction" : value->type_name());
  const bool fits = !value->is_number_unsigned() || std::in_range<std::int64_t>(value->get<std::uint64_t>());
  if (!fits || value->get<std::int64_t>() < least || value->get<std::int64_t>() > most)
    return fail("\"{}\" is {}; it must be from {} to {}", name, value->dump(), least, most);
  return value->get<std::int64_t>();
}

Result<bool> flag_field(const Json& object, std::string_view name, bool missing) {
  const Json* value = value_of(object, name);
  if (value == nullptr) return missing;
  if (!value->is_boolean()) return fail("\"{}\" must be true or false, not {}", name, value->type_name());
  return value->get<bool>();
}

Result<void> only_fields(const Json& object, std::initializer_list<std::string_view> known) {
  if (!object.is_object()) return {};
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::vector<std::string> names(known.begin(), known.end());
    return fail("there is no field {}{}; known are {}", in_quotes(key), did_you_mean(key, names),
                names.empty() ? "none" : listed(names, "and"));
  }
  return {};
}

}  // namespace paika::server
