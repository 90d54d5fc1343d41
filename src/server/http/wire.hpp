// Wire: a response as the bytes that go before its body.
#pragma once

#include <string>
#include <string_view>

#include "server/http/site.hpp"

namespace paika::server {

/// "Not Found"; "Unknown" for numbers that we never send.
[[nodiscard]] std::string_view reason_phrase(int status) noexcept;

/// How the body follows the head.
enum class Framing : unsigned char {
  length,    // Content-Length, that of the body
  chunked,   // in chunks, their number not known yet
  until_end  // to the end of the connection (HTTP/1.0 knows no chunks)
};

/// True if a response with this status has a body at all (not 1xx, 204 and 304).
[[nodiscard]] bool has_body(int status) noexcept;

/// The status line and all headers, the empty line included. The network alone decides on Content-Length,
/// Transfer-Encoding and Connection: those of the response are left out, as is a header that would break the format
/// (an end of line in it). `date` is the value of Date.
[[nodiscard]] std::string response_head(const Response& response, Framing framing, bool keep_alive,
                                        std::string_view date);

/// A date as HTTP writes it: "Sun, 06 Nov 1994 08:49:37 GMT"; seconds since 1970.
[[nodiscard]] std::string http_date(long long seconds);

}  // namespace paika::server
