// Target: what stands in the first line and in the Cookie header of a request, taken apart.
//
// Pure functions of texts that anybody may have written, so that they are fuzzed. What could be read in two ways is
// refused and never repaired: a proxy in front of us may have read it in the other way.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace paika::server {

inline constexpr std::size_t max_target = 4096;  // bytes
inline constexpr std::size_t max_query_fields = 64;

struct Target {
  std::string path;                                       // decoded; begins with '/'; no empty, "." or ".." parts
  std::map<std::string, std::string, std::less<>> query;  // decoded; the last of a name counts
};

/// Reads "/path?name=value&…". All texts that come out are UTF-8 without control characters (but a value of the
/// query may have tabs and line ends). Refused are bad escapes, an escaped '/', empty or dotted parts of the path
/// (a '/' at the end is fine), "http://…" and "*", and more than max_query_fields. Longer ones than max_target
/// are an error too, but whoever answers with 414 looks at the length first.
[[nodiscard]] Result<Target> parse_target(std::string_view text);

/// Reads "name=value&…" as a query, also where it is the body of a form.
[[nodiscard]] Result<std::map<std::string, std::string, std::less<>>> parse_form(std::string_view text);

/// The value of a cookie in a Cookie header ("a=1; b=2"), without quotes around it; the first of a name counts: that
/// is the one of the nearest path. "" if there is none.
[[nodiscard]] std::string_view cookie_value(std::string_view header, std::string_view name) noexcept;

/// True if the bytes are UTF-8: no stray or overlong bytes, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

}  // namespace paika::server
