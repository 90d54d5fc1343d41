// What tests ask of a response.
#pragma once

#include <string>
#include <string_view>

#include "server/http/site.hpp"

namespace paika::server {

/// The value of a header; empty if there is none.
inline std::string header_of(const Response& response, std::string_view name) {
  for (const auto& [key, value] : response.headers) {
    if (key == name) return value;
  }
  return "";
}

}  // namespace paika::server
