// HttpClient: requests of ours to servers of others, by libcurl: providers of sign-on and learning platforms.
//
// Only https, checked against the system's certificates (or a file of the operator's), except to this machine itself.
// Redirects are not followed, answers are bounded in size and time. Calls wait for the answer: never for the network
// thread.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace paika::server {

inline constexpr std::size_t max_outside_bytes = std::size_t{256} * 1024;

struct OutsideRequest {
  std::string method = "GET";
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

struct OutsideAnswer {
  int status = 0;
  std::string body;  // at most max_outside_bytes: more is an error
};

/// Sends a request and waits, at most 10 seconds or until stopped. An error says what did not work; any status is an
/// answer.
using SendOutside = std::function<Result<OutsideAnswer>(const OutsideRequest&, const std::stop_token&)>;

/// By libcurl. `ca_file` has the certificates to believe; empty: the system's. From any thread.
[[nodiscard]] SendOutside curl_sender(std::string ca_file);

/// Nothing wrong with an address that we are to call, or to send browsers to: https://host/… without user and fragment;
/// http only to this machine. Else what.
[[nodiscard]] Result<void> check_outside_url(std::string_view url);
/// "https://host:port" of such an address.
[[nodiscard]] std::string origin_of(std::string_view url);

/// "a=1&b=2", escaped.
[[nodiscard]] std::string form_text(const std::vector<std::pair<std::string, std::string>>& fields);
/// An address with more fields in its query.
[[nodiscard]] std::string with_query(const std::string& url,
                                     const std::vector<std::pair<std::string, std::string>>& fields);
/// Escaped for a form or a query.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace paika::server
